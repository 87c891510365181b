// SQL of search: the live rows of one space, ranked. The rows were written by the transaction that published them, so
// what it finds is what readers see, and a page of another space is never looked at.
import { type RawBuilder, sql } from 'kysely'
import { decodeCursor, encodeCursor } from '../../base/cursor.ts'
import { invalid } from '../../base/errors.ts'
import { QUERY_TERMS_MAX, type QueryTerm, stemOf } from '../../engines/search/terms.ts'
import { isSlipOf } from '../../engines/search/typos.ts'
import { STEM_MARK } from '../../engines/search/vector.ts'
import type { Db } from '../../platform/db/open.ts'
import type { Page, PageQuery } from '../../platform/db/page.ts'

export type FoundSection = { anchor: string; heading: string; body: string }
export type FoundPage = { page_id: string; title: string; path: string; sections: FoundSection[] }

type RankedPage = { page_id: string; title: string; path: string; score: string }
type Ranked = { count: number; pages: RankedPage[] }

const SECTIONS_PER_PAGE_MAX = 5
// Of ts_rank, for the weights D, C, B and A: body, description, heading, title.
const WEIGHTS = sql.raw(`'{0.1, 0.3, 0.6, 1.0}'::real[]`)
// How much a match in the title counts beside the best section. It is divided by the length of the title, so that a
// page called what was asked for stands before one whose title only has it.
const TITLE_FACTOR = 4

/**
 * Pages that have every term, in the title or in one section; when there are none, pages that have any of the terms
 * or of the words that look like them. Best first. A token goes on with the kind of pages it began with.
 */
export async function searchSpace(
  db: Db,
  spaceId: string,
  terms: readonly QueryTerm[],
  { page, limit }: Pick<PageQuery, 'page'> & { limit: number },
): Promise<Page<FoundPage>> {
  if (terms.length === 0) return { items: [], count: 0 }
  const question = { list: 'search', space: spaceId, terms: terms.map(term => term.text) }
  const after = page === undefined ? undefined : readAfter(question, page)
  const any = join(terms.map(toCondition), '||')
  const all = join(terms.map(toCondition), '&&')
  const narrow: Search = { spaceId, any, wanted: all, after, limit }
  let search = narrow
  let ranked = after?.kind === 'any' ? undefined : await rankPages(db, narrow)
  if (ranked === undefined || (after === undefined && ranked.count === 0)) {
    const wide = join([...terms.map(toCondition), ...(await findSimilar(db, terms)).map(toExact)], '||')
    search = { ...narrow, any: wide, wanted: wide }
    ranked = await rankPages(db, search)
  }
  const shown = ranked.pages.slice(0, limit)
  const last = shown.at(-1)
  const kind = search === narrow ? 'all' : 'any'
  return {
    items: await withSections(db, search, shown),
    count: ranked.count,
    ...(last === undefined || ranked.pages.length <= limit
      ? {}
      : { next: encodeCursor(question, [kind, last.score, last.page_id]) }),
  }
}

type After = { readonly kind: 'all' | 'any'; readonly score: number; readonly pageId: string }

type Search = {
  readonly spaceId: string
  /** What a section has to have to be looked at; an index is entered with it. */
  readonly any: Condition
  /** What a section with the title of its page, or the title alone, has to have. */
  readonly wanted: Condition
  readonly after: After | undefined
  readonly limit: number
}

function readAfter(question: Parameters<typeof decodeCursor>[0], token: string): After {
  const [kind, score, pageId, ...rest] = decodeCursor(question, token)
  const number = typeof score === 'string' ? Number(score) : Number.NaN
  const isOurs = (kind === 'all' || kind === 'any') && Number.isFinite(number) && typeof pageId === 'string'
  if (!isOurs || rest.length > 0 || pageId.includes('\u0000')) {
    throw invalid('page_invalid', 'page: this is not a token of this search. Take it from next.page.')
  }
  return { kind, score: number, pageId }
}

type Condition = RawBuilder<unknown>

const join = (conditions: readonly Condition[], operator: '||' | '&&'): Condition =>
  sql`(${sql.join(conditions, sql.raw(` ${operator} `))})`

/** The term itself (its beginning, while it may still be typed) or a word with the same stem. */
function toCondition({ text, isPrefix, isWord }: QueryTerm): Condition {
  const exact = `'${text}'${isPrefix ? ':*' : ''}`
  const stem = isWord ? (stemOf(text) ?? text) : undefined
  return sql`${stem === undefined ? exact : `${exact} | '${STEM_MARK}${stem}'`}::tsquery`
}

const toExact = (word: string): Condition => sql`${`'${word}'`}::tsquery`

/** The pages that can be found. The space is asked within the statement: its live rows may be another set by now. */
const pagesOf = (spaceId: string) => sql`
  select page_id, title, path, title_tsv, document_hash from live_pages
  where projection_id = (select projection_id from spaces where id = ${spaceId})
    and type = 'document' and not no_index`

const SECTIONS_PER_PAGE_USUAL = 3
const SECTIONS_COUNTED_MAX = 20_000

/**
 * Whether fewer sections of this server have the words than the space has sections. Documents are shared between
 * spaces, so the index of words is one for all of them: with common words it would be entered for everybody's pages.
 */
async function isRareBeyond(db: Db, { spaceId, any }: Search): Promise<boolean> {
  const { rows } = await sql<{ few: boolean }>`
    with bound as materialized (
      select least(count(*) * ${SECTIONS_PER_PAGE_USUAL}, ${SECTIONS_COUNTED_MAX}) as sections from live_pages
      where projection_id = (select projection_id from spaces where id = ${spaceId}))
    select (select count(*) from (
        select from sections where tsv @@ ${any} limit (select sections + 1 from bound)) as looked_up)
      <= (select sections from bound) as few`.execute(db)
  return rows[0]?.few ?? true
}

