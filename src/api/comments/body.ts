// Bodies of comments: stored as Markdown, sent and returned as Markdown or as a rich document.
import { LRUCache } from 'lru-cache'
import { invalid } from '../../base/errors.ts'
import { inSlices } from '../../base/slices.ts'
import type { JSONDocument } from '../../engines/markdown/document/document.ts'
import { writeById } from '../../engines/markdown/render/render.ts'
import type { Services } from '../../http/context.ts'
import { checkSentDocument, toMarkdown } from '../../http/rich-document.ts'
import { toDocumentJson } from '../content/documents.ts'
import { readAddress } from './addresses.ts'
import { BODY_CHARACTERS_MAX, type Body, type Format, type NewBody } from './schema.ts'

/** The Markdown of a body; throws `invalid` if it is empty, too long, or sent in both formats. */
export async function readBody(
  services: Pick<Services, 'compute'>,
  spaceId: string,
  field: string,
  { markdown, document }: NewBody,
): Promise<string> {
  if (markdown !== undefined && document === undefined) return checkText(`${field}.markdown`, markdown)
  if (markdown === undefined && document !== undefined)
    return readRichBody(services, spaceId, `${field}.document`, document)
  throw invalid('body_ambiguous', `${field}: send either markdown or document.`)
}

/** The same for a rich document that is the whole body. */
export async function readRichBody(
  services: Pick<Services, 'compute'>,
  spaceId: string,
  field: string,
  document: JSONDocument,
): Promise<string> {
  const { json } = await checkSentDocument(services, spaceId, field, document)
  return checkText(field, await toMarkdown(services, spaceId, field, json, writeById))
}

function checkText(field: string, markdown: string): string {
  if (markdown.trim() === '') throw invalid('body_empty', `${field}: this says nothing. Write something.`)
  if (markdown.length > BODY_CHARACTERS_MAX) {
    throw invalid(
      'body_too_long',
      `${field}: ${markdown.length} characters of Markdown, and there may be ${BODY_CHARACTERS_MAX}. Say it in several comments.`,
    ).withValues({ max: BODY_CHARACTERS_MAX })
  }
  return markdown
}

export async function toBody(
  services: Pick<Services, 'compute'>,
  spaceId: string,
  markdown: string,
  format: Exclude<Format, 'html'>,
): Promise<Body> {
  if (format !== 'document') return { markdown }
  const known = keptJson.get(markdown)
  if (known !== undefined) return { document: JSON.parse(known) }
  const made = await toDocumentJson(services, spaceId, { markdown, title: undefined }, readAddress, [])
  if (made === undefined) return { markdown }
  const json = new TextDecoder().decode(made.json)
  if (markdown.length <= KEPT_CHARACTERS_MAX) keptJson.set(markdown, json)
  return { document: JSON.parse(json) }
}

// A discussion is read more often than it changes. The result for a longer body may depend on how busy the pool is.
const KEPT_CHARACTERS_MAX = 1_000
// Two bytes each; some thousand comments.
const KEPT_JSON_CHARACTERS_MAX = 4_000_000
const keptJson = new LRUCache<string, string>({
  maxSize: KEPT_JSON_CHARACTERS_MAX,
  sizeCalculation: (json, markdown) => json.length + markdown.length,
})

/**
 * Converts rows one after the other: a thousand comments take no more of the pool at once than one. Short ones are
 * parsed in this thread, which yields in between.
 */
export async function inTurns<Row, Item>(
  rows: readonly Row[],
  toItem: (row: Row) => Promise<Item>,
): Promise<Item[]> {
  const items: Item[] = []
  for await (const row of inSlices(rows)) items.push(await toItem(row))
  return items
}
