// A change request: what it is about, where it stands, and what can be done with it.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'wouter'
import { liveChangeRequest, type Place } from '../../data/change-request.ts'
import type { ChangeRequest as Row } from '../../data/change-requests.ts'
import { isStatus } from '../../data/client.ts'
import { type Space, space } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { Loaded } from '../../parts/state.tsx'
import { Review } from '../review/review.tsx'
import { Conversation } from './conversation.tsx'
import { Head } from './head.tsx'
import { Preview } from './preview.tsx'
import { Side } from './side.tsx'

export type Tab = 'conversation' | 'changes' | 'preview'
type Props = {
  readonly spaceId: string
  readonly number: string
  readonly tab: Tab
  /** Of the preview. */
  readonly pageId?: string
}

export default function ChangeRequest({ spaceId, number, tab, pageId }: Props) {
  const place = useMemo(() => ({ spaceId, changeRequestId: number }), [spaceId, number])
  const query = useQuery(liveChangeRequest(place))
  const ofSpace = useQuery(space(spaceId))
  const isGone = query.data !== undefined && isStatus(query.error, 403, 404)
  const refetch = () => Promise.all([query.refetch(), ofSpace.refetch()])
  return (
    <Loaded
      query={{ data: query.data, error: query.error, errorUpdatedAt: query.errorUpdatedAt, refetch }}
      lines="screen"
    >
      {changeRequest => (
        <Loaded
          query={{
            data: ofSpace.data,
            error: ofSpace.error,
            errorUpdatedAt: ofSpace.errorUpdatedAt,
            refetch,
          }}
          lines="screen"
        >
          {of => (
            <View place={place} changeRequest={changeRequest} of={of} tab={tab} isGone={isGone}>
              {tab === 'conversation' && <Conversation place={place} changeRequest={changeRequest} of={of} />}
              {tab === 'changes' && <Review place={place} changeRequest={changeRequest} of={of} />}
              {tab === 'preview' && <Preview place={place} changeRequest={changeRequest} pageId={pageId} />}
            </View>
          )}
        </Loaded>
      )}
    </Loaded>
  )
}

type ViewProps = {
  readonly place: Place
  readonly changeRequest: Row
  readonly of: Space
  readonly tab: Tab
  /** It was deleted with its space, or the person may no longer see it. */
  readonly isGone: boolean
  readonly children: ReactNode
}

const View = ({ place, changeRequest, of, tab, isGone, children }: ViewProps) => (
  <div className={tab === 'conversation' ? 'screen' : 'screen wide'}>
    <Head place={place} changeRequest={changeRequest} of={of} />
    {isGone && (
      <p className="notice warning" role="alert">
        {t('changeRequest.gone')}
      </p>
    )}
    <Tabs place={place} tab={tab} />
    {tab === 'conversation' ? (
      <div className="change-request">
        <div className="change-request-main">{children}</div>
        <Side place={place} changeRequest={changeRequest} of={of} />
      </div>
    ) : (
      children
    )}
  </div>
)

const TABS = ['conversation', 'changes', 'preview'] as const

const Tabs = ({ place, tab }: { readonly place: Place; readonly tab: Tab }) => (
  <nav className="tabs" aria-label={t('changeRequest.views')}>
    {TABS.map(one => (
      <Link
        key={one}
        href={addressOf(place, one)}
        className="tab"
        aria-current={one === tab ? 'page' : undefined}
      >
        {t(`changeRequest.tab.${one}`)}
      </Link>
    ))}
  </nav>
)

const addressOf = ({ spaceId, changeRequestId }: Place, tab: Tab): string => {
  const own = `/w/s/${spaceId}/c/${changeRequestId}`
  return tab === 'conversation' ? own : `${own}/${tab}`
}
