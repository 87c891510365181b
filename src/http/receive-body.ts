// Bodies that are held whole while they arrive: each of at most as many bytes as its route takes, and all together
// within a budget. Fastify's own parsers know only the first bound.
import type { IncomingMessage } from 'node:http'
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import { ARRIVING_BYTES_MAX, type BodyBudget, createBodyBudget, tooManyBodies } from './body-budget.ts'
import { chunksOf } from './body-chunks.ts'

type ReceiveBody = (request: FastifyRequest, payload: IncomingMessage) => Promise<Buffer<ArrayBuffer>>

declare module 'fastify' {
  interface FastifyInstance {
    /** A body parser for routes that hold a body whole. */
    readonly receiveBody: ReceiveBody
  }
}

export function receiveBodies(app: FastifyInstance, arrivingBytesMax = ARRIVING_BYTES_MAX): void {
  app.decorate('receiveBody', bodyReceiver(createBodyBudget(arrivingBytesMax)))
}

/**
 * Of a body beyond its bound. After a refusal by a parser, Fastify closes the connection, and a client that still sends
 * loses the answer. Each of these bytes may be a chunk of its own, which costs some microseconds.
 */
export const DROPPED_BYTES_MAX = 8 * 1024 * 1024

/**
 * A parser that answers all bytes of a body. One that is refused is first read to its end and dropped, unless it is far
 * too large. A client with `Expect: 100-continue` sends like any other: Node tells it to before any of our code runs.
 *
 * @throws Failure unavailable `overloaded`; Fastify's errors of bodies that are too large or have another length.
 */
const bodyReceiver =
  (arriving: BodyBudget): ReceiveBody =>
  async (request, payload) => {
    const length = Number(request.headers['content-length'] ?? Number.NaN)
    const bytesMax = request.routeOptions.bodyLimit
    const readMax = bytesMax + DROPPED_BYTES_MAX
    if (length > readMax) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
    const chunks: Uint8Array[] = []
    let bytes = 0
    let isTooLarge = length > bytesMax
    let isOverloaded = false
    try {
      for await (const chunk of chunksOf(payload)) {
        bytes += chunk.length
        isTooLarge ||= bytes > bytesMax
        if (bytes > readMax) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
        isOverloaded ||= !isTooLarge && !arriving.take(request, chunk.length)
        if (!isTooLarge && !isOverloaded) chunks.push(chunk)
        else {
          chunks.length = 0
          arriving.giveBack(request)
        }
      }
    } finally {
      arriving.giveBack(request)
    }
    if (isTooLarge) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
    if (isOverloaded) throw tooManyBodies()
    if (!Number.isNaN(length) && bytes !== length) throw new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH()
    return Buffer.concat(chunks, bytes)
  }
