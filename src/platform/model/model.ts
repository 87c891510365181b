// The operator's language model. It reads and writes text: it has no tools, so nothing it reads can make it act.
// Every call has limits (time, bytes, tokens) and is counted.
import { Failure } from '../../base/errors.ts'
import type { ModelConfig } from '../config.ts'
import type { Db } from '../db/database.ts'
import { failed, modelOff, publicReason, tokensSpent } from './refusals.ts'
import { BYTES_OF_TOKEN, tokensOf } from './tokens.ts'
import { correctReservedUse, reserveUse } from './use.ts'
import { openWriter, type Writer } from './writers.ts'

export type Request = {
  /** Whose limit it counts towards. */
  readonly organizationId: string
  /** Instructions that the model has to follow, whatever the text says. */
  readonly rules: string
  readonly text: string
  readonly outputTokensMax: number
  readonly signal: AbortSignal
}

export interface LanguageModel {
  /**
   * The model's output, in pieces.
   *
   * Throws `unavailable`: `model_off` if the organization wants no language model (`ai` in its settings),
   * `model_spent` if it has used up its hour, `model_failed` if the model does not answer, breaks off or writes more
   * than requested. After an abort: the reason of the signal.
   */
  write(request: Request): AsyncGenerator<string>
}

// Per answer token. A token rarely has more characters, and an endpoint may ignore the requested limit.
const CHARACTERS_OF_TOKEN_MAX = 12

export function createModel(config: ModelConfig, db: Db): LanguageModel {
  let opening: Promise<Writer> | undefined
  return {
    async *write(request) {
      const { organizationId, outputTokensMax, signal } = request
      // The library is loaded once, outside the model's time.
      opening ??= openWriter(config)
      const write = await opening
      const inputTokens = tokensOf(request.rules) + tokensOf(request.text)
      const reserved = inputTokens + outputTokensMax
      const use = await reserveUse(db, organizationId, reserved, config.tokensPerHour)
      if (use === 'off') throw modelOff()
      if (use === 'spent') throw tokensSpent()
      const deadline = AbortSignal.timeout(config.secondsMax * 1000)
      let written = 0
      let counted: number | undefined
      try {
        for await (const piece of write({ ...request, signal: AbortSignal.any([signal, deadline]) })) {
          if (typeof piece !== 'string') {
            counted = piece.tokens
            continue
          }
          written += piece.length
          if (written > outputTokensMax * CHARACTERS_OF_TOKEN_MAX) throw failed('wrote more than requested')
          yield piece
        }
        signal.throwIfAborted()
        if (deadline.aborted) throw failed('did not answer in time')
      } catch (reason) {
        signal.throwIfAborted()
        if (reason instanceof Failure) throw reason
        throw failed(deadline.aborted ? 'did not answer in time' : publicReason(reason))
      } finally {
        const used = counted ?? inputTokens + Math.ceil(written / BYTES_OF_TOKEN)
        await correctReservedUse(db, use, { reserved, used })
      }
    },
  }
}
