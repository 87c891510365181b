// Replacing some words of pages: each has to be there exactly once, so that nothing else changes. What is wrong with all
// of the replacements is said at once.
import { type Static, Type } from 'typebox'
import type { ChangeRequest } from '../api/change-requests/schema.ts'
import { counted } from '../base/counted.ts'
import { Id } from '../http/list.ts'
import type { Api } from './api.ts'
import { findPage } from './reads.ts'
import { toLine } from './text.ts'
import { ArgumentError } from './tool.ts'

const TEXT_CHARACTERS_MAX = 100_000
export const ReplaceText = Type.Object(
  {
    operation: Type.Literal('replace_text'),
    page: Id('The id of the page.'),
    old: Type.String({
      minLength: 1,
      maxLength: TEXT_CHARACTERS_MAX,
      description: 'Some of the Markdown of the page, exactly as read_page gives it, and there only once.',
    }),
    new: Type.String({
      maxLength: TEXT_CHARACTERS_MAX,
      description: 'What is to be there instead; may be empty.',
    }),
  },
  { additionalProperties: false },
)
export type ReplaceText = Static<typeof ReplaceText>

const PAGE_CHARACTERS_MAX = 1_000_000
const LINES_NAMED_MAX = 10
const ID_CHARACTERS_SHOWN_MAX = 100

/** `index`: in the list of changes. */
type Replacement = ReplaceText & { readonly index: number }

/** Changes in the shape of the API, by page. `rewritten`: pages that get a new text in the same call. */
export async function replaceTexts(
  api: Api,
  content: string,
  replacements: readonly Replacement[],
  rewritten: readonly string[],
): Promise<Map<string, object>> {
  // Read before the pages: what others change in between is merged, and not overwritten.
  const { revision: base } = await api.call<ChangeRequest>('GET', content)
  const problems: string[] = []
  const pages = new Map<string, object>()
  for (const [page, ofPage] of Map.groupBy(replacements, one => one.page)) {
    const [first] = ofPage
    if (rewritten.includes(page)) {
      problems.push(
        `arguments.changes.${first?.index}: update_page replaces the whole text of page ${page}, so change the words there.`,
      )
      continue
    }
    const found = await findPage(api, content, { page }, { from: 0, max: PAGE_CHARACTERS_MAX })
    if (found === undefined) {
      problems.push(
        `arguments.changes.${first?.index}.page: there is no page with the id ${toLine(page, ID_CHARACTERS_SHOWN_MAX)} here. list_pages gives the ids of pages.`,
      )
      continue
    }
    const { markdown, length } = found
    if (length > markdown.length) {
      problems.push(
        `arguments.changes.${first?.index}.page: page ${page} is too long to be changed by replace_text.`,
      )
      continue
    }
    let text = markdown
    for (const one of ofPage) {
      const places = placesOf(text, one.old)
      const [place] = places
      if (place === undefined || places.length > 1) problems.push(describeMisses(text, one, places))
      else text = text.slice(0, place) + one.new + text.slice(place + one.old.length)
    }
    pages.set(page, { operation: 'update_page', page, base, document: { markdown: text } })
  }
  if (problems.length > 0) throw new ArgumentError([...problems, 'Nothing was changed.'].join('\n'))
  return pages
}

/** Where the words begin; those that overlap count too. */
function placesOf(text: string, words: string): number[] {
  const places: number[] = []
  for (
    let at = text.indexOf(words);
    at !== -1 && places.length <= LINES_NAMED_MAX;
    at = text.indexOf(words, at + 1)
  )
    places.push(at)
  return places
}

function describeMisses(text: string, { index, page }: Replacement, places: readonly number[]): string {
  const where = `arguments.changes.${index}.old`
  if (places.length === 0)
    return `${where}: these words are not in page ${page}. They have to be exactly as read_page gives them, with all signs and line breaks.`
  const isCut = places.length > LINES_NAMED_MAX
  const lines = places.slice(0, LINES_NAMED_MAX).map(place => lineOf(text, place))
  return `${where}: these words are in page ${page} ${isCut ? `more than ${LINES_NAMED_MAX} times` : counted(places.length, 'time')}, at the lines ${lines.join(', ')}. Add words around those that you mean.`
}

const lineOf = (text: string, place: number): number => text.slice(0, place).split('\n').length
