// The raw HTML of a page, which the CommonMark parser gives as text: here it becomes tags, elements, text and Markdown
// again.
import type * as Mdast from 'mdast'
import type { LoneTag, Position } from './ast.ts'
import { type CommonMarkNode, decodeReferences, readCommonMark } from './commonmark.ts'
import { type HtmlToken, scanHtml, toLowerAscii } from './html-scanner.ts'
import { type Masked, type MaskedTag, nextMask } from './masking.ts'
import type { Token } from './pairing.ts'
import { matchAt } from './sticky.ts'
import { parseTag } from './tag-text.ts'

export type ParseContext = {
  readonly source: string
  readonly masked: Masked
  readonly definitions: ReadonlyMap<string, Mdast.Definition>
  /** Maps an offset in the parsed text to its offset in the source. */
  readonly at: (offset: number) => number
  /** Of the whole source, as they are found. */
  readonly loneTags: LoneTag[]
}

/** Turns blocks of Markdown inside a block of HTML into tokens. */
export type TokenizeMarkdown = (nodes: readonly CommonMarkNode[], context: ParseContext) => Token[]

export function positionOf({ position }: CommonMarkNode, { at }: ParseContext): Position {
  // The parser gives every node a position.
  const { start, end } = position!
  return { start: at(start.offset!), end: at(end.offset!) }
}

/** The tokens of a node of raw HTML: in a line it is one tag, as a block it may be many lines of anything. */
export function htmlTokens(
  node: Mdast.Html,
  context: ParseContext,
  inLine: boolean,
  tokenizeMarkdown: TokenizeMarkdown,
): Token[] {
  const { masked } = context
  const value = node.value
  const at = sourceOffsets(value, positionOf(node, context), masked.text)
  const tokens: Token[] = []
  const code = codeFinder(value)
  let from = 0
  while (from < value.length) {
    const start = from
    from = value.length
    for (const token of scanHtml(value, start)) {
      const position = { start: at(token.start), end: at(token.end) }
      const written = value.slice(token.start, token.end)
      const source = masked.unmask(written)
      const tag = token.type === 'declaration' ? masked.tagAt(written) : undefined
      if (token.type === 'open' || token.type === 'close') code.pass(token)
      if (token.type === 'text') tokens.push({ type: 'text', value: decodeReferences(source), position })
      else if (token.type === 'open')
        tokens.push({
          type: 'open',
          name: token.name,
          attributes: token.attributes.map(a => [a.name, decodeReferences(masked.unmask(a.value))]),
          ranges: token.attributes.map(a => [a.name, { start: at(a.start), end: at(a.end) }]),
          isSelfClosing: token.isSelfClosing,
          source,
          position,
        })
      else if (token.type === 'close') tokens.push({ type: 'close', name: token.name, source, position })
      else if (token.type === 'declaration' && code.isInside())
        tokens.push({ type: 'text', value: source, position })
      else if (tag) {
        tokens.push(tagToken(tag))
        if (inLine) continue
        // After a tag, Markdown continues in the same block of HTML up to the next tag.
        from = nextMask(value, token.end)
        const start = token.end + (matchAt(BLANK, value, token.end)?.[0].length ?? 0)
        if (start === from) break
        const inner = { ...context, at: (offset: number) => at(start + offset) }
        for (const token of tokenizeMarkdown(readCommonMark(value.slice(start, from)).children, inner))
          tokens.push(token)
        break
      } else {
        const { type } = token
        const html = {
          type: 'html',
          kind: type,
          name: '',
          value: source,
          isInline: inLine,
          position,
        } as const
        tokens.push({ type: 'node', build: () => html })
      }
    }
  }
  return tokens
}

const BLANK = /\s*/y

/** Tracks whether the tags of a block of HTML are inside code that is closed again. */
function codeFinder(html: string) {
  let lower: string | undefined
  const lastEnds = new Map<string, number>()
  const lastEndOf = (name: string): number => {
    lower ??= toLowerAscii(html)
    const end = lastEnds.get(name) ?? lower.lastIndexOf(`</${name}`)
    lastEnds.set(name, end)
    return end
  }
  let inside: string | undefined
  return {
    isInside: () => inside !== undefined,
    pass({ type, name, start }: Extract<HtmlToken, { name: string }>): void {
      if (type === 'close') inside = name === inside ? undefined : inside
      else if (inside === undefined && CODE.has(name)) inside = lastEndOf(name) > start ? name : undefined
    },
  }
}

function tagToken({ text, position }: MaskedTag): Token {
  const tag = parseTag(text, position.start)
  return tag ? { type: 'tag', tag, source: text, position } : textToken(text, position)
}

/**
 * Maps an offset in a node's value to the source. The parser strips the marks of quotes and the indentation of lists
 * from each line, so a line of the value is the end of a line of the source.
 */
function sourceOffsets(value: string, { start, end }: Position, text: string): (offset: number) => number {
  if (end - start === value.length) return offset => start + offset
  const written = lineEnds(text, start, end)
  const read = lineEnds(value, 0, value.length)
  let line = 0
  const readEnd = (at: number): number => read[at] ?? value.length
  return offset => {
    // Offsets mostly ascend, so the line is near the last one.
    while (line > 0 && offset <= readEnd(line - 1)) line--
    while (line < read.length - 1 && offset > readEnd(line)) line++
    return Math.max(start, Math.min(end, (written[line] ?? end) - (readEnd(line) - offset)))
  }
}

function lineEnds(text: string, from: number, to: number): number[] {
  const ends: number[] = []
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) ends.push(at)
  ends.push(to)
  return ends
}

/**
 * The end tags at the end of a paragraph (`… the end. {% endhint %}`) that nothing in it opened. They belong to the
 * blocks around it.
 */
export function endTagsAtEnd({ children }: Mdast.Paragraph, { masked }: ParseContext): Mdast.Html[] {
  const tags = children.flatMap(node => {
    const tag = node.type === 'html' ? masked.tagAt(node.value) : undefined
    const text = tag && parseTag(tag.text, tag.position.start)
    return node.type === 'html' && text ? [{ node, ...text }] : []
  })
  const opened = new Set(tags.filter(tag => !tag.isEnd).map(tag => tag.name))
  const ends: Mdast.Html[] = []
  for (const last of children.toReversed()) {
    const tag = tags.pop()
    if (!tag?.isEnd || opened.has(tag.name) || tag.node !== last) break
    ends.push(tag.node)
  }
  return ends.reverse()
}

// The content of these is shown as written.
const CODE: ReadonlySet<string> = new Set(['code', 'pre', 'script', 'style', 'textarea'])

/** In a line, `<code>{% x %}</code>` is three nodes; the one between the first and the last is not a tag. */
export function tagsInCodeAsText(tokens: Token[]): Token[] {
  const lastClose = new Map<string, number>()
  for (const [index, token] of tokens.entries()) if (token.type === 'close') lastClose.set(token.name, index)
  let code: string | undefined
  return tokens.map((token, index) => {
    if (token.type === 'close' && token.name === code) code = undefined
    else if (token.type === 'open' && !code && CODE.has(token.name))
      code = index < (lastClose.get(token.name) ?? 0) ? token.name : undefined
    else if (token.type === 'tag' && code) return textToken(token.source, token.position)
    return token
  })
}

const textToken = (value: string, position: Position): Token => ({
  type: 'node',
  build: () => ({ type: 'text', value, position }),
})
