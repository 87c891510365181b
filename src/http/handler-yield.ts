// Requests that come at once share the slices of long work: what each does before it waits for something would add up to
// one hold, as when a browser opens many pages.
import type { FastifyInstance } from 'fastify'
import { isSliceOver, pause } from '../base/slices.ts'

/** To be called before routes are added. */
export function yieldBeforeHandlers(app: FastifyInstance): void {
  app.addHook('preHandler', (_request, _reply, done) => {
    if (isSliceOver()) void pause().then(() => done())
    else done()
  })
}
