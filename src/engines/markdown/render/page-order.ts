// The pieces of a page in their order: kept and new blocks, and between them what became no block and stays.
import type { PageText } from './page-joining.ts'
import type { Piece, Previous } from './previous.ts'
import type { Steps } from './steps.ts'

export type Written = {
  /** The text of each step, and what it says; a step that is kept has neither. */
  readonly parts: readonly Part[]
  /** The definitions of new notes by their identifiers. */
  readonly added: ReadonlyMap<string, string>
  /** The identifiers of the notes that something in the page refers to. */
  readonly used: ReadonlySet<string>
}

export type Part = { readonly text: string; readonly says: readonly string[] }

export function orderTexts(before: Previous, { steps, showsUnused }: Steps, written: Written): PageText[] {
  const { pieces } = before
  const silent = silentPieces(before, showsUnused, written)
  const { head, above, behind } = placesOf(pieces, new Set(steps.map(step => step.piece)))
  const texts: PageText[] = head.flatMap(silent.take)
  for (const [index, step] of steps.entries()) {
    const { piece } = step
    const gap = piece === undefined ? undefined : pieces[piece]!.gap
    const isKept = step.type === 'kept'
    const text = isKept ? pieces[step.piece]!.text : written.parts[index]!.text
    if (piece !== undefined) for (const one of above.get(piece) ?? []) texts.push(...silent.take(one))
    if (text !== '') texts.push({ text, from: piece, to: piece, gap, isKept })
    if (piece !== undefined) for (const one of behind.get(piece) ?? []) texts.push(...silent.take(one))
  }
  for (const text of silent.rest())
    texts.push({ text, from: undefined, to: undefined, gap: undefined, isKept: false })
  return texts
}

/** The pieces that became no block, as they are to stand: a note in its new words, or not at all. */
function silentPieces({ pieces, notes }: Previous, showsUnused: boolean, written: Written) {
  const known = new Set(notes.map(note => note.identifier))
  const added = new Map(written.added)
  const textOf = ({ kind, text, defines }: Piece): { text: string; isKept: boolean } => {
    if (kind !== 'note') return { text, isKept: true }
    const changed = defines === undefined ? undefined : added.get(defines)
    if (changed !== undefined) {
      added.delete(defines!)
      return { text: changed, isKept: false }
    }
    const stays = defines !== undefined && known.has(defines) ? written.used.has(defines) : showsUnused
    return { text: stays ? text : '', isKept: true }
  }
  return {
    take: (index: number): PageText[] => {
      const piece = pieces[index]!
      const { text, isKept } = textOf(piece)
      return text === '' ? [] : [{ text, from: index, to: index, gap: piece.gap, isKept }]
    },
    /** New notes that take the place of none. */
    rest: (): Iterable<string> => added.values(),
  }
}

type Places = {
  readonly head: number[]
  readonly above: Map<number, number[]>
  readonly behind: Map<number, number[]>
}

/**
 * Where the pieces go that became no block: behind the one they stood behind, or behind the last before it that is
 * there; a comment goes with the block below it.
 */
function placesOf(pieces: readonly Piece[], present: ReadonlySet<number | undefined>): Places {
  const places: Places = { head: [], above: new Map(), behind: new Map() }
  const put = (map: Map<number, number[]>, at: number, piece: number): void => {
    const found = map.get(at)
    if (found === undefined) map.set(at, [piece])
    else found.push(piece)
  }
  /** For each piece the block below it, with nothing but comments between. */
  const below: (number | undefined)[] = []
  for (let index = pieces.length - 1; index >= 0; index--) {
    const next = pieces[index + 1]
    below[index] =
      next?.kind === 'blocks' ? index + 1 : next?.kind === 'comment' ? below[index + 1] : undefined
  }
  let last: number | undefined
  for (const [index, { kind }] of pieces.entries()) {
    const next = kind === 'comment' ? below[index] : undefined
    if (kind === 'blocks') last = present.has(index) ? index : last
    else if (next !== undefined && present.has(next)) put(places.above, next, index)
    else if (last === undefined) places.head.push(index)
    else put(places.behind, last, index)
  }
  return places
}
