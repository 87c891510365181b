// SQL of search: the live rows of one space, ranked. The rows were written by the transaction that published them, so
// what it finds is what readers see, and a page of another space is never looked at.
import { type RawBuilder, sql } from 'kysely'
import { QUERY_TERMS_MAX, type QueryTerm, stemOf } from '../../engines/search/terms.ts'
import { isSlipOf } from '../../engines/search/typos.ts'
import { STEM_MARK } from '../../engines/search/vector.ts'
import type { Db } from '../../platform/db/open.ts'
import { type Page, type PageQuery, page } from '../../platform/db/page.ts'

export type FoundSection = { anchor: string; heading: string; body: string }
export type FoundPage = {
  page_id: string
  title: string
  path: string
  score: number
  sections: FoundSection[]
}

const SECTIONS_PER_PAGE_MAX = 5
// Of ts_rank, for the weights D, C, B and A: body, description, heading, title.
const WEIGHTS = sql.raw(`'{0.1, 0.3, 0.6, 1.0}'::real[]`)
// How much a match in the title counts beside the best section. It is divided by the length of the title, so that a
// page called what was asked for stands before one whose title only has it.
const TITLE_FACTOR = 4

/**
 * Pages that have every term, in the title or in one section; when there are none, pages that have any of the terms
 * or of the words that look like them. Best first.
 */
export async function searchSpace(
  db: Db,
  projectionId: string,
  terms: readonly QueryTerm[],
  query: PageQuery,
): Promise<Page<FoundPage>> {
  if (terms.length === 0) return { items: [], count: 0 }
  const any = join(terms.map(toCondition), '||')
  const all = join(terms.map(toCondition), '&&')
  const isFound = await hasAny(db, projectionId, any, all)
  const wide = isFound
    ? any
    : join([...terms.map(toCondition), ...(await findSimilar(db, terms)).map(toExact)], '||')
  const found = sql<FoundPage>`(${ranked(projectionId, wide, isFound ? all : wide)})`.as<'found'>('found')
  return page(db.selectFrom(found).selectAll(), {
    question: { list: 'search', projection: projectionId, terms: terms.map(term => term.text), isFound },
    by: [
      ['score', 'desc'],
      ['page_id', 'asc'],
    ],
    ...query,
  })
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

/** Sections and titles of the space that match, before ranking; the index on sections is entered with `any`. */
const hits = (projectionId: string, any: Condition, wanted: Condition) => sql`
  select live.page_id, live.title, live.path, live.title_tsv, section.ordinal, section.anchor, section.heading,
    section.body, ts_rank(${WEIGHTS}, section.tsv, ${any}, 1) as rank
  from live_pages as live join sections as section on section.document_hash = live.document_hash
  where live.projection_id = ${projectionId} and live.type = 'document' and not live.no_index
    and section.tsv @@ ${any} and (live.title_tsv || section.tsv) @@ ${wanted}
  union all
  select page_id, title, path, title_tsv, null, null, null, null, 0
  from live_pages
  where projection_id = ${projectionId} and type = 'document' and not no_index and title_tsv @@ ${wanted}`

async function hasAny(db: Db, projectionId: string, any: Condition, wanted: Condition): Promise<boolean> {
  const { rows } = await sql`select 1 from (${hits(projectionId, any, wanted)}) as hit limit 1`.execute(db)
  return rows.length > 0
}

const ranked = (projectionId: string, any: Condition, wanted: Condition) => sql`
  select page_id, title, path,
    (${TITLE_FACTOR}::float8 * ts_rank(${WEIGHTS}, title_tsv, ${any}, 2) + max(rank) + ln(1 + count(ordinal)) / 100)::float8
      as score,
    coalesce(
      json_agg(json_build_object('anchor', anchor, 'heading', heading, 'body', body) order by place)
        filter (where ordinal is not null and place <= ${SECTIONS_PER_PAGE_MAX}), '[]') as sections
  from (
    select hit.*, row_number() over (partition by page_id order by rank desc, ordinal) as place
    from (${hits(projectionId, any, wanted)}) as hit) as hit
  group by page_id, title, path, title_tsv`

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
