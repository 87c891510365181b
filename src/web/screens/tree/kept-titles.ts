// Titles that were typed in the tree, kept on this device until the server has them.
import { useEffect, useEffectEvent } from 'react'
import { cache } from '../../data/cache.ts'
import { dropDrafts, keptTitlesOf, readDrafts, writeDraft } from '../../data/drafts.ts'
import { type ContentPlace, findPage } from '../../data/pages.ts'
import { pagesIn } from '../../data/spaces.ts'
import type { TreeAction } from '../../data/tree-changes.ts'
import { isolated, t } from '../../messages/messages.ts'
import { say } from '../../parts/toasts.tsx'

/** Before it is sent. `from`: the title that it changes. */
export function keepTitle(personId: string, place: ContentPlace, action: TreeAction, from: string): void {
  const [id] = action.ids
  if (action.kind !== 'change' || action.fields.title === undefined || id === undefined) return
  const key = keptTitlesOf(place) + id
  // What was kept before is shown already.
  const [kept] = readDrafts(personId, key)
  writeDraft(personId, key, action.fields.title, kept?.from ?? from)
}

/** The server has it, or will never take it. */
export function dropTitle(personId: string, place: ContentPlace, { kind, ids }: TreeAction): void {
  if (kind === 'change') for (const id of ids) dropDrafts(personId, keptTitlesOf(place) + id)
}

/** Sends what is kept, at once and whenever there is a network again. Others may have named the page meanwhile. */
export function useKeptTitles(
  personId: string,
  place: ContentPlace,
  act: (action: TreeAction) => void,
): void {
  const send = useEffectEvent(async () => {
    const prefix = keptTitlesOf(place)
    const all = readDrafts(personId, prefix)
    if (all.length === 0) return
    const { pages } = await cache.fetchQuery({ ...pagesIn(place), staleTime: 0 })
    for (const { place: key, text: title, from } of all) {
      const id = key.slice(prefix.length)
      const there = findPage(pages, id)?.page.title
      const action: TreeAction = { kind: 'change', ids: [id], fields: { title } }
      if (there === undefined || there === title) dropDrafts(personId, key)
      else if (there === from) act(action)
      else {
        const words = t('tree.titleIsOther', { title: isolated(there), mine: isolated(title) })
        say(words, { label: t('tree.rename'), run: () => act(action) })
      }
    }
  })
  const { spaceId, changeRequestId } = place
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is kept is that of the place
  useEffect(() => {
    // Without an answer it is asked again with the network.
    const begin = () => void send().catch(() => {})
    begin()
    addEventListener('online', begin)
    return () => removeEventListener('online', begin)
  }, [personId, spaceId, changeRequestId])
}
