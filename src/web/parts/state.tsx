// What a screen shows while it has nothing to show: still loading, empty, or failed.
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { ApiError, isStatus } from '../data/client.ts'
import { t } from '../messages/messages.ts'
import { Button } from './button.tsx'
import { sayWhy } from './refusals.ts'

/** A heading with lines below: of a screen of which nothing is known yet. */
export const ScreenSkeleton = () => (
  <div className="screen skeleton screen-skeleton" role="status" aria-label={t('state.loading')}>
    <span />
    {WIDTHS.map(inlineSize => (
      <span key={inlineSize} style={{ inlineSize }} />
    ))}
  </div>
)

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

export const HomeLink = () => (
  <Link className="button" href="/w">
    {t('palette.goHome')}
  </Link>
)

type FailedProps = {
  readonly error: Error
  readonly onRetry: () => void
  /** There is nothing else on the screen. */
  readonly ofScreen?: boolean
}

/** Asking again does not help who may not see it, or where there is nothing. */
export const Failed = ({ error, onRetry, ofScreen = false }: FailedProps) => {
  const Heading = ofScreen ? 'h1' : 'h2'
  return (
    <div className="state" role="alert">
      <Heading className="state-heading">{t(headingOf(error))}</Heading>
      <p>{sayWhy(error)}</p>
      {isStatus(error, 403, 404) ? <HomeLink /> : <Button onPress={onRetry}>{t('state.retry')}</Button>}
      {error instanceof ApiError && error.requestId !== null && (
        <p className="faint small">{t('state.request', { id: error.requestId })}</p>
      )}
    </div>
  )
}

function headingOf(error: Error) {
  if (isStatus(error, 404)) return 'missing.title'
  return isStatus(error, 403) ? 'state.notAllowed' : 'state.failed'
}

export type Query<Data> = {
  readonly data: Data | undefined
  readonly error: Error | null
  readonly errorUpdatedAt: number
  readonly refetch: () => unknown
}

type LoadedProps<Data> = {
  readonly query: Query<Data>
  /** Of the skeleton; or there is nothing else on the screen. */
  readonly lines?: number | 'screen'
  readonly children: (data: Data) => ReactNode
}

/** What was read stays on the screen if reading it again fails, and a failure until reading it again succeeds. */
export function Loaded<Data>({ query, lines = 6, children }: LoadedProps<Data>) {
  const error = useFailure(query)
  if (query.data !== undefined) return children(query.data)
  if (error !== null)
    return <Failed error={error} onRetry={() => query.refetch()} ofScreen={lines === 'screen'} />
  return lines === 'screen' ? <ScreenSkeleton /> : <Skeleton lines={lines} />
}

/** That of the attempt before, while there is another: a query forgets it then, and keeps when it was. */
export function useFailure({ error, errorUpdatedAt: at }: Query<unknown>): Error | null {
  const [last, setLast] = useState({ error, at })
  if (error !== null && error !== last.error) setLast({ error, at })
  return error ?? (last.at === at ? last.error : null)
}
