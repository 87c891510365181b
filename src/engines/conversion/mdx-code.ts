// The code in a text of MDX: between fences, at any indentation, and in spans. MDX has no indented code
// (https://mdxjs.com/docs/what-is-mdx/#markdown).
import { type Range, textLines } from './lines.ts'

/** A line that begins a block of its own: a span does not go on across it. */
const BLOCK_START = /^[ \t]*(?:$|\||(?:[-*+]|#{1,6}|\d{1,9}[.)])[ \t])/

export const COMMENT = /\{\/\*[^{}\n]*\*\/\}/g

/** In order. */
export function* codeOfMdx(text: string): Generator<Range> {
  let at = 0
  let block = 0
  for (const { line, isCode } of textLines(text)) {
    const next = at + line.length + 1
    if (isCode || BLOCK_START.test(line)) {
      yield* spansIn(text, block, at)
      block = isCode ? next : at
    }
    if (isCode) yield { start: at, end: next }
    at = next
  }
  yield* spansIn(text, block, text.length)
}

/**
 * A span ends at the next run of as many backticks. An escaped backtick begins none, but may be part of its end, as may
 * one in a comment.
 */
function* spansIn(text: string, start: number, end: number): Generator<Range> {
  const block = text.slice(start, end)
  const runs = Array.from(block.matchAll(/(?<!\\)(\\*)(`+)/g), found => {
    const [all, { length: slashes } = '', { length: marks } = ''] = found
    return { end: start + found.index + all.length, marks, opening: slashes % 2 === 0 ? marks : marks - 1 }
  })
  const last = new Map(runs.map(({ marks }, index) => [marks, index]))
  const comments = Array.from(block.matchAll(COMMENT), ({ index, 0: { length } }) => ({
    start: start + index,
    end: start + index + length,
  }))
  let comment = 0
  let spanEnd = start
  for (let index = 0; index < runs.length; index++) {
    const run = runs[index]
    if (run === undefined || (last.get(run.opening) ?? -1) <= index) continue
    // What looks like a comment and begins in a span is code.
    while (isBefore(comments[comment], run.end, spanEnd)) comment++
    if ((comments[comment]?.start ?? end) < run.end) continue
    do index++
    while (runs[index]?.marks !== run.opening)
    spanEnd = runs[index]?.end ?? end
    yield { start: run.end - run.opening, end: spanEnd }
  }
}

/** Whether a comment ends before the run that ends at `runEnd`, or begins before the end of a span. */
const isBefore = (comment: Range | undefined, runEnd: number, spanEnd: number): boolean =>
  comment !== undefined && (comment.end < runEnd || comment.start < spanEnd)
