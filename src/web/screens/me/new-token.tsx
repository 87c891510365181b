// Makes a token: what for, what it may, where and until when. Its secret is shown once.
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { createToken, MAYS } from '../../data/account.ts'
import { organizations } from '../../data/people.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { MenuChoice } from '../../parts/menu-choice.tsx'
import { sayWhy } from '../../parts/refusals.ts'

const NAME_CHARACTERS_MAX = 50
const DAY_MS = 86_400_000
const EXPIRIES = ['30', '90', '365', 'never'] as const
type Expiry = (typeof EXPIRIES)[number]
const EVERYTHING = 'everything'
const WORDS = [...MAYS, EVERYTHING] as const
type Word = (typeof WORDS)[number]
// No id of the API is it.
const EVERYWHERE = ''

export function NewToken({ onClose }: { readonly onClose: () => void }) {
  const { items } = useSuspenseQuery(organizations).data
  const [label, setLabel] = useState('')
  const [may, setMay] = useState<Word>('propose')
  const [organization, setOrganization] = useState(EVERYWHERE)
  const [expiry, setExpiry] = useState<Expiry>('90')
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: () =>
      createToken({
        label: label.trim(),
        may: may === EVERYTHING ? null : may,
        organization: organization === EVERYWHERE ? null : organization,
        expiresAt: endOf(expiry),
      }),
  })
  if (data !== undefined)
    return (
      <Dialog title={t('me.tokenCreated')} isOpen onClose={onClose}>
        <p className="notice success" role="status">
          {t('me.tokenOnce')}
        </p>
        <CopyField label={t('me.secret')} value={data.token} />
        <div className="dialog-actions">
          <Button look="primary" onPress={onClose} autoFocus>
            {t('me.done')}
          </Button>
        </div>
      </Dialog>
    )
  return (
    <Dialog title={t('me.createToken')} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={event => {
          event.preventDefault()
          mutate()
        }}
      >
        <Field
          label={t('me.tokenName')}
          hint={t('me.tokenNameHint')}
          value={label}
          onChange={setLabel}
          maxLength={NAME_CHARACTERS_MAX}
          autoFocus
        />
        <div className="field">
          <span className="label" aria-hidden="true">
            {t('me.may')}
          </span>
          <MenuChoice
            label={t('me.may')}
            options={WORDS.map(id => ({ id, title: t(`me.mays.${id}`) }))}
            chosen={may}
            onChange={setMay}
          />
        </div>
        {items.length > 1 && (
          <div className="field">
            <span className="label" aria-hidden="true">
              {t('me.where')}
            </span>
            <MenuChoice
              label={t('me.where')}
              options={[{ id: EVERYWHERE, title: t('me.everywhere') }, ...items]}
              chosen={organization}
              onChange={setOrganization}
            />
          </div>
        )}
        <div className="field">
          <span className="label" aria-hidden="true">
            {t('me.expires')}
          </span>
          <MenuChoice
            label={t('me.expires')}
            options={EXPIRIES.map(id => ({ id, title: t(`me.expiry.${id}`) }))}
            chosen={expiry}
            onChange={setExpiry}
          />
        </div>
        {error !== null && (
          <p className="field-error" role="alert">
            {sayWhy(error)}
          </p>
        )}
        <div className="dialog-actions">
          <Button onPress={onClose}>{t('me.cancel')}</Button>
          <Button type="submit" look="primary" isPending={isPending} isDisabled={label.trim() === ''}>
            {t('me.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const endOf = (expiry: Expiry): string | null =>
  expiry === 'never' ? null : new Date(Date.now() + Number(expiry) * DAY_MS).toISOString()
