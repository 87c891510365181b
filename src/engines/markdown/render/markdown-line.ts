// A line of the model as a line of Markdown.
import type { Words } from '../document/document.ts'
import { inOneLine } from '../syntax/syntax.ts'
import { escapeLine, type LineContext } from './escapes.ts'
import type { HtmlPart } from './html-line.ts'
import { joinTokens, KIND, type Kind, type LineText, type Segment } from './line-text.ts'
import { imageTokens, LineWriter, linkTokens } from './line-writer.ts'
import { markdownDestination } from './quoting.ts'
import type { Rendering } from './rendering.ts'
import { spansOf } from './spans.ts'

/** Without white space at either end; empty if the line says nothing. */
export function markdownLine(nodes: Words, rendering: Rendering, context: LineContext = 'paragraph'): string {
  const line = escapeLine(textOf(nodes, rendering, context), context, rendering.hasLabels)
  if (context !== 'paragraph' || !DEFINITION.test(line)) return line
  return escapeLine(textOf(nodes, rendering, context, true), context, rendering.hasLabels)
}

/** A link at the start of a paragraph whose words include code with `]:` would be a definition. */
const DEFINITION = /^\[(?:[^\\[\]]|\\.|\\\n)*\]:/

/**
 * Lines and the tags around them as a cell between pipes, where both are read; undefined if any of it cannot be written
 * there.
 */
export function markdownCell(parts: readonly HtmlPart[], rendering: Rendering): string | undefined {
  const nodes = parts.flatMap(part => (typeof part === 'string' ? [] : part.line))
  const writer = new LineWriter(rendering, nodes, 'cell', false)
  for (const part of parts) {
    if (typeof part !== 'string') writer.write(spansOf(part.line))
    else if (part.includes('\n')) return undefined
    else writer.html(part)
  }
  const line = joinTokens(writer.tokens)
  // A backslash before a pipe would escape the pipe, and if doubled, the pipe would end the cell.
  const { text, kinds } = line
  for (let at = text.indexOf('\\|'); at !== -1; at = text.indexOf('\\|', at + 1))
    if (kinds[at] === KIND.markup) return undefined
  return escapeLine(line, 'cell', rendering.hasLabels)
}

function textOf(nodes: Words, rendering: Rendering, context: LineContext, hasHtmlLink = false): LineText {
  const writer = new LineWriter(rendering, nodes, context, hasHtmlLink)
  writer.write(spansOf(nodes))
  return joinTokens(writer.tokens)
}

const written = (said: readonly Segment[], context: LineContext): string => {
  const filled = said.filter(([, value]) => value !== '')
  return escapeLine(joinTokens(filled.map(([kind, value]) => ({ type: 'text', kind, value }))), context, true)
}

/** A link on a line of its own; only the plain text of its words is read. */
export const markdownLink = (label: string, destination: string): string =>
  written(linkTokens(label, destination, ''), 'paragraph')

type PlainImage = { readonly src: string; readonly alt: string }

/** Images between pipes; undefined if one cannot be written there. */
export function imagesCell(images: readonly PlainImage[]): string | undefined {
  if (images.some(({ src }) => src.includes('\\|'))) return undefined
  return written(
    images.flatMap(({ src, alt }, index): Segment[] => [
      ...(index === 0 ? [] : [[KIND.markup, ' '] as const]),
      ...imageTokens(src, alt, ''),
    ]),
    'cell',
  )
}

/** Words between the brackets of a link or an image; only their plain text is read. */
export const labelText = (words: string): string =>
  words === ''
    ? ''
    : written(
        [
          [KIND.linkStart, '['],
          [KIND.label, inOneLine(words)],
          [KIND.linkEnd, ']'],
        ],
        'heading',
      ).slice(1, -1)

/** Words that stay plain words anywhere in a line. */
export const plainWords = (words: string): string => escapeWords(inOneLine(words), 'heading')

/** A bare address, of characters that are no markup. */
const ADDRESS = /^(?:https?:\/\/[\w./:?#@!&'+,;=%-]+|[\w.+-]+@[\w-]+\.[\w.-]+)$/i

/** Lines of plain words as a cell between pipes. Bare addresses stay links, unless the whole cell leads somewhere. */
export function wordsCell(lines: readonly string[], destination: string | undefined): string {
  const segments = lines.flatMap((line, at): Segment[] => [
    ...(at === 0 ? [] : [[KIND.markup, '<br>'] as const]),
    ...(destination === undefined
      ? withAddresses(inOneLine(line))
      : [[KIND.words, inOneLine(line)] as const]),
  ])
  if (destination === undefined) return written(segments, 'cell')
  const target: Segment = [KIND.markup, `(${markdownDestination(destination)})`]
  return written([[KIND.linkStart, '['], ...segments, [KIND.linkEnd, ']'], target], 'cell')
}

/** An address stands between white space or parentheses. */
const withAddresses = (words: string): Segment[] =>
  words.split(/([\s()]+)/).map(part => [ADDRESS.test(part) ? KIND.markup : KIND.words, part])

/** A title of plain words, in a place where Markdown is read. */
export const markdownWords = (words: string, rendering: Rendering, context: LineContext): string =>
  escapeWords(inOneLine(words), context, KIND.words, rendering.hasLabels)

/** Words as a line of their own; `hasLabels` is whether the page may define links. */
const escapeWords = (
  value: string,
  context: LineContext,
  kind: Kind = KIND.words,
  hasLabels = true,
): string => escapeLine(joinTokens([{ type: 'text', kind, value }]), context, hasLabels)

/** The same for words that are read as plain text: they cannot name an emoji. */
export const escapeLabel = (value: string, context: LineContext): string =>
  escapeWords(value, context, KIND.label)
