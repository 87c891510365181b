// How much of JSON bodies a process reads at once: what is parsed takes some twenty times the memory of its text.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { unavailable } from '../base/errors.ts'

const CHARACTERS_MAX = 48 * 1024 * 1024

export interface BodyBudget {
  /** Throws `unavailable` (overloaded) while too much else is read. A body alone is always read. */
  take(request: FastifyRequest, characters: number): void
}

/** A request returns its share with its answer. */
export function createBodyBudget(app: FastifyInstance, charactersMax = CHARACTERS_MAX): BodyBudget {
  const taken = new Map<FastifyRequest, number>()
  let sum = 0
  const giveBack = (request: FastifyRequest): void => {
    sum -= taken.get(request) ?? 0
    taken.delete(request)
  }
  app.addHook('onSend', (request, _reply, payload, done) => {
    giveBack(request)
    done(null, payload)
  })
  // An answer that is written by hand passes no `onSend`.
  app.addHook('onResponse', (request, _reply, done) => {
    giveBack(request)
    done()
  })
  return {
    take(request, characters) {
      if (sum > 0 && sum + characters > charactersMax)
        throw unavailable(
          'overloaded',
          'The server is reading as many large bodies as it can. Try again in a few seconds.',
        )
      taken.set(request, characters)
      sum += characters
    },
  }
}
