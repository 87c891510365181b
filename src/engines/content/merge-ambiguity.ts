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

/** Of which a side removed some that follow each other, `size` of them. */
type Ambiguous = Range & { readonly size: number }

/**
 * The ranges of the base in which a side removed some of several equal stretches. Somebody who removes sections removes
 * them whole, so any other stretch counts only if none is whole.
 */
function findRanges(base: Pieces, side: Pieces): Ambiguous[] {
  const { ids } = base
  const sections = new Sections(base)
  const ranges: Ambiguous[] = []
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
    if (first < last) ranges.push({ from: first, to: last + size, size })
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
  ranges: readonly Ambiguous[],
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
  const rearranged = new Rearranged(base, own)
  for (const [n, range] of ranges.entries()) {
    const ids = base.ids.slice(range.from, range.to)
    if (rearranged.has(range) && !ids.some(id => open.has(id))) changes.set(n, [])
    for (const id of ids) {
      // Ranges overlap between two removals, so there are at most two.
      rangesOf.set(id, [...(rangesOf.get(id) ?? []), n])
      const text = own.piece(id)?.bare
      const isChanged = text !== undefined && text !== base.get(id).bare && text !== other.piece(id)?.bare
      if (isChanged && !open.has(id)) add(n, id)
    }
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

/** Where a side removed blocks, or moved them. */
class Rearranged {
  readonly #base: Pieces
  readonly #side: Pieces
  /** How many blocks of the base are among the first of the side, by their number. */
  readonly #known: readonly number[]

  constructor(base: Pieces, side: Pieces) {
    this.#base = base
    this.#side = side
    let known = 0
    this.#known = [0, ...side.ids.map(id => (base.has(id) ? ++known : known))]
  }

  /** Whether the side did so in a range, but for equal stretches: without some of these it is the same for any of them. */
  has({ from, to, size }: Ambiguous): boolean {
    const ids = this.#base.ids.slice(from, to)
    const kept = ids.filter(this.#side.has)
    if (kept.length === 0) return false
    const places = kept.map(id => this.#side.positionOf(id))
    if (places.some((place, at) => at > 0 && place < (places[at - 1] ?? 0))) return true
    const [first = 0, last = 0] = [places[0], places.at(-1)]
    const between = (this.#known[last + 1] ?? 0) - (this.#known[first] ?? 0)
    if (between > kept.length) return true
    const period = periodOf(ids.map(id => this.#base.get(id).bare))
    return !this.#isWithoutStretches(ids, size % period === 0 ? period : size)
  }

  #isWithoutStretches(ids: readonly string[], size: number): boolean {
    let gone = 0
    for (const id of ids) {
      if (!this.#side.has(id)) gone++
      else if (gone % size !== 0) return false
      else gone = 0
    }
    return gone % size === 0
  }
}

/** The length of the shortest text that, repeated, begins with these: by the failure function of Knuth, Morris, Pratt. */
function periodOf(texts: readonly string[]): number {
  const borders = [0]
  for (let at = 1, border = 0; at < texts.length; at++) {
    while (border > 0 && texts[at] !== texts[border]) border = borders[border - 1] ?? 0
    if (texts[at] === texts[border]) border++
    borders.push(border)
  }
  return texts.length - (borders.at(-1) ?? 0)
}
