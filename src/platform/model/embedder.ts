// Embeddings: texts as vectors that lie close together if the texts mean the same. Calls have a time limit and are
// counted like those of the language model.
import { Failure } from '../../base/errors.ts'
import type { ModelConfig } from '../config.ts'
import type { Db } from '../db/database.ts'
import { failed, modelOff, publicReason, tokensSpent } from './refusals.ts'
import { tokensOf } from './tokens.ts'
import { correctReservedUse, reserveUse } from './use.ts'
import { type Embed, openEmbed } from './writers.ts'

export type EmbedRequest = {
  /** Whose limit it counts towards. */
  readonly organizationId: string
  readonly texts: readonly string[]
  /** The share of the organization's limit that these calls may use; the rest is for other calls. */
  readonly shareMax: number
  readonly secondsMax: number
  readonly signal: AbortSignal
}

export interface Embedder {
  /** Vectors of different models cannot be compared. */
  readonly model: string
  /**
   * A vector for each text, all of one length, in signed bytes: only their angles matter, and a byte is precise
   * enough for those.
   *
   * Throws `unavailable`: `model_off` if the organization wants no language model, `model_spent` if it has used up
   * its hour, `model_failed` if the endpoint does not answer, or not with a vector for each text. After an abort: the
   * reason of the signal.
   */
  embed(request: EmbedRequest): Promise<Int8Array[]>
}

const DIMENSIONS_MAX = 4_096

export function createEmbedder(config: ModelConfig, model: string, db: Db): Embedder {
  let opening: Promise<Embed> | undefined
  return {
    model,
    async embed({ organizationId, texts, shareMax, secondsMax, signal }) {
      if (texts.length === 0) return []
      // The library is loaded once, outside the model's time.
      opening ??= openEmbed(config, model)
      const embed = await opening
      const reserved = texts.reduce((sum, text) => sum + tokensOf(text), 0)
      const use = await reserveUse(db, organizationId, reserved, Math.ceil(config.tokensPerHour * shareMax))
      if (use === 'off') throw modelOff()
      if (use === 'spent') throw tokensSpent()
      const deadline = AbortSignal.timeout(secondsMax * 1000)
      let counted = reserved
      try {
        const { vectors, tokens } = await embed(texts, AbortSignal.any([signal, deadline]))
        counted = tokens ?? reserved
        return toBytes(vectors, texts.length)
      } catch (reason) {
        signal.throwIfAborted()
        if (reason instanceof Failure) throw reason
        throw failed(deadline.aborted ? 'did not answer in time' : publicReason(reason))
      } finally {
        await correctReservedUse(db, use, { reserved, used: counted })
      }
    },
  }
}

const BYTE_MAX = 127

/** Throws as `embed` does unless there is one valid vector for each text. */
export function toBytes(vectors: readonly (readonly number[])[], texts: number): Int8Array[] {
  const dimensions = vectors[0]?.length ?? 0
  if (vectors.length !== texts) throw failed('gave a different number of vectors than texts')
  if (dimensions === 0 || dimensions > DIMENSIONS_MAX) throw failed(`gave vectors of ${dimensions} numbers`)
  return vectors.map(vector => {
    if (vector.length !== dimensions) throw failed('gave vectors of different lengths')
    let largest = 0
    for (const value of vector) largest = Math.max(largest, Math.abs(value))
    // NaN fails both comparisons.
    if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) throw failed('gave an invalid vector')
    return Int8Array.from(vector, value => Math.round((value / largest) * BYTE_MAX))
  })
}
