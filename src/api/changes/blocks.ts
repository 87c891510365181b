// How two documents differ, block by block, within bounds: comparing costs time and describing costs bytes, and one
// request can ask for a thousand changes.
import { assert } from '../../base/assert.ts'
import { charactersOf } from '../../compute/block-changes.ts'
import type { Hash } from '../../engines/content/records.ts'
import type { Services } from '../../http/context.ts'
import type { DocumentDetail } from './schema.ts'

/** Both sides of a document; null if a side has none. */
export type DocumentPair = { readonly before: Hash | null; readonly after: Hash | null }

export type BlockBounds = {
  /** Bytes of both sides of one compared document: a million of plain text take some 150 ms. */
  readonly documentBytesMax: number
  /** The same for all documents of an answer. */
  readonly comparedBytesMax: number
  /** Blocks described for one document. */
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

/** Describes documents one after the other, until the answer is full. */
export class BlockDescriber {
  readonly #compute: Services['compute']
  readonly #spaceId: string
  readonly #bounds: BlockBounds
  #bytesLeft: number
  #charactersLeft: number

  constructor(compute: Services['compute'], spaceId: string, bounds: BlockBounds = BLOCK_BOUNDS) {
    this.#compute = compute
    this.#spaceId = spaceId
    this.#bounds = bounds
    this.#bytesLeft = bounds.comparedBytesMax
    this.#charactersLeft = bounds.charactersMax
  }

  /** `bodies` has the documents of the pair. Without `blocks` for documents beyond the bounds. */
  async describe(pair: DocumentPair, bodies: ReadonlyMap<Hash, Uint8Array>): Promise<DocumentDetail> {
    const before = bodyOf(pair.before, bodies)
    const after = bodyOf(pair.after, bodies)
    const bytes = before.length + after.length
    if (bytes > Math.min(this.#bounds.documentBytesMax, this.#bytesLeft)) return {}
    this.#bytesLeft -= bytes
    const outcome = await this.#compute.run('blockChanges', this.#spaceId, {
      before: before.toString('utf8'),
      after: after.toString('utf8'),
      blocksMax: this.#bounds.blocksMax,
      charactersMax: this.#charactersLeft,
    })
    if (outcome.kind === 'beyond') return {}
    const { changes, more } = outcome.value
    for (const change of changes) this.#charactersLeft -= charactersOf(change)
    return { blocks: changes, ...(more === 0 ? {} : { moreBlocks: more }) }
  }
}

const NOTHING = Buffer.alloc(0)

function bodyOf(hash: Hash | null, bodies: ReadonlyMap<Hash, Uint8Array>): Buffer {
  if (hash === null) return NOTHING
  const body = bodies.get(hash)
  assert(body !== undefined, `document ${hash} of a revision is there`)
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}
