// A line of the model as HTML, for the places where Markdown is not read: captions, summaries, cells, aligned words.

import type { Inline, Words } from '../document/document.ts'
import { partOfName } from './implicit-markup.ts'
import { emojiShortcode, footnoteAnchor, inlineHtml, markTags } from './inlines.ts'
import { htmlAttribute, htmlText } from './quoting.ts'
import { type Rendering, wordsOfFootnote } from './rendering.ts'
import { edgeOf, type Span, spansOf } from './spans.ts'

/** Tags, or a line between them. */
export type HtmlPart = string | { readonly line: Words }

export const htmlOf = (parts: readonly HtmlPart[], rendering: Rendering): string =>
  parts.map(part => (typeof part === 'string' ? part : htmlLine(part.line, rendering))).join('')

export const htmlLine = (nodes: Words, rendering: Rendering): string => write(spansOf(nodes), rendering)

/** Emojis and variables are found in text after references are decoded; a comment keeps words from becoming one. */
export const htmlWords = (value: string): string =>
  htmlText(value)
    .replace(/[:{]/g, (sign, at: number, text: string) =>
      partOfName(text, at) === undefined ? sign : `${sign}<!-- -->`,
    )
    .replace(/\n/g, '<br>')

const write = (spans: readonly Span[], rendering: Rendering): string =>
  spans.map((span, index) => writeSpan(span, spans[index - 1], spans[index + 1], rendering)).join('')

function writeSpan(
  span: Span,
  before: Span | undefined,
  after: Span | undefined,
  rendering: Rendering,
): string {
  switch (span.type) {
    case 'words':
      return htmlWords(span.value)
    case 'mark': {
      const [open, close] = markTags(span.mark)
      // In code, names of emojis are just words.
      const words =
        span.mark.type === 'code'
          ? span.children.map(child =>
              isEmoji(child) ? writeInline(child.node, rendering) : write([child], rendering),
            )
          : [write(span.children, rendering)]
      return open + words.join('') + close
    }
    case 'link': {
      const href = rendering.write(span.ref)
      if (href === undefined) return write(span.children, rendering)
      const words = span.children.length === 0 ? htmlWords(href) : write(span.children, rendering)
      return `<a ${htmlAttribute('href', href)}>${words}</a>`
    }
    case 'footnote': {
      const fragments = span.node.fragments ?? []
      const footnote = rendering.footnote(fragments)
      const words = write(span.children, rendering)
      if (footnote === undefined) return `${words} (${htmlWords(wordsOfFootnote(fragments))})`
      return `${footnoteAnchor(footnote.identifier)}${words}</a>`
    }
    case 'void': {
      if (span.node.type === 'emoji') {
        const shortcode = emojiShortcode(span.node.data.code, edgeOf(before, 'end'), edgeOf(after, 'start'))
        if (shortcode !== undefined) return shortcode
      }
      return writeInline(span.node, rendering)
    }
  }
}

const isEmoji = (span: Span): span is Span & { type: 'void' } =>
  span.type === 'void' && span.node.type === 'emoji'

function writeInline(node: Inline, rendering: Rendering): string {
  const html = inlineHtml(node, rendering)
  return html === undefined ? '' : html.open + htmlText(html.words) + html.close
}
