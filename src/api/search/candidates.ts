// Finds candidate pages in the database, for spaces whose index is not in memory. It goes from words to the documents
// that have them, and from these to the pages of the searched spaces, so that rare words visit few rows however large
// the spaces are; for common words the work is bounded. Candidates are ranked like all other pages.
import { type RawBuilder, sql } from 'kysely'
import { assertDefined } from '../../base/assert.ts'
import type { Hash } from '../../engines/content/records.ts'
import type { Db } from '../../platform/db/database.ts'

/** The forms of a word of a query, and words that it may be a misspelling of, as tsquery texts. */
export type WordCondition = { readonly forms: string; readonly alike: string }

export type Candidate = {
  readonly projection_id: string
  readonly page_id: string
  readonly title: string
  readonly description: string
  readonly path: string
  readonly document: Hash | null
}

export type Candidates = {
  /** Likeliest first. */
  readonly pages: readonly Candidate[]
  /** Other matching pages, as far as they were counted. */
  readonly uncounted: number
}

/** Pages whose texts are read and ranked. */
const RANKED_PAGES_MAX = 200
const RANKED_BYTES_MAX = 2 * 1024 * 1024
const CANDIDATES_MAX = 1_000
// Documents of any space of this server, and titles, visited per word.
const LOOKED_UP_MAX = 5_000
// Pages of the searched spaces visited if the words are common elsewhere.
const VISITED_MAX = 20_000

// For ts_rank, in the order D, C, B and A: body, description, heading, title.
const WEIGHTS = sql.raw(`'{0.1, 0.3, 0.6, 1.0}'::real[]`)

type Row = Candidate & { readonly bytes: number }
type Answer = { readonly count: number; readonly is_cut: boolean; readonly rows: readonly Row[] }
type Conditions = { readonly all: string; readonly any: string }

/** Pages that have every word. */
export async function findWithAll(
  db: Db,
  projectionIds: readonly string[],
  words: readonly WordCondition[],
): Promise<Candidates> {
  const isAsked = isOneOf(projectionIds)
  const conditions = { all: joined(words, ' & '), any: joined(words, ' | ') }
  const byWord = await ask(db, allByWord(isAsked, conditions))
  const { rows, count } = byWord.is_cut ? await ask(db, allByPage(isAsked, conditions)) : byWord
  const pages = worthReading(rows)
  return { pages, uncounted: count - pages.length }
}

/** Pages that have any of the words, rarest words first. A word that no page has is replaced by similar ones. */
export async function findWithAny(
  db: Db,
  projectionIds: readonly string[],
  words: readonly WordCondition[],
): Promise<Candidates> {
  const isAsked = isOneOf(projectionIds)
  const byWord = await ask(db, anyByWord(isAsked, words))
  const any = joined(words, ' | ')
  const { rows } = byWord.is_cut ? await ask(db, allByPage(isAsked, { all: any, any })) : byWord
  return { pages: worthReading(rows), uncounted: 0 }
}

const joined = (words: readonly WordCondition[], operator: ' & ' | ' | '): string =>
  words.map(({ forms }) => forms).join(operator)

/** Many ids are hashed: an array would be walked for every row, and so would a join, into which a bare `in` is made. */
const isOneOf = (projectionIds: readonly string[]): RawBuilder<boolean> =>
  projectionIds.length === 1
    ? sql<boolean>`projection_id = ${projectionIds[0]}`
    : sql<boolean>`case when projection_id in (select unnest(${[...projectionIds]}::text[])) then true else false end`

const COLUMNS = sql.raw('projection_id, page_id, title, description, path, document_hash, title_tsv')
/** Conditions of `live_pages` for pages that search finds. */
export const IS_FOUND = sql.raw(`type = 'document' and not no_index`)

/** The words of the document in a row of `table`. */
const wordsOf = (table: 'titles' | 'pages' | 'found') =>
  sql`coalesce((select words from document_words
    where document_words.document_hash = ${sql.ref(`${table}.document_hash`)}), '')`

/**
 * All pages of the documents, filtered by the searched spaces afterwards: as a single condition, PostgreSQL might look
 * for each document among all pages of a space, if statistics say that it has few.
 */
const COPIES = sql`
  copies as materialized (
    select page.* from documents cross join lateral (
      select ${COLUMNS}, type, no_index from live_pages
      where live_pages.document_hash = documents.document_hash offset 0) as page
    limit ${VISITED_MAX})`
const ARE_COPIES_CUT = sql`(select count(*) from copies) = ${VISITED_MAX}`

const pagesOfDocuments = (isAsked: RawBuilder<boolean>) => sql`
  select ${COLUMNS} from copies where ${isAsked} and ${IS_FOUND} limit ${CANDIDATES_MAX}`

const FOUND = sql.raw(`
  found as (select distinct on (projection_id, page_id) * from hits order by projection_id, page_id)`)

