// The heading in a page's text that repeats the page's title, so that it is not shown twice.
import { type Heading, plainLine, type Root } from '../syntax/syntax.ts'

export const LEADING_EMOJI = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{fe0f}|\u{200d}|\s)+/u

/** Titles are compared by their words; an emoji before them also belongs to the page. */
const plain = (title: string): string =>
  title.normalize('NFC').replace(LEADING_EMOJI, '').replace(/\s+/g, ' ').trim()

/** The first heading of the page, if it is of the first level and says the title. */
export function titleOf(root: Root, title: string): Heading | undefined {
  const first = root.children.find(node => node.type === 'heading')
  const isTitle = first?.depth === 1 && plain(plainLine([first])) === plain(title)
  return isTitle ? first : undefined
}
