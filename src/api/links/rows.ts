// SQL over links: the live rows of a space, or a content that differs from them, each link with its target and whether
// the place that it names exists.
//
// Everything about a link is looked up by key, in a subquery, and a query's own intermediate results are single values,
// not tables to join (record 37).
import { type RawBuilder, sql } from 'kysely'
import type { Hash } from '../../engines/content/records.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { type PageQuery, page } from '../../platform/db/page.ts'
import { storable } from '../../platform/db/text.ts'
import type { FormerPath, LinkChanges, LinkRow as StoredLink } from '../content/link-changes.ts'
import { APP_URL } from './app-urls.ts'
import type { LinkStatus } from './schema.ts'

/** The live rows of a space, and their replacements for another content of it. */
export type LinkSource = { readonly owner: string; readonly changes: LinkChanges | null }

export type LinkRow = Omit<StoredLink, 'place'> & {
  /** The target of its path; null if there is none, and for other kinds. */
  readonly target_id: string | null
  readonly status: LinkStatus
  /** Broken, but not in the base. */
  readonly is_newly_broken: boolean
}

export async function findHead(
  trx: Trx,
  spaceId: string,
): Promise<{ root: Hash; projectionId: string; making: number } | undefined> {
  const row = await trx
    .selectFrom('spaces')
    .innerJoin('revisions', 'revisions.id', 'spaces.revision_id')
    .innerJoin('projections', 'projections.id', 'spaces.projection_id')
    .select(['spaces.projection_id', 'revisions.root_hash', 'projections.making'])
    .where('spaces.id', '=', spaceId)
    .where('spaces.deleted_at', 'is', null)
    .executeTakeFirst()
  return row && { root: row.root_hash.toString('hex'), projectionId: row.projection_id, making: row.making }
}

type Compared = {
  readonly links: LinkSource
  readonly base: LinkSource | null
  /** Only links of this page; if absent, of all pages. */
  readonly fromPage?: string | undefined
  /** Addresses of this server's own pages begin with it. */
  readonly appUrl: string
  /** Those of them that lead nowhere for the caller. */
  readonly missing: readonly string[]
}

export type LinkFilter = {
  readonly status: LinkStatus | undefined
  readonly isNewlyBroken: boolean | undefined
}

/** Links page by page, in text order. */
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

type Target = { readonly id: string; readonly file: string }

/** The pages and reusable contents that link to the content of `file`, each once. */
export const listLinkingPages = (
  db: Db | Trx,
  links: LinkSource,
  target: Target,
  request: PageQuery & { readonly question: Parameters<typeof page>[1]['question'] },
) => page(linkingTexts(db, links, target), { ...request, by: [['from_id', 'asc']] })

/** The same, the first of them. */
export async function listLeadingTexts(
  db: Db | Trx,
  links: LinkSource,
  target: Target,
  limit: number,
): Promise<string[]> {
  const rows = await linkingTexts(db, links, target).orderBy('from_id').limit(limit).execute()
  return rows.map(({ from_id }) => from_id)
}

const linkingTexts = (db: Db | Trx, links: LinkSource, target: Target) =>
  db
    .selectFrom(
      sql<{ from_id: string }>`(
        with ${changedIn(links)} ${resolved(links, sql`candidates @> array[${target.file}]::text[]`, lookupForPage(links))}
        select distinct from_id from links where target ->> 1 = ${target.id})`.as('linking'),
    )
    .selectAll()

/** The last known content of each of these paths, newest first. */
export async function findGonePaths(
  db: Db | Trx,
  { owner, changes }: LinkSource,
  files: readonly string[],
): Promise<FormerPath[]> {
  if (files.length === 0) return []
  const { rows } = await sql<FormerPath>`select file, kind, id, record, path from gone_paths
    where projection_id = ${owner} and md5(file) = any(array(select md5(one) from unnest(${files}::text[]) as one))
      and file = any(${files}::text[])
    order by gone_at desc`.execute(db)
  const asked = new Set(files)
  return [...(changes?.gone ?? []).filter(({ file }) => asked.has(file)), ...rows]
}

/** The distinct addresses of this server's own pages in links of some contents. */
export async function listOwnAddresses(
  db: Db | Trx,
  sources: readonly LinkSource[],
  appUrl: string,
  limit: number,
): Promise<string[]> {
  const isOwn = sql`kind = 'url' and starts_with(ltrim(destination, ${WHITE_SPACE}), ${appUrl})`
  const addresses = sources.map(source => sql`select destination from (${linksOf(source, isOwn)}) as link`)
  const { rows } = await sql<{ destination: string }>`
    select distinct destination from (${sql.join(addresses, sql` union all `)}) as own
    order by destination limit ${limit}`.execute(db)
  return rows.map(({ destination }) => destination)
}

