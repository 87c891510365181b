// Compares live rows, sections and words with what the heads of spaces yield when computed from scratch, and rewrites
// those that differ. All of it can be computed, so none of it is ever lost.
import { sql } from 'kysely'
import { ownMember } from '../../base/objects.ts'
import { inSlices } from '../../base/slices.ts'
import type { PageSection } from '../../compute/page-projection.ts'
import type { Hash } from '../../engines/content/records.ts'
import { EMPTY_ROOT } from '../../engines/content/trie.ts'
import { WORDS_VERSION } from '../../engines/search/document-words.ts'
import type { Services } from '../../http/context.ts'
import { batchesOf } from '../../platform/db/batches.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { PROJECTION_VERSION, updateProjection } from '../spaces/projections.ts'
import {
  type DocumentRows,
  insertDocumentRows,
  nothingKnown,
  ReadDocuments,
  readSections,
  type WordsRow,
} from './document-rows.ts'
import type { PageRow } from './live-pages.ts'
import { storedReads } from './objects.ts'
import { type Projection, prepareProjection, rewriteProjection } from './projections.ts'
import { findRoot } from './rebuild-links.ts'

type CheckServices = Pick<Services, 'db' | 'compute' | 'transaction'>

export type ProjectionAt = {
  readonly id: string
  readonly spaceId: string
  readonly title: string
  readonly root: Hash
}

/** Every set of live rows once, with one of the spaces that share it. Skips those that an upgrade will rebuild. */
export async function listProjections(db: Db): Promise<ProjectionAt[]> {
  const rows = await db
    .selectFrom('projections')
    .innerJoin('spaces', 'spaces.projection_id', 'projections.id')
    .innerJoin('revisions', 'revisions.id', 'spaces.revision_id')
    .select(['projections.id', 'spaces.id as space_id', 'spaces.title', 'revisions.root_hash'])
    .distinctOn('projections.id')
    .where('projections.making', '=', PROJECTION_VERSION)
    .orderBy('projections.id')
    .execute()
  return rows.map(({ id, space_id, title, root_hash }) => ({
    ...{ id, spaceId: space_id, title },
    root: root_hash.toString('hex'),
  }))
}

/** How many live rows, and how many documents for search, are wrong. */
export type Differences = { readonly rows: number; readonly documents: number }

/**
 * Compares them, and with `isRepairing` rewrites what differs. Rows of a space that is published to while it is checked
 * count as equal. Skips documents in `checked`, which spaces share.
 */
export async function checkProjection(
  services: CheckServices,
  at: ProjectionAt,
  { isRepairing, checked }: { readonly isRepairing: boolean; readonly checked: Set<Hash> },
): Promise<Differences> {
  const store = storedReads(services.db)
  const read = new ReadDocuments()
  const made = await prepareProjection(services, store, at.spaceId, EMPTY_ROOT, at.root, nothingKnown, read)
  const wanted = await rowsOf(made)
  let rows = 0
  if ((await countDiffering(services.db, at.id, wanted, made.pages)) > 0)
    rows = await services.transaction(async trx => {
      if ((await findRoot(trx, at.id)) !== at.root) return 0
      const count = await countDiffering(trx, at.id, wanted, made.pages)
      if (count === 0 || !isRepairing) return count
      await rewriteProjection(trx, at.id, made)
      await updateProjection(trx, at.id, { making: PROJECTION_VERSION })
      return count
    })
  const isNew = ({ document }: { readonly document: Hash }) => !checked.has(document)
  const unchecked = { sections: read.sections.filter(isNew), words: read.words.filter(isNew) }
  for (const { document } of unchecked.words) checked.add(document)
  return { rows, documents: await checkDocuments(services, unchecked, isRepairing) }
}

const LIVE_TABLES = ['live_pages', 'live_paths', 'live_links', 'live_anchors'] as const
type Rows = Readonly<Record<(typeof LIVE_TABLES)[number], readonly string[]>>

const PAGE = [
  'page_id',
  'type',
  'title',
  'description',
  'path',
  'hidden',
  'no_index',
  'document_hash',
] as const
const PATH = ['id', 'file', 'kind'] as const
const LINK = [
  'from_id',
  'ordinal',
  'kind',
  'relation',
  'usage',
  'destination',
  'candidates',
  'anchor',
  'place',
] as const
const ANCHORS = ['id', 'anchors'] as const

const COLUMNS = { live_pages: PAGE, live_paths: PATH, live_links: LINK, live_anchors: ANCHORS } as const

