// One version of a document as pieces: its blocks with the white space around them, each under an identity that it
// shares with the block of the base that it comes from.
import { assertDefined } from '../../base/assert.ts'
import { longestAscending } from '../../base/longest-ascending.ts'
import { diffDocuments, type SplitBlocks } from './block-diff.ts'
import { type Block, bareRange } from './block-pairs.ts'
import type { Budget } from './merge-budget.ts'

/** A block, or several that the merge treats as one, with the white space that separates it from its neighbours. */
export type Piece = {
  readonly before: string
  readonly bare: string
  readonly after: string
  /** The key of its first block. */
  readonly key: string
  readonly type: string
  /** Of a heading. */
  readonly level: number | undefined
  /** The ids of the blocks that it was joined from; its own otherwise. */
  readonly members: readonly string[]
}

/** The identity of frontmatter: there is at most one, so it keeps its identity however much it changes. */
export const FRONTMATTER = 'yaml'

type NonEmpty = readonly [string, ...string[]]

export class Pieces {
  readonly ids: readonly string[]
  readonly #pieces: ReadonlyMap<string, Piece>
  readonly #positions: ReadonlyMap<string, number>

  /** In their order. */
  constructor(pieces: ReadonlyMap<string, Piece>) {
    this.#pieces = pieces
    this.ids = [...pieces.keys()]
    this.#positions = new Map(this.ids.map((id, at) => [id, at]))
  }

  /** The white space after the last block; undefined without blocks. */
  get lastMargin(): string | undefined {
    const last = this.ids.at(-1)
    return last === undefined ? undefined : this.#pieces.get(last)?.after
  }

  has = (id: string): boolean => this.#pieces.has(id)
  piece = (id: string): Piece | undefined => this.#pieces.get(id)
  get = (id: string): Piece => assertDefined(this.#pieces.get(id), 'the document has this piece')
  positionOf = (id: string): number => assertDefined(this.#positions.get(id), 'the document has this piece')
  /** The next id; undefined for the last one and for unknown ids. */
  nextOf = (id: string): string | undefined => {
    const at = this.#positions.get(id)
    return at === undefined ? undefined : this.ids[at + 1]
  }

  /** Joins each group into one piece with the id of the group, in place of its first member. */
  join(groups: readonly { readonly id: string; readonly members: readonly string[] }[]): Pieces {
    const named = new Map<string, { id: string; members: NonEmpty } | undefined>()
    for (const { id, members } of groups) {
      const [first, ...others] = members
      if (first === undefined) continue
      named.set(first, { id, members: [first, ...others] })
      for (const other of others) named.set(other, undefined)
    }
    const joined = new Map<string, Piece>()
    for (const [id, piece] of this.#pieces) {
      const group = named.get(id)
      if (group !== undefined) joined.set(group.id, this.joined(group.members))
      else if (!named.has(id)) joined.set(id, piece)
    }
    return new Pieces(joined)
  }

  /** Renames these ids, as if they were not blocks of the base. */
  rename(ids: readonly string[], prefix: string): Pieces {
    const renamed = new Set(ids)
    return new Pieces(
      new Map([...this.#pieces].map(([id, piece]) => [renamed.has(id) ? `${prefix}+${id}` : id, piece])),
    )
  }

  /** Joins pieces into one; those that are not adjacent are separated by a blank line. */
  joined([firstId, ...others]: NonEmpty): Piece {
    const ids = [firstId, ...others]
    const [first, last] = [this.get(firstId), this.get(others.at(-1) ?? firstId)]
    let text = ''
    for (const [at, id] of ids.entries()) {
      const { before, bare, after } = this.get(id)
      const next = ids[at + 1]
      text += (at === 0 ? '' : before) + bare
      if (next !== undefined) text += this.nextOf(id) === next ? after : '\n\n'
    }
    return { ...first, bare: text, after: last.after, members: ids.flatMap(id => this.get(id).members) }
  }
}

/** The blocks of a text; the ids of those that are not in the base begin with the prefix. */
export function readPieces(
  prefix: string,
  text: string,
  blocks: SplitBlocks,
  idOf: (block: Block) => string | undefined = () => undefined,
): Pieces {
  const pieces = new Map<string, Piece>()
  let blank = ''
  let last: { readonly id: string; readonly piece: Piece } | undefined
  const put = (id: string, piece: Piece): void => {
    last = { id, piece }
    pieces.set(id, piece)
  }
  for (const block of blocks(text)) {
    const margins = apart(blank + text.slice(block.start, block.end))
    blank = ''
    // White space alone is not a block: it separates the previous block from the next.
    if (margins.bare === '' && last !== undefined) {
      put(last.id, { ...last.piece, after: last.piece.after + margins.before + margins.after })
      continue
    }
    if (margins.bare === '' && block.end < text.length) {
      blank = margins.before + margins.after
      continue
    }
    const id = block.type === FRONTMATTER ? FRONTMATTER : (idOf(block) ?? `${prefix}${block.start}`)
    put(id, { ...margins, key: block.key, type: block.type, level: block.level, members: [id] })
  }
  return new Pieces(pieces)
}

/** The blocks of a side, under the ids of the blocks of the base that they come from. */
export function readSide(
  prefix: string,
  texts: { readonly base: string; readonly side: string },
  blocks: SplitBlocks,
  budget: Budget,
): Pieces {
  const pairs = new Map<number, string>()
  for (const change of diffDocuments(texts.base, texts.side, blocks, budget)) {
    if (change.kind === 'inserted' || change.kind === 'removed') continue
    if (change.before.type !== FRONTMATTER && change.after.type !== FRONTMATTER)
      pairs.set(change.after.start, `${BASE}${change.before.start}`)
  }
  return readPieces(prefix, texts.side, blocks, block => pairs.get(block.start))
}

/** The prefix of blocks of the base. */
export const BASE = 'b'

/** The longest run of blocks of both versions in the order of the base. */
export function longestCommonOrder(base: Pieces, side: Pieces): ReadonlySet<string> {
  const both = base.ids.filter(side.has)
  return new Set(longestAscending(both, side.positionOf))
}

/** Splits off the blank lines before a block and the white space after it. */
function apart(text: string): { before: string; bare: string; after: string } {
  const { start, end } = bareRange(text)
  return { before: text.slice(0, start), bare: text.slice(start, end), after: text.slice(end) }
}
