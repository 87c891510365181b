// What the space and a change request changed at the same places: settled one by one, and written once all are.

import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useSearch } from 'wouter'
import { liveChangeRequest, type Place } from '../../data/change-request.ts'
import type { ChangeRequest } from '../../data/change-requests.ts'
import { conflictsOf, type Goal } from '../../data/conflicts.ts'
import { me } from '../../data/people.ts'
import { type Space, space } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { ChangeRequestCrumbs } from '../../parts/change-request-crumbs.tsx'
import { Gone } from '../../parts/gone.tsx'
import { useHeading } from '../../parts/screen.tsx'
import { Empty, Loaded } from '../../parts/state.tsx'
import { Settling } from './settling.tsx'

type Props = { readonly spaceId: string; readonly number: string }

export default function Conflicts({ spaceId, number }: Props) {
  const place = { spaceId, changeRequestId: number }
  const ofChangeRequest = useQuery(liveChangeRequest(place))
  const ofSpace = useQuery(space(spaceId))
  const data =
    ofChangeRequest.data !== undefined && ofSpace.data !== undefined
      ? { changeRequest: ofChangeRequest.data, of: ofSpace.data }
      : undefined
  const query = {
    data,
    error: ofChangeRequest.error ?? ofSpace.error,
    errorUpdatedAt: Math.max(ofChangeRequest.errorUpdatedAt, ofSpace.errorUpdatedAt),
    refetch: () => Promise.all([ofChangeRequest.refetch(), ofSpace.refetch()]),
  }
  return (
    <Loaded query={query} lines="screen">
      {found => <Found place={place} {...found} />}
    </Loaded>
  )
}

type FoundProps = { readonly place: Place; readonly changeRequest: ChangeRequest; readonly of: Space }

function Found({ place, changeRequest, of }: FoundProps) {
  const goal = goalOf(new URLSearchParams(useSearch()).get('for'), of)
  const { id: personId } = useSuspenseQuery(me).data
  const { status } = changeRequest
  const isOpen = status === 'open' || status === 'draft'
  const query = useQuery({ ...conflictsOf(place, goal), enabled: isOpen })
  const back = addressOf(place)
  if (!isOpen)
    return (
      <Frame place={place} changeRequest={changeRequest} of={of}>
        <Nothing text={t('conflicts.closed')} back={back} />
      </Frame>
    )
  return (
    <Frame place={place} changeRequest={changeRequest} of={of}>
      <Loaded query={query} lines={8}>
        {found =>
          found.conflicts.length === 0 ? (
            <Nothing text={t('conflicts.empty')} back={back} />
          ) : (
            <Settling
              place={place}
              goal={goal}
              found={found}
              whose={{ personId, changeRequestId: changeRequest.id }}
              mayFinish={of.permissions[goal === 'merge' ? 'merge' : 'edit']}
              mayUpdate={of.permissions.edit}
              back={back}
            />
          )
        }
      </Loaded>
    </Frame>
  )
}

/** By what the address says, and otherwise by what the person may do. */
function goalOf(asked: string | null, { permissions }: Space): Goal {
  if (asked === 'merge' || asked === 'update') return asked
  return permissions.merge ? 'merge' : 'update'
}

const addressOf = ({ spaceId, changeRequestId }: Place) => `/w/s/${spaceId}/c/${changeRequestId}`

type FrameProps = FoundProps & { readonly children: ReactNode }

function Frame({ place, changeRequest, of, children }: FrameProps) {
  const { subject, number } = changeRequest
  const title = subject === '' ? t('changeRequest.untitled') : subject
  const heading = useHeading(t('conflicts.of', { subject: `${title} #${number}` }))
  return (
    <div className="screen conflicts">
      <header className="conflicts-head">
        <ChangeRequestCrumbs of={of}>
          <span aria-hidden="true">/</span>
          <Link href={addressOf(place)}>
            <bdi>{title}</bdi> <span dir="ltr">#{number}</span>
          </Link>
        </ChangeRequestCrumbs>
        <h1 ref={heading} tabIndex={-1}>
          {t('conflicts.title')}
        </h1>
      </header>
      <Gone spaceId={place.spaceId} />
      {children}
    </div>
  )
}

const Nothing = ({ text, back }: { readonly text: string; readonly back: string }) => (
  <Empty text={text}>
    <Link className="button" href={back}>
      {t('conflicts.back')}
    </Link>
  </Empty>
)
