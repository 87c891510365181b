import type { Hash } from 'node:crypto'

/** Passes bytes on, and adds them to `hash` as they go by. */
export async function* hashed(bytes: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    hash.update(chunk)
    yield chunk
  }
}