function selectLinks(db: Db | Trx, { links, base, appUrl, missing, fromPage }: Compared) {
  const isInApp = sql`(ltrim(destination, ${WHITE_SPACE}) ~* ${APP_URL}
    or starts_with(ltrim(destination, ${WHITE_SPACE}), ${appUrl}))`
  return db
    .selectFrom(
      sql<LinkRow>`(
        with ${checked(links, missing, fromPage)},
        broken_before as materialized (${base === null ? NOTHING_BEFORE : brokenIn(base, missing, fromPage)})
        select from_id, ordinal, kind, relation, usage, destination, candidates, anchor, target ->> 1 as target_id,
          case when is_broken then 'broken' when kind = 'url' and ${isInApp} then 'in-app' else 'ok' end as status,
          is_broken and ${base !== null}::boolean and not coalesce(
            (select destinations from broken_before) -> from_id ? destination, false) as is_newly_broken
        from checked)`.as('link'),
    )
    .selectAll()
}

const WHITE_SPACE = ' \t\r\n'
const NOTHING_BEFORE = sql`select null::jsonb as destinations`

/** One row: the broken destinations, by the text that has them. */
const brokenIn = (base: LinkSource, missing: readonly string[], fromPage: string | undefined) => sql`
  with ${checked(base, missing, fromPage)}
  select jsonb_object_agg(from_id, broken) as destinations from (
    select from_id, jsonb_agg(destination) as broken from checked where is_broken group by from_id) as page`

/**
 * Common table expressions: the links of a page, or of all pages if `fromPage` is undefined, with their targets and
 * whether they are broken.
 */
function checked(
  source: LinkSource,
  missing: readonly string[],
  fromPage: string | undefined,
): RawBuilder<unknown> {
  const lookup = fromPage === undefined ? lookupForSpace(source) : lookupForPage(source)
  const isFromThere = fromPage === undefined ? sql`true` : sql`from_id = ${fromPage}`
  return sql`${changedIn(source)} ${lookup.table} ${resolved(source, isFromThere, lookup)},
    ${included(source, lookup)},
    checked as (
      select links.*, case kind
          when 'path' then case when target is null then not ${NAMES_PERSON}
            else not ${FITS} or (target ->> 0 = 'page' and ${isMissing(source, sql`target ->> 1`)}) end
          when 'anchor' then ${isMissing(source, sql`from_id`)}
          when 'url' then destination = any(${[...missing]}::text[])
          else false end as is_broken
      from links offset 0)`
}

/** Whether the kind of the target fits the use of the link (site/addresses.ts). */
const FITS = sql`case usage when 'image' then target ->> 0 = 'file'
  when 'include' then target ->> 0 = 'reusable-content' else target ->> 0 in ('page', 'file') end`

/** As `personNamedBy` of the engine reads it: a link to a person, whom a page says by name. */
const NAMES_PERSON = sql`(usage = 'link' and destination ~ '^/users/[A-Za-z0-9_]{1,128}$')`

/** The replacements of another content for live rows, as single values; nothing for the live rows themselves. */
function changedIn({ changes }: LinkSource): RawBuilder<unknown> {
  if (changes === null) return sql``
  const paths = Object.fromEntries(changes.paths.map(({ file, kind, id }) => [storable(file), [kind, id]]))
  const moved = Object.fromEntries(
    [...changes.gonePaths, ...changes.paths.map(({ id }) => id)].map(id => [id, 1]),
  )
  const anchors = Object.fromEntries([
    ...changes.relinked.map(id => [id, null] as const),
    ...changes.anchors.map(row => [row.id, row.anchors] as const),
  ])
  return sql`changed as materialized (select ${JSON.stringify(paths)}::jsonb as paths,
    ${JSON.stringify(moved)}::jsonb as moved, ${JSON.stringify(anchors)}::jsonb as anchors),`
}

/**
 * The links that fulfil the condition, with their target: the first candidate that exists. The `offset 0` prevents
 * PostgreSQL from computing it again at every reference.
 */
const resolved = (
  source: LinkSource,
  condition: RawBuilder<unknown>,
  lookup: PathLookup,
  name: 'links' | 'includes' = 'links',
) => sql`
  ${sql.ref(name)} as (
    select link.*, case when kind = 'path' then coalesce(${sql.join(CANDIDATES.map(lookup.at))}) end as target
    from (${linksOf(source, condition)}) as link offset 0)`

// Two spellings of an address, from two folders, each of which may mean four files (resolve-path.ts).
const CANDIDATES_MAX = 16
const CANDIDATES = Array.from({ length: CANDIDATES_MAX }, (_, index) => sql.raw(`candidates[${index + 1}]`))

