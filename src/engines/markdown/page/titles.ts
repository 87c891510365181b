// The heading in a page's text that repeats the page's title, so that it is not shown twice.
import { blockOf } from '../reading/reading.ts'
import {
  childrenOf,
  type Heading,
  isNamed,
  type Node,
  plainLine,
  type Root,
  tagIn,
} from '../syntax/syntax.ts'
import { headingsOf } from './places.ts'

export const LEADING_EMOJI = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{fe0f}|\u{200d}|\s)+/u

/** The first heading of the page, if it is of the first level and says the title. */
export function titleOf(root: Root, title: string): Heading | undefined {
  const first = root.children.find(node => node.type === 'heading')
  return isTitle(first, title) ? first : undefined
}

/**
 * The heading that the reader leaves out: the title, also where it is the page's first heading in a plain block.
 * A step, a tab or an item of a list keeps it, as the others of the series keep theirs.
 */
export function shownTitleOf(root: Root, title: string): Heading | undefined {
  const own = titleOf(root, title)
  if (own !== undefined) return own
  const [first] = headingsOf(root)
  return isTitle(first, title) && isInPlainBlocks(first, root) ? first : undefined
}

/** Whether all blocks around a heading are plain, and none shows a frame without content if the heading is left out. */
function isInPlainBlocks(heading: Heading, root: Root): boolean {
  const blocks = blocksAround(heading, root)
  const frame = blocks.find(isFrame)
  return (
    blocks.every(block => isLayout(block) || isFrame(block)) &&
    (frame === undefined || holdsMore(frame, heading))
  )
}

/** From the inside out, without the root. */
function blocksAround(heading: Heading, node: Node): Node[] {
  for (const child of childrenOf(node)) {
    if (child === heading) return node.type === 'root' ? [] : [node]
    const blocks = blocksAround(heading, child)
    if (blocks.length > 0) return node.type === 'root' ? blocks : [...blocks, node]
  }
  return []
}

const LAYOUT_BLOCKS: ReadonlySet<string> = new Set(['columns', 'column'])
const LAYOUT_ELEMENTS: ReadonlySet<string> = new Set('article center div header main p section'.split(' '))

const isLayout = (node: Node): boolean => {
  const block = blockOf(node)
  if (block !== undefined) return LAYOUT_BLOCKS.has(block.name)
  return node.type === 'element' && LAYOUT_ELEMENTS.has(node.name) && tagIn(node) === undefined
}

const isFrame = (node: Node): boolean =>
  node.type === 'blockquote' || isNamed(node, 'blockquote') || blockOf(node)?.name === 'hint'

/** Whether a block holds anything to see besides a heading. */
const holdsMore = (node: Node, heading: Heading): boolean =>
  childrenOf(node).some(child => {
    if (child === heading || child.type === 'html' || child.type === 'definition') return false
    if (child.type === 'text') return child.value.trim() !== ''
    return childrenOf(child).length === 0 ? !isLayout(child) : holdsMore(child, heading)
  })

const isTitle = (node: Node | undefined, title: string): node is Heading =>
  node?.type === 'heading' && node.depth === 1 && saysTitle(plainLine([node]), title)

/** An emoji before the words of one may be missing from the other; an emoji alone is its words. */
function saysTitle(heading: string, title: string): boolean {
  const said = plain(heading)
  const wanted = plain(title)
  const words = said.replace(LEADING_EMOJI, '')
  const wantedWords = wanted.replace(LEADING_EMOJI, '')
  const haveEmoji = said !== words && wanted !== wantedWords
  return said === wanted || (words === wantedWords && words !== '' && !haveEmoji)
}

/** An emoji is the same with and without its variation selector. */
const plain = (title: string): string =>
  title.normalize('NFC').replaceAll('\u{fe0f}', '').replace(/\s+/g, ' ').trim()
