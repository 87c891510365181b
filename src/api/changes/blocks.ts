// How two documents differ, told by their blocks, within bounds: comparing costs time and telling costs bytes, and who
// asks for a thousand changes may not have both without end.
import { setImmediate as letOthersRun } from 'node:timers/promises'
import { assert } from '../../base/assert.ts'
import {
  type Block,
  type BlockChange as BlockDifference,
  diffDocuments,
} from '../../engines/content/block-diff.ts'
import { withoutMargins } from '../../engines/content/block-pairs.ts'
import type { Hash } from '../../engines/content/records.ts'
import { blocks } from '../../engines/markdown/blocks.ts'
import type { BlockChange, DocumentDetail } from './schema.ts'

/** Both sides of a document; null where there is none. */
export type DocumentPair = { readonly before: Hash | null; readonly after: Hash | null }

export type BlockBounds = {
  /** Bytes of both sides of one document that is compared: some 150 ms for a million of plain text. */
  readonly documentBytesMax: number
  /** The same of all documents of an answer. */
  readonly comparedBytesMax: number
  /** Blocks told of one document. */
  readonly blocksMax: number
  /** Characters of Markdown in all blocks of an answer. */
  readonly charactersMax: number
}

export const BLOCK_BOUNDS: BlockBounds = {
  documentBytesMax: 1_000_000,
  comparedBytesMax: 4_000_000,
  blocksMax: 500,
  charactersMax: 1_000_000,
}

/** Tells of documents one after the other, until an answer has had its share. */
export class BlockTelling {
  readonly #bounds: BlockBounds
  #bytesLeft: number
  #charactersLeft: number

  constructor(bounds: BlockBounds = BLOCK_BOUNDS) {
    this.#bounds = bounds
    this.#bytesLeft = bounds.comparedBytesMax
    this.#charactersLeft = bounds.charactersMax
  }

  /** `bodies` has the documents of the pair. Without `blocks` for documents beyond the bounds. */
  async tell(pair: DocumentPair, bodies: ReadonlyMap<Hash, Uint8Array>): Promise<DocumentDetail> {
    const before = bodyOf(pair.before, bodies)
    const after = bodyOf(pair.after, bodies)
    const bytes = before.length + after.length
    if (bytes > Math.min(this.#bounds.documentBytesMax, this.#bytesLeft)) return {}
    this.#bytesLeft -= bytes
    await letOthersRun()
    return this.#cut(differences(before.toString('utf8'), after.toString('utf8')))
  }

  /** Those that are told; what is beyond a bound, and all after it, is counted. */
  #cut(changes: readonly BlockChange[]): DocumentDetail {
    const told: BlockChange[] = []
    for (const change of changes) {
      const characters = (change.before?.markdown.length ?? 0) + (change.after?.markdown.length ?? 0)
      if (told.length === this.#bounds.blocksMax || characters > this.#charactersLeft) break
      this.#charactersLeft -= characters
      told.push(change)
    }
    const more = changes.length - told.length
    return { blocks: told, ...(more === 0 ? {} : { moreBlocks: more }) }
  }
}

const NOTHING = Buffer.alloc(0)

function bodyOf(hash: Hash | null, bodies: ReadonlyMap<Hash, Uint8Array>): Buffer {
  if (hash === null) return NOTHING
  const body = bodies.get(hash)
  assert(body !== undefined, `document ${hash} of a revision is there`)
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}

/** In the order of the new document, a removed block where it stood. Blank lines alone are no difference. */
function differences(before: string, after: string): BlockChange[] {
  const side = (text: string, { key, type, start, end }: Block) => ({
    key,
    type,
    markdown: withoutMargins(text.slice(start, end)),
  })
  const toChange = (change: BlockDifference): BlockChange[] => {
    if (change.kind === 'equal') return []
    const sides = {
      ...('before' in change ? { before: side(before, change.before) } : {}),
      ...('after' in change ? { after: side(after, change.after) } : {}),
    }
    if ((sides.before?.markdown ?? '') === '' && (sides.after?.markdown ?? '') === '') return []
    return [
      { kind: change.kind, ...('isMoved' in change && change.isMoved ? { moved: true } : {}), ...sides },
    ]
  }
  return diffDocuments(before, after, blocks).flatMap(toChange)
}