/** Finds the content at a path, as `[kind, id]`: an expression, and the common table that it needs. */
type PathLookup = {
  readonly table: RawBuilder<unknown>
  at(file: RawBuilder<unknown>): RawBuilder<unknown>
}

/** For all links of a space: looked up in one value with every path. */
const lookupForSpace = (source: LinkSource): PathLookup => ({
  table: sql`paths as materialized (
    select jsonb_object_agg(file, jsonb_build_array(kind, id)) as meaning from (
      select distinct on (file) file, kind, id from (${pathsOf(source)}) as path order by file, kind, id) as first),`,
  at: file => sql`(select meaning from paths) -> ${file}`,
})

/** For the links of a page: their candidates are looked up by index, however many paths there are. */
const lookupForPage = ({ owner, changes }: LinkSource): PathLookup => {
  const isThere = changes === null ? sql`true` : sql`not (select moved from changed) ? path.id`
  return {
    table: sql``,
    at: file => sql`${changes === null ? sql`` : sql`(select paths from changed) -> ${file},`}
      (select jsonb_build_array(path.kind, path.id) from live_paths as path
        where path.projection_id = ${owner} and md5(path.file) = md5(${file}) and path.file = ${file} and ${isThere}
        order by path.kind, path.id limit 1)`,
  }
}

function pathsOf({ owner, changes }: LinkSource): RawBuilder<unknown> {
  const live = sql`select file, kind, id from live_paths where projection_id = ${owner}`
  if (changes === null) return live
  const { gonePaths, paths } = changes
  return sql`${live} and not id = any(${[...gonePaths, ...paths.map(({ id }) => id)]}::text[])
    union all select * from unnest(${paths.map(({ file }) => file)}::text[],
      ${paths.map(({ kind }) => kind)}::text[], ${paths.map(({ id }) => id)}::text[])`
}

/**
 * The pages with includes, and the places of everything included anywhere: such a page shows more places than its own
 * text has. Which page shows which is not determined: that would be a walk over includes within includes.
 */
const included = (source: LinkSource, lookup: PathLookup) => sql`
  ${resolved(source, sql`usage = 'include'`, lookup, 'includes')},
  included_texts as materialized (
    select ${placesOf(source, sql`one.id`)} as places from (
      select distinct target ->> 1 as id from includes where target ->> 0 = 'reusable-content') as one),
  included as materialized (
    select (select jsonb_object_agg(from_id, 1) from includes) as pages,
      (select coalesce(bool_or(places is null), false) from included_texts) as is_open,
      (select jsonb_object_agg(place, 1) from included_texts,
        lateral jsonb_array_elements_text(places) as place) as places)`

/** The places of a page or a reusable content as a JSON array; null or `null` if unknown. */
function placesOf({ owner, changes }: LinkSource, id: RawBuilder<unknown>): RawBuilder<unknown> {
  const live = sql`(select to_jsonb(anchors) from live_anchors where projection_id = ${owner} and live_anchors.id = ${id})`
  if (changes === null) return live
  return sql`case when (select anchors from changed) ? ${id}
    then nullif((select anchors from changed) -> ${id}, 'null') else ${live} end`
}

/** Whether the page is known not to have the place that a link names. */
const isMissing = (source: LinkSource, id: RawBuilder<unknown>) => sql`(place is not null
  and not coalesce(${hasPlace(source, id)}, true)
  and not (coalesce((select pages from included) ? (${id}), false) and ((select is_open from included)
    or coalesce((select places from included) ?| array[place, regexp_replace(place, '-[0-9]+$', '')], false))))`

/** Null if its places are unknown. */
function hasPlace({ owner, changes }: LinkSource, id: RawBuilder<unknown>): RawBuilder<unknown> {
  const live = sql`(select place = any(anchors) from live_anchors
    where projection_id = ${owner} and live_anchors.id = ${id})`
  if (changes === null) return live
  return sql`case when (select anchors from changed) ? (${id})
    then nullif((select anchors from changed) -> (${id}), 'null') ? place else ${live} end`
}

const COLUMNS = sql.raw('from_id, ordinal, kind, relation, usage, destination, candidates, anchor, place')

function linksOf({ owner, changes }: LinkSource, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  const live = sql`select ${COLUMNS} from live_links where projection_id = ${owner} and ${condition}`
  if (changes === null) return live
  const { relinked, links } = changes
  return sql`${live} and not from_id = any(${relinked}::text[])
    union all select ${COLUMNS} from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as link (from_id text,
      ordinal integer, kind text, relation text, usage text, destination text, candidates text[], anchor text,
      place text)
    where ${condition}`
}
