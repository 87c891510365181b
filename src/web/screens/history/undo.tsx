// Undoes what one revision did: at once, or as a change request that others review.
import { useMutation } from '@tanstack/react-query'
import Undo2 from 'lucide-react/icons/undo-2'
import { useState } from 'react'
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { useLocation } from 'wouter'
import { refreshSpace, rollBack } from '../../data/change-request.ts'
import type { Model } from '../../data/client.ts'
import { spaceAddress } from '../../data/pages.ts'
import { proposeRollBack, type Revision } from '../../data/revisions.ts'
import type { Space } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { say, sayFailure } from '../../parts/toasts.tsx'
import { sayUndoConflict } from '../../parts/undo-conflicts.ts'

type Props = { readonly of: Space; readonly revision: Revision; readonly title: string }
type Conflicts = readonly Model<'MergeConflict'>[]

export function UndoMenu({ of, revision, title }: Props) {
  const [conflicts, setConflicts] = useState<Conflicts | null>(null)
  const undo = useUndo(of, setConflicts)
  const propose = usePropose(of, revision, title)
  const { merge, edit } = of.permissions
  if (!merge && !edit) return null
  return (
    <>
      <MenuTrigger>
        <Button
          look="quiet"
          isPending={undo.isPending || propose.isPending}
          aria-label={t('history.undoOf', { title })}
        >
          <Undo2 size={15} aria-hidden />
          {t('history.undo')}
        </Button>
        <Popover className="popover" placement="bottom end">
          <Menu aria-label={t('history.undoOf', { title })}>
            {merge && (
              <MenuItem className="option" onAction={() => undo.mutate(revision.id)}>
                {t('history.undoNow')}
              </MenuItem>
            )}
            {edit && (
              <MenuItem className="option" onAction={() => propose.mutate()}>
                {t('history.propose')}
              </MenuItem>
            )}
          </Menu>
        </Popover>
      </MenuTrigger>
      {conflicts !== null && (
        <ConflictsDialog
          conflicts={conflicts}
          isPending={propose.isPending}
          onPropose={edit ? () => propose.mutate() : undefined}
          onClose={() => setConflicts(null)}
        />
      )}
    </>
  )
}

/** Says what happened, with the way back: undoing is a revision that can be undone. */
function useUndo(of: Space, onConflicts: (conflicts: Conflicts) => void) {
  const undo = useMutation({
    mutationFn: (revisionId: string) => rollBack(of.id, revisionId),
    onMutate: () => of.revision,
    onSuccess: ({ result, revision, conflicts = [] }, _, head) => {
      if (result === 'conflicts') return onConflicts(conflicts)
      if (revision === head) return void say(t('history.nothingLeft'))
      say(t('history.undone'), { label: t('history.undo'), run: () => undo.mutate(revision) })
    },
    onError: sayFailure,
  })
  return undo
}

function usePropose(of: Space, revision: Revision, title: string) {
  const [, navigate] = useLocation()
  return useMutation({
    mutationFn: () => proposeRollBack(of.id, revision.id, toSubject(t('history.proposal', { title }))),
    onSuccess: async ({ number }) => {
      await refreshSpace(of.id)
      navigate(`${spaceAddress(of.id)}/c/${number}`)
    },
    onError: sayFailure,
  })
}

const SUBJECT_CHARACTERS_MAX = 100

/** The first line of a commit may be longer than a subject. */
const toSubject = (text: string): string =>
  text.length <= SUBJECT_CHARACTERS_MAX
    ? text
    : `${text.slice(0, SUBJECT_CHARACTERS_MAX - 1).toWellFormed()}…`

const CONFLICTS_SHOWN = 5

type DialogProps = {
  readonly conflicts: Conflicts
  readonly isPending: boolean
  readonly onPropose: (() => void) | undefined
  readonly onClose: () => void
}

const ConflictsDialog = ({ conflicts, isPending, onPropose, onClose }: DialogProps) => (
  <Dialog title={t('history.conflictsTitle')} isOpen isDismissable onClose={onClose}>
    <p>{t('history.conflictsText')}</p>
    <ul>
      {conflicts.slice(0, CONFLICTS_SHOWN).map((conflict, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: conflicts are in the same order every time
        <li key={index}>{sayUndoConflict(conflict)}</li>
      ))}
    </ul>
    <div className="dialog-actions">
      <Button onPress={onClose}>{t('history.close')}</Button>
      {onPropose !== undefined && (
        <Button look="primary" isPending={isPending} onPress={onPropose}>
          {t('history.propose')}
        </Button>
      )}
    </div>
  </Dialog>
)
