// The words of a node, without its markup: for headings, search and one-line titles.
import { ownMember, textOf } from '../../../base/objects.ts'
import { type BlockName, blockOfTag, schemaOf } from '../blocks/schemas.ts'
import { readAttributes } from '../schema/schema.ts'
import { childrenOf, isCell, isInline, type Node, type Tag } from './ast.ts'
import { tagIn } from './tag-elements.ts'
import { writtenTag } from './tag-text.ts'

// HTML whose text is not for people.
const UNREAD: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'svg'])

/**
 * The plain text of nodes. Lines are separated by one line feed, cells by a space; there are no empty lines and no
 * white space around a line. Images give their alternative text, formulas their source, marks of footnotes and comments
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
  const tag = tagIn(node)
  if (tag === undefined) {
    collectInside(node, words)
    return
  }
  const [before, after = ''] = wordsAround(tag)
  words.push(before)
  collectInside(node, words)
  words.push(after)
}

function collectInside(node: Node, words: string[]): void {
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
      else if (!UNREAD.has(node.name)) collect(node.children, words)
      break
    case 'html':
    case 'yaml':
      break
    default:
      collect(childrenOf(node), words)
  }
}

/** What readers see of a tag besides its content. One that GitBook does not have is shown as it is written. */
function wordsAround(tag: Tag): [before: string, after?: string] {
  const block = blockOfTag(tag)
  if (block !== undefined) return [`${seenWords(tag, block).join(' ')}\n`]
  if (!tag.isClosed) return ['\n']
  const [open, close] = writtenTag(tag)
  return tag.isInline ? [open, close] : [`${open}\n`, `\n${close}`]
}

function seenWords(tag: Tag, block: BlockName): string[] {
  const { words = [], attributes } = schemaOf(block)
  if (words.length === 0) return []
  const read = readAttributes(tag.attributes, attributes)
  return words.flatMap(word => [ownMember(read, word)].flat().flatMap(one => textOf(one) || []))
}

/** The plain text of nodes in one line. */
export const plainLine = (nodes: readonly Node[]): string => plainText(nodes).replace(/\n/g, ' ')
