// After a merge: what was published, and the way back.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Change, changesOfRevision, rollBack, tryRollBack } from '../../data/change-request.ts'
import { lastUndoing } from '../../data/timeline.ts'
import { isolated, t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Loaded } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { say, sayFailure } from '../../parts/toasts.tsx'
import { sayUndoConflict } from '../../parts/undo-conflicts.ts'
import { ChangeList } from './change-list.tsx'
import type { Props } from './props.ts'

export function Undo({ changeRequest, of }: Props) {
  const { revisionMerged = '', mergedAt, mergedBy } = changeRequest
  const { data } = useQuery({ ...changesOfRevision(of.id, revisionMerged), enabled: revisionMerged !== '' })
  // What was undone may be back.
  const { data: last } = useQuery(lastUndoing(of.id, changeRequest.id))
  const undone = last?.type === 'undone' ? last : undefined
  const [isOpen, setOpen] = useState(false)
  // A merge without changes has no revision of its own.
  const canUndo =
    of.permissions.merge &&
    data?.mergedFrom?.id === changeRequest.id &&
    last !== undefined &&
    undone === undefined
  return (
    <section className="side-section merge" aria-labelledby="workspace:published">
      <h2 id="workspace:published">{t('changeRequest.published')}</h2>
      {mergedBy !== undefined && mergedAt !== undefined && (
        <p className="small soft">
          <bdi>{mergedBy.displayName}</bdi> <Time value={mergedAt} />
        </p>
      )}
      {undone?.actor !== undefined && (
        <p className="small soft">
          {t('changeRequest.undoneBy', { name: isolated(undone.actor.displayName) })}{' '}
          <Time value={undone.createdAt} />
        </p>
      )}
      {canUndo && <Button onPress={() => setOpen(true)}>{t('changeRequest.undo')}</Button>}
      {canUndo && isOpen && (
        <Confirm
          spaceId={of.id}
          revisionId={revisionMerged}
          changes={data.changes}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  )
}

type ConfirmProps = {
  readonly spaceId: string
  readonly revisionId: string
  readonly changes: readonly Change[]
  readonly onClose: () => void
}

function Confirm({ spaceId, revisionId, changes, onClose }: ConfirmProps) {
  const outcome = useQuery(tryRollBack(spaceId, revisionId))
  const { mutate, isPending } = useMutation({
    mutationFn: () => rollBack(spaceId, revisionId),
    onSuccess: ({ result }) => {
      say(t(result === 'rollback' ? 'changeRequest.undone' : 'changeRequest.undoConflicts'))
      onClose()
    },
    onError: sayFailure,
  })
  return (
    <Dialog title={t('changeRequest.undoTitle')} isOpen isDismissable onClose={onClose}>
      <p>{t('changeRequest.undoText')}</p>
      <ChangeList changes={changes} />
      <Loaded query={outcome} lines={2}>
        {({ result, conflicts = [] }) =>
          result === 'conflicts' ? (
            <div className="notice warning">
              <div>
                <p>{t('changeRequest.undoConflicts')}</p>
                <ul>
                  {conflicts.slice(0, CONFLICTS_SHOWN).map((conflict, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: conflicts are in the same order every time
                    <li key={index}>{sayUndoConflict(conflict)}</li>
                  ))}
                </ul>
              </div>
            </div>
          ) : null
        }
      </Loaded>
      <div className="dialog-actions">
        <Button onPress={onClose}>{t('changeRequest.cancel')}</Button>
        <Button
          look="danger"
          isPending={isPending}
          isDisabled={outcome.data?.result !== 'rollback'}
          onPress={() => mutate()}
        >
          {t('changeRequest.undo')}
        </Button>
      </div>
    </Dialog>
  )
}

const CONFLICTS_SHOWN = 5
