// The words of a node, without its markup: for headings, search and one-line titles.
import { isInline, type Node } from './ast.ts'

// HTML whose text is not read by people.
const UNREAD: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'svg'])

// Attributes of tags that readers see.
const SEEN: readonly string[] = ['title', 'description', 'method', 'path', 'date', 'name']

/**
 * The plain text of nodes. Lines are separated by one line feed, cells by a space; there are no empty lines and no
 * white space around a line. Images give their alternative text, formulas their source, footnote marks and comments nothing.
 */
export function plainText(nodes: readonly Node[]): string {
  const pieces: string[] = []
  collect(nodes, pieces)
  return pieces
    .join('')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .join('\n')
}

function collect(nodes: readonly Node[], pieces: string[]): void {
  for (const node of nodes) {
    const isCell = node.type === 'tableCell' || (node.type === 'element' && CELLS.has(node.name))
    const isLine = !isCell && !isInline(node)
    if (isLine) pieces.push('\n')
    collectOne(node, pieces)
    pieces.push(isLine ? '\n' : isCell ? ' ' : '')
  }
}

const CELLS: ReadonlySet<string> = new Set(['td', 'th'])

function collectOne(node: Node, pieces: string[]): void {
  switch (node.type) {
    case 'text':
    case 'inlineCode':
      pieces.push(node.value.replace(/\s+/g, ' '))
      return
    case 'code':
    case 'math':
    case 'inlineMath':
      pieces.push(node.value)
      return
    case 'image':
      pieces.push(node.alt)
      return
    case 'break':
      pieces.push('\n')
      return
    case 'tag':
      pieces.push(
        SEEN.map(name => node.attributes[name])
          .filter(isText)
          .join(' '),
        '\n',
      )
      collect(node.children, pieces)
      return
    case 'element':
      if (node.name === 'br' || node.name === 'hr') pieces.push('\n')
      else if (node.name === 'img') pieces.push(node.attributes.alt ?? '')
      else if (node.name === 'option' && node.attributes.label) pieces.push(node.attributes.label)
      else if (!UNREAD.has(node.name) && node.attributes['data-footnote-ref'] === undefined)
        collect(node.children, pieces)
      return
    case 'html':
    case 'yaml':
    case 'definition':
    case 'footnoteReference':
    case 'thematicBreak':
      return
    default:
      collect(node.children, pieces)
  }
}

const isText = (value: string | boolean | undefined): value is string => typeof value === 'string'

/** The plain text of nodes in one line. */
export const plainLine = (nodes: readonly Node[]): string => plainText(nodes).replace(/\n/g, ' ')
