// The tokens with which a directory manages the people and teams of an organization by SCIM.
import { useMutation, useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import {
  createDirectoryToken,
  type DirectoryToken,
  directoryTokens,
  revokeDirectoryToken,
} from '../../data/directory.ts'
import { isolated, t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { Question } from '../../parts/question.tsx'
import { sayWhy } from '../../parts/refusals.ts'
import { RowList } from '../../parts/row-list.tsx'
import { Loaded } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { say } from '../../parts/toasts.tsx'

type OfOrganization = { readonly organizationId: string }

const NAME_CHARACTERS_MAX = 50

export function Directory({ organizationId }: OfOrganization) {
  const query = useQuery(directoryTokens(organizationId))
  const [isNew, setNew] = useState(false)
  const [revoking, setRevoking] = useState<DirectoryToken>()
  return (
    <section className="stack" aria-label={t('settings.directory.title')}>
      <h2>{t('settings.directory.title')}</h2>
      <div className="row">
        <p className="grow soft">{t('settings.directory.text')}</p>
        <Button onPress={() => setNew(true)}>
          <Plus size={16} aria-hidden />
          {t('settings.directory.create')}
        </Button>
      </div>
      <Loaded query={query} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="soft">{t('settings.directory.none')}</p>
          ) : (
            <RowList label={t('settings.directory.title')} items={items} nameOf={({ label }) => label}>
              {one => (
                <>
                  <Facts token={one} />
                  <Button
                    look="quiet"
                    aria-label={t('settings.directory.revokeOf', { name: one.label })}
                    onPress={() => setRevoking(one)}
                  >
                    {t('settings.directory.revoke')}
                  </Button>
                </>
              )}
            </RowList>
          )
        }
      </Loaded>
      {isNew && <NewToken organizationId={organizationId} onClose={() => setNew(false)} />}
      {revoking !== undefined && (
        <Question
          title={t('settings.directory.revokeTitle', { name: isolated(revoking.label) })}
          verb={t('settings.directory.revoke')}
          act={() => revokeDirectoryToken(organizationId, revoking.id)}
          onDone={() => {
            setRevoking(undefined)
            say(t('settings.directory.revoked'))
          }}
          onClose={() => setRevoking(undefined)}
        >
          <p className="soft">{t('settings.directory.revokeText')}</p>
        </Question>
      )}
    </section>
  )
}

function Facts({ token: { label, lastUsedAt, expiresAt } }: { readonly token: DirectoryToken }) {
  return (
    <div className="grow">
      <p className="rows-title" dir="auto">
        {label}
      </p>
      <p className="rows-facts">
        {lastUsedAt === null ? (
          <span>{t('settings.directory.neverUsed')}</span>
        ) : (
          <span>
            {t('settings.directory.usedLast')} <Time value={lastUsedAt} />
          </span>
        )}
        {expiresAt !== null && (
          <span>
            {t('settings.directory.ends')} <Time value={expiresAt} />
          </span>
        )}
      </p>
    </div>
  )
}

const Shown = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <div className="field">
    <span className="label" aria-hidden="true">
      {label}
    </span>
    <CopyField label={label} value={value} />
  </div>
)

/** Its secret is shown once. */
function NewToken({ organizationId, onClose }: OfOrganization & { readonly onClose: () => void }) {
  const [label, setLabel] = useState('')
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: () => createDirectoryToken(organizationId, label.trim()),
  })
  if (data !== undefined)
    return (
      <Dialog title={t('settings.directory.created')} isOpen onClose={onClose}>
        <p className="notice success" role="status">
          {t('settings.directory.once')}
        </p>
        <Shown label={t('settings.directory.address')} value={data.baseURL} />
        <Shown label={t('settings.directory.secret')} value={data.token} />
        <div className="dialog-actions">
          <Button look="primary" onPress={onClose} autoFocus>
            {t('settings.directory.done')}
          </Button>
        </div>
      </Dialog>
    )
  return (
    <Dialog title={t('settings.directory.create')} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={event => {
          event.preventDefault()
          mutate()
        }}
      >
        <Field
          label={t('settings.directory.name')}
          hint={t('settings.directory.nameHint')}
          value={label}
          onChange={setLabel}
          maxLength={NAME_CHARACTERS_MAX}
          autoFocus
        />
        {error !== null && (
          <p className="field-error" role="alert">
            {sayWhy(error)}
          </p>
        )}
        <div className="dialog-actions">
          <Button onPress={onClose}>{t('settings.directory.cancel')}</Button>
          <Button type="submit" look="primary" isPending={isPending} isDisabled={label.trim() === ''}>
            {t('settings.directory.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
