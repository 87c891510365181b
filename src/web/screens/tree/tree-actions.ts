// Does what is done to the tree: shown at once, written into the draft one after the other, and told with a way back. A
// space stays as it is, so the first change there leads to the draft that has it.
import { useSuspenseQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { cache } from '../../data/cache.ts'
import { liveChangeRequest, refreshSpace } from '../../data/change-request.ts'
import { isReason, isStatus } from '../../data/client.ts'
import { CHANGES_MAX, changeContent, type DraftPlace, findDraft } from '../../data/content-changes.ts'
import { type ContentPlace, findPage, readAddress } from '../../data/pages.ts'
import { me } from '../../data/people.ts'
import { sendOnce } from '../../data/send-once.ts'
import { onceSignedIn } from '../../data/session-state.ts'
import { pagesIn } from '../../data/spaces.ts'
import { changesOf, type TreeAction, type TreeChange, treeAfter, undoOf } from '../../data/tree-changes.ts'
import { isolated, t } from '../../messages/messages.ts'
import { sayWhy } from '../../parts/refusals.ts'
import { KEEPS_FOCUS } from '../../parts/screen.tsx'
import { say, sayFailed, sayFailure } from '../../parts/toasts.tsx'
import { dropTitle, keepTitle, useKeptTitles } from './kept-titles.ts'

/** No network, too many requests, a server that is busy or has no room left: the same may be written later. */
const PASSING = [0, 429, 502, 503, 504, 507]

/** What is sent, with its message and its undo. */
type Prepared = {
  readonly draft: DraftPlace
  readonly changes: readonly TreeChange[]
  readonly undo: readonly TreeChange[]
  readonly said: string
  readonly isCurrentThere: boolean
}

/** The last that was begun: each waits for the one before it. */
let last: Promise<void> = Promise.resolve()
let waiting = 0

export function useTreeActions(place: ContentPlace, currentId: string | undefined) {
  const { id: personId } = useSuspenseQuery(me).data
  const [, navigate] = useLocation()

  /** Where it is written, and the tree there before. */
  const findTarget = async () => {
    const draft = await findDraft(place, personId, t('tree.subject'))
    const { pages } = await cache.fetchQuery({ ...pagesIn(draft), staleTime: 0 })
    return { draft, pages }
  }

  const prepare = async (action: TreeAction, known: ReturnType<typeof showAtOnce>): Promise<Prepared> => {
    const { draft, pages } =
      known !== undefined && place.changeRequestId !== undefined
        ? { draft: { ...place, changeRequestId: place.changeRequestId }, pages: known }
        : await findTarget()
    const { revision } = await cache.fetchQuery({ ...liveChangeRequest(draft), staleTime: 0 })
    return {
      draft,
      changes: changesOf(pages, action),
      undo: undoOf(pages, action, revision),
      said: told(action, pages, draft, place),
      isCurrentThere: currentId !== undefined && findPage(treeAfter(pages, action), currentId) !== undefined,
    }
  }

  const write = async ({ draft, changes, undo, said, isCurrentThere }: Prepared) => {
    await sendOnce([draft, changes], key => changeContent(draft, changes, key))
    const run = () =>
      void changeContent(draft, undo)
        .then(() => say(t('tree.said.undone')), sayFailure)
        .finally(() => refreshSpace(draft.spaceId))
    say(said, { label: t('tree.undo'), run })
    if (place.changeRequestId !== undefined) return
    navigate(readAddress(draft, isCurrentThere ? (currentId ?? '') : ''), { state: KEEPS_FOCUS })
  }

  /** `sent` before, without an answer: the tree may have it already, and nothing else is sent again. */
  const act = (action: TreeAction, sent?: Prepared): void => {
    if (action.ids.length > CHANGES_MAX) {
      say(t('tree.tooMany', { count: CHANGES_MAX }))
      return
    }
    keepTitle(personId, place, action, titleBefore(place, action))
    const known = place.changeRequestId === undefined ? undefined : showAtOnce(place, action)
    let prepared = sent
    waiting += 1
    last = last
      .then(async () => {
        prepared ??= await prepare(action, known)
        await write(prepared)
      })
      .then(() => dropTitle(personId, place, action))
      .catch(error => {
        // What was typed is not typed again: a title stays on the device as well.
        const retry = { label: t('state.retry'), run: () => act(action, prepared) }
        if (isReason(error, 'session_expired')) onceSignedIn(() => actAgain(action))
        else if (isStatus(error, 0) && isTitle(action)) say(t('tree.titleIsKept'), retry)
        else if (isStatus(error, ...PASSING)) sayFailed(sayWhy(error), retry)
        else {
          dropTitle(personId, place, action)
          sayFailure(error)
        }
      })
      .finally(() => {
        waiting -= 1
        // In between, the tree that is read would lack what is still to be written.
        if (waiting === 0) void refreshSpace(place.spaceId)
      })
  }
  /** What is shown has it already: the tree is read before. */
  const actAgain = (action: TreeAction): void =>
    void cache.fetchQuery({ ...pagesIn(place), staleTime: 0 }).then(() => act(action), sayFailure)
  useKeptTitles(personId, place, act)
  return act
}

/** And nothing else, which the device would not keep. */
const isTitle = (action: TreeAction): boolean =>
  action.kind === 'change' && Object.keys(action.fields).join() === 'title'

/** What is on the screen. */
function titleBefore(place: ContentPlace, { ids }: TreeAction): string {
  const { pages = [] } = cache.getQueryData(pagesIn(place).queryKey) ?? {}
  return findPage(pages, ids[0])?.page.title ?? ''
}

/** The tree before it. */
function showAtOnce(place: ContentPlace, action: TreeAction) {
  const { queryKey } = pagesIn(place)
  void cache.cancelQueries({ queryKey })
  const before = cache.getQueryData(queryKey)
  if (before !== undefined)
    cache.setQueryData(queryKey, { ...before, pages: treeAfter(before.pages, action) })
  return before?.pages
}

function told(
  { kind, ids }: TreeAction,
  pages: Parameters<typeof findPage>[0],
  draft: DraftPlace,
  place: ContentPlace,
): string {
  const title = isolated(findPage(pages, ids[0])?.page.title ?? '')
  const said = t(`tree.said.${kind}`, { count: ids.length, title })
  return place.changeRequestId === undefined
    ? t('tree.saidInDraft', { number: draft.changeRequestId, said })
    : said
}
