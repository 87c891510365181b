// Keeps a space in sync with a repository from now on. The secret of its webhook is shown once, so it is shown here.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Form } from 'react-aria-components/Form'
import type { Model } from '../../data/client.ts'
import { keepInSync } from '../../data/git.ts'
import type { Space } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import Choice from '../../parts/choice.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { sayGitWhy } from '../../parts/git-words.ts'
import { RemoteFields, toRemote, useRemote } from './remote-fields.tsx'

type Props = {
  readonly of: Space
  /** As it is now. */
  readonly now: Model<'GitSync'> | null
  readonly onClose: () => void
}

const DIRECTIONS = ['import', 'both'] as const
const DAILY_MINUTES = 1440
const OFTEN_MINUTES = [0, 15, 60, DAILY_MINUTES] as const
const HOURLY_MINUTES = 60

export function SyncDialog({ of, now, onClose }: Props) {
  const { typed, setTyped } = useRemote(of)
  const [direction, setDirection] = useState<string>(now?.push === true ? 'both' : 'import')
  const [minutes, setMinutes] = useState(now === null ? HOURLY_MINUTES : (now.pullEveryMinutes ?? 0))
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: () =>
      keepInSync(of.id, {
        ...toRemote(typed),
        push: direction === 'both',
        pullEveryMinutes: minutes === 0 ? null : minutes,
      }),
  })
  const often = [...new Set<number>([...OFTEN_MINUTES, minutes])].sort((one, other) => one - other)
  return (
    <Dialog title={t('repository.syncTitle')} isOpen onClose={onClose}>
      {data !== undefined ? (
        <Hook of={data} onClose={onClose} />
      ) : (
        <Form
          className="stack"
          onSubmit={event => {
            event.preventDefault()
            if (!isPending) mutate()
          }}
        >
          <p className="soft">{t('repository.syncBy')}</p>
          <RemoteFields typed={typed} onChange={setTyped} />
          <Choice
            label={t('repository.direction')}
            options={DIRECTIONS.map(id => ({ id, name: t(`repository.directions.${id}`) }))}
            chosen={direction}
            onChange={id => setDirection(id ?? 'import')}
          />
          <Choice
            label={t('repository.often')}
            options={often.map(count => ({ id: String(count), name: sayOften(count) }))}
            chosen={String(minutes)}
            onChange={id => setMinutes(Number(id ?? HOURLY_MINUTES))}
          />
          {error !== null && (
            <p className="field-error" role="alert">
              {sayGitWhy(error)}
            </p>
          )}
          <div className="dialog-actions">
            <Button onPress={onClose}>{t('repository.cancel')}</Button>
            <Button look="primary" type="submit" isPending={isPending}>
              {t('repository.keep')}
            </Button>
          </div>
        </Form>
      )}
    </Dialog>
  )
}

const Hook = ({ of, onClose }: { readonly of: Model<'GitSyncWithSecret'>; readonly onClose: () => void }) => (
  <div className="stack">
    <p>{t('repository.isKept')}</p>
    <p className="soft">{t('repository.hookBy')}</p>
    <span className="label">{t('repository.hook')}</span>
    <CopyField label={t('repository.hook')} value={of.hook} />
    <span className="label">{t('repository.secret')}</span>
    <CopyField label={t('repository.secret')} value={of.secret} />
    <div className="dialog-actions">
      <Button look="primary" autoFocus onPress={onClose}>
        {t('repository.done')}
      </Button>
    </div>
  </div>
)

function sayOften(minutes: number): string {
  if (minutes === 0) return t('repository.oftenOnCall')
  if (minutes === DAILY_MINUTES) return t('repository.oftenDaily')
  if (minutes === HOURLY_MINUTES) return t('repository.oftenHourly')
  return t('repository.oftenMinutes', { count: minutes })
}
