// Changes of one side in text that occurs several times in a row, of which the other side removed one. What is left has
// the same text whichever was removed, so no merge can tell whether the change is in what is left or in what is gone.
import type { Pieces } from './document-pieces.ts'
import { SIDES, type SideName } from './merge-gaps.ts'
import { Outline, type Placed, type Stray } from './outline.ts'
import type { Versions } from './versions.ts'

/** The blocks of each range of which some were removed and in which the other side changed something, and its changes. */
export function findAmbiguous(
  versions: Versions<Pieces>,
  placed: { readonly [S in SideName]: Placed },
): Stray[] {
  const { base } = versions
  return SIDES.flatMap(remover => {
    const ranges = findRanges(base, versions[remover])
    if (ranges.length === 0) return []
    const changes = changesIn(ranges, versions, remover, placed)
    return ranges.flatMap((range, at) => {
      const changed = changes.get(at)
      return changed === undefined ? [] : [[...base.ids.slice(range.from, range.to), ...changed]]
    })
  })
}

/** Blocks of the base from one position to before another. */
type Range = { readonly from: number; readonly to: number }

/**
 * The ranges of the base in which a side removed some of several equal stretches. Somebody who removes sections removes
 * them whole, so any other stretch counts only if none is whole.
 */
function findRanges(base: Pieces, side: Pieces): Range[] {
  const { ids } = base
  const sections = new Sections(base)
  const ranges: Range[] = []
  for (let start = 0, end = 0; start < ids.length; start = end + 1) {
    end = start
    while (end < ids.length && !side.has(ids[end] ?? '')) end++
    if (end === start || !isAdjacent(side, ids[start - 1], ids[end])) continue
    const size = end - start
    const { from, to } = slide(base, side, { from: start, to: end })
    const starts = Array.from({ length: to - from - size + 1 }, (_, n) => from + n)
    const whole = starts.filter(at => sections.isWhole(at, at + size))
    const likely = whole.length > 0 ? [...whole, start] : starts
    const [first, last] = [likely.reduce((a, b) => Math.min(a, b)), likely.reduce((a, b) => Math.max(a, b))]
    if (first < last) ranges.push({ from: first, to: last + size })
  }
  return ranges
}

/** A removed range, and all that it may be instead. */
function slide(base: Pieces, side: Pieces, { from: start, to: end }: Range): Range {
  const { ids } = base
  const isSame = (kept: number, removed: number): boolean => {
    const [one, other] = [ids[kept], ids[removed]]
    return one !== undefined && other !== undefined && side.piece(one)?.bare === base.get(other).bare
  }
  const isKept = (at: number): boolean => isAdjacent(side, ids[at - 1], ids[at])
  let [from, to] = [start, end]
  while (isSame(from - 1, from - 1 + end - start) && (from === start || isKept(from))) from--
  while (isSame(to, to - end + start) && (to === end || isKept(to))) to++
  return { from, to }
}

/** Whether a side has nothing between the two; undefined for before the first and after the last. */
function isAdjacent(side: Pieces, one: string | undefined, other: string | undefined): boolean {
  if (one === undefined) return side.ids[0] === other
  return side.has(one) && side.nextOf(one) === other
}

class Sections {
  readonly #levels: readonly (number | undefined)[]
  /** For each heading, the position of the next one of a higher level. */
  readonly #ends: readonly number[]

  constructor({ ids, get }: Pieces) {
    this.#levels = ids.map(id => get(id).level)
    const ends = ids.map(() => ids.length)
    const open: { readonly level: number; readonly at: number }[] = []
    for (const [at, level] of this.#levels.entries()) {
      if (level === undefined) continue
      for (let last = open.at(-1); last !== undefined && last.level > level; last = open.at(-1)) {
        ends[last.at] = at
        open.pop()
      }
      open.push({ level, at })
    }
    this.#ends = ends
  }

  /** Whether a range is one or several whole sections of one level. */
  isWhole(from: number, to: number): boolean {
    const level = this.#levels[from]
    if (level === undefined || (this.#ends[from] ?? 0) < to) return false
    return to === this.#levels.length || (this.#levels[to] ?? Number.POSITIVE_INFINITY) <= level
  }
}

/** What the other side changed in each of the ranges, unless both did. */
function changesIn(
  ranges: readonly Range[],
  { base, ...sides }: Versions<Pieces>,
  remover: SideName,
  placed: { readonly [S in SideName]: Placed },
): ReadonlyMap<number, readonly string[]> {
  const writer = remover === 'ours' ? 'theirs' : 'ours'
  const [own, other] = [sides[writer], sides[remover]]
  const { open, twins } = placed[writer]
  const changes = new Map<number, string[]>()
  const rangesOf = new Map<string, number[]>()
  const add = (range: number, id: string): void => {
    const known = changes.get(range)
    if (known === undefined) changes.set(range, [id])
    else known.push(id)
  }
  for (const [n, { from, to }] of ranges.entries())
    for (const id of base.ids.slice(from, to)) {
      // Ranges overlap between two removals, so there are at most two.
      rangesOf.set(id, [...(rangesOf.get(id) ?? []), n])
      const text = own.piece(id)?.bare
      const isChanged = text !== undefined && text !== base.get(id).bare && text !== other.piece(id)?.bare
      if (isChanged && !open.has(id)) add(n, id)
    }
  const of = (id: string | undefined): readonly number[] => rangesOf.get(id ?? '') ?? []
  const outline = new Outline(own.ids, base, id => own.get(id).level)
  for (const id of own.ids) {
    if (base.has(id) || open.has(id) || twins.has(id)) continue
    const after = of(outline.baseAfter(id))
    const between = of(outline.baseBefore(id)).filter(n => after.includes(n))
    for (const n of new Set([...between, ...[...outline.above(id)].flatMap(of)])) add(n, id)
  }
  return changes
}
