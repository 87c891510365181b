// Bodies that are held whole while they arrive: each of at most as many bytes as its route takes, and all together within a
// budget. Fastify's own parsers know only the first bound.
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { errorCodes, type FastifyRequest } from 'fastify'
import { type BodyBudget, tooManyBodies } from './body-budget.ts'
import { clientLeft } from './request-time.ts'

export type ReceiveBody = (request: FastifyRequest, payload: IncomingMessage) => Promise<Buffer<ArrayBuffer>>

/**
 * A parser that answers all bytes of a body.
 *
 * @throws Failure unavailable `overloaded`, once the rest is read and dropped: a client that still sends reads no answer.
 */
export const bodyReceiver =
  (arriving: BodyBudget): ReceiveBody =>
  async (request, payload) => {
    const length = Number(request.headers['content-length'] ?? Number.NaN)
    const bytesMax = request.routeOptions.bodyLimit
    if (length > bytesMax) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
    const chunks: Uint8Array[] = []
    let bytes = 0
    let isRefused = false
    try {
      for await (const chunk of chunksOf(payload)) {
        bytes += chunk.length
        if (bytes > bytesMax) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
        if (!isRefused && arriving.take(request, chunk.length)) chunks.push(chunk)
        else {
          isRefused = true
          chunks.length = 0
          arriving.giveBack(request)
        }
      }
    } finally {
      arriving.giveBack(request)
    }
    if (isRefused) throw tooManyBodies()
    if (!Number.isNaN(length) && bytes !== length) throw new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH()
    return Buffer.concat(chunks, bytes)
  }

/** Where it is not read to its end, the rest is dropped: to destroy it would close the connection before the answer. */
export async function* chunksOf(payload: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* payload.iterator({ destroyOnReturn: false })
  } catch (cause) {
    throw clientLeft(cause)
  } finally {
    payload.resume()
  }
}
