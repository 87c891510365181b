import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { ApiError, createApi } from './api.ts'
import { askRemoteApi } from './remote-api.ts'

async function serving(
  answer: RequestListener,
): Promise<{ url: string; [Symbol.asyncDispose](): Promise<void> }> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const apiAt = (url: string) => createApi(askRemoteApi(url, 'octv_secret'), new AbortController().signal)

test('the token goes to no other server, whatever the first one says', async () => {
  const heard: unknown[] = []
  await using other = await serving((request, response) => {
    heard.push(request.headers.authorization)
    response.end('{}')
  })
  await using first = await serving((_request, response) => {
    response.writeHead(307, { location: `${other.url}/v1/orgs` }).end()
  })
  await assert.rejects(apiAt(first.url).call('GET', '/orgs'), { name: 'ApiError', status: 503 })
  assert.deepEqual(heard, [])
})

test('a refusal has the words of the server, and a server without the API is named as such', async () => {
  const answers: Record<string, [number, string, string]> = {
    '/v1/refused': [403, 'application/json', '{"error":{"code":403,"message":"Not you."}}'],
    '/v1/broken': [502, 'text/html', '<h1>Bad gateway</h1>'],
  }
  await using server = await serving((request, response) => {
    const [status, type, body] = answers[request.url ?? ''] ?? [404, 'text/plain', '']
    response.writeHead(status, { 'content-type': type }).end(body)
  })
  const refusal = (path: string) =>
    apiAt(server.url)
      .call('GET', path)
      .catch((error: unknown) => (error instanceof ApiError ? [error.status, error.message] : error))
  assert.deepEqual(await refusal('/refused'), [403, 'Not you.'])
  assert.deepEqual(await refusal('/broken'), [502, 'The server answered 502.'])
})
