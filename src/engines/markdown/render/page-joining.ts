// Joins pieces of a page so that each is read as it is by itself.
import { blocks } from '../page/page.ts'
import type { Piece } from './previous.ts'

/** A part of the page, without white space around it. */
export type PageText = {
  readonly text: string
  /** The piece of the previous text that it is, or that it replaces. */
  readonly piece: Piece | undefined
  readonly isKept: boolean
}

/** Joins the texts, with white space between those that were not neighbours before. */
export function joinTexts(texts: readonly PageText[], lineEnd: string): string {
  const pieces: string[] = []
  for (const [index, after] of texts.entries()) {
    const before = texts[index - 1]
    // A line of dashes at the beginning of a page would begin frontmatter.
    if (before === undefined && after.text.startsWith('---') && after.piece?.index !== 0) pieces.push(lineEnd)
    if (before !== undefined) pieces.push(gapBetween(before, after, index === 1, lineEnd))
    pieces.push(after.text)
  }
  return pieces.join('')
}

function gapBetween(before: PageText, after: PageText, isFirst: boolean, lineEnd: string): string {
  const wereTogether = before.piece !== undefined && after.piece?.index === before.piece.index + 1
  const gap = wereTogether ? before.piece.gap : ''
  if (wereTogether && before.isKept && after.isKept) return gap
  const blank = lineEnd + lineEnd
  const gaps = gap === '' ? [blank] : [gap, blank]
  // A comment is the last resort: two lists with the same signs are one list, however far apart.
  return gaps.find(gap => isApart(before.text, gap, after.text, isFirst)) ?? `${blank}<!-- -->${blank}`
}

/** Whether two texts are still the blocks that they are by themselves when one is below the other. */
function isApart(before: string, gap: string, after: string, isFirst: boolean): boolean {
  // Frontmatter is read only at the beginning of a page.
  const above = isFirst ? '' : 'x\n\n'
  const joined = blocks(above + before + gap + after)
  const start = above.length + before.length + gap.length
  const countBefore = blocks(above + before).length
  return (
    joined.length === countBefore + blocks(`x\n\n${after}`).length - 1 && joined[countBefore]?.start === start
  )
}
