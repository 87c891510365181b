// The rich document of a page, as bytes of JSON: it can be a hundred times as large as the page, and the server's
// thread only passes it on.
import { type Reference, toDocument } from '../engines/markdown/document/document.ts'
import { blocks, references } from '../engines/markdown/page/page.ts'
import { parseMarkdown } from '../engines/markdown/syntax/syntax.ts'
import { askInParts } from './ask-in-parts.ts'
import type { Task } from './task.ts'

export type PageDocumentInput = { readonly markdown: string; readonly title: string | undefined }

export type AsksReferences = {
  /** Where destinations lead; undefined for nowhere. */
  references(destinations: readonly string[]): Promise<readonly (Reference | undefined)[]>
}

export type PageDocument = { readonly json: Uint8Array; readonly hasExpression: boolean }

export const pageDocument: Task<PageDocumentInput, PageDocument, AsksReferences> = toPageDocument

// A reference missing from the list is met in the first conversion, and known in the second.
const ROUNDS_MAX = 3
// As much as the server's thread can pass on instantly.
const JSON_CHARACTERS_MAX = 16_000_000

async function toPageDocument(
  { markdown, title }: PageDocumentInput,
  ask: AsksReferences,
): Promise<PageDocument> {
  const root = parseMarkdown(markdown)
  const spans = blocks(markdown, root)
  const known = new Map<string, Reference | undefined>()
  let wanted = new Set(references(markdown, root).map(({ destination }) => destination))
  for (let round = 1; ; round++) {
    const asked = [...wanted]
    const found = await askInParts(asked, some => ask.references(some))
    for (const [index, destination] of asked.entries()) known.set(destination, found[index])
    wanted = new Set()
    const { document } = toDocument(root, {
      spans,
      resolve(destination) {
        if (!known.has(destination)) wanted.add(destination)
        return known.get(destination)
      },
      ...(title === undefined ? {} : { title }),
    })
    if (wanted.size > 0 && round < ROUNDS_MAX) continue
    const json = JSON.stringify(document)
    if (json.length > JSON_CHARACTERS_MAX) return toPlainDocument(markdown)
    return { json: new TextEncoder().encode(json), hasExpression: json.includes('"type":"expression"') }
  }
}

/** The text of a page as one code block, below a sentence that says why. */
export const plainDocument: Task<{ readonly markdown: string }, PageDocument> = ({ markdown }) =>
  toPlainDocument(markdown)

function toPlainDocument(markdown: string): PageDocument {
  const longest = (markdown.match(/~+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2)
  const fence = '~'.repeat(longest + 1)
  const { document } = toDocument(
    `This page is too large or too complex for a document. Its Markdown source is below.\n\n${fence}markdown\n${markdown}\n${fence}\n`,
  )
  return { json: new TextEncoder().encode(JSON.stringify(document)), hasExpression: false }
}
