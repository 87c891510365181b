// The live rows of pages: which of them a diff of two revisions changes, and their SQL. Paths are derived for these
// pages only, from their ancestors, and not for the whole tree.
import { type RawBuilder, sql } from 'kysely'
import { joinPath } from '../../base/paths.ts'
import { inSlices } from '../../base/slices.ts'
import {
  type EntryChange,
  type Hash,
  isChangeOf,
  type PageRecord,
  pageKey,
  splitKey,
} from '../../engines/content/records.ts'
import type { ObjectReads } from '../../engines/content/store.ts'
import { readEntries } from '../../engines/content/trie.ts'
import { toVector } from '../../engines/search/document-words.ts'
import { batchesOf } from '../../platform/db/batches.ts'
import { storable } from '../../platform/db/text.ts'

export type PageRow = {
  page_id: string
  type: string
  title: string
  description: string
  path: string
  title_tsv: string
  hidden: boolean
  no_index: boolean
  document_hash: Buffer | null
}

export type PageChange = EntryChange<'page'>
export const isPageChange = isChangeOf('page')
const idOf = (change: PageChange): string => splitKey(change.key)[1]

export const gonePagesOf = (changes: readonly PageChange[]): string[] =>
  changes.filter(change => change.after === null).map(idOf)

/** Rows of pages that changed, and of their descendants where a path changed. */
export async function toPageRows(
  store: ObjectReads,
  root: Hash,
  changes: readonly PageChange[],
): Promise<PageRow[]> {
  const records = new Map<string, PageRecord>()
  let level: string[] = []
  for (const change of changes) {
    const { before, after } = change
    if (after === null) continue
    records.set(idOf(change), after)
    if (before !== null && (before.slug !== after.slug || before.parent !== after.parent))
      level.push(...after.children)
  }
  while (level.length > 0) {
    const below = await readPages(
      store,
      root,
      level.filter(id => !records.has(id)),
    )
    level = level.flatMap(id => (records.get(id) ?? below.get(id))?.children ?? [])
    for (const [id, record] of below) records.set(id, record)
  }
  const pathOf = await readPaths(store, root, records)
  const rows: PageRow[] = []
  for await (const [id, record] of inSlices(records)) rows.push(toPageRow(id, record, pathOf(id)))
  return rows
}

const toPageRow = (id: string, record: PageRecord, path: string): PageRow => ({
  page_id: id,
  type: record.type,
  title: storable(record.title),
  description: storable(record.description ?? ''),
  path: storable(path),
  title_tsv: toVector([
    { text: record.title, weight: 'A' },
    { text: record.description ?? '', weight: 'C' },
  ]),
  hidden: record.hidden ?? false,
  no_index: record.noIndex ?? false,
  document_hash: record.document === null ? null : Buffer.from(record.document, 'hex'),
})

/** The path of each page of `records`; their ancestors are read from the revision. */
export async function readPaths(
  store: ObjectReads,
  root: Hash,
  records: ReadonlyMap<string, PageRecord>,
): Promise<(id: string) => string> {
  const known = await readAncestors(store, root, records)
  const pathOf = (id: string | null): string => {
    const record = id === null ? undefined : known.get(id)
    return record === undefined ? '' : joinPath(pathOf(record.parent), record.slug)
  }
  // A link page has no place in a path.
  return id => (known.get(id)?.type === 'link' ? '' : pathOf(id))
}

async function readAncestors(
  store: ObjectReads,
  root: Hash,
  records: ReadonlyMap<string, PageRecord>,
): Promise<Map<string, PageRecord>> {
  const known = new Map(records)
  let missing = parentsOf(known.values(), known)
  while (missing.length > 0) {
    const found = await readPages(store, root, missing)
    for (const [id, record] of found) known.set(id, record)
    missing = parentsOf(found.values(), known)
  }
  return known
}

const parentsOf = (records: Iterable<PageRecord>, known: ReadonlyMap<string, PageRecord>): string[] => {
  const parents = new Set<string>()
  for (const { parent } of records) if (parent !== null && !known.has(parent)) parents.add(parent)
  return [...parents]
}

async function readPages(
  store: ObjectReads,
  root: Hash,
  ids: readonly string[],
): Promise<Map<string, PageRecord>> {
  const entries = await readEntries(store, root, ids.map(pageKey))
  return new Map([...entries].map(([key, record]) => [splitKey(key)[1], record]))
}

// Per statement.
const ROWS_INSERTED_MAX = 1000

export function* pageWrites(
  owner: string,
  pages: readonly PageRow[],
  gone: readonly string[] = [],
): Generator<RawBuilder<unknown>> {
  if (gone.length > 0)
    yield sql`delete from live_pages where projection_id = ${owner} and page_id = any(${gone}::text[])`
  for (const rows of batchesOf(pages, ROWS_INSERTED_MAX)) yield upsertPages(owner, rows)
}

const upsertPages = (owner: string, rows: readonly PageRow[]) =>
  sql`insert into live_pages (projection_id, page_id, type, title, description, path, title_tsv, hidden, no_index, document_hash)
    select ${owner}, * from unnest(
      ${column(rows, 'page_id')}::text[], ${column(rows, 'type')}::text[], ${column(rows, 'title')}::text[],
      ${column(rows, 'description')}::text[], ${column(rows, 'path')}::text[],
      ${column(rows, 'title_tsv')}::text[]::tsvector[], ${column(rows, 'hidden')}::boolean[],
      ${column(rows, 'no_index')}::boolean[], ${column(rows, 'document_hash')}::bytea[])
    on conflict (projection_id, page_id) do update set type = excluded.type, title = excluded.title,
      description = excluded.description, path = excluded.path, title_tsv = excluded.title_tsv, hidden = excluded.hidden,
      no_index = excluded.no_index, document_hash = excluded.document_hash`

const column = <K extends keyof PageRow>(rows: readonly PageRow[], name: K): PageRow[K][] =>
  rows.map(row => row[name])
