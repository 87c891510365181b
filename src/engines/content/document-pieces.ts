// One version of a document taken apart: its blocks, each with the white space that parts it from its neighbours, under
// an identity that it shares with the block of the base that it was.
import { diffDocuments, type SplitBlocks } from './block-diff.ts'
import type { Block } from './block-pairs.ts'
import type { Budget } from './merge-budget.ts'

/** A block with the white space that parts it from its neighbours. */
export type Piece = { readonly before: string; readonly bare: string; readonly after: string }

/** The identity of frontmatter: there is at most one, however little is left of what it was. */
export const FRONTMATTER = 'yaml'

export class Pieces {
  readonly ids: string[] = []
  readonly #pieces = new Map<string, Piece>()
  readonly #keys = new Map<string, string>()
  readonly #next = new Map<string, string | undefined>()
  readonly #byStart = new Map<number, string>()

  constructor(
    prefix: string,
    text: string,
    blocks: SplitBlocks,
    idOf?: (block: Block) => string | undefined,
  ) {
    let blank = ''
    for (const block of blocks(text)) {
      const piece = apart(blank + text.slice(block.start, block.end))
      blank = ''
      const last = this.ids.at(-1)
      // White space alone is no block: it parts the one before it from the next.
      if (piece.bare === '' && last !== undefined) {
        const before = this.#pieces.get(last) as Piece
        this.#pieces.set(last, { ...before, after: before.after + textOf(piece) })
        continue
      }
      if (piece.bare === '' && block.end < text.length) {
        blank = textOf(piece)
        continue
      }
      const id = block.type === FRONTMATTER ? FRONTMATTER : (idOf?.(block) ?? `${prefix}${block.start}`)
      const previous = this.ids.at(-1)
      if (previous !== undefined) this.#next.set(previous, id)
      this.ids.push(id)
      this.#pieces.set(id, piece)
      this.#keys.set(id, block.key)
      this.#byStart.set(block.start, id)
    }
  }

  static of(prefix: string, text: string, base: Pieces, blocks: SplitBlocks, budget: Budget): Pieces {
    if (text === base.text) return base
    const pairs = new Map<number, string>()
    for (const change of diffDocuments(base.text, text, blocks, budget)) {
      if (change.kind === 'inserted' || change.kind === 'removed') continue
      if (change.before.type === FRONTMATTER) continue
      pairs.set(change.after.start, base.#byStart.get(change.before.start) as string)
    }
    return new Pieces(prefix, text, blocks, block => pairs.get(block.start))
  }

  get text(): string {
    return this.ids.map(id => textOf(this.#pieces.get(id) as Piece)).join('')
  }

  /** The white space behind the last block; undefined where there is none. */
  get lastMargin(): string | undefined {
    const last = this.ids.at(-1)
    return last === undefined ? undefined : this.#pieces.get(last)?.after
  }

  has = (id: string): boolean => this.#pieces.has(id)
  piece = (id: string): Piece | undefined => this.#pieces.get(id)
  keyOf = (id: string): string | undefined => this.#keys.get(id)
  /** What stands behind it; undefined for the last and for what is not there. */
  nextOf = (id: string): string | undefined => this.#next.get(id)
}

const textOf = ({ before, bare, after }: Piece): string => before + bare + after

const isSpace = (sign: string | undefined): boolean =>
  sign === ' ' || sign === '\t' || sign === '\n' || sign === '\r'

/** A block without blank lines before it and white space after it, and both of these. */
function apart(text: string): Piece {
  let end = text.length
  while (end > 0 && isSpace(text[end - 1])) end--
  let start = 0
  for (let at = 0; at < end && isSpace(text[at]); at++) if (text[at] === '\n') start = at + 1
  return { before: text.slice(0, start), bare: text.slice(start, end), after: text.slice(end) }
}
