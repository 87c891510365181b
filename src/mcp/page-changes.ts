// What edit_change_request accepts: the page changes that a writer needs, with their text as Markdown.
import { type Static, Type } from 'typebox'
import { Id } from '../http/list.ts'
import type { Api } from './api.ts'
import { ReplaceText, replaceTexts } from './replace-text.ts'

const CHANGES_MAX = 50
const MARKDOWN_CHARACTERS_MAX = 1_000_000

const markdown = Type.String({
  maxLength: MARKDOWN_CHARACTERS_MAX,
  description: 'The whole text of the page. It begins with its title as a heading of the first level.',
})
const fields = {
  title: Type.Optional(Type.String({ minLength: 1, maxLength: 250 })),
  slug: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'The last segment of its path.' }),
  ),
  description: Type.Optional(Type.String({ maxLength: 2000 })),
  at: Type.Optional(Type.Integer({ minimum: 0, description: 'Its index among its siblings, from 0.' })),
}
const page = Id('The id of the page.')
const strict = { additionalProperties: false }

const InsertPage = Type.Object(
  {
    operation: Type.Literal('insert_page'),
    markdown,
    into: Type.Optional(Id('The page above it, by its id or the ref of one; the top when absent.')),
    ref: Type.Optional(
      Type.String({
        pattern: '^[\\p{L}\\p{N}_][\\p{L}\\p{N}._-]{0,99}$',
        description: 'A name for the new page, so that other changes of this call can link to ./<ref>.md.',
      }),
    ),
    ...fields,
  },
  strict,
)

const UpdatePage = Type.Object(
  {
    operation: Type.Literal('update_page'),
    page,
    markdown: Type.Optional(markdown),
    into: Type.Optional(
      Type.Union([Id('The page above it.'), Type.Null()], {
        description: 'Moves it below another page; null moves it to the top.',
      }),
    ),
    ...fields,
  },
  strict,
)

const DeletePage = Type.Object({ operation: Type.Literal('delete_page'), page }, strict)

export const PageChanges = Type.Array(Type.Union([InsertPage, UpdatePage, ReplaceText, DeletePage]), {
  minItems: 1,
  maxItems: CHANGES_MAX,
  description: 'Applied in order, all or none.',
})
export type PageChanges = Static<typeof PageChanges>

/** In the shape of the API, with texts that were found in the pages as they are now. */
export async function toContentChanges(
  api: Api,
  content: string,
  changes: PageChanges,
): Promise<readonly object[]> {
  const replacements = changes.flatMap((change, index) =>
    change.operation === 'replace_text' ? [{ ...change, index }] : [],
  )
  if (replacements.length === 0) return changes.map(toContentChange)
  const rewritten = changes.flatMap(change =>
    change.operation === 'update_page' && change.markdown !== undefined ? [change.page] : [],
  )
  const pages = await replaceTexts(api, content, replacements, rewritten)
  return changes.flatMap(change => {
    if (change.operation !== 'replace_text') return [toContentChange(change)]
    const found = pages.get(change.page)
    // One change of a page has all replacements in it.
    pages.delete(change.page)
    return found === undefined ? [] : [found]
  })
}

function toContentChange(change: PageChanges[number]): object {
  if (!('markdown' in change)) return change
  const { markdown, ...rest } = change
  return { ...rest, document: { markdown } }
}
