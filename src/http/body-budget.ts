// Memory for bodies: requests have shares of a budget, and a request for which nothing is left is refused.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Failure, unavailable } from '../base/errors.ts'

/** For bodies held whole while they arrive: eight of the largest that any route accepts. */
export const ARRIVING_BYTES_MAX = 256 * 1024 * 1024
/** For JSON bodies being processed: a parsed body takes some twenty times the memory of its text. */
export const PARSED_BYTES_MAX = 48 * 1024 * 1024

export interface BodyBudget {
  /** Adds to a request's share; false if other shares leave too little. A lone body is never refused. */
  take(request: FastifyRequest, bytes: number): boolean
  giveBack(request: FastifyRequest): void
}

export function createBodyBudget(bytesMax: number): BodyBudget {
  const shares = new Map<FastifyRequest, number>()
  let sum = 0
  return {
    take(request, bytes) {
      const share = shares.get(request) ?? 0
      if (sum > share && sum + bytes > bytesMax) return false
      shares.set(request, share + bytes)
      sum += bytes
      return true
    },
    giveBack(request) {
      sum -= shares.get(request) ?? 0
      shares.delete(request)
    },
  }
}

/**
 * Requests return their shares when they are answered. Work continues after a client leaves, and keeps its share
 * until it is done.
 */
export function returnShares(app: FastifyInstance, { giveBack }: BodyBudget): void {
  app.addHook('onSend', (request, _reply, payload, done) => {
    giveBack(request)
    done(null, payload)
  })
  // An answer written to the raw response skips `onSend`.
  app.addHook('onResponse', (request, _reply, done) => {
    giveBack(request)
    done()
  })
}

export const tooManyBodies = (): Failure =>
  unavailable(
    'overloaded',
    'The server is reading as many large bodies as it can. Try again in a few seconds.',
  )
