// What a screen shows while it has nothing to show: still loading, empty, or failed.
import type { ReactNode } from 'react'
import { ApiError } from '../data/client.ts'
import { UNCONFIRMED } from '../data/confirmation.ts'
import { t } from '../messages/messages.ts'
import { Button } from './button.tsx'

const WIDTHS = ['62%', '88%', '74%', '91%', '55%', '80%', '68%', '84%']

export const Skeleton = ({ lines }: { readonly lines: number }) => (
  <div className="skeleton" role="status" aria-label={t('state.loading')}>
    {Array.from({ length: lines }, (_, line) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no other identity
      <span key={line} style={{ inlineSize: WIDTHS[line % WIDTHS.length] }} />
    ))}
  </div>
)

export const Empty = ({ text, children }: { readonly text: string; readonly children?: ReactNode }) => (
  <div className="state">
    <p>{text}</p>
    {children}
  </div>
)

type FailedProps = { readonly error: Error; readonly onRetry: () => void }

export const Failed = ({ error, onRetry }: FailedProps) => (
  <div className="state" role="alert">
    <h2>{t('state.failed')}</h2>
    <p>{sayWhy(error)}</p>
    <Button onPress={onRetry}>{t('state.retry')}</Button>
    {error instanceof ApiError && error.requestId !== null && (
      <p className="faint small">{t('state.request', { id: error.requestId })}</p>
    )}
  </div>
)

/** A sentence for a person: the words of the API, or what stopped the request from getting there. */
export function sayWhy(error: unknown): string {
  if (!(error instanceof ApiError)) return t('state.bug')
  if (error.status === 0) return t('state.offline')
  if (error.status === 401) return t('state.expired')
  if (error.reason === UNCONFIRMED) return t('state.unconfirmed')
  return error.message === '' ? t('state.refused', { status: error.status }) : error.message
}

type Query<Data> = {
  readonly data: Data | undefined
  readonly error: Error | null
  readonly refetch: () => unknown
}

type LoadedProps<Data> = {
  readonly query: Query<Data>
  /** Of the skeleton. */
  readonly lines?: number
  readonly children: (data: Data) => ReactNode
}

/** What was read stays on the screen if reading it again fails. */
export function Loaded<Data>({ query, lines = 6, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error !== null) return <Failed error={query.error} onRetry={() => query.refetch()} />
  return <Skeleton lines={lines} />
}
