// A receiver of webhooks on loopback that keeps what it was sent, and answers as configured.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

export type Received = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the body should have
  readonly body: any
}

export type Answer = (response: ServerResponse, received: Received) => void

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** How it answers from now on; by default with 204. */
  answer(how: Answer): void
  /** Resolves with what was received, once it is `count`. */
  has(count: number): Promise<readonly Received[]>
}

const ok: Answer = response => void response.writeHead(204).end()

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let how = ok
  let waiting: (() => void)[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const one = { path: request.url ?? '', headers: request.headers, text, body: parse(text) }
    received.push(one)
    how(response, one)
    for (const resume of waiting.splice(0)) resume()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer(next) {
      how = next
    },
    async has(count) {
      while (received.length < count) await new Promise<void>(resolve => (waiting = [...waiting, resolve]))
      return received
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Checks it as the documentation describes; deliveries older than five minutes are refused. */
export function isSigned(
  secret: string,
  header: string | undefined,
  body: string,
  now = Date.now(),
): boolean {
  const parts = new Map((header ?? '').split(',').map(part => part.split('=', 2) as [string, string]))
  const [t = '', v1 = ''] = [parts.get('t'), parts.get('v1')]
  if (Math.abs(now / 1000 - Number(t)) > 300) return false
  const expected = createHmac('sha256', secret).update(`${t}.${body}`).digest()
  const given = Buffer.from(v1, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
