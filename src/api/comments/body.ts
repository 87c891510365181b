// What is said: kept as Markdown, sent and answered as Markdown or as a rich document.
import { setImmediate as letOthersRun } from 'node:timers/promises'
import { monotonicMs } from '../../base/clock.ts'
import { invalid } from '../../base/errors.ts'
import { toDocument } from '../../engines/markdown/document.ts'
import { renderDocument } from '../../engines/markdown/render.ts'
import { readDocument } from '../../http/document.ts'
import { readAddress } from './addresses.ts'
import { BODY_CHARACTERS_MAX, type Body, type Format, type NewBody } from './schema.ts'

/** The Markdown of a body; throws `invalid` for one that says nothing, too much, or the same thing in two ways. */
export function readBody(field: string, { markdown, document }: NewBody): string {
  if ((markdown === undefined) === (document === undefined)) {
    throw invalid('body_ambiguous', `${field}: send either markdown or document.`)
  }
  return document === undefined
    ? checkText(`${field}.markdown`, markdown as string)
    : readRichBody(`${field}.document`, document)
}

/** The same of a rich document that is the whole body. */
export const readRichBody = (field: string, document: unknown): string =>
  checkText(field, renderDocument(readDocument(field, document)))

function checkText(field: string, markdown: string): string {
  if (markdown.trim() === '') throw invalid('body_empty', `${field}: this says nothing. Write something.`)
  if (markdown.length > BODY_CHARACTERS_MAX) {
    throw invalid(
      'body_too_long',
      `${field}: ${markdown.length} characters of Markdown, and there may be ${BODY_CHARACTERS_MAX}. Say it in several comments.`,
    )
  }
  return markdown
}

export const toBody = (markdown: string, format: Format): Body =>
  format === 'document' ? { document: toDocument(markdown, { resolve: readAddress }).document } : { markdown }

// Long enough that letting others run costs nothing beside it, short enough that they do not notice.
const TURN_MS_MAX = 20

/**
 * Each item as the wire has it. Parsing a thousand long comments takes seconds of the processor, so whoever else waits
 * for it gets their turn in between.
 */
export async function inTurns<Row, Item>(rows: readonly Row[], toItem: (row: Row) => Item): Promise<Item[]> {
  const items: Item[] = []
  let began = monotonicMs()
  for (const row of rows) {
    items.push(toItem(row))
    if (monotonicMs() - began < TURN_MS_MAX) continue
    await letOthersRun()
    began = monotonicMs()
  }
  return items
}
