// What a review goes through, in order: pages, files and the rest, each with everything that changes about it.
import type { Change } from '../../data/change-request.ts'
import { t } from '../../messages/messages.ts'

type Of<Type extends Change['type']> = Extract<Change, { readonly type: Type }>
export type PageChange = Of<'page_created' | 'page_edited' | 'page_deleted' | 'page_moved'>

export type Item = {
  readonly id: string
  readonly title: string
  /** Of a page. */
  readonly path?: string
  readonly changes: readonly Change[]
}

export function itemsOf(changes: readonly Change[]): Item[] {
  const items = new Map<string, Item & { readonly changes: Change[] }>()
  for (const change of changes) {
    const id = idOf(change)
    const known = items.get(id)
    if (known !== undefined) known.changes.push(change)
    else items.set(id, { id, ...nameOf(change), changes: [change] })
  }
  return [...items.values()]
}

/** Unique among all kinds of objects. */
function idOf(change: Change): string {
  if ('page' in change) return `page.${change.page.id}`
  if ('file' in change) return `file.${change.file.id}`
  if ('reusableContent' in change) return `reusable.${change.reusableContent.id}`
  return 'variables'
}

function nameOf(change: Change): { readonly title: string; readonly path?: string } {
  if ('page' in change) {
    const { title, path } = change.page
    return { title: title === '' ? t('review.untitled') : title, ...(path === undefined ? {} : { path }) }
  }
  if ('file' in change) return { title: change.file.name }
  if ('reusableContent' in change) return { title: change.reusableContent.title }
  return { title: t('review.variables') }
}

export const pageOf = ({ changes }: Item): PageChange | undefined =>
  changes.find((change): change is PageChange => 'page' in change)

/** The change of its text, if it has one. */
export const textOf = ({ changes }: Item) =>
  changes.find(
    change =>
      change.type === 'page_created' ||
      change.type === 'page_deleted' ||
      (change.type === 'page_edited' && change.attributes.document !== undefined) ||
      (change.type === 'reusable_content_edited' && change.attributes.document !== undefined) ||
      change.type === 'reusable_content_created' ||
      change.type === 'reusable_content_deleted',
  )

/** How many blocks differ, as far as it was counted; undefined where that says nothing. */
export function countOf({ changes }: Item): number | undefined {
  for (const change of changes) {
    if (change.type !== 'page_edited' && change.type !== 'reusable_content_edited') continue
    const { document } = change.attributes
    if (document?.blocks !== undefined) return document.blocks.length + (document.moreBlocks ?? 0)
  }
  return undefined
}

/** The Markdown of blocks that changed, as far as they were described, by their keys in the newer text. */
export function sourcesOf({ changes }: Item): ReadonlyMap<string, string> {
  const sources = new Map<string, string>()
  for (const change of changes)
    if (change.type === 'page_edited')
      for (const { after } of change.attributes.document?.blocks ?? [])
        if (after !== undefined) sources.set(after.key, after.markdown)
  return sources
}
