// The heading in a page's text that repeats the page's title, so that it is not shown twice.
import { type Heading, type Node, plainLine, type Root } from '../syntax/syntax.ts'
import { headingsOf } from './places.ts'

export const LEADING_EMOJI = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{fe0f}|\u{200d}|\s)+/u

/** The first heading of the page, if it is of the first level and says the title. */
export function titleOf(root: Root, title: string): Heading | undefined {
  const first = root.children.find(node => node.type === 'heading')
  return isTitle(first, title) ? first : undefined
}

/** The heading that the reader leaves out: the title, also where it is in a block and the page's first heading. */
export function shownTitleOf(root: Root, title: string): Heading | undefined {
  const [first] = headingsOf(root)
  return titleOf(root, title) ?? (isTitle(first, title) ? first : undefined)
}

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
