// A line of the model as tokens of Markdown: each inline in Markdown's own notation if it has one, else in HTML.
import type { Inline, Mark, Words } from '../document/document.ts'
import { footnoteLink, inOneLine } from '../syntax/syntax.ts'
import { APART, type LineContext } from './escapes.ts'
import { emojiShortcode, footnoteAnchor, inlineHtml, labelOf, markTags, mediaOf } from './inlines.ts'
import { isEmphasis, KIND, type Kind, type Segment, type Token } from './line-text.ts'
import { htmlAttribute, markdownDestination, markdownTitle } from './quoting.ts'
import { type Rendering, wordsOfFootnote } from './rendering.ts'
import { edgeOf, type Span } from './spans.ts'

export class LineWriter {
  readonly tokens: Token[] = []
  readonly #rendering: Rendering
  readonly #context: LineContext
  readonly #nodes: Words
  #tagEnds: boolean | undefined
  /** Whether the first link is written as HTML. */
  #hasHtmlLink: boolean
  #pairs = 0
  #isInCode = false

  constructor(rendering: Rendering, nodes: Words, context: LineContext, hasHtmlLink: boolean) {
    this.#hasHtmlLink = hasHtmlLink
    this.#rendering = rendering
    this.#context = context
    this.#nodes = nodes
  }

