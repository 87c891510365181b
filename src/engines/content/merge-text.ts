// Three-way merge of lines: the classic diff3 over the matches of both sides with their base.
// Sanjeev Khanna, Keshav Kunal, Benjamin Pierce: A Formal Investigation of Diff3 (2007).
import { type Group, isSame, joinAlike } from './merge-groups.ts'
import { type Budget, matchSequences, newBudget } from './sequences.ts'
import type { Versions } from './versions.ts'

/**
 * A part of the result: lines that both sides `kept`, that only `ours` or `theirs` changed, that both changed `alike`,
 * or that they changed differently, a `conflict`.
 */
export type MergedLines =
  | {
      readonly kind: 'kept' | 'ours' | 'theirs' | 'alike'
      readonly base: readonly string[]
      readonly lines: readonly string[]
    }
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
  // Half for each side, so that it runs out at the same place whichever side is ours.
  const half = Math.floor(budget.cells / 2)
  const [forOurs, forTheirs]: [Budget, Budget] = [{ cells: half }, { cells: half }]
  const a = findHunks(base, ours, forOurs)
  const b = findHunks(base, theirs, forTheirs)
  budget.cells = forOurs.cells + forTheirs.cells
  const groups: Group[] = []
  let done = 0
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const group = { start: Math.min(startOf(a[i]), startOf(b[j])), end: 0 }
    group.end = group.start
    const [firstA, firstB] = [i, j]
    for (;;) {
      const [inOurs, inTheirs] = [a[i], b[j]]
      const next = startOf(inOurs) <= group.end ? inOurs : inTheirs
      if (next === undefined || next.start > group.end) break
      group.end = Math.max(group.end, next.end)
      if (next === inOurs) i++
      else j++
    }
    addKept(groups, base.slice(done, group.start))
    groups.push({
      base: base.slice(group.start, group.end),
      ours: ours.slice(...rangeIn(a, firstA, i, group)),
      theirs: theirs.slice(...rangeIn(b, firstB, j, group)),
    })
    done = group.end
  }
  addKept(groups, base.slice(done))
  return joinAlike(groups).map(toPart)
}

/** The merged text, or undefined if both changed overlapping or adjacent lines. */
export const mergeTexts = (versions: Versions, budget?: Budget): string | undefined =>
  textOf(partsOf(versions, budget))

export type MergedApart = {
  readonly text: string
  readonly parts: readonly MergedLines[]
  readonly isSure: boolean
}

/**
 * The merged text if a non-blank line that both kept separates every change of one side from those of the other;
 * undefined otherwise. Not `isSure` if a side added a line that both removed elsewhere without a replacement, as it may
 * have moved it.
 */
export function mergeApart(versions: Versions, budget?: Budget): MergedApart | undefined {
  const parts = partsOf(versions, budget)
  const gone = new Set(
    parts.flatMap(part => (part.kind === 'alike' && part.lines.every(isBlank) ? part.base : [])),
  )
  let last: 'ours' | 'theirs' | undefined
  let isSure = true
  for (const part of parts) {
    if (part.kind === 'conflict') return undefined
    if (part.kind === 'alike') continue
    if (part.kind === 'kept') {
      if (!part.lines.every(isBlank)) last = undefined
      continue
    }
    if (last !== undefined && last !== part.kind) return undefined
    if (part.lines.some(line => !isBlank(line) && gone.has(line))) isSure = false
    last = part.kind
  }
  const text = textOf(parts)
  return text === undefined ? undefined : { text, parts, isSure }
}

const isBlank = (line: string): boolean => line.trim() === ''

export const partsOf = ({ base, ours, theirs }: Versions, budget?: Budget): MergedLines[] =>
  mergeLines(splitLines(base), splitLines(ours), splitLines(theirs), budget)

export function textOf(parts: readonly MergedLines[]): string | undefined {
  const texts = parts.map(part => (part.kind === 'conflict' ? undefined : part.lines.join('')))
  return texts.includes(undefined) ? undefined : texts.join('')
}

/** Lines with their ends; joined they are the text. */
export const splitLines = (text: string): string[] => text.match(/[^\n]+\n?|\n/g) ?? []

const startOf = (hunk: Hunk | undefined): number => hunk?.start ?? Number.POSITIVE_INFINITY

function findHunks(base: readonly string[], side: readonly string[], budget: Budget): Hunk[] {
  const hunks: Hunk[] = []
  let i = 0
  let j = 0
  for (const [x, y] of [...matchSequences(base, side, budget), [base.length, side.length] as const]) {
    if (x > i || y > j) hunks.push({ start: i, end: x, from: j, to: y })
    i = x + 1
    j = y + 1
  }
  return compact(hunks, base, side)
}

/**
 * Lines that were inserted or removed between equal ones have several possible positions. A hunk that can be joined
 * with the one before it is; any other moves down as far as possible, as in git. So changes are as short as possible,
 * and equal changes get equal positions.
 */
function compact(hunks: readonly Hunk[], base: readonly string[], side: readonly string[]): Hunk[] {
  const compacted: Hunk[] = []
  for (const [k, hunk] of hunks.entries()) {
    const last = compacted.at(-1)
    const up = slideUp(hunk, last?.end ?? 0, base, side)
    if (last !== undefined && hunk.start - up === last.end) {
      compacted[compacted.length - 1] = { ...last, end: hunk.end - up, to: hunk.to - up }
      continue
    }
    const down = slideDown(hunk, hunks[k + 1]?.start ?? base.length, base, side)
    compacted.push({
      start: hunk.start + down,
      end: hunk.end + down,
      from: hunk.from + down,
      to: hunk.to + down,
    })
  }
  return compacted
}

/** By how many lines a hunk can move up, down to the line `least` of the base. */
function slideUp(
  { start, end, from, to }: Hunk,
  least: number,
  base: readonly string[],
  side: readonly string[],
): number {
  let up = 0
  if (start === end) while (start - up > least && base[start - up - 1] === side[to - up - 1]) up++
  else if (from === to) while (start - up > least && base[start - up - 1] === base[end - up - 1]) up++
  return up
}

/** By how many lines a hunk can move down, without a line of the base from `most` on. */
function slideDown(
  { start, end, from, to }: Hunk,
  most: number,
  base: readonly string[],
  side: readonly string[],
): number {
  let down = 0
  if (start === end) while (end + down < most && base[end + down] === side[from + down]) down++
  else if (from === to) while (end + down < most && base[end + down] === base[start + down]) down++
  return down
}

/** The range of a group's lines on a side whose hunks `first` to before `next` are in it. */
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

function toPart(group: Group): MergedLines {
  const { base, ours, theirs } = group
  if (ours === base && theirs === base) return { kind: 'kept', base, lines: base }
  if (isSame(base, theirs)) return { kind: 'ours', base, lines: ours }
  if (isSame(base, ours)) return { kind: 'theirs', base, lines: theirs }
  if (isSame(ours, theirs)) return { kind: 'alike', base, lines: ours }
  return { kind: 'conflict', ...group }
}

function addKept(groups: Group[], lines: readonly string[]): void {
  if (lines.length > 0) groups.push({ base: lines, ours: lines, theirs: lines })
}
