// The chunks of a body, as its client sends them.
import type { Readable } from 'node:stream'
import { type Failure, unavailable } from '../base/errors.ts'

/**
 * Once the reader stops, the rest is dropped: to destroy it would close the connection before the answer.
 *
 * @throws Failure unavailable `client_left`.
 */
export async function* chunksOf(body: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* body.iterator({ destroyOnReturn: false })
  } catch (cause) {
    throw clientLeft(cause)
  } finally {
    body.resume()
  }
}

export const clientLeft = (cause: unknown): Failure =>
  unavailable('client_left', 'The request ended before all of it had arrived. Send it again.', cause)
