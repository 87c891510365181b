// How a service of one's own signs in visitors of the space: the key of their tokens, and where visitors without one are
// sent. The key is shown when somebody asks for it.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Space } from '../../data/spaces.ts'
import {
  changeVisitorSignIn,
  readVisitorKeys,
  renewVisitorKey,
  type VisitorKeys,
} from '../../data/visitor-keys.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Field } from '../../parts/field.tsx'
import { MenuChoice } from '../../parts/menu-choice.tsx'
import { Question } from '../../parts/question.tsx'
import { sayWhy } from '../../parts/refusals.ts'
import { Time } from '../../parts/time.tsx'
import { say, sayFailure } from '../../parts/toasts.tsx'

export function Visitors({ of }: { readonly of: Space }) {
  const [keys, setKeys] = useState<VisitorKeys>()
  const show = useMutation({
    mutationFn: () => readVisitorKeys(of.id),
    onSuccess: setKeys,
    onError: sayFailure,
  })
  return (
    <section className="stack" aria-label={t('settings.visitors')}>
      <h2>{t('settings.visitors')}</h2>
      <div className="row">
        <p className="grow soft">{t('settings.visitorsText')}</p>
        {keys === undefined && (
          <Button isPending={show.isPending} onPress={() => show.mutate()}>
            {t('settings.showKey')}
          </Button>
        )}
      </div>
      {keys !== undefined && (
        <>
          <Key of={of} keys={keys} onRenewed={setKeys} />
          <SignIn of={of} keys={keys} onChanged={setKeys} />
        </>
      )}
    </section>
  )
}

const GRACES = ['0', '3600', '86400'] as const

type KeyProps = {
  readonly of: Space
  readonly keys: VisitorKeys
  readonly onRenewed: (keys: VisitorKeys) => void
}

function Key({ of, keys, onRenewed }: KeyProps) {
  const [isAsked, setAsked] = useState(false)
  const [grace, setGrace] = useState<(typeof GRACES)[number]>('3600')
  return (
    <>
      <CopyField label={t('settings.key')} value={keys.privateKey} />
      {keys.retiringKeys.map(({ retiresAt }) => (
        <p key={retiresAt} className="soft">
          {t('settings.retiring')} <Time value={retiresAt} />
        </p>
      ))}
      <div>
        <Button onPress={() => setAsked(true)}>{t('settings.newKey')}</Button>
      </div>
      {isAsked && (
        <Question
          title={t('settings.newKeyTitle')}
          verb={t('settings.newKey')}
          act={async () => onRenewed(await renewVisitorKey(of.id, Number(grace)))}
          onDone={() => {
            setAsked(false)
            say(t('settings.keyIsNew'))
          }}
          onClose={() => setAsked(false)}
        >
          <p className="soft">{t('settings.newKeyText')}</p>
          <div className="row">
            <span className="grow" aria-hidden="true">
              {t('settings.grace')}
            </span>
            <MenuChoice
              label={t('settings.grace')}
              options={GRACES.map(id => ({ id, title: t(`settings.graces.${id}`) }))}
              chosen={grace}
              onChange={setGrace}
            />
          </div>
        </Question>
      )}
    </>
  )
}

type SignInProps = {
  readonly of: Space
  readonly keys: VisitorKeys
  readonly onChanged: (keys: VisitorKeys) => void
}

function SignIn({ of, keys, onChanged }: SignInProps) {
  const before = keys.fallbackURL ?? ''
  const [address, setAddress] = useState(before)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => changeVisitorSignIn(of.id, address.trim() === '' ? null : address.trim()),
    onSuccess: changed => {
      onChanged(changed)
      say(t('settings.saved'))
    },
  })
  return (
    <form
      className="row row-end"
      onSubmit={event => {
        event.preventDefault()
        mutate()
      }}
    >
      <div className="grow">
        <Field
          label={t('settings.visitorSignIn')}
          hint={t('settings.visitorSignInHint')}
          type="url"
          value={address}
          onChange={setAddress}
          error={error === null ? undefined : sayWhy(error)}
        />
      </div>
      <Button type="submit" isPending={isPending} isDisabled={address.trim() === before}>
        {t('settings.save')}
      </Button>
    </form>
  )
}
