// The steps that write a document over a page: pieces that stay, and runs of new blocks.
import type { Block } from '../document/document.ts'
import type { Match } from './matching.ts'
import type { Piece, Previous } from './previous.ts'

export type Step =
  /** A piece whose blocks all follow each other in the document as before. */
  | { readonly type: 'kept'; readonly blocks: readonly Block[]; readonly piece: Piece }
  /**
   * Blocks of the document; `piece` is the one that they replace, and `over` is the same if they are written over its
   * text.
   */
  | {
      readonly type: 'new'
      readonly blocks: Block[]
      readonly piece: Piece | undefined
      readonly over: Piece | undefined
    }

export type Steps = {
  readonly steps: readonly Step[]
  /** The last blocks, if they are the same unreferenced footnotes as before: their definitions stay. */
  readonly unused: readonly Block[]
}

export function planSteps(before: Previous, document: readonly Block[], matches: readonly Match[]): Steps {
  const unusedFrom = findUnused(before, matches)
  const pieceOf = new Map<number, Piece>()
  for (const piece of before.pieces)
    for (const nth of piece.says.keys()) pieceOf.set(piece.first + nth, piece)
  const steps: Step[] = []
  const replaced = new Set<Piece>()
  for (let index = 0; index < unusedFrom; ) {
    const match = matches[index]
    const found = match && pieceOf.get(match.was)
    const end = index + (found?.says.length ?? 1)
    // Only at its first block, so that a piece is searched once.
    const mayBeWhole = match?.was === found?.first && end <= unusedFrom
    if (found !== undefined && mayBeWhole && areAll(matches.slice(index, end), found.first)) {
      steps.push({ type: 'kept', blocks: document.slice(index, end), piece: found })
      index = end
      continue
    }
    const piece = found === undefined || replaced.has(found) ? undefined : found
    if (piece !== undefined) replaced.add(piece)
    const added = document.slice(index, index + 1)
    const last = steps.at(-1)
    // A new block goes with the one above, unless each takes the place of a piece.
    if (last?.type !== 'new' || (last.piece !== undefined && piece !== undefined))
      steps.push(newStep(added, piece))
    else {
      last.blocks.push(...added)
      if (piece !== undefined) steps[steps.length - 1] = newStep(last.blocks, piece)
    }
    index++
  }
  return { steps, unused: document.slice(unusedFrom) }
}

const newStep = (blocks: Block[], piece: Piece | undefined): Step => ({
  ...{ type: 'new', blocks, piece, over: piece },
})

/** Whether these are the blocks from `first` on, unchanged. */
const areAll = (matches: readonly Match[], first: number): boolean =>
  matches.every((match, nth) => match?.isSame && match.was === first + nth)

/** The index of the first unreferenced footnote; the end of the document if they are not the same as before. */
function findUnused({ nodes, unusedFootnotes }: Previous, matches: readonly Match[]): number {
  const from = matches.length - unusedFootnotes
  return from >= 0 && areAll(matches.slice(from), nodes.length - unusedFootnotes) ? from : matches.length
}

/** The same, without keeping the pieces that by themselves are not read as they were among the others. */
export function withoutOpenPieces({ steps, unused }: Steps, isClosed: (piece: Piece) => boolean): Steps {
  return {
    unused,
    steps: steps.map(step => {
      const piece = step.type === 'kept' ? step.piece : step.over
      if (piece === undefined || isClosed(piece)) return step
      return { type: 'new', blocks: [...step.blocks], piece: step.piece, over: undefined }
    }),
  }
}
