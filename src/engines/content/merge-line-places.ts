// Where a merge by lines puts what a side inserted: each line is judged as merge-places.ts judges blocks.
import type { SplitBlocks } from './block-diff.ts'
import { bareRange } from './block-pairs.ts'
import { type Piece, Pieces } from './document-pieces.ts'
import { findLineLevels } from './line-levels.ts'
import type { Budget } from './merge-budget.ts'
import { findStrays } from './merge-places.ts'
import { type MergedLines, partsOf, splitLines, textOf } from './merge-text.ts'
import { mapVersions, type Versions } from './versions.ts'

/** A block of both sides, merged by lines; undefined if both changed adjacent lines. */
export function mergeChanged(texts: Versions, budget: Budget): string | undefined {
  const { base, ours, theirs } = texts
  if (ours === theirs || theirs === base) return ours
  if (ours === base) return theirs
  return mergeInPlace(texts, budget)
}

/** The merged text of a block, or of several; undefined if the sides conflict, or an insertion has no place. */
export function mergeInPlace(texts: Versions, budget: Budget): string | undefined {
  const parts = partsOf(texts, budget)
  const text = textOf(parts)
  return text === undefined || isTorn(texts, parts) ? undefined : text
}

/** Whether an insertion has no place among the lines around it. */
function isTorn(texts: Versions, parts: readonly MergedLines[]): boolean {
  const levels = mapVersions(texts, version => findLineLevels(splitLines(version)))
  // Above all of it is the section that it is in.
  const top: MergedLines = { kind: 'kept', base: ['top'], lines: ['top'] }
  return hasStrays([top, ...parts], (name, line) => (line === 0 ? 0 : levels[name][line - 1]))
}

/** Whether a merge by lines of whole documents puts an insertion where it does not belong. */
export function hasStrayLines(texts: Versions, parts: readonly MergedLines[], blocks: SplitBlocks): boolean {
  const levels = mapVersions(texts, text => headingLines(text, blocks))
  return hasStrays(parts, (name, line) => levels[name].get(line)) || isTorn(texts, parts)
}

/** `levelOf` tells the level of a line of a version that has something below it. */
function hasStrays(
  parts: readonly MergedLines[],
  levelOf: (name: keyof Versions, line: number) => number | undefined,
): boolean {
  const versions = {
    base: new Map<string, Piece>(),
    ours: new Map<string, Piece>(),
    theirs: new Map<string, Piece>(),
  }
  const next = { base: 0, ours: 0, theirs: 0 }
  const order: string[] = []
  const known = new Set(parts.flatMap(({ base }) => base))
  const put = (name: keyof Versions, lines: readonly string[], idOf: (at: number) => string): string[] =>
    lines.flatMap((bare, n) => {
      const at = next[name]++
      if (bare.trim() === '') return []
      const id = idOf(n)
      const level = levelOf(name, at)
      versions[name].set(id, { before: '', bare, after: '', key: '', type: 'line', level, members: [id] })
      return [id]
    })
  for (const part of parts) {
    if (part.kind === 'conflict') return false
    const [inBase, inResult] = [next.base, order.length]
    const asBase = (n: number): string => `b${inBase + n}`
    const { base, lines, kind } = part
    // A line for a line is one that was edited, unless it comes from elsewhere.
    const isEdited = (n: number): boolean => base.length === lines.length && !known.has(lines[n] ?? '')
    const asNew = (n: number): string => (isEdited(n) ? asBase(n) : `n${inBase}.${inResult}.${n}`)
    const isOf = (side: 'ours' | 'theirs'): boolean => kind === side || kind === 'alike'
    const kept = put('base', base, asBase)
    const ours = isOf('ours') ? put('ours', lines, asNew) : put('ours', base, asBase)
    const theirs = isOf('theirs') ? put('theirs', lines, asNew) : put('theirs', base, asBase)
    order.push(...(kind === 'kept' ? kept : isOf('ours') ? ours : theirs))
  }
  const open = new Set<string>()
  const { base, ours, theirs } = versions
  const isTwin = (id: string): boolean => ours.has(id) && theirs.has(id) && !base.has(id)
  const twins = new Map(order.filter(isTwin).map(id => [id, id]))
  const { strays, ambiguous } = findStrays(
    mapVersions(versions, pieces => new Pieces(pieces)),
    () => ({ order, open, twins }),
  )
  return strays.length + ambiguous.length > 0
}

/** The levels of headings, by the number of their first line. */
function headingLines(text: string, blocks: SplitBlocks): ReadonlyMap<number, number> {
  const levels = new Map<number, number>()
  let [line, at] = [0, 0]
  for (const { start, end, level } of blocks(text)) {
    if (level === undefined) continue
    const first = start + bareRange(text.slice(start, end)).start
    for (; at < first; at++) if (text[at] === '\n') line++
    levels.set(line, level)
  }
  return levels
}
