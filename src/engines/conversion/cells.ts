// The content of a cell of an HTML table in one line, with breaks of HTML between its lines.
import type { Element, ElementContent } from 'hast'

const BREAK: Element = { type: 'element', tagName: 'span', properties: { dataRaw: '<br>' }, children: [] }
/** Deeper ones are inline: their words go on in the line. */
const DEPTH_MAX = 50

const BLOCKS: ReadonlySet<string> = new Set(
  `p div ul ol li dl dt dd pre table thead tbody tfoot tr td th caption blockquote section article aside figure
  figcaption header footer h1 h2 h3 h4 h5 h6 hr details summary`.split(/\s+/),
)

type Line = readonly ElementContent[]

export function cellLine({ children }: Element): ElementContent[] {
  const lines = linesOf(children, 0).filter(line => line.some(hasWords))
  return lines.flatMap((line, at) => (at === 0 ? line : [BREAK, ...line]))
}

const hasWords = (node: ElementContent): boolean =>
  node.type === 'element' || (node.type === 'text' && node.value.trim() !== '')

const isBlock = (node: ElementContent): node is Element =>
  node.type === 'element' &&
  BLOCKS.has(node.tagName) &&
  !('dataRaw' in node.properties && node.tagName === 'span')

function linesOf(children: readonly ElementContent[], depth: number): Line[] {
  const lines: ElementContent[][] = [[]]
  for (const child of children) {
    if (isBreak(child)) lines.push([])
    else if (!isBlock(child) || depth > DEPTH_MAX) lines.at(-1)?.push(child)
    else {
      for (const line of blockLines(child, depth + 1)) lines.push([...line])
      lines.push([])
    }
  }
  return lines
}

const isBreak = (node: ElementContent): boolean => node.type === 'element' && node.tagName === 'br'

function blockLines(block: Element, depth: number): Line[] {
  const { tagName, children, properties } = block
  if (typeof properties.dataRaw === 'string') return rawLines(properties.dataRaw)
  if (tagName === 'pre') return codeLines(block)
  if (tagName === 'tr') return [rowLine(children, depth)]
  if (tagName === 'ul' || tagName === 'ol') return itemLines(block, depth)
  return linesOf(children, depth)
}

/** Each item begins with its sign; one in another is indented. */
function itemLines({ tagName, children }: Element, depth: number): Line[] {
  let number = 0
  return children.flatMap(item => {
    if (item.type !== 'element') return []
    number += 1
    const sign = tagName === 'ol' ? `${number}. ` : '• '
    const lines = linesOf(item.children, depth).filter(line => line.some(hasWords))
    return lines.map((line, at) => [text(at === 0 ? sign : INDENT), ...line])
  })
}

/** No break spaces: others would go. */
const INDENT = '\u00a0\u00a0'

function codeLines(block: Element): Line[] {
  const words = wordsOf(block, 0).replace(/\n$/, '')
  return words.split('\n').map((line): Line => {
    if (line.trim() === '') return []
    return [{ type: 'element', tagName: 'code', properties: {}, children: [text(line)] }]
  })
}

/** A row of a table in a cell. */
const rowLine = (cells: readonly ElementContent[], depth: number): Line =>
  cells
    .filter(cell => cell.type === 'element')
    .flatMap((cell, at) => {
      const line = linesOf(cell.children, depth).flat()
      return at === 0 ? line : [text(' – '), ...line]
    })

/** Tags of blocks mean nothing in a line; what they lead to and what they say stays. */
function rawLines(tag: string): Line[] {
  const [, url] = /^\{% embed url="([^"]*)"/.exec(tag) ?? []
  if (url !== undefined)
    return [[{ type: 'element', tagName: 'a', properties: { href: url }, children: [text(url)] }]]
  const [, summary] = /<summary>([^<]*)<\/summary>/.exec(tag) ?? []
  return summary === undefined
    ? []
    : [[{ type: 'element', tagName: 'span', properties: { dataRaw: summary }, children: [] }]]
}

const text = (value: string): ElementContent => ({ type: 'text', value })

function wordsOf(node: ElementContent, depth: number): string {
  if (node.type === 'text') return node.value
  if (!('children' in node) || depth > DEPTH_MAX) return ''
  return node.children.map(child => wordsOf(child, depth + 1)).join('')
}
