// What a page is made of when a document is written over it: pieces that stay, and runs of blocks that are new.
import type { Match } from './matching.ts'
import type { Piece, Previous } from './previous.ts'

export type Step =
  /** A piece all of whose nodes stand together in the document as they did. */
  | { readonly type: 'kept'; readonly nodes: readonly number[]; readonly piece: number }
  /**
   * Nodes of the document by their index; `piece` is the one that they take the place of, and `over` the same where they
   * are written over its text.
   */
  | {
      readonly type: 'new'
      readonly nodes: readonly number[]
      readonly piece: number | undefined
      readonly over: number | undefined
    }

export type Steps = {
  readonly steps: readonly Step[]
  /** From this node on the document ends with the notes that nothing refers to, as it did: their definitions stay. */
  readonly unusedFrom: number
  readonly showsUnused: boolean
}

export function planSteps(before: Previous, matches: readonly Match[]): Steps {
  const unusedFrom = findUnused(before, matches)
  const pieceOf: number[] = []
  for (const [index, { first, count }] of before.pieces.entries())
    for (let node = first; node < first + count; node++) pieceOf[node] = index
  const steps: Step[] = []
  const replaced = new Set<number>()
  for (let index = 0; index < unusedFrom; ) {
    const match = matches[index]
    const number = match && pieceOf[match.was]
    const piece = number === undefined ? undefined : before.pieces[number]!
    if (
      piece !== undefined &&
      isWhole(matches.slice(index, Math.min(index + piece.count, unusedFrom)), piece)
    ) {
      const nodes = Array.from({ length: piece.count }, (_, nth) => index + nth)
      steps.push({ type: 'kept', nodes, piece: number! })
      index += piece.count
      continue
    }
    const place = number === undefined || replaced.has(number) ? undefined : number
    if (place !== undefined) replaced.add(place)
    const last = steps.at(-1)
    // A new block goes with the one above, unless each takes the place of a piece.
    if (last?.type === 'new' && (last.piece === undefined || place === undefined))
      steps[steps.length - 1] = newStep([...last.nodes, index], last.piece ?? place)
    else steps.push(newStep([index], place))
    index++
  }
  return { steps, unusedFrom, showsUnused: unusedFrom < matches.length }
}

const newStep = (nodes: readonly number[], piece: number | undefined): Step => ({
  type: 'new',
  nodes,
  piece,
  over: piece,
})

const isWhole = (matches: readonly Match[], { first, count }: Piece): boolean =>
  matches.length === count && matches.every((match, nth) => match?.isSame && match.was === first + nth)

/** Where the document's last nodes are all the notes that nothing refers to; its end where it has other ones. */
function findUnused({ nodes, unusedNotes }: Previous, matches: readonly Match[]): number {
  const from = matches.length - unusedNotes
  const first = nodes.length - unusedNotes
  if (from < 0) return matches.length
  const areAll = matches.slice(from).every((match, nth) => match?.isSame && match.was === first + nth)
  return areAll ? from : matches.length
}

/** The same, with nothing kept of the pieces that are not read by themselves as they were among the others. */
export function withoutOpenPieces({ steps, ...rest }: Steps, isClosed: (piece: number) => boolean): Steps {
  return {
    ...rest,
    steps: steps.map(step => {
      const piece = step.type === 'kept' ? step.piece : step.over
      if (piece === undefined || isClosed(piece)) return step
      return { type: 'new', nodes: step.nodes, piece: step.piece, over: undefined }
    }),
  }
}
