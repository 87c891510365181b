// Asks who is at the browser, above the screen on which a call waits for it: for what began the session, or by a sign-in
// at its identity provider, or a passkey, in a window of its own.
import { useMutation, useQuery } from '@tanstack/react-query'
import { use, useEffect, useState } from 'react'
import { isReason, type Model } from '../data/client.ts'
import { confirmSession, currentSession } from '../data/session.ts'
import { confirmTexts } from '../messages/confirm.ts'
import { t } from '../messages/messages.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { sayWhy } from '../parts/refusals.ts'
import { Loaded } from '../parts/state.tsx'
import { SIGNED_IN_PATH } from './session-dialog.tsx'

type Props = { readonly answer: (isConfirmed: boolean) => void }

export default function ConfirmDialog({ answer }: Props) {
  if (confirmTexts !== undefined) use(confirmTexts)
  const session = useQuery(currentSession)
  const ask = { onConfirmed: () => answer(true), onCancel: () => answer(false) }
  return (
    <Dialog title={t('confirm.title')} isOpen onClose={ask.onCancel}>
      <Loaded query={session} lines={2}>
        {({ confirmation: { by, url }, user }) =>
          by === 'provider' || by === 'passkey' ? (
            <InWindow by={by} url={url} {...ask} />
          ) : (
            <BySecret kind={by} name={user.email ?? ''} {...ask} />
          )
        }
      </Loaded>
    </Dialog>
  )
}

type AskProps = { readonly onConfirmed: () => void; readonly onCancel: () => void }
type Secret = Exclude<Model<'CurrentSession'>['confirmation']['by'], 'provider' | 'passkey'>

function BySecret({ kind, name, onConfirmed, onCancel }: AskProps & { kind: Secret; name: string }) {
  const [secret, setSecret] = useState('')
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => confirmSession(kind === 'password' ? { password: secret } : { token: secret }),
    onSuccess: onConfirmed,
  })
  const why = isReason(error, 'credentials_wrong') ? t(`confirm.wrong.${kind}`) : error && sayWhy(error)
  return (
    <form
      className="stack"
      onSubmit={event => {
        event.preventDefault()
        mutate()
      }}
    >
      <p className="soft">{t('confirm.text')}</p>
      {/* For password managers. */}
      <input type="text" autoComplete="username" value={name} readOnly hidden />
      <Field
        label={t(`confirm.${kind}`)}
        type="password"
        autoComplete="current-password"
        autoFocus
        value={secret}
        onChange={text => {
          setSecret(text)
          reset()
        }}
        error={why ?? undefined}
      />
      <div className="dialog-actions">
        <Button onPress={onCancel}>{t('confirm.cancel')}</Button>
        <Button type="submit" look="primary" isPending={isPending} isDisabled={secret === ''}>
          {t('confirm.confirm')}
        </Button>
      </div>
    </form>
  )
}

function InWindow({
  by,
  url,
  onConfirmed,
  onCancel,
}: AskProps & { by: 'provider' | 'passkey'; url: string | undefined }) {
  const session = useQuery({ ...currentSession, refetchOnWindowFocus: false })
  const { refetch } = session
  const until = session.data?.confirmation.until
  useEffect(() => {
    const look = () => void refetch()
    addEventListener('focus', look)
    return () => removeEventListener('focus', look)
  }, [refetch])
  useEffect(() => {
    if (typeof until === 'string') onConfirmed()
  }, [until, onConfirmed])
  return (
    <>
      <p className="soft">{t(url === undefined ? 'confirm.noProvider' : `confirm.${by}`)}</p>
      <div className="dialog-actions">
        <Button onPress={onCancel}>{t('confirm.cancel')}</Button>
        {url !== undefined && (
          <Button look="primary" onPress={() => openProvider(url)}>
            {t(by === 'passkey' ? 'confirm.showPasskey' : 'confirm.signIn')}
          </Button>
        )}
      </div>
    </>
  )
}

/** On the host that this page is on, which has the session. */
function openProvider(url: string): void {
  const next = new URLSearchParams({ next: SIGNED_IN_PATH })
  window.open(`${new URL(url).pathname}?${next}`, 'octavo-sign-in', 'width=480,height=640')
}
