// How long a request may take to arrive: a minute, and longer for a body whose route watches its pace itself. Node
// has only one such bound for a whole server.
import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { monotonicMs } from '../base/clock.ts'
import { type Failure, unavailable } from '../base/errors.ts'
import { clientLeft } from './body-chunks.ts'
import { answerBrokenRequest } from './broken-requests.ts'

const REQUEST_MS_MAX = 60_000
/** For any request: Node ends slower ones. */
export const SLOW_REQUEST_MS_MAX = 75 * 60_000
// Time for a client that is still sending to read the answer.
const ANSWER_MS_MAX = 2_000

const timers = new WeakMap<Readable, NodeJS.Timeout>()

/** Every request of `app` has to arrive within `msMax`, or is answered 408. */
export function limitRequestTime(app: FastifyInstance, msMax = REQUEST_MS_MAX): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    // An injected request has no connection that could be slow.
    if (!hasBody(raw) || !(raw.socket instanceof Socket)) return done()
    const begin = () => {
      clearTimeout(timers.get(raw))
      if (raw.complete) return
      timers.set(raw, setTimeout(() => end(raw, reply.raw.headersSent), msMax).unref())
    }
    const forget = () => clearTimeout(timers.get(raw))
    begin()
    raw.once('end', forget).once('close', forget)
    // Node reads the rest of a refused body.
    reply.raw.once('finish', begin)
    done()
  })
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

function end({ complete, socket }: IncomingMessage, isAnswered: boolean): void {
  if (complete || socket.destroyed) return
  if (isAnswered) return void socket.destroy()
  answerBrokenRequest({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket)
  setTimeout(() => socket.destroy(), ANSWER_MS_MAX).unref()
}

export type Pace = {
  /** Of waiting for bytes. */
  readonly windowMs: number
  /** The least that has to arrive in each window. */
  readonly bytesMin: number
  /** From the first byte to the last. */
  readonly totalMsMax: number
}

/** For whole repositories and files: 1,000 bytes a second. git itself gives up on slower transfers. */
export const UPLOAD_PACE: Pace = { windowMs: 60_000, bytesMin: 60_000, totalMsMax: 60 * 60_000 }

/**
 * The body as it arrives, as long as it keeps the pace. Only time spent waiting for bytes counts. Once the reader
 * stops, the rest is dropped.
 *
 * @throws Failure unavailable `request_too_slow`, `client_left`.
 */
export async function* readAtPace(
  body: Readable,
  { windowMs, bytesMin, totalMsMax }: Pace,
): AsyncGenerator<Uint8Array> {
  clearTimeout(timers.get(body))
  const chunks = body.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]()
  const until = monotonicMs() + totalMsMax
  let waited = 0
  let bytes = 0
  try {
    for (;;) {
      const next = chunks.next()
      // A client that leaves after its time was over rejects what nobody waits for any more.
      next.catch(() => {})
      let answer: IteratorResult<Uint8Array> | undefined
      while (answer === undefined) {
        const began = monotonicMs()
        if (began >= until) throw tooSlow()
        answer = await within(next, Math.min(windowMs - waited, until - began)).catch(cause => {
          throw clientLeft(cause)
        })
        waited += monotonicMs() - began
        if (waited < windowMs) continue
        if (bytes + (answer?.value?.length ?? 0) < bytesMin && answer?.done !== true) throw tooSlow()
        waited = 0
        bytes = 0
      }
      if (answer.done === true) return
      bytes += answer.value.length
      yield answer.value
    }
  } finally {
    // Destroying the body would close the connection, and its sender would not learn why. Nothing flows while the
    // iterator listens for `readable`, and it stops listening only at its next chunk.
    body.removeAllListeners('readable')
    body.resume()
  }
}

/** Undefined if it takes longer than `ms`. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), Math.max(0, ms))
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

const tooSlow = (): Failure =>
  unavailable('request_too_slow', 'The request arrived too slowly. Send it again, or in smaller parts.')
