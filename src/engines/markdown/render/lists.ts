// Lists: the markers of their items, and the blank lines between them.
import { type Block, type BlockOf, blocksIn, lineIn } from '../document/document.ts'
import type { Lines, Rendering } from './rendering.ts'
import { isEmptyLine } from './spans.ts'

export type List = BlockOf<'list-ordered' | 'list-unordered' | 'list-tasks'>

/** CommonMark allows at most nine digits. */
const NUMBER_MAX = 999_999_999

const NUMBER_SIGNS: readonly string[] = ['.', ')']
const BULLETS: readonly string[] = ['*', '-', '+']

export const isList = (block: Block): block is List =>
  block.type === 'list-ordered' || block.type === 'list-unordered' || block.type === 'list-tasks'

/**
 * The marker of a list. Adjacent lists of one kind are read as one list unless their markers differ, and `* * *` is a
 * thematic break.
 */
export function markerOf(
  list: List,
  rendering: Rendering,
  before: string | undefined,
  around: string | undefined,
): string {
  const sign = rendering.listStyle(list)?.sign ?? rendering.bullet
  const known = list.type === 'list-ordered' ? NUMBER_SIGNS : BULLETS
  const signs = known.includes(sign) ? [sign, ...known] : known
  return signs.find(marker => marker !== before && marker !== around) ?? sign
}

export function renderList(list: List, marker: string, rendering: Rendering): Lines {
  const items = list.nodes ?? []
  const isTasks = list.type === 'list-tasks'
  // A task list is recognised by its boxes: if no item says whether it is done, all get an empty one.
  const areOpen = isTasks && items.every(item => item.data?.checked === undefined)
  const first = list.type === 'list-ordered' ? startOf(list.data.start, items.length) : undefined
  const style = rendering.listStyle(list)
  const lines: Lines = []
  let last: number | undefined
  const rendered = items.map(item => {
    const checked = isTasks ? (item.data?.checked ?? (areOpen ? false : undefined)) : undefined
    last = last === undefined || style?.isOneNumber ? first : (style?.numbers?.get(item.key) ?? last + 1)
    const sign = `${last ?? ''}${marker}${' '.repeat(style?.gap ?? 1)}`
    return renderItem(item, sign, style?.column, checked, rendering)
  })
  const areTight = rendered.every(item => item.isTight)
  let before: Item | undefined
  for (const item of rendered) {
    // In a list that somebody wrote, an item that needs blank lines does not add them to the other items.
    const isClose = style === undefined ? areTight : !style.isLoose && item.isTight && before?.isTight
    if (before !== undefined && !isClose) lines.push('')
    for (const line of item.lines) lines.push(line)
    before = item
  }
  return lines
}

/** An item as it is written; a tight one needs no blank line before or after it. */
type Item = { readonly lines: Lines; readonly isTight: boolean }

function startOf(start: number | undefined, count: number): number {
  const first = start ?? 1
  return Number.isSafeInteger(first) && first >= 0 && first + count <= NUMBER_MAX ? first : 1
}

/** Words that would become a thematic break together with the marker before them. */
const LINE_ACROSS = /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,})$/
const BOX = /^\[[ xX]\]\s/

/** `sign` with the space after it; `column` is the one it had in its line. */
function renderItem(
  item: BlockOf<'list-item'>,
  sign: string,
  column: number | undefined,
  checked: boolean | undefined,
  rendering: Rendering,
): Item {
  const nodes = blocksIn(item)
  const isTight = canBeTight(nodes)
  const marker = checked === undefined ? sign.trimEnd() : undefined
  const [head = '', ...rest] = rendering.blocks(nodes, {
    marker,
    isTight,
    column: column === undefined ? undefined : column + sign.length,
  })
  let first = head
  if (checked !== undefined) {
    const box = checked ? '[x]' : '[ ]'
    // A box needs something after it, or it is read as words: without words, an empty comment.
    if (isPlainParagraph(nodes[0])) first = `${box} ${head}`
    else {
      first = `${box} <!-- -->`
      if (head !== '') rest.unshift('', head)
    }
  } else if (BOX.test(head) || LINE_ACROSS.test(sign + head)) first = `\\${head}`
  const indent = ' '.repeat(sign.length)
  return {
    lines: [
      first === '' ? sign.trimEnd() : sign + first,
      ...rest.map(line => (line === '' ? '' : indent + line)),
    ],
    isTight,
  }
}

/** Whether no blank line is needed in an item: it is a paragraph, a list, or a paragraph with a list below. */
function canBeTight(nodes: readonly Block[]): boolean {
  const [first, second] = nodes
  if (nodes.length > 2 || (first !== undefined && first.type !== 'paragraph' && !isList(first))) return false
  if (second === undefined) return true
  // A list that begins with a number other than 1, or with an empty item, cannot begin right below words.
  const isFollowing = isList(second) && !(second.type === 'list-ordered' && (second.data.start ?? 1) !== 1)
  return isPlainParagraph(first) && isFollowing && !beginsEmpty(second)
}

const beginsEmpty = ({ nodes: [item] = [] }: List): boolean =>
  item === undefined || !isPlainParagraph(blocksIn(item)[0])

/** A paragraph that is written as a line of Markdown with something in it. */
const isPlainParagraph = (block: Block | undefined): boolean =>
  block?.type === 'paragraph' && block.data?.align === undefined && !isEmptyLine(lineIn(block))
