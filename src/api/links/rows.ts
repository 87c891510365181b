// SQL over links: the live rows of a space with what differs from them, each joined with what its path means there.
import { type RawBuilder, sql } from 'kysely'
import type { Hash } from '../../engines/content/records.ts'
import type { Db, Trx } from '../../platform/db/open.ts'
import { type PageQuery, page } from '../../platform/db/page.ts'
import type { LinkChanges } from '../content/projections.ts'
import { APPLICATION } from './applications.ts'
import type { LinkStatus } from './schema.ts'

/** The live rows of a space, and what stands in their place where another content of it is meant. */
export type LinkSource = { readonly owner: string; readonly changes: LinkChanges | null }

export type LinkRow = {
  readonly from_page: string
  /** Counts from 0 in each page. */
  readonly ordinal: number
  readonly kind: 'url' | 'path' | 'anchor'
  readonly relation: 'reference' | 'dependsOn'
  /** As it was written. */
  readonly destination: string
  readonly anchor: string | null
  /** What its path leads to; null where nothing is there, and for other kinds. */
  readonly target_kind: 'page' | 'file' | 'reusable-content' | null
  readonly target_id: string | null
  readonly status: LinkStatus
  /** Broken, and not so in the content that it is compared with. */
  readonly is_newly_broken: boolean
}

export async function findHead(
  trx: Trx,
  spaceId: string,
): Promise<{ revisionId: string; root: Hash; projectionId: string } | undefined> {
  const row = await trx
    .selectFrom('spaces')
    .innerJoin('revisions', 'revisions.id', 'spaces.revision_id')
    .select(['spaces.revision_id', 'spaces.projection_id', 'revisions.root_hash'])
    .where('spaces.id', '=', spaceId)
    .where('spaces.deleted_at', 'is', null)
    .executeTakeFirst()
  return (
    row && {
      revisionId: row.revision_id,
      root: row.root_hash.toString('hex'),
      projectionId: row.projection_id,
    }
  )
}

type Compared = {
  readonly links: LinkSource
  readonly base: LinkSource | null
  /** Addresses that begin so are those of this server's own pages. */
  readonly appUrl: string
}

export type LinkFilter = {
  readonly status: LinkStatus | undefined
  readonly isNewlyBroken: boolean | undefined
}

/** Links page by page; of one page in the order of its text. */
export function listLinks(
  db: Db | Trx,
  compared: Compared,
  { status, isNewlyBroken }: LinkFilter,
  request: PageQuery & { readonly question: Parameters<typeof page>[1]['question'] },
) {
  let query = selectLinks(db, compared)
  if (status !== undefined) query = query.where('status', '=', status)
  if (isNewlyBroken !== undefined)
    query = query.where('status', '=', 'broken').where('is_newly_broken', '=', isNewlyBroken)
  return page(query, {
    ...request,
    by: [
      ['from_page', 'asc'],
      ['ordinal', 'asc'],
    ],
  })
}

export type LinkCounts = { readonly total: number; readonly broken: number; readonly newly_broken: number }

export async function countLinks(db: Db | Trx, compared: Compared): Promise<LinkCounts> {
  const row = await selectLinks(db, compared)
    .clearSelect()
    .select([
      sql<number>`count(*)::integer`.as('total'),
      sql<number>`(count(*) filter (where status = 'broken'))::integer`.as('broken'),
      sql<number>`(count(*) filter (where is_newly_broken))::integer`.as('newly_broken'),
    ])
    .executeTakeFirstOrThrow()
  return row
}

/** The pages that link to what stands in `file`, each once. */
export function listLinkingPages(
  db: Db | Trx,
  links: LinkSource,
  target: { readonly id: string; readonly file: string },
  request: PageQuery & { readonly question: Parameters<typeof page>[1]['question'] },
) {
  const query = db
    .selectFrom(
      sql<{ from_page: string }>`(
        with ${common(links, sql`candidates @> array[${target.file}]::text[]`)}
        select distinct from_page from targets where id = ${target.id})`.as('linking'),
    )
    .selectAll()
  return page(query, { ...request, by: [['from_page', 'asc']] })
}

function selectLinks(db: Db | Trx, { links, base, appUrl }: Compared) {
  const isInApp = sql`(ltrim(destination, ${WHITE_SPACE}) ~* ${APPLICATION}
    or starts_with(ltrim(destination, ${WHITE_SPACE}), ${appUrl}))`
  return db
    .selectFrom(
      sql<LinkRow>`(
        with ${common(links, sql`true`)},
        broken_before as materialized (${base === null ? NOTHING_BEFORE : brokenIn(base)})
        select from_page, ordinal, links.kind, relation, destination, anchor,
          targets.kind as target_kind, targets.id as target_id,
          case when links.kind = 'path' and targets.id is null then 'broken'
            when links.kind = 'url' and ${isInApp} then 'in-app' else 'ok' end as status,
          links.kind = 'path' and targets.id is null and ${base !== null}::boolean and not exists (
            select from broken_before as before
            where before.from_page = links.from_page and before.destination = links.destination) as is_newly_broken
        from links left join targets using (from_page, ordinal))`.as('link'),
    )
    .selectAll()
}

const WHITE_SPACE = ' \t\r\n'
const NOTHING_BEFORE = sql`select null::text as from_page, null::text as destination where false`

const brokenIn = (base: LinkSource) => sql`
  with ${common(base, sql`candidates is not null`)}
  select distinct from_page, destination from links left join targets using (from_page, ordinal)
  where links.kind = 'path' and targets.id is null`

/**
 * Common table expressions: the links that fulfil the condition, what paths mean, and what each link of them leads to:
 * the first of its candidates that is there. Joined as sets: looking up one path after the other would meet the same
 * path in every space of the server.
 */
const common = (source: LinkSource, condition: RawBuilder<unknown>) => sql`
  links as materialized (${linksOf(source, condition)}),
  paths as materialized (${pathsOf(source)}),
  targets as (
    select distinct on (from_page, ordinal) from_page, ordinal, paths.kind, paths.id
    from links cross join lateral unnest(candidates) with ordinality as candidate (file, position)
      join paths using (file)
    order by from_page, ordinal, position, paths.kind, paths.id)`

const COLUMNS = sql.raw('from_page, ordinal, kind, relation, destination, candidates, anchor')

function linksOf({ owner, changes }: LinkSource, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  const live = sql`select ${COLUMNS} from live_links where projection_id = ${owner} and ${condition}`
  if (changes === null) return live
  const { relinked, links } = changes
  return sql`${live} and not exists (
      select from unnest(${relinked}::text[]) as changed (page) where changed.page = from_page)
    union all select ${COLUMNS} from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as link (from_page text,
      ordinal integer, kind text, relation text, destination text, candidates text[], anchor text)
    where ${condition}`
}

function pathsOf({ owner, changes }: LinkSource): RawBuilder<unknown> {
  const live = sql`select file, kind, id from live_paths where projection_id = ${owner}`
  if (changes === null) return live
  const { gonePaths, paths } = changes
  return sql`${live} and not exists (
      select from unnest(${[...gonePaths, ...paths.map(({ id }) => id)]}::text[]) as changed (id)
      where changed.id = live_paths.id)
    union all select * from unnest(${paths.map(({ file }) => file)}::text[],
      ${paths.map(({ kind }) => kind)}::text[], ${paths.map(({ id }) => id)}::text[])`
}