  /**
   * A `{%` in code would begin a tag if a `%}` followed anywhere. A row of a table is one line, so the other half of a
   * tag may be in any cell. Only what may be code is worth the search.
   */
  get #holdsTagEnd(): boolean {
    this.#tagEnds ??= this.#context === 'cell' || JSON.stringify(this.#nodes).includes('%}')
    return this.#tagEnds
  }

  write(spans: readonly Span[]): void {
    for (const [index, span] of spans.entries()) {
      if (span.type === 'words') this.#words(span.value)
      else if (span.type === 'mark') this.#mark(span.mark, span.children)
      else if (span.type === 'link') this.#link(span)
      else if (span.type === 'footnote') this.#footnote(span)
      else this.#inline(span.node, edgeOf(spans[index - 1], 'end'), edgeOf(spans[index + 1], 'start'))
    }
  }

  #put(kind: Kind, value: string): void {
    if (value === '') return
    const last = this.tokens.at(-1)
    // The dollars of two adjacent formulas would be one run.
    const touches = kind === KIND.markup && last?.type === 'text' && last.kind === KIND.markup
    if (touches && /^[$`]/.test(value) && last.value.endsWith(value.charAt(0)))
      this.tokens.push({ type: 'text', kind, value: APART })
    this.tokens.push({ type: 'text', kind, value })
  }

  /** Words, with each line feed as a break. */
  #words(value: string): void {
    for (const [index, words] of value.split('\n').entries()) {
      if (index > 0) {
        // A backslash breaks the line only in a paragraph, and a space after it would be lost.
        const isShort = this.#context === 'paragraph' && !/^[ \t]/.test(words)
        this.#put(isShort ? KIND.lineEnd : KIND.markup, isShort ? '\\\n' : '<br>')
      }
      this.#put(KIND.words, words)
    }
  }

  /** HTML tags. A backslash does not keep a pipe in them from ending a cell. */
  html(tags: string): void {
    this.#put(KIND.markup, this.#context === 'cell' ? tags.replaceAll('|', '&#124;') : tags)
  }

  #mark(mark: Mark, children: readonly Span[]): void {
    if (isEmphasis(mark)) {
      const pair = this.#pairs++
      this.tokens.push({ type: 'open', mark: mark.type, pair })
      this.write(children)
      this.tokens.push({ type: 'close', mark: mark.type, pair })
      return
    }
    const code = mark.type === 'code' ? codeSpan(children, this.#holdsTagEnd) : undefined
    if (code !== undefined) {
      this.#put(KIND.markup, code)
      return
    }
    const [open, close] = markTags(mark)
    const wasInCode = this.#isInCode
    this.#isInCode ||= mark.type === 'code'
    this.html(open)
    this.write(children)
    this.html(close)
    this.#isInCode = wasInCode
  }

  #link({ ref, children }: Extract<Span, { type: 'link' }>): void {
    const destination = this.#rendering.write(ref)
    // A link that leads nowhere becomes its words.
    if (destination === undefined) this.write(children)
    else if (this.#hasHtmlLink) {
      this.#hasHtmlLink = false
      this.html(`<a ${htmlAttribute('href', destination)}>`)
      this.write(children)
      this.html('</a>')
    } else {
      this.#put(KIND.linkStart, '[')
      if (children.length === 0) this.#put(KIND.words, inOneLine(destination))
      else this.write(children)
      this.#put(KIND.linkEnd, ']')
      this.#put(KIND.markup, `(${markdownDestination(destination)})`)
    }
  }

  #footnote({ node, isShort, children }: Extract<Span, { type: 'footnote' }>): void {
    const footnote = this.#rendering.footnote(node.fragments ?? [])
    if (footnote === undefined) {
      this.write(children)
      this.#put(KIND.words, ` (${wordsOfFootnote(node.fragments ?? [])})`)
    } else if (isShort) {
      this.write(children)
      this.#put(KIND.markup, `[^${footnote.label}]`)
    } else if (this.#hasHtmlLink || children.length === 0) {
      this.#hasHtmlLink = false
      this.html(footnoteAnchor(footnote.identifier))
      this.write(children)
      this.html('</a>')
    } else {
      this.#put(KIND.linkStart, '[')
      this.write(children)
      this.#put(KIND.linkEnd, ']')
      this.#put(KIND.markup, `(${footnoteLink(footnote.identifier)})[^${footnote.label}]`)
    }
  }

  #inline(node: Inline, before: string, after: string): void {
    const markdown = this.#markdownOf(node, before, after)
    if (markdown !== undefined) {
      for (const token of markdown) this.#put(token[0], token[1])
      return
    }
    const html = inlineHtml(node, this.#rendering)
    if (html === undefined) return
    this.html(html.open)
    this.#put(html.open === '' ? KIND.words : KIND.label, html.words)
    this.html(html.close)
  }

  /** The inline in Markdown's own notation, if it has one. */
  #markdownOf(node: Inline, before: string, after: string): Segment[] | undefined {
    switch (node.type) {
      case 'emoji': {
        // Words in code do not name emojis.
        const shortcode = this.#isInCode ? undefined : emojiShortcode(node.data.code, before, after)
        return shortcode === undefined ? undefined : [[KIND.markup, shortcode]]
      }
      case 'inline-math': {
        const formula = inOneLine(node.data.formula)
        if (this.#holdsTagEnd && opensTag(formula)) return undefined
        return formula === '' ? [] : [[KIND.markup, fenced(formula, '$', 2)]]
      }
      case 'inline-image': {
        const { src, dark } = mediaOf(node.data, this.#rendering)
        if (src === undefined || dark !== undefined || node.data.size !== undefined) return undefined
        return imageTokens(src, node.data.alt ?? '', node.data.caption ?? '')
      }
      case 'mention': {
        const destination = this.#rendering.write(node.data.ref)
        if (destination === undefined) return []
        return linkTokens(labelOf(destination), destination, 'mention')
      }
      default:
        return undefined
    }
  }
}

export const linkTokens = (label: string, destination: string, title: string): Segment[] => [
  [KIND.linkStart, '['],
  [KIND.label, inOneLine(label)],
  [KIND.linkEnd, ']'],
  [KIND.markup, `(${markdownDestination(destination)}${markdownTitle(title)})`],
]

export const imageTokens = (src: string, alt: string, title: string): Segment[] => [
  [KIND.markup, '!'],
  ...linkTokens(alt, src, title),
]

/** Code between backticks; undefined if backticks cannot express it. */
function codeSpan(children: readonly Span[], holdsTagEnd: boolean): string | undefined {
  const [only] = children
  if (children.length !== 1 || only?.type !== 'words') return undefined
  const { value } = only
  return value.includes('\n') || (holdsTagEnd && opensTag(value)) ? undefined : fenced(value, '`', 1)
}

/** Whether a text has a `{%` without its end. */
const opensTag = (value: string): boolean => value.lastIndexOf('{%') > value.lastIndexOf('%}')

/** A value between two runs of a character that are longer than any in it, with spaces where they would touch. */
function fenced(value: string, char: '`' | '$', least: number): string {
  const lengths = new Set([...value.matchAll(char === '`' ? /`+/g : /\$+/g)].map(([run]) => run.length))
  let length = least
  while (lengths.has(length)) length++
  const fence = char.repeat(length)
  const touches = value.startsWith(char) || value.endsWith(char)
  const isPadded = value.startsWith(' ') && value.endsWith(' ') && value.trim() !== ''
  return touches || isPadded ? `${fence} ${value} ${fence}` : fence + value + fence
}
