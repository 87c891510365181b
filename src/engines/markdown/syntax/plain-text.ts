// The words of a node, without its markup: for headings, search and one-line titles.
import { childrenOf, isCell, isInline, type Node } from './ast.ts'
import { isFootnoteElement } from './definitions.ts'

// HTML whose text is not for people.
const UNREAD: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'svg'])

// Attributes of tags that readers see.
const SEEN: readonly string[] = ['title', 'description', 'method', 'path', 'date', 'name']

/**
 * The plain text of nodes. Lines are separated by one line feed, cells by a space; there are no empty lines and no
 * white space around a line. Images give their alternative text, formulas their source, footnote marks and comments
 * nothing.
 */
export function plainText(nodes: readonly Node[]): string {
  const words: string[] = []
  collect(nodes, words)
  const lines = words.join('').split('\n')
  return lines.flatMap(line => line.trim() || []).join('\n')
}

function collect(nodes: readonly Node[], words: string[]): void {
  for (const node of nodes) {
    const isInRow = node.type === 'tableCell' || isCell(node)
    const isLine = !isInRow && !isInline(node)
    if (isLine) words.push('\n')
    collectOne(node, words)
    if (isLine) words.push('\n')
    else if (isInRow) words.push(' ')
  }
}

function collectOne(node: Node, words: string[]): void {
  switch (node.type) {
    case 'text':
    case 'inlineCode':
      words.push(node.value.replace(/\s+/g, ' '))
      break
    case 'code':
    case 'math':
    case 'inlineMath':
      words.push(node.value)
      break
    case 'image':
      words.push(node.alt)
      break
    case 'break':
      words.push('\n')
      break
    case 'element':
      if (node.name === 'br' || node.name === 'hr') words.push('\n')
      else if (node.name === 'img') words.push(node.attributes.alt ?? '')
      else if (node.name === 'option' && node.attributes.label) words.push(node.attributes.label)
      else if (!UNREAD.has(node.name) && !isFootnoteElement(node)) collect(node.children, words)
      break
    case 'tag': {
      const seen = SEEN.map(name => node.attributes[name]).filter(value => typeof value === 'string')
      words.push(seen.join(' '), '\n')
      collect(node.children, words)
      break
    }
    case 'html':
    case 'yaml':
      break
    default:
      collect(childrenOf(node), words)
  }
}

/** The plain text of nodes in one line. */
export const plainLine = (nodes: readonly Node[]): string => plainText(nodes).replace(/\n/g, ' ')
