// Renames a page in its text: every other byte stays as it was.
import { LEADING_EMOJI, titleOf } from '../page/page.ts'
import { escapeLabel } from '../render/render.ts'
import {
  type Heading,
  type Inline,
  inOneLine,
  type Position,
  parseMarkdown,
  plainLine,
} from '../syntax/syntax.ts'

/**
 * Renames the page in its text: the first `# heading` if it says `before`, compared like the title of a document. An
 * emoji before the words and an anchor after them stay. A title of several lines is written on one. Returns the text
 * unchanged if no such heading exists, or if `after` is blank.
 */
export function retitle(source: string, before: string, after: string): string {
  const heading = titleOf(parseMarkdown(source), before)
  const words = inOneLine(after).replace(/\s+/g, ' ').trim()
  if (heading === undefined || words === '') return source
  const { start, end } = wordsOf(heading, source, LEADING_EMOJI.test(words))
  // Words above a line of `===` are at the start of a line, where they may begin another block.
  const isUnderlined = source[heading.position.start] !== '#'
  const title = escapeLabel(words, isUnderlined ? 'paragraph' : 'heading')
  const space = start > 0 && source[start - 1] === '#' ? ' ' : ''
  return source.slice(0, start) + space + title + source.slice(end)
}

/** The place of the words of a heading, without an emoji before them and an anchor after them. */
function wordsOf(heading: Heading, source: string, takesEmoji: boolean): Position {
  const children = [...heading.children]
  while (isBehindWords(children.at(-1))) children.pop()
  let skipped = 0
  const isEmoji = (node: Inline | undefined): boolean => {
    const words = node === undefined ? '' : plainLine([node])
    return words !== '' && words.replace(LEADING_EMOJI, '') === ''
  }
  while (!takesEmoji && children.length > 1 && isEmoji(children[0]))
    skipped = children.shift()?.position.end ?? skipped
  const [first, last] = [children[0], children.at(-1)]
  if (first === undefined || last === undefined) return emptyPlace(heading, source)
  let { start } = first.position
  let { end } = last.position
  const emoji = takesEmoji || first.type !== 'text' ? null : LEADING_EMOJI.exec(source.slice(start, end))
  // An emoji alone is the title itself.
  if (emoji !== null && emoji[0].length < end - start) start += emoji[0].length
  while (start < end && /\s/.test(source.charAt(start))) start++
  while (end > start && /\s/.test(source.charAt(end - 1))) end--
  return { start: Math.max(start, skipped), end }
}

/** The place for words in a heading without any: after its marker. */
function emptyPlace({ position }: Heading, source: string): Position {
  let at = position.start
  while (source[at] === '#') at++
  while (at < position.end && /[ \t]/.test(source.charAt(at))) at++
  return { start: at, end: at }
}

/** `<a id="setup"></a>`, a comment, or the space before them. */
const isBehindWords = (node: Inline | undefined): boolean =>
  node !== undefined &&
  plainLine([node]) === '' &&
  (node.type === 'element' ? node.name === 'a' : node.type === 'html' || node.type === 'text')
