// Pictures made smaller, in a thread with bounds on time and memory that ends when its user does: pictures come from
// strangers, and what a codec took of memory it never gives back.
import { Thread } from '../pool/thread.ts'
import type { Scaled, ScaledType } from './scale-tasks.ts'

export type Size = { readonly width: number; readonly height: number }

export interface Scaler extends AsyncDisposable {
  /** The picture in this size; undefined if it cannot be scaled. One at a time. */
  scale(bytes: Uint8Array<ArrayBuffer>, contentType: ScaledType, size: Size): Promise<Uint8Array | undefined>
}

/** Processor time for a picture; one of 40 million pixels takes some five seconds. */
const MILLISECONDS_MAX = 15_000
/** The pixels before and after; the memory of the codecs has a bound of its own. */
const HEAP_MEGABYTES_MAX = 512
const SCALED = new Set(['image/jpeg', 'image/png', 'image/webp'])

export const isScaled = (contentType: string): contentType is ScaledType => SCALED.has(contentType)

/** The size within a box, which keeps the shape of the picture and never enlarges it. */
export function sizeWithin({ width, height }: Size, most: Size): Size {
  const factor = Math.min(1, most.width / width, most.height / height)
  return {
    width: Math.max(1, Math.round(width * factor)),
    height: Math.max(1, Math.round(height * factor)),
  }
}

export function createScaler(millisecondsMax = MILLISECONDS_MAX): Scaler {
  let thread: Thread | undefined
  return {
    async scale(bytes, contentType, size) {
      if (thread === undefined || thread.isEnded) {
        await thread?.end()
        thread = new Thread(new URL('./scale-tasks.ts', import.meta.url), HEAP_MEGABYTES_MAX)
      }
      // The thread runs one task, which answers a `Scaled`.
      const outcome = await thread.run({
        task: 'scale',
        input: { bytes, contentType, ...size },
        transfer: [bytes.buffer],
        millisecondsMax,
      })
      if (outcome.kind === 'beyond') return undefined
      const scaled = outcome.value as Scaled
      return scaled.kind === 'done' ? scaled.bytes : undefined
    },
    async [Symbol.asyncDispose]() {
      await thread?.end()
    },
  }
}
