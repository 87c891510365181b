// Does what is done to files: written into the draft, and told with a way back. A space stays as it is, so the first
// change there leads to the draft that has it.
import { useSuspenseQuery } from '@tanstack/react-query'
import { navigate } from 'wouter/use-browser-location'
import { cache } from '../../data/cache.ts'
import { liveChangeRequest, refreshSpace } from '../../data/change-request.ts'
import {
  CHANGES_MAX,
  type ContentChange,
  changeContent,
  type DraftPlace,
  findDraft,
} from '../../data/content-changes.ts'
import { filesAddress } from '../../data/files.ts'
import type { ContentPlace } from '../../data/pages.ts'
import { me } from '../../data/people.ts'
import { t } from '../../messages/messages.ts'
import { treeTexts } from '../../messages/tree.ts'
import { say, sayFailure } from '../../parts/toasts.tsx'

/** Where it is written, and what that was before. */
export type Target = { readonly draft: DraftPlace; readonly revision: string }

export async function findTarget(place: ContentPlace, personId: string): Promise<Target> {
  await treeTexts
  const draft = await findDraft(place, personId, t('tree.subject'))
  const { revision } = await cache.fetchQuery({ ...liveChangeRequest(draft), staleTime: 0 })
  return { draft, revision }
}

/** A change of a file that is there. */
type FileChange = Extract<ContentChange, { readonly file: string }>

/** Answers when it is written; throws why it was not. */
export function useFileActions(place: ContentPlace) {
  const { id: personId } = useSuspenseQuery(me).data
  return async (changes: readonly FileChange[], said: string): Promise<void> => {
    try {
      const target = await findTarget(place, personId)
      await changeAll(target.draft, changes)
      const ids = changes.map(({ file }) => file)
      tell(place, target, ids, said)
    } finally {
      void refreshSpace(place.spaceId)
    }
  }
}

async function changeAll(draft: DraftPlace, changes: readonly FileChange[]): Promise<void> {
  for (let at = 0; at < changes.length; at += CHANGES_MAX)
    await changeContent(draft, changes.slice(at, at + CHANGES_MAX))
}

/** Says what was done to these files, and shows them where it was done. */
export function tell(place: ContentPlace, { draft, revision }: Target, ids: readonly string[], said: string) {
  const undo = ids.map(file => ({ operation: 'revert_file' as const, file, revision }))
  const run = () =>
    void changeAll(draft, undo)
      .then(() => say(t('files.undone')), sayFailure)
      .finally(() => refreshSpace(draft.spaceId))
  const { changeRequestId: number } = draft
  say(place.changeRequestId === undefined ? t('files.inDraft', { number, said }) : said, {
    label: t('files.undo'),
    run,
  })
  // Uploads go on while other screens are shown.
  if (location.pathname === filesAddress(place)) navigate(filesAddress(draft))
}
