// From an outline with ids and metadata to the records of the map.

import { defined } from '../../../base/objects.ts'
import { inSlices, pause } from '../../../base/slices.ts'
import type { OutlineNode } from '../../../compute/outline.ts'
import {
  type AnyRecord,
  equalRecords,
  isPageEdited,
  type Key,
  type PageKey,
  type PageRecord,
  pageKey,
  type Reference,
} from '../../../engines/content/records.ts'
import { assignSlugs, slugify, slugOfFile } from '../../../engines/names/slugs.ts'
import type { PageFields } from '../../content/document-metadata.ts'
import type { Mode } from './modes.ts'

/** The fields of a fully known entry, without its place in the tree. */
export type PageContent =
  | { readonly type: 'group'; readonly title: string }
  | {
      readonly type: 'link'
      readonly title: string
      readonly linkTitle: string | undefined
      readonly target: Reference
    }
  | {
      readonly type: 'computed'
      readonly title: string
      readonly computed: { readonly [name: string]: unknown }
    }
  | ({
      readonly type: 'document'
      readonly title: string
      readonly linkTitle: string | undefined
      readonly document: string | null
      readonly file: string | undefined
      readonly oid: string | undefined
    } & Mode &
      PageFields)

export type PlacedPage = { readonly id: string; readonly node: OutlineNode; readonly content: PageContent }

/**
 * Page records for a whole tree, in the order of `pages`: parents, children and slugs filled in.
 *
 * An edited page has the time of the commit; one that was only moved, or imported for the first time, has none, so that
 * equal pages have equal bytes.
 */
export async function toRecords(
  pages: readonly PlacedPage[],
  previous: ReadonlyMap<string, PageRecord>,
  committedAt: string,
): Promise<{ records: Map<PageKey, PageRecord>; roots: string[] }> {
  const childrenOf = Map.groupBy(pages, ({ node }) => node.parent)
  const slugs = new Map<string, string>()
  for await (const siblings of inSlices(childrenOf.values())) {
    const named = siblings.filter(({ content }) => content.type !== 'link' && content.type !== 'computed')
    const claims = named.map(page => claimOf(page, previous))
    await pause()
    const assigned = assignSlugs(claims)
    for (const [position, { id }] of named.entries()) slugs.set(id, assigned[position] ?? '')
  }
  const idsOf = (parent: number | null) => (childrenOf.get(parent) ?? []).map(({ id }) => id)
  const records = new Map<PageKey, PageRecord>()
  for await (const [at, { id, node, content }] of inSlices(pages.entries())) {
    const record = {
      ...content,
      slug: slugs.get(id) ?? '',
      parent: node.parent === null ? null : (pages[node.parent]?.id ?? null),
      children: idsOf(at),
      document: content.type === 'document' ? content.document : null,
    }
    records.set(pageKey(id), dated(withoutAbsent(record), previous.get(id), committedAt))
  }
  return { records, roots: idsOf(null) }
}

function claimOf({ id, node, content }: PlacedPage, previous: ReadonlyMap<string, PageRecord>) {
  const { entry } = node
  if (entry.kind === 'group') return { wanted: entry.slug, held: undefined }
  const before = previous.get(id)
  const file = content.type === 'document' ? content.file : undefined
  const isSame =
    before !== undefined && before.file === file && (file !== undefined || before.title === content.title)
  return {
    wanted: file === undefined ? slugify(content.title) : slugOfFile(file),
    held: isSame ? before.slug : undefined,
  }
}

/**
 * Undefined members would make the record differ from the same one read from the store. The result is a page, because
 * the input was one except for those members.
 */
const withoutAbsent = (record: object): PageRecord => defined(record) as PageRecord

function dated(record: PageRecord, before: PageRecord | undefined, committedAt: string): PageRecord {
  if (before === undefined) return record
  const updatedAt = isPageEdited(before, record) ? committedAt : before.updatedAt
  return {
    ...record,
    ...(before.createdAt === undefined ? {} : { createdAt: before.createdAt }),
    ...(updatedAt === undefined ? {} : { updatedAt }),
  }
}

/** The edits from the records of a revision to those of the next. */
export async function editsBetween(
  before: Iterable<readonly [Key, AnyRecord]>,
  after: ReadonlyMap<Key, AnyRecord>,
): Promise<Map<Key, AnyRecord | null>> {
  const edits = new Map<Key, AnyRecord | null>(after)
  for await (const [key, record] of inSlices(before)) {
    const now = after.get(key)
    if (now === undefined) edits.set(key, null)
    else if (equalRecords(record, now)) edits.delete(key)
  }
  return edits
}
