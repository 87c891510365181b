// The last time of a server: it says that it is going, while it still answers.
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    readonly drain: Drain
  }
}

class Drain {
  #hasBegun = false

  /** From now on `/readyz` refuses, so that no new work is sent here, and each answer is the last of its connection. */
  begin(): void {
    this.#hasBegun = true
  }

  get hasBegun(): boolean {
    return this.#hasBegun
  }
}

/** To be called before routes are added. */
export function closeConnectionsInDrain(app: FastifyInstance): void {
  const drain = new Drain()
  app.decorate('drain', drain)
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (drain.hasBegun) reply.header('connection', 'close')
    done(null, payload)
  })
}
