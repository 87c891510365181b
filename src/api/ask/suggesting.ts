// Suggested questions, made from headings that the caller may see.
import { sql } from 'kysely'
import { personOf } from '../../access/roles.ts'
import { toQuestion } from '../../engines/answers/suggestions.ts'
import type { Context } from '../../http/context.ts'
import { type AskedSpace, listAskedSpaces } from './spaces.ts'

const QUESTIONS_MAX = 6
const SPACES_MAX = 20
const PAGES_OF_SPACE_MAX = 40
// Shorter sections make poor questions.
const BODY_CHARACTERS_MIN = 80

type HeadingRow = { readonly page: string; readonly heading: string; readonly language: string | null }

/** One for each page; headings that are questions come first. */
export async function suggestQuestions(context: Context, organizationId: string): Promise<string[]> {
  const spaces = await listAskedSpaces(context.db, organizationId, personOf(context.principal))
  const rows = await findHeadings(context.db, spaces.slice(0, SPACES_MAX))
  const asked = rows.flatMap(({ page, heading, language }) => {
    const question = toQuestion({ heading, language })
    return question === undefined ? [] : [{ page, question, rank: rankOf(heading, question) }]
  })
  const pages = new Set<string>()
  const questions = new Set<string>()
  // The sort is stable: pages keep their order.
  for (const { page, question } of asked.sort((a, b) => a.rank - b.rank)) {
    if (questions.size === QUESTIONS_MAX) break
    if (pages.has(page)) continue
    pages.add(page)
    questions.add(question)
  }
  return [...questions]
}

/** 0: a heading that is a question; 1: one that asks how; 2: any other. */
const rankOf = (heading: string, question: string): number =>
  /[?？]$/.test(heading.trim()) ? 0 : /^how |^如何|^怎/i.test(question) ? 1 : 2

/** Headings of sections with enough text, from some pages of each space, in the order of spaces and paths. */
async function findHeadings(db: Context['db'], spaces: readonly AskedSpace[]): Promise<HeadingRow[]> {
  const { rows } = await sql<HeadingRow>`
    select space.id || ':' || page.page_id as page, coalesce(nullif(section.heading, ''), page.title) as heading, space.language
    from unnest(${spaces.map(({ id }) => id)}::text[], ${spaces.map(({ projection_id }) => projection_id)}::text[],
      ${spaces.map(({ language }) => language)}::text[]) with ordinality as space (id, projection_id, language, place)
    cross join lateral (
      select page_id, title, path, document_hash from live_pages
      where live_pages.projection_id = space.projection_id and type = 'document' and not no_index and not hidden
      order by length(path) - length(replace(path, '/', '')), path limit ${PAGES_OF_SPACE_MAX}) as page
    cross join lateral (
      select ordinal, heading from sections
      where sections.document_hash = page.document_hash and length(body) >= ${BODY_CHARACTERS_MIN}
      order by ordinal limit 8) as section
    order by space.place, page.path, section.ordinal`.execute(db)
  return rows
}
