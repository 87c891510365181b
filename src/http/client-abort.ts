// Clients that leave before they are answered. Most work continues: it ends by itself, and its writes were asked for.
// Work that costs money while it runs watches this signal and ends.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Failure, unavailable } from '../base/errors.ts'

export interface ClientAborts {
  /** Aborted if the client leaves before it has received the whole reply, or when the server stops. */
  signalOf(reply: FastifyReply): AbortSignal
}

/** To be called before the server listens. */
export function trackClientAborts(app: FastifyInstance): ClientAborts {
  const present = new Set<AbortController>()
  app.addHook('preClose', done => {
    for (const controller of present) controller.abort(stopping())
    done()
  })
  return {
    signalOf({ raw }) {
      const controller = new AbortController()
      // `close` was emitted already, so a listener for it would never be called.
      if (raw.destroyed) {
        controller.abort(left())
        return controller.signal
      }
      present.add(controller)
      raw.once('close', () => {
        present.delete(controller)
        if (!raw.writableFinished) controller.abort(left())
      })
      return controller.signal
    },
  }
}

/** Whether a signal of `signalOf` is aborted because the server stops, and not because the client left. */
export const isStopping = ({ reason }: AbortSignal): boolean =>
  reason instanceof Failure && reason.code === 'stopping'

const left = () => unavailable('client_left', 'The client left before it was answered.')
const stopping = () => unavailable('stopping', 'The server is stopping. Try again in a few seconds.')
