// The pieces of a page in order: kept and new blocks, and between them what is not a block and stays.
import { addUnder } from '../../../base/lists.ts'
import type { PageText } from './page-joining.ts'
import type { Piece, Previous } from './previous.ts'
import type { Steps } from './steps.ts'

/** A block that could not be written without losing words: its text is kept as it was, or its words are written plainly. */
export type Unwritten = { readonly block: string | undefined; readonly isKept: boolean }

export type WrittenPage = {
  /** The text of each step, and what it says. */
  readonly texts: readonly (PageText & { readonly says: readonly string[] })[]
  /** The definitions of new footnotes by their identifiers. */
  readonly added: ReadonlyMap<string, string>
  /** The identifiers of the footnotes that something in the page refers to. */
  readonly used: ReadonlySet<string>
  readonly unwritten: readonly Unwritten[]
}

export function orderTexts(before: Previous, { steps, unused }: Steps, written: WrittenPage): PageText[] {
  const others = otherPieces(before, unused.length > 0, written)
  const { head, above, behind } = placesOf(before.pieces, new Set(steps.map(step => step.piece)))
  const texts: PageText[] = head.flatMap(others.take)
  for (const text of written.texts) {
    const { piece } = text
    if (piece !== undefined) for (const one of above.get(piece) ?? []) texts.push(...others.take(one))
    if (text.text !== '') texts.push(text)
    if (piece !== undefined) for (const one of behind.get(piece) ?? []) texts.push(...others.take(one))
  }
  for (const text of others.rest()) texts.push({ text, piece: undefined, isKept: false })
  return texts
}

/** The pieces that are not blocks, as they are written: a footnote with its new words, or not at all. */
function otherPieces({ footnotes }: Previous, showsUnused: boolean, written: WrittenPage) {
  const known = new Set(footnotes.map(footnote => footnote.identifier))
  const added = new Map(written.added)
  const stays = ({ kind, defines }: Piece): boolean => {
    if (kind !== 'footnote') return true
    return defines !== undefined && known.has(defines) ? written.used.has(defines) : showsUnused
  }
  return {
    take: (piece: Piece): PageText[] => {
      const { kind, defines } = piece
      const changed = kind === 'footnote' && defines !== undefined ? added.get(defines) : undefined
      if (defines !== undefined && changed !== undefined) {
        added.delete(defines)
        return [{ text: changed, piece, isKept: false }]
      }
      return piece.text !== '' && stays(piece) ? [{ text: piece.text, piece, isKept: true }] : []
    },
    /** New footnotes that replace none. */
    rest: (): Iterable<string> => added.values(),
  }
}

/**
 * The places of the pieces that are not blocks: after the piece that they followed, or the last one before it that is
 * still there; a comment goes with the block below it.
 */
function placesOf(pieces: readonly Piece[], present: ReadonlySet<Piece | undefined>) {
  /** For each piece, the block below it, with only comments between. */
  const below = new Map<Piece, Piece | undefined>()
  let next: Piece | undefined
  for (const piece of pieces.toReversed()) {
    below.set(piece, next)
    if (piece.kind !== 'comment') next = piece.kind === 'blocks' ? piece : undefined
  }
  const head: Piece[] = []
  const above = new Map<Piece, Piece[]>()
  const behind = new Map<Piece, Piece[]>()
  let last: Piece | undefined
  for (const piece of pieces) {
    const follower = piece.kind === 'comment' ? below.get(piece) : undefined
    if (piece.kind === 'blocks') last = present.has(piece) ? piece : last
    else if (follower !== undefined && present.has(follower)) addUnder(above, follower, piece)
    else if (last === undefined) head.push(piece)
    else addUnder(behind, last, piece)
  }
  return { head, above, behind }
}
