// Beside the conversation: reviewers, rules, whether it is up to date, and what can be done next.
import { useMutation, useQuery } from '@tanstack/react-query'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { Button as AriaButton } from 'react-aria-components/Button'
import { Disclosure, DisclosurePanel } from 'react-aria-components/Disclosure'
import { Heading } from 'react-aria-components/Heading'
import { changeChangeRequest, mergeability } from '../../data/change-request.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Outcome } from '../../parts/change-request-row.tsx'
import { useMedia } from '../../parts/media.ts'
import { Loaded } from '../../parts/state.tsx'
import { say, sayFailure } from '../../parts/toasts.tsx'
import { Merge } from './merge.tsx'
import type { Props } from './props.ts'
import { Reviewers } from './reviewers.tsx'
import { Undo } from './undo.tsx'
import { Watch } from './watch.tsx'

const HAS_ROOM = '(width >= 1000px)'

/** Where there is no room beside the conversation, it is one line above it that opens. */
export function Side(props: Props) {
  const hasRoom = useMedia(HAS_ROOM)
  return (
    <aside className="change-request-side" aria-label={t('changeRequest.state')}>
      {hasRoom ? <State {...props} /> : <Summary {...props} />}
    </aside>
  )
}

function Summary(props: Props) {
  const { place, changeRequest } = props
  const { status } = changeRequest
  const isOpen = status === 'open' || status === 'draft'
  const { data } = useQuery({ ...mergeability(place, changeRequest), enabled: isOpen })
  return (
    <Disclosure className="card side-summary">
      <Heading level={2}>
        <AriaButton slot="trigger" className="side-summary-trigger">
          <span className="grow">
            {isOpen && data !== undefined
              ? t(`changeRequest.${data.mergeable ? 'mergeable' : 'notMergeable'}`)
              : t(`changeRequest.status.${status}`)}
          </span>
          <Outcome of={changeRequest} />
          <ChevronRight size={16} aria-hidden />
        </AriaButton>
      </Heading>
      <DisclosurePanel>
        <div className="side-summary-panel">
          <State {...props} />
        </div>
      </DisclosurePanel>
    </Disclosure>
  )
}

function State({ place, changeRequest, of }: Props) {
  const query = useQuery(mergeability(place, changeRequest))
  const { status } = changeRequest
  const isOpen = status === 'open' || status === 'draft'
  return (
    <>
      {status === 'merged' && <Undo place={place} changeRequest={changeRequest} of={of} />}
      {isOpen && (
        <Loaded query={query} lines={3}>
          {found => <Merge place={place} changeRequest={changeRequest} of={of} mergeability={found} />}
        </Loaded>
      )}
      <Reviewers place={place} changeRequest={changeRequest} of={of} />
      <Watch changeRequest={changeRequest} of={of} />
      {of.permissions.edit && status !== 'merged' && (
        <div className="row wrap">
          <Status place={place} changeRequest={changeRequest} />
        </div>
      )}
    </>
  )
}

/** Archive, and back. */
function Status({ place, changeRequest }: Pick<Props, 'place' | 'changeRequest'>) {
  const { mutate, isPending } = useMutation({
    mutationFn: (status: 'draft' | 'open' | 'archived') => changeChangeRequest(place, { status }),
    onSuccess: ({ status }) => {
      if (status === 'archived')
        say(t('changeRequest.archived'), { label: t('changeRequest.reopen'), run: () => mutate('open') })
    },
    onError: sayFailure,
  })
  if (changeRequest.status === 'archived')
    return (
      <Button isPending={isPending} onPress={() => mutate('open')}>
        {t('changeRequest.reopen')}
      </Button>
    )
  return (
    <>
      {changeRequest.status === 'open' && (
        <Button look="quiet" isPending={isPending} onPress={() => mutate('draft')}>
          {t('changeRequest.toDraft')}
        </Button>
      )}
      <Button look="quiet" isPending={isPending} onPress={() => mutate('archived')}>
        {t('changeRequest.archive')}
      </Button>
    </>
  )
}
