// Three-way merge of lines: the classic diff3 over the matches of both sides with their base.
// Sanjeev Khanna, Keshav Kunal, Benjamin Pierce: A Formal Investigation of Diff3 (2007).
import { type Budget, type Match, matchSequences, newBudget } from './sequences.ts'

/**
 * A part of the result: `merged` lines that both sides kept or one changed, `alike` those that both changed to the same,
 * and a `conflict` where they changed them otherwise.
 */
export type MergedLines =
  | { readonly kind: 'merged' | 'alike'; readonly lines: readonly string[] }
  | {
      readonly kind: 'conflict'
      readonly base: readonly string[]
      readonly ours: readonly string[]
      readonly theirs: readonly string[]
    }

/** Lines of the base from `start` to before `end` that became those of a side from `from` to before `to`. */
type Hunk = { readonly start: number; readonly end: number; readonly from: number; readonly to: number }

/**
 * The parts of the result in order. Changes of both sides that overlap or touch, with no line between them that both
 * kept, are one conflict, as they are to git, unless they are the same change.
 */
export function mergeLines(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
  budget: Budget = newBudget(),
): MergedLines[] {
  // As much for each: where it runs out it does so alike whichever side is ours.
  const [forOurs, forTheirs] = [budget, budget].map(({ cells }) => ({ cells: Math.floor(cells / 2) })) as [
    Budget,
    Budget,
  ]
  const a = hunksOf(matchSequences(base, ours, forOurs), base.length, ours.length)
  const b = hunksOf(matchSequences(base, theirs, forTheirs), base.length, theirs.length)
  budget.cells = forOurs.cells + forTheirs.cells
  const parts: MergedLines[] = []
  let done = 0
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const group = { start: Math.min(startOf(a[i]), startOf(b[j])), end: 0 }
    group.end = group.start
    const [firstA, firstB] = [i, j]
    for (;;) {
      if (startOf(a[i]) <= group.end) group.end = Math.max(group.end, (a[i++] as Hunk).end)
      else if (startOf(b[j]) <= group.end) group.end = Math.max(group.end, (b[j++] as Hunk).end)
      else break
    }
    addMerged(parts, base.slice(done, group.start))
    addGroup(parts, {
      base: base.slice(group.start, group.end),
      ours: ours.slice(...rangeIn(a, firstA, i, group)),
      theirs: theirs.slice(...rangeIn(b, firstB, j, group)),
    })
    done = group.end
  }
  addMerged(parts, base.slice(done))
  return parts
}

/** Lines with their ends; joined they are the text. */
export const splitLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

const startOf = (hunk: Hunk | undefined): number => hunk?.start ?? Number.POSITIVE_INFINITY

function hunksOf(matches: readonly Match[], lengthBase: number, lengthSide: number): Hunk[] {
  const hunks: Hunk[] = []
  let i = 0
  let j = 0
  for (const [x, y] of [...matches, [lengthBase, lengthSide] as const]) {
    if (x > i || y > j) hunks.push({ start: i, end: x, from: j, to: y })
    i = x + 1
    j = y + 1
  }
  return hunks
}

/** Where the base's lines of a group stand on a side whose hunks `first` to before `next` lie in it. */
function rangeIn(
  hunks: readonly Hunk[],
  first: number,
  next: number,
  group: { start: number; end: number },
): [number, number] {
  const before = hunks[first - 1]
  const shift = before === undefined ? 0 : before.to - before.end
  const last = hunks[next - 1]
  const from = group.start + shift
  return last === undefined || next === first
    ? [from, group.end + shift]
    : [from, last.to + group.end - last.end]
}

function addGroup(
  parts: MergedLines[],
  { base, ours, theirs }: { base: string[]; ours: string[]; theirs: string[] },
): void {
  if (isSame(base, theirs)) addMerged(parts, ours)
  else if (isSame(base, ours)) addMerged(parts, theirs)
  else if (isSame(ours, theirs)) parts.push({ kind: 'alike', lines: ours })
  else parts.push({ kind: 'conflict', base, ours, theirs })
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, i) => line === b[i])

function addMerged(parts: MergedLines[], lines: readonly string[]): void {
  if (lines.length > 0) parts.push({ kind: 'merged', lines })
}