/**
 * Sections with the words: from the index of words to the pages, or from the pages of the space to their sections.
 * PostgreSQL never loops over a full join, so on statistics from before an import it does not compare every section
 * with every page.
 */
const hitsByWord = (any: Condition, wanted: Condition) => sql`
  select page_id, ts_rank(${WEIGHTS}, tsv, ${any}, 1), null::real, true
  from (
    select page_id, title_tsv, tsv
    from (select document_hash, tsv from sections where tsv @@ ${any} offset 0) as section
      full join pages using (document_hash)
    offset 0) as either
  where page_id is not null and tsv is not null and (title_tsv || tsv) @@ ${wanted}`

const hitsByPage = (any: Condition, wanted: Condition) => sql`
  select page_id, ts_rank(${WEIGHTS}, tsv, ${any}, 1), null::real, true
  from pages cross join lateral (
    select tsv from sections where sections.document_hash = pages.document_hash and tsv @@ ${any} offset 0) as section
  where (title_tsv || tsv) @@ ${wanted}`

/** One page of the ranking and one more, with the number of all that were found. */
async function rankPages(db: Db, search: Search): Promise<Ranked> {
  const { spaceId, any, wanted, after, limit } = search
  const hits = (await isRareBeyond(db, search)) ? hitsByWord(any, wanted) : hitsByPage(any, wanted)
  const rest =
    after === undefined
      ? sql`true`
      : sql`(score < ${after.score}::float8 or (score = ${after.score}::float8 and page_id > ${after.pageId}))`
  const { rows } = await sql<{ count: number } & (RankedPage | { page_id: null })>`
    with pages as materialized (${pagesOf(spaceId)}),
    -- a page's title counts with what it has of the words, also where the page was found by a section
    hits as (
      ${hits}
      union all
      select page_id, null, ts_rank(${WEIGHTS}, title_tsv, ${any}, 2), title_tsv @@ ${wanted}
      from pages where title_tsv @@ ${any}),
    found as materialized (
      select page_id, (
        ${TITLE_FACTOR}::float8 * coalesce(max(title_rank), 0) + coalesce(max(rank), 0)
          + ln(1 + count(rank)) / 100)::float8 as score
      from hits as hit (page_id, rank, title_rank, is_found)
      group by page_id having bool_or(is_found)),
    shown as materialized (
      select * from found where ${rest} order by score desc, page_id limit ${limit === 0 ? 0 : limit + 1})
    select counted.count, page_id, title, path, score::text as score
    from (select count(*)::integer as count from found) as counted
      left join (shown cross join lateral (
        select title, path from live_pages
        where projection_id = (select projection_id from spaces where id = ${spaceId}) and page_id = shown.page_id
        offset 0) as page) on true
    order by shown.score desc, page_id`.execute(db)
  return {
    count: rows[0]?.count ?? 0,
    // the one row of an empty page carries the count alone
    pages: rows.filter((row): row is { count: number } & RankedPage => row.page_id !== null),
  }
}

/** The pages with their best sections: texts are read for what is shown only. */
async function withSections(
  db: Db,
  { spaceId, any, wanted }: Search,
  pages: readonly RankedPage[],
): Promise<FoundPage[]> {
  if (pages.length === 0) return []
  const ids = pages.map(page => page.page_id)
  const { rows } = await sql<FoundSection & { page_id: string }>`
    select page_id, anchor, heading, body
    from (
      select page_id, anchor, heading, body,
        row_number() over (
          partition by page_id order by ts_rank(${WEIGHTS}, tsv, ${any}, 1) desc, ordinal) as place
      from (${pagesOf(spaceId)} and page_id = any(${ids}::text[]) offset 0) as pages
        join sections using (document_hash)
      where tsv @@ ${any} and (title_tsv || tsv) @@ ${wanted}
    ) as section
    where place <= ${SECTIONS_PER_PAGE_MAX}
    order by page_id, place`.execute(db)
  const sections = new Map<string, FoundSection[]>(ids.map(id => [id, []]))
  for (const { page_id, ...section } of rows) sections.get(page_id)?.push(section)
  return pages.map(({ page_id, title, path }) => ({
    page_id,
    title,
    path,
    sections: sections.get(page_id) ?? [],
  }))
}

const CANDIDATES_PER_WORD_MAX = 30
const WORD_CHARACTERS_MIN = 4

/** Words of the vocabulary that the ones asked for may be misspellings of. The index offers, the engine decides. */
async function findSimilar(db: Db, terms: readonly QueryTerm[]): Promise<string[]> {
  const words = terms
    .filter(term => term.isWord && term.text.length >= WORD_CHARACTERS_MIN)
    .map(term => term.text)
  if (words.length === 0) return []
  const { rows } = await sql<{ written: string; meant: string }>`
    select wanted.word as written, alike.word as meant
    from unnest(${words.slice(0, QUERY_TERMS_MAX)}::text[]) as wanted (word)
    cross join lateral (
      select words.word from words where words.word % wanted.word
      order by similarity(words.word, wanted.word) desc, words.word limit ${CANDIDATES_PER_WORD_MAX}) as alike`.execute(
    db,
  )
  return [...new Set(rows.filter(({ written, meant }) => isSlipOf(written, meant)).map(row => row.meant))]
}
