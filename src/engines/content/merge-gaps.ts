// The gaps of a document: between two neighbouring blocks that both sides kept, what the base has and what each side
// made of it.
import { longestCommonOrder, type Pieces } from './document-pieces.ts'
import type { Versions } from './versions.ts'

export type SideName = 'ours' | 'theirs'
export type Ids = readonly string[]

export const SIDES = ['ours', 'theirs'] as const

/** `start` is the position in the base where the gap begins. */
export type Gap = Versions<Ids> & { readonly start: number }

/** A stretch of a gap in which a side kept no block in place: the removed blocks and the new ones. */
export type Hunk = { readonly gone: Ids; readonly added: Ids; readonly end: number }

export type Hunks = { readonly [S in SideName]: readonly Hunk[] }

export class Gaps {
  readonly pieces: Versions<Pieces>
  readonly #apart: ReadonlySet<string>
  readonly #inPlace: { readonly [S in SideName]: ReadonlySet<string> }

  /** Gaps do not end at the blocks in `apart`, although both sides have them. */
  constructor(pieces: Versions<Pieces>, apart: ReadonlySet<string>) {
    this.pieces = pieces
    this.#apart = apart
    this.#inPlace = {
      ours: longestCommonOrder(pieces.base, pieces.ours),
      theirs: longestCommonOrder(pieces.base, pieces.theirs),
    }
  }

  /** In their order. */
  *[Symbol.iterator](): Generator<Gap> {
    const { base, ours, theirs } = this.pieces
    let from = { base: 0, ours: 0, theirs: 0 }
    for (let at = 0; at <= base.ids.length; at++) {
      const id = base.ids[at]
      if (id !== undefined && (!this.isInPlace(id) || this.#apart.has(id))) continue
      const to =
        id === undefined
          ? { ours: ours.ids.length, theirs: theirs.ids.length }
          : { ours: ours.positionOf(id), theirs: theirs.positionOf(id) }
      if ((to.ours > from.ours && to.theirs > from.theirs) || at > from.base)
        yield {
          start: from.base,
          base: base.ids.slice(from.base, at),
          ours: ours.ids.slice(from.ours, to.ours),
          theirs: theirs.ids.slice(from.theirs, to.theirs),
        }
      from = { base: at + 1, ours: to.ours + 1, theirs: to.theirs + 1 }
    }
  }

  hunksOf(gap: Gap): Hunks {
    return { ours: this.#hunksBy('ours', gap), theirs: this.#hunksBy('theirs', gap) }
  }

  #hunksBy(side: SideName, gap: Gap): Hunk[] {
    const kept = this.#inPlace[side]
    const gone = splitAt(gap.base, id => kept.has(id))
    const written = splitAt(gap[side], id => kept.has(id))
    let end = gap.start - 1
    return gone.map((ids, k) => {
      end += ids.length + 1
      const added = (written[k] ?? []).filter(id => !this.pieces.base.has(id))
      return { gone: ids, added, end }
    })
  }

  /** The blocks of the base before and after a gap. */
  besides({ start, base: ids }: Gap): string[] {
    const { base } = this.pieces
    return [base.ids[start - 1], base.ids[start + ids.length]].filter(id => id !== undefined)
  }

  /** Whether these sides have the block in the same place as the base. */
  isInPlace(id: string, sides: readonly SideName[] = SIDES): boolean {
    return sides.every(side => this.#inPlace[side].has(id))
  }

  /** Whether both sides have the block in place, but a gap continues across it. */
  isApart(id: string): boolean {
    return this.isInPlace(id) && this.#apart.has(id)
  }

  /** The blocks that a side moved. */
  movedBy(side: SideName, ids: Ids): string[] {
    return ids.filter(id => this.pieces[side].has(id) && !this.#inPlace[side].has(id))
  }
}

/** Splits a list at the ids that match, which are left out. */
function splitAt(ids: Ids, isAt: (id: string) => boolean): string[][] {
  const parts: string[][] = [[]]
  for (const id of ids) {
    if (isAt(id)) parts.push([])
    else parts.at(-1)?.push(id)
  }
  return parts
}
