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
  readonly from_id: string
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
): Promise<{ root: Hash; projectionId: string } | undefined> {
  const row = await trx
    .selectFrom('spaces')
    .innerJoin('revisions', 'revisions.id', 'spaces.revision_id')
    .select(['spaces.projection_id', 'revisions.root_hash'])
    .where('spaces.id', '=', spaceId)
    .where('spaces.deleted_at', 'is', null)
    .executeTakeFirst()
  return row && { root: row.root_hash.toString('hex'), projectionId: row.projection_id }
}

type Compared = {
  readonly links: LinkSource
  readonly base: LinkSource | null
  /** The page whose links are meant; of all pages where it is absent. */
  readonly fromPage?: string | undefined
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
      ['from_id', 'asc'],
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
      sql<{ from_id: string }>`(
        with ${resolved(links, sql`candidates @> array[${target.file}]::text[]`)}
        select distinct from_id from links where target ->> 1 = ${target.id})`.as('linking'),
    )
    .selectAll()
  return page(query, { ...request, by: [['from_id', 'asc']] })
}

function selectLinks(db: Db | Trx, { links, base, appUrl, fromPage }: Compared) {
  const isFromThere = fromPage === undefined ? sql`true` : sql`from_id = ${fromPage}`
  const isInApp = sql`(ltrim(destination, ${WHITE_SPACE}) ~* ${APPLICATION}
    or starts_with(ltrim(destination, ${WHITE_SPACE}), ${appUrl}))`
  return db
    .selectFrom(
      sql<LinkRow>`(
        with ${resolved(links, isFromThere)},
        broken_before as materialized (${base === null ? NOTHING_BEFORE : brokenIn(base, isFromThere)})
        select from_id, ordinal, kind, relation, destination, anchor,
          target ->> 0 as target_kind, target ->> 1 as target_id,
          case when kind = 'path' and target is null then 'broken'
            when kind = 'url' and ${isInApp} then 'in-app' else 'ok' end as status,
          kind = 'path' and target is null and ${base !== null}::boolean and not coalesce(
            (select destinations from broken_before) -> from_id ? destination, false) as is_newly_broken
        from links)`.as('link'),
    )
    .selectAll()
}

const WHITE_SPACE = ' \t\r\n'
const NOTHING_BEFORE = sql`select null::jsonb as destinations`

/** One row: the destinations that were broken, by page. */
const brokenIn = (base: LinkSource, condition: RawBuilder<unknown>) => sql`
  with ${resolved(base, condition)}
  select jsonb_object_agg(from_id, broken) as destinations from (
    select from_id, jsonb_agg(destination) as broken from links
    where kind = 'path' and target is null group by from_id) as page`

/**
 * Common table expressions: what each path means, and the links that fulfil the condition with what they lead to: the
 * first of their candidates that is there, as `[kind, id]`.
 *
 * What paths mean is one value that is looked into, and no table that is joined: a join of what a query has made itself
 * is planned by a guess, which after an import is so wrong that every link met every path.
 */
const resolved = (source: LinkSource, condition: RawBuilder<unknown>) => sql`
  paths as materialized (
    select jsonb_object_agg(file, jsonb_build_array(kind, id)) as meaning from (
      select distinct on (file) file, kind, id from (${pathsOf(source)}) as path order by file, kind, id) as first),
  links as materialized (
    select link.*, (
      select (select meaning from paths) -> file from unnest(candidates) with ordinality as candidate (file, position)
      where (select meaning from paths) ? file order by position limit 1) as target
    from (${linksOf(source, condition)}) as link)`

const COLUMNS = sql.raw('from_id, ordinal, kind, relation, destination, candidates, anchor')

function linksOf({ owner, changes }: LinkSource, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  const live = sql`select ${COLUMNS} from live_links where projection_id = ${owner} and ${condition}`
  if (changes === null) return live
  const { relinked, links } = changes
  return sql`${live} and not from_id = any(${relinked}::text[])
    union all select ${COLUMNS} from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as link (from_id text,
      ordinal integer, kind text, relation text, destination text, candidates text[], anchor text)
    where ${condition}`
}

function pathsOf({ owner, changes }: LinkSource): RawBuilder<unknown> {
  const live = sql`select file, kind, id from live_paths where projection_id = ${owner}`
  if (changes === null) return live
  const { gonePaths, paths } = changes
  return sql`${live} and not id = any(${[...gonePaths, ...paths.map(({ id }) => id)]}::text[])
    union all select * from unnest(${paths.map(({ file }) => file)}::text[],
      ${paths.map(({ kind }) => kind)}::text[], ${paths.map(({ id }) => id)}::text[])`
}
