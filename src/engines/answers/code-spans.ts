// Words and code of a sentence in Markdown. Code ends with as many backticks as it begins with; in it nothing is
// escaped (CommonMark 0.31.2, §6.1).

/** `text`: as it is written. `code`: what is between the backticks. */
type Part = { readonly text: string; readonly code?: string }

export function* partsOf(sentence: string): Generator<Part> {
  const closing = closingTicks(sentence)
  const ticks = /\\[\s\S]|`+/g
  let from = 0
  for (let found = ticks.exec(sentence); found !== null; found = ticks.exec(sentence)) {
    const [run] = found
    const ends = run.startsWith('`') ? (closing.get(run.length) ?? []) : []
    const start = found.index + run.length
    while ((ends.at(-1) ?? start) < start) ends.pop()
    const end = ends.at(-1)
    if (end === undefined) continue
    yield { text: sentence.slice(from, found.index) }
    from = end + run.length
    yield { text: sentence.slice(found.index, from), code: sentence.slice(start, end) }
    ticks.lastIndex = from
  }
  yield { text: sentence.slice(from) }
}

/** Where runs of backticks are, by how long they are; the last first. */
function closingTicks(sentence: string): Map<number, number[]> {
  const runs = [...sentence.matchAll(/`+/g)].reverse()
  const starts = Map.groupBy(runs, ([run]) => run.length)
  return new Map(Array.from(starts, ([length, found]) => [length, found.map(({ index }) => index)]))
}

/** Changes what is not code. */
export const changeWords = (sentence: string, change: (words: string) => string): string =>
  Array.from(partsOf(sentence), ({ text, code }) => (code === undefined ? change(text) : text)).join('')
