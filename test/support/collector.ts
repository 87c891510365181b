// A collector of traces that keeps the bytes it is sent: what is in spans is in them as UTF-8.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { gunzipSync } from 'node:zlib'

export type Collector = {
  readonly url: string
  /** Everything that arrived at the path of traces. */
  text(): string
  readonly headers: IncomingHttpHeaders[]
  /** Resolves once something that arrived has the words. */
  has(...words: readonly string[]): Promise<void>
}

export async function startCollector(): Promise<Collector> {
  let received = ''
  const headers: IncomingHttpHeaders[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    headers.push(request.headers)
    if (request.method === 'POST' && request.url === '/v1/traces')
      received += (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString(
        'latin1',
      )
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    text: () => received,
    headers,
    async has(...words) {
      while (!words.every(word => received.includes(word)))
        await new Promise(resolve => setTimeout(resolve, 20))
    },
  }
}
