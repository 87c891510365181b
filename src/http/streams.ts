// Answers sent piece by piece, as Server-Sent Events
// (https://html.spec.whatwg.org/multipage/server-sent-events.html), framed as the public client reads them: unnamed
// events with one JSON object each, then `done`, or `error` with the usual error body.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { toErrorReply } from './failures.ts'
import { type Download, JSON_TYPE } from './replies.ts'

export const STREAM_TYPE = 'text/event-stream'

// Proxies close idle connections; readers ignore a line that begins with a colon.
const QUIET_MS_MAX = 15_000
const COMMENT = ': still at work\n\n'

/**
 * Sends events as they arrive and no faster than the client reads. A failure before the first event throws, so that
 * it is refused like any other request; a later one is an event of the stream.
 */
export async function sendStream(
  reply: FastifyReply,
  request: FastifyRequest,
  events: AsyncIterable<unknown>,
  write: (event: unknown) => string,
  quietMsMax = QUIET_MS_MAX,
) {
  const rest = events[Symbol.asyncIterator]()
  const first = await rest.next()
  return reply
    .code(200)
    .headers({
      'content-type': `${STREAM_TYPE}; charset=utf-8`,
      // Neither cached, nor compressed, nor buffered on the way (the last is nginx's header).
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      // Otherwise a stopping server would wait for the connection to fall idle.
      connection: 'close',
    })
    .send(
      Readable.from(framesOf(request, first, rest, write, quietMsMax), {
        objectMode: false,
        highWaterMark: 1,
      }),
    )
}

/** Sends a file no faster than the client reads. A failure ends the connection, so that half of it is not taken for all. */
export const sendDownload = (reply: FastifyReply, { fileName, pieces }: Download) =>
  reply
    .code(200)
    .headers({
      'content-type': JSON_TYPE,
      'content-disposition': `attachment; filename="${fileName}"`,
      'cache-control': 'no-store',
      connection: 'close',
    })
    .send(Readable.from(pieces, { objectMode: false, highWaterMark: 1 }))

async function* framesOf(
  request: FastifyRequest,
  first: IteratorResult<unknown>,
  rest: AsyncIterator<unknown>,
  write: (event: unknown) => string,
  quietMsMax: number,
): AsyncGenerator<string> {
  try {
    for (let coming = Promise.resolve(first); ; coming = rest.next()) {
      for (;;) {
        const event = await within(quietMsMax, coming)
        if (event === undefined) {
          yield COMMENT
          continue
        }
        if (event.done === true) return yield 'event: done\ndata: {}\n\n'
        yield `data: ${write(event.value)}\n\n`
        break
      }
    }
  } catch (error) {
    const { body, isBug } = toErrorReply(error)
    if (isBug) request.log.error({ err: error, route: request.routeOptions.url }, 'bug')
    yield `event: error\ndata: ${JSON.stringify(body)}\n\n`
  } finally {
    await rest.return?.()
  }
}

/** The result, or undefined if it does not arrive in time. */
async function within<T>(milliseconds: number, coming: Promise<T>): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), milliseconds)
  try {
    return await Promise.race([coming, late])
  } finally {
    clearTimeout(timer)
  }
}
