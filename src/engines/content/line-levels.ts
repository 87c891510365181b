// What is below what among the lines of a block, or of several: text below its heading, a line below one that is indented
// less, and what a tag such as `{% tab %}` encloses below the tag.

const TAG = /^\{%[ \t]*([a-z][a-z-]*)/
const HEADING = /^(#{1,6})[ \t]/
const FENCE = /^(?:```|~~~)/

// A tag outweighs a heading, and a heading an indentation.
const TAG_WEIGHT = 100_000
const HEADING_WEIGHT = 1_000
const INDENT_MAX = 900
const TAGS_MAX = 100

/** A level for each line, as headings have levels: a line is below the nearest one before it that has a lower level. */
export function findLineLevels(lines: readonly string[]): number[] {
  const bare = lines.map(line => line.trim())
  const ends = new Set(bare.map(line => TAG.exec(line)?.[1]).filter(name => name?.startsWith('end')))
  // The level of the last heading within each open tag.
  const headings = [0]
  let isCode = false
  const levelAt = (weight: number): number => (headings.length - 1) * TAG_WEIGHT + weight
  return lines.map((line, at) => {
    const text = bare[at] ?? ''
    const indent = Math.min(INDENT_MAX, line.length - line.trimStart().length)
    const inText = (): number => levelAt(((headings.at(-1) ?? 0) + 1) * HEADING_WEIGHT + indent)
    if (FENCE.test(text)) isCode = !isCode
    if (isCode) return inText()
    const name = TAG.exec(text)?.[1]
    if (name?.startsWith('end') === true && headings.length > 1) headings.pop()
    const heading = HEADING.exec(text)?.[1]?.length
    if (heading !== undefined) {
      headings[headings.length - 1] = heading
      return levelAt(heading * HEADING_WEIGHT)
    }
    const level = inText()
    if (name !== undefined && ends.has(`end${name}`) && headings.length < TAGS_MAX) headings.push(0)
    return level
  })
}
