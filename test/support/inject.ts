// A request to a server that does not listen. A stream that has no end of its own is left after its first event.
import type { Readable } from 'node:stream'
import type { FastifyInstance, InjectOptions } from 'fastify'

const ENDLESS = /^\/v1\/stream(?:\?|$)/

export type Injected = {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly payload: string
}

export async function inject(app: FastifyInstance, request: InjectOptions): Promise<Injected> {
  if (!ENDLESS.test(String(request.url))) return app.inject(request)
  const answer = await app.inject({ ...request, payloadAsStream: true })
  const { statusCode, headers } = answer
  return { statusCode, headers, payload: await readFrame(answer.stream()) }
}

/** The first event, or the whole answer if there is none. */
async function readFrame(stream: Readable): Promise<string> {
  let text = ''
  for await (const chunk of stream) {
    text += chunk
    if (text.startsWith('data: ') && text.endsWith('\n\n')) break
  }
  stream.destroy()
  return text
}
