// The live rows of a space as they are stored, and as they have to be: worked out anew from the whole content of its
// head, without looking at any diff.
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { indexOf } from '../../src/api/content/index-of-content.ts'
import { linksOf } from '../../src/api/content/link-changes.ts'
import { readText } from '../../src/api/content/reads.ts'
import { findSpace, type SpaceRow } from '../../src/api/spaces/rows.ts'
import { linksIn } from '../../src/compute/page-projection.ts'
import { readContent } from '../../src/engines/content/content.ts'
import { foldedPlaces } from '../../src/engines/markdown/page/page.ts'
import { parseMarkdown } from '../../src/engines/markdown/syntax/syntax.ts'
import type { Services } from '../../src/http/context.ts'

type Row = Record<string, unknown>
type Rows = { pages: string[]; paths: string[]; links: string[]; anchors: string[]; unsearchable: Row[] }

/** Fails unless search, links and paths of the space say what its head says. */
export async function assertLiveRows(services: Services, spaceId: string): Promise<void> {
  const space = await findSpace(services.db, spaceId)
  assert.ok(space !== undefined, `the space ${spaceId} is there`)
  assert.deepEqual(await storedRows(services, space), await rowsFromScratch(services, space))
}

async function storedRows({ db }: Services, { projection_id: owner }: SpaceRow): Promise<Rows> {
  const rowsOf = async (table: string) =>
    (await sql<Row>`select * from ${sql.table(table)} where projection_id = ${owner}`.execute(db)).rows
  const pages = await rowsOf('live_pages')
  const { rows: unsearchable } = await sql<Row>`
    select page_id from live_pages join objects on hash = document_hash
    where projection_id = ${owner} and length(body) > 0
      and not exists (select from sections where sections.document_hash = live_pages.document_hash)`.execute(
    db,
  )
  return {
    pages: sorted(
      pages.map(({ projection_id: _, title_tsv: __, document_hash: hash, ...row }) => ({
        ...row,
        document_hash: (hash as Buffer | null)?.toString('hex') ?? null,
      })),
    ),
    paths: sorted((await rowsOf('live_paths')).map(withoutOwner)),
    links: sorted((await rowsOf('live_links')).map(withoutOwner)),
    anchors: sorted((await rowsOf('live_anchors')).map(withoutOwner)),
    unsearchable,
  }
}

const withoutOwner = ({ projection_id: _, ...row }: Row): Row => row

async function rowsFromScratch(services: Services, space: SpaceRow): Promise<Rows> {
  const content = await readContent(services.objects, space.root_hash.toString('hex'))
  const { paths } = indexOf(content)
  const links: object[] = []
  const anchors: object[] = []
  const texts = [
    ...[...content.pages].map(([id, page]) => ({ id, kind: 'page' as const, ...page })),
    ...[...content.reusables].map(([id, one]) => ({ id, kind: 'reusable-content' as const, ...one })),
  ]
  for (const { id, kind, document, file = '' } of texts) {
    const text = document === null ? '' : await readText(services, document)
    links.push(...linksOf({ id, kind, file }, linksIn(text)))
    anchors.push({ id, anchors: foldedPlaces(parseMarkdown(text)) })
  }
  const files = [
    ...[...content.pages].map(([id, { file }]) => ({ file, kind: 'page', id })),
    ...[...content.files].map(([id, { file }]) => ({ file, kind: 'file', id })),
    ...[...content.reusables].map(([id, { file }]) => ({ file, kind: 'reusable-content', id })),
  ]
  return {
    pages: sorted(
      [...content.pages].map(([id, page]) => ({
        page_id: id,
        type: page.type,
        title: page.title,
        description: page.description ?? '',
        path: paths.get(id) ?? '',
        hidden: page.hidden ?? false,
        no_index: page.noIndex ?? false,
        document_hash: page.document,
      })),
    ),
    paths: sorted(files.filter(({ file }) => file !== undefined)),
    links: sorted(links),
    anchors: sorted(anchors),
    unsearchable: [],
  }
}

/** In one order, with the members of each row in one order. */
const sorted = (rows: readonly object[]): string[] =>
  rows
    .map(row => JSON.stringify(Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))))
    .sort()
