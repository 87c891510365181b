// Beside the conversation: reviewers, rules, whether it is up to date, and what can be done next.
import { useMutation, useQuery } from '@tanstack/react-query'
import { changeChangeRequest, mergeability } from '../../data/change-request.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/state.tsx'
import { say, sayFailure } from '../../parts/toasts.tsx'
import { Merge } from './merge.tsx'
import type { Props } from './props.ts'
import { Reviewers } from './reviewers.tsx'
import { Undo } from './undo.tsx'

export function Side({ place, changeRequest, of }: Props) {
  const query = useQuery(mergeability(place, changeRequest))
  const { status } = changeRequest
  const isOpen = status === 'open' || status === 'draft'
  return (
    <aside className="change-request-side" aria-label={t('changeRequest.state')}>
      {status === 'merged' && <Undo place={place} changeRequest={changeRequest} of={of} />}
      {isOpen && (
        <Loaded query={query} lines={3}>
          {found => <Merge place={place} changeRequest={changeRequest} of={of} mergeability={found} />}
        </Loaded>
      )}
      <Reviewers place={place} changeRequest={changeRequest} of={of} />
      {of.permissions.edit && status !== 'merged' && (
        <div className="row wrap">
          <Status place={place} changeRequest={changeRequest} />
        </div>
      )}
    </aside>
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
