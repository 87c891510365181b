// How well found groups agree with known ones: normalized mutual information (by the arithmetic mean of both entropies),
// the Rand index adjusted for chance, and purity.

export type Agreement = { readonly nmi: number; readonly ari: number; readonly purity: number }

/** `found` and `known`: the group of each thing. */
export function agreementOf(found: readonly number[], known: readonly number[]): Agreement {
  const n = found.length
  const rows = countBy(found)
  const columns = countBy(known)
  const cells = new Map<string, number>()
  for (const [at, group] of found.entries()) {
    const key = `${group} ${known[at]}`
    cells.set(key, (cells.get(key) ?? 0) + 1)
  }
  let mutual = 0
  let together = 0
  const best = new Map<number, number>()
  for (const [key, count] of cells) {
    const [row = 0, column = 0] = key.split(' ').map(Number)
    mutual += (count / n) * Math.log((count * n) / ((rows.get(row) ?? 0) * (columns.get(column) ?? 0)))
    together += pairs(count)
    best.set(row, Math.max(best.get(row) ?? 0, count))
  }
  const [inRows, inColumns] = [sum([...rows.values()].map(pairs)), sum([...columns.values()].map(pairs))]
  const expected = (inRows * inColumns) / pairs(n)
  return {
    nmi: (2 * mutual) / (entropy(rows, n) + entropy(columns, n)),
    ari: (together - expected) / ((inRows + inColumns) / 2 - expected),
    purity: sum([...best.values()]) / n,
  }
}

const pairs = (count: number): number => (count * (count - 1)) / 2
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const entropy = (counts: ReadonlyMap<number, number>, n: number): number =>
  -sum([...counts.values()].map(count => (count / n) * Math.log(count / n)))

function countBy(groups: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const group of groups) counts.set(group, (counts.get(group) ?? 0) + 1)
  return counts
}
