// The items of a list, of tabs or of another container, written over their text one by one.
import type { Block } from '../document/document.ts'
import type { Node } from '../syntax/syntax.ts'
import { contentOf, matchBlocks } from './matching.ts'
import type { PartWriter } from './part-writer.ts'
import type { Piece } from './previous.ts'
import { referencesIn } from './previous.ts'
import type { ListStyle } from './styles.ts'
import { wordsIn } from './tokens.ts'

/** The items of `own`, which were made from `nodes` in `holder`, as those of `is`. */
export function writeItems(
  writer: PartWriter,
  holder: Node,
  nodes: readonly Node[],
  own: Block,
  is: Block,
): string | undefined {
  const { source, lineEnd } = writer.before
  const owns = (own.nodes ?? []) as Block[]
  const items = (is.nodes ?? []) as Block[]
  const first = nodes[0]
  const last = nodes.at(-1)
  if (first === undefined || last === undefined || owns.length !== nodes.length || items.length === 0)
    return undefined
  const textOf = ({ position }: Node) => source.slice(position.start, position.end)
  const known = writer.before.styles.get(own)
  const style = known?.type === 'list' ? known : undefined
  const isList = holder.type === 'list'
  if (isList && style === undefined) return undefined
  const indent = isList
    ? source.slice(source.lastIndexOf('\n', first.position.start - 1) + 1, first.position.start)
    : ''
  if (indent.trim() !== '') return undefined
  const numbers = style === undefined ? [] : numbersOf(own, style, items)
  const matches = matchBlocks({ nodes: owns, says: owns.map(contentOf) }, items)
  const texts: string[] = []
  for (const [index, item] of items.entries()) {
    const match = matches[index]
    const node = match && nodes[match.was]
    const was = match && owns[match.was]
    let text: string | undefined
    if (node !== undefined && was !== undefined)
      text = match?.isSame ? textOf(node) : writer.writeInside(node, was, item)
    text ??= writeOne(writer, holder, own, is, item, node && was && { node, was, text: textOf(node) }, indent)
    if (text === undefined) return undefined
    texts.push(isList ? withNumber(text, numbers[index]) : text)
  }
  let joined = texts[0] ?? ''
  for (const [index, text] of texts.entries()) {
    if (index === 0) continue
    const above = matches[index - 1]?.was
    const here = matches[index]?.was
    const wereTogether = above !== undefined && here === above + 1
    const gap = wereTogether
      ? source.slice(nodes[above]?.position.end, nodes[here]?.position.start)
      : undefined
    const blank = lineEnd + lineEnd + indent
    const grew = (at: number, was: number | undefined) =>
      was === undefined
        ? hasBlankLine(texts[at] ?? '')
        : hasBlankLine(texts[at] ?? '') && !hasBlankLine(textOf(nodes[was] as Node))
    const hasGrown = grew(index - 1, above) || grew(index, here)
    const isTight = isList && !style?.isLoose && !hasGrown
    const usual = isTight ? lineEnd + indent : blank
    joined += (gap !== undefined && !(isList && hasGrown && !hasBlankLine(gap)) ? gap : usual) + text
  }
  // What stands between items that are apart now would be lost.
  for (const [index, node] of nodes.entries()) {
    const next = nodes[index + 1]
    if (next !== undefined && source.slice(node.position.end, next.position.start).trim() !== '')
      return undefined
  }
  const { start, end } = holder.position
  return source.slice(start, first.position.start) + joined + source.slice(last.position.end, end)
}

const hasBlankLine = (text: string): boolean => /\n[ \t]*\r?\n/.test(text)

type Was = { readonly node: Node; readonly was: Block; readonly text: string }

/** An item in a container by itself, without that container. */
function writeOne(
  writer: PartWriter,
  holder: Node,
  own: Block,
  is: Block,
  item: Block,
  over: Was | undefined,
  indent: string,
): string | undefined {
  const { before } = writer
  if (!writer.mayParse(over?.text.length ?? 0)) return undefined
  const style = before.styles.get(own)
  const [open, close] =
    holder.type === 'list'
      ? [indent, '']
      : [`{% ${own.type} %}${before.lineEnd}`, `${before.lineEnd}{% end${own.type} %}`]
  // As the list that it would be by itself.
  const number = Number(/^\d{1,9}/.exec(over?.text ?? '')?.[0] ?? 1)
  const data =
    holder.type === 'list' ? (own.type === 'list-ordered' && number !== 1 ? { start: number } : {}) : own.data
  const alone = (list: Block, one: Block) => ({ ...list, data, nodes: [one] }) as Block
  const asked = alone(is, item)
  writer.layOut(asked, style?.type === 'list' ? { ...style, numbers: undefined } : style)
  if (over !== undefined) {
    const nodes = [alone(own, over.was)]
    writer.layOut(nodes[0] as Block, style?.type === 'list' ? { ...style, numbers: undefined } : style)
    const text = open + over.text + close
    const shift = over.node.position.start - open.length
    const piece: Piece = {
      ...{ index: 0, start: 0, text, parsed: [], words: wordsIn([over.node], before.source, shift), gap: '' },
      ...{ first: 0, nodes, says: nodes.map(contentOf), kind: 'blocks', ...referencesIn([over.node]) },
      defines: undefined,
    }
    return inside(writer.writeStep({ type: 'new', blocks: [asked], piece, over: piece }).text, open, close)
  }
  const { text } = writer.writeStep({ type: 'new', blocks: [asked], piece: undefined, over: undefined })
  if (holder.type === 'list') return text.trimStart()
  const from = text.indexOf('%}') + 2
  const to = text.lastIndexOf('{%')
  return text.slice(from, to).trim()
}

const inside = (text: string, open: string, close: string): string | undefined =>
  text.startsWith(open) && text.endsWith(close)
    ? text.slice(open.length, text.length - close.length)
    : undefined

/** The numbers of items: they follow each other, unless somebody gave them others. */
function numbersOf(list: Block, style: ListStyle, items: readonly Block[]): (number | undefined)[] {
  if (list.type !== 'list-ordered') return []
  const first = list.data.start ?? 1
  let last: number | undefined
  return items.map(item => {
    const given = style.numbers?.get(item.key)
    last = last === undefined || style.isOneNumber ? first : (given ?? last + 1)
    return last
  })
}

/** The text of an item with another number; its other lines move where that is longer. */
function withNumber(text: string, number: number | undefined): string {
  const match = /^(\d{1,9})([.)])( *)/.exec(text)
  const digits = match?.[1]
  if (match === null || digits === undefined || number === undefined || Number(digits) === number) return text
  const longer = String(number).length - digits.length
  const gap = match[3] ?? ''
  const room = Math.max(Math.min(1, gap.length), Math.min(4, gap.length - longer))
  const head = `${number}${match[2]}${' '.repeat(text.includes('\n') ? room : gap.length)}`
  const rest = text.slice(match[0].length)
  const moved = head.length - match[0].length
  return head + (moved > 0 ? rest.replace(/\n(?=[^\r\n])/g, `\n${' '.repeat(moved)}`) : rest)
}
