// Where the text of a page begins: behind its frontmatter, and behind the heading that repeats its title.
import { findFrontmatter, parseMarkdown } from '../syntax/syntax.ts'
import { titleOf } from './titles.ts'

/** Titles have at most 250 characters; a longer first block is text. */
const FIRST_BLOCK_CHARACTERS_MAX = 2000

/**
 * A position in the source, in UTF-16 units, at the beginning of a line. A heading counts only as the first block: only
 * that block is read.
 */
export function textStart(source: string, title: string): number {
  const mark = source.startsWith('\ufeff') ? 1 : 0
  const body = findFrontmatter(source)?.bodyStart ?? mark
  const start = skipBlankLines(source, body)
  const block = firstBlock(source.slice(start, start + FIRST_BLOCK_CHARACTERS_MAX))
  const heading = titleOf(parseMarkdown(block), title)
  if (heading === undefined || heading.position.start > 0) return start
  return skipBlankLines(source, start + heading.position.end)
}

/** The first position after the blank lines here that a line begins with, or the end. */
function skipBlankLines(source: string, from: number): number {
  const blank = /[ \t]*(?:\r\n?|\n)/y
  let at = from
  for (;;) {
    blank.lastIndex = at
    const [line] = blank.exec(source) ?? []
    if (line === undefined) return at
    at += line.length
  }
}

/** Up to the first blank line; a heading of `#` ends with its line. */
function firstBlock(source: string): string {
  const end = /^#/.test(source) ? /\r|\n/.exec(source) : /(?:\r\n?|\n)[ \t]*(?:\r|\n)/.exec(source)
  return end === null ? source : source.slice(0, end.index)
}
