// The code in a text of MDX: between fences, at any indentation, and in spans. MDX has no indented code
// (https://mdxjs.com/docs/what-is-mdx/#markdown).
import { type Range, textLines } from './lines.ts'

/** A line that begins a block of its own: a span does not go on across it. */
const BLOCK_START = /^[ \t]*(?:$|\||(?:[-*+]|#{1,6}|\d{1,9}[.)])[ \t])/

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

/** A span ends at the next run of as many backticks. An escaped backtick begins none, but may be part of its end. */
function* spansIn(text: string, start: number, end: number): Generator<Range> {
  const runs = Array.from(text.slice(start, end).matchAll(/(?<!\\)(\\*)(`+)/g), found => {
    const [{ length }, { length: slashes }, { length: marks }] = found as unknown as [string, string, string]
    return { end: start + found.index + length, marks, opening: slashes % 2 === 0 ? marks : marks - 1 }
  })
  const last = new Map(runs.map(({ marks }, index) => [marks, index]))
  for (let index = 0; index < runs.length; index++) {
    const run = runs[index]
    if (run === undefined || (last.get(run.opening) ?? -1) <= index) continue
    do index++
    while (runs[index]?.marks !== run.opening)
    yield { start: run.end - run.opening, end: runs[index]?.end ?? end }
  }
}