/** A page may have some of the words only in its title, so titles are looked up by any of them. */
const allByWord = (isAsked: RawBuilder<boolean>, { all, any }: Conditions) => sql<Answer>`
  with documents as materialized (
    select document_hash from document_words where words @@ ${all}::tsquery limit ${LOOKED_UP_MAX}),
  titles as materialized (
    select ${COLUMNS}, type, no_index from live_pages where title_tsv @@ ${any}::tsquery limit ${LOOKED_UP_MAX}),
  ${COPIES},
  hits as (
    (${pagesOfDocuments(isAsked)})
    union all
    (select ${COLUMNS} from titles
    where ${isAsked} and ${IS_FOUND} and (title_tsv || ${wordsOf('titles')}) @@ ${all}::tsquery
    limit ${CANDIDATES_MAX})),
  ${FOUND}
  ${answer(
    rankBy(any),
    sql`(select count(*) from documents) = ${LOOKED_UP_MAX} or (select count(*) from titles) = ${LOOKED_UP_MAX}
      or ${ARE_COPIES_CUT}`,
  )}`

/** From the pages to their words, for words that are common on this server. */
const allByPage = (isAsked: RawBuilder<boolean>, { all, any }: Conditions) => sql<Answer>`
  with pages as (
    select ${COLUMNS} from live_pages where ${isAsked} and ${IS_FOUND} limit ${VISITED_MAX} offset 0),
  found as (
    select * from pages where (title_tsv || ${wordsOf('pages')}) @@ ${all}::tsquery limit ${CANDIDATES_MAX})
  ${answer(rankBy(any), sql`false`)}`

/**
 * Starts from the uncommon words, each looked up on its own; if all are common, the answer counts as cut. The weight of
 * a word depends on how many documents have it.
 */
const anyByWord = (isAsked: RawBuilder<boolean>, words: readonly WordCondition[]) => sql<Answer>`
  with counted as materialized (
    select forms, alike, (select count(*) from (
      select from document_words where words @@ forms limit ${LOOKED_UP_MAX} offset 0) as counted) as documents
    from (select forms::tsquery, alike::tsquery from unnest(
      ${words.map(({ forms }) => forms)}::text[], ${words.map(({ alike }) => alike)}::text[]) as asked (forms, alike)
      offset 0) as asked),
  asked as materialized (
    select case when documents = 0 then alike else forms end as word, documents,
      ln(1 + ${LOOKED_UP_MAX}::float8 / (1 + documents)) as weight
    from counted),
  documents as materialized (
    select distinct document_hash from (select word from asked where documents < ${LOOKED_UP_MAX} offset 0) as rare
    cross join lateral (
      select document_hash from document_words where words @@ word limit ${LOOKED_UP_MAX} offset 0) as document),
  titles as materialized (
    select title.* from asked cross join lateral (
      select ${COLUMNS}, type, no_index from live_pages where title_tsv @@ word limit ${LOOKED_UP_MAX} offset 0) as title),
  ${COPIES},
  hits as (
    (${pagesOfDocuments(isAsked)})
    union all
    (select ${COLUMNS} from titles where ${isAsked} and ${IS_FOUND} limit ${CANDIDATES_MAX})),
  ${FOUND}
  ${answer(
    sql`(select sum(weight) from asked where (title_tsv || ${wordsOf('found')}) @@ word)`,
    sql`not exists (select from asked where documents < ${LOOKED_UP_MAX}) or ${ARE_COPIES_CUT}`,
  )}`

const rankBy = (any: string) => sql`4 * ts_rank(${WEIGHTS}, title_tsv, ${any}::tsquery)
  + ts_rank(${WEIGHTS}, ${wordsOf('found')}, ${any}::tsquery)`

const answer = (rank: RawBuilder<unknown>, isCut: RawBuilder<unknown>) => sql`
  select (select count(*)::integer from found) as count, ${isCut} as is_cut,
    coalesce((select json_agg(best order by rank desc, projection_id, page_id) from (
      select projection_id, page_id, title, description, path, encode(document_hash, 'hex') as document,
        coalesce((select octet_length(body) from objects where hash = document_hash), 0) as bytes,
        ${rank} as rank
      from found order by rank desc, projection_id, page_id limit ${RANKED_PAGES_MAX}) as best), '[]') as rows`

async function ask(db: Db, statement: RawBuilder<Answer>): Promise<Answer> {
  const { rows } = await statement.execute(db)
  return assertDefined(rows[0], 'an aggregate always has one row')
}

/** As many of the first as should be read; always at least one, whatever its size. */
function worthReading(rows: readonly Row[]): Candidate[] {
  let bytes = 0
  return rows.filter((row, at) => {
    bytes += row.bytes
    return at === 0 || bytes <= RANKED_BYTES_MAX
  })
}