const spell = (row: object, columns: readonly string[]): string =>
  JSON.stringify(
    columns.map(name => {
      const value = ownMember(row, name)
      return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
    }),
  )

const rowsOf = async ({ pages, links }: Projection): Promise<Rows> => ({
  live_pages: await spellAll(pages, PAGE),
  live_paths: await spellAll(links.paths, PATH),
  live_links: await spellAll(links.links, LINK),
  live_anchors: await spellAll(
    links.anchors.filter(({ anchors }) => anchors !== null),
    ANCHORS,
  ),
})

async function spellAll(rows: readonly object[], columns: readonly string[]): Promise<string[]> {
  const spelled: string[] = []
  for await (const row of inSlices(rows)) spelled.push(spell(row, columns))
  return spelled
}

async function countDiffering(
  db: Db | Trx,
  owner: string,
  wanted: Rows,
  pages: readonly PageRow[],
): Promise<number> {
  let count = await countOtherVectors(db, owner, pages)
  for (const table of LIVE_TABLES) {
    const columns = COLUMNS[table]
    const left = new Set(wanted[table])
    for await (const row of inSlices(await readLiveRows(db, owner, table, columns)))
      if (!left.delete(spell(row, columns))) count += 1
    count += left.size
  }
  return count
}

const readLiveRows = async (db: Db | Trx, owner: string, table: string, columns: readonly string[]) =>
  (
    await sql<object>`select ${sql.join(columns.map(name => sql.ref(name)))} from ${sql.table(table)}
    where projection_id = ${owner}`.execute(db)
  ).rows

const ROWS_AT_ONCE = 1_000

async function countOtherVectors(db: Db | Trx, owner: string, pages: readonly PageRow[]): Promise<number> {
  let count = 0
  for (const batch of batchesOf(pages, ROWS_AT_ONCE)) {
    const { rows } = await sql<{ count: number }>`select count(*) as count
      from unnest(${batch.map(page => page.page_id)}::text[], ${batch.map(page => page.title_tsv)}::text[]::tsvector[])
        as made (id, words)
      join live_pages on projection_id = ${owner} and page_id = made.id
      where title_tsv <> made.words`.execute(db)
    count += rows[0]?.count ?? 0
  }
  return count
}

async function checkDocuments(
  { db, transaction }: CheckServices,
  { sections, words }: Pick<DocumentRows, 'sections' | 'words'>,
  isRepairing: boolean,
): Promise<number> {
  const wanted = new Map<Hash, PageSection[]>(words.map(({ document }) => [document, []]))
  for (const { document, anchor, heading, body } of sections)
    wanted.get(document)?.push({ anchor, heading, body })
  const wrong = new Set<Hash>(await findOtherWords(db, words))
  const unseen = new Set(wanted.keys())
  const look = (document: Hash, found: readonly PageSection[]) => {
    unseen.delete(document)
    if (JSON.stringify(found) !== JSON.stringify(wanted.get(document))) wrong.add(document)
  }
  for await (const portion of readSections(db, wanted.keys()))
    for await (const [document, found] of inSlices(portion)) look(document, found)
  for (const document of unseen) look(document, [])
  if (isRepairing)
    for (const batch of batchesOf(wrong, ROWS_AT_ONCE)) {
      const isOne = new Set(batch)
      const hashes = batch.map(hash => Buffer.from(hash, 'hex'))
      await transaction(async trx => {
        await trx.deleteFrom('sections').where('document_hash', 'in', hashes).execute()
        await trx.deleteFrom('document_words').where('document_hash', 'in', hashes).execute()
        await insertDocumentRows(trx, {
          sections: sections.filter(({ document }) => isOne.has(document)),
          words: words.filter(({ document }) => isOne.has(document)),
          documentLinks: [],
        })
      })
    }
  return wrong.size
}

/** Those whose words are missing or wrong, except those that an upgrade will rebuild. */
async function findOtherWords(db: Db, words: readonly WordsRow[]): Promise<Hash[]> {
  const found: Hash[] = []
  for (const batch of batchesOf(words, ROWS_AT_ONCE)) {
    const { rows } = await sql<{ hash: Buffer }>`select made.hash
      from unnest(${batch.map(({ document }) => Buffer.from(document, 'hex'))}::bytea[],
        ${batch.map(row => row.words)}::text[]::tsvector[]) as made (hash, words)
      left join document_words stored on stored.document_hash = made.hash
      where stored.document_hash is null or (stored.making = ${WORDS_VERSION} and stored.words <> made.words)
    `.execute(db)
    for (const { hash } of rows) found.push(hash.toString('hex'))
  }
  return found
}
