import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { failureOf } from '../../test/support/failures.ts'
import { addressGuard } from './addresses.ts'
import { createOutgoing, type OutgoingRequest } from './fetch.ts'

const outgoing = createOutgoing(addressGuard(['127.0.0.1']))
const REQUEST: OutgoingRequest = { bytesMax: 10_000, deadlineMs: 5_000 }

type Host = {
  readonly server: Server
  readonly url: string
  readonly port: number
  readonly seen: IncomingMessage[]
}
let first: Host
let second: Host
let answer: RequestListener

async function listen(): Promise<Host> {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    answer(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { server, port, seen, url: `http://127.0.0.1:${port}` }
}

const get = (url: string, change: Partial<OutgoingRequest> = {}) =>
  outgoing.fetch(url, { ...REQUEST, ...change })

before(async () => {
  first = await listen()
  second = await listen()
})

after(async () => {
  await outgoing.close()
  for (const { server } of [first, second]) {
    server.closeAllConnections()
    server.close()
  }
})

beforeEach(() => {
  first.seen.length = 0
  second.seen.length = 0
})

describe('an outgoing request', () => {
  it('gives status, headers and body, whatever the status is', async () => {
    answer = (_, response) => response.writeHead(418, { 'x-a': ['1', '2'] }).end('body')
    const { status, headers, body, url } = await get(`${first.url}/path?q=1`)
    assert.deepEqual(
      [status, headers['x-a'], body.toString(), url],
      [418, '1, 2', 'body', `${first.url}/path?q=1`],
    )
  })

  it('sends user and password of the URL as basic auth and reveals neither', async () => {
    answer = (_, response) => response.end()
    const { url } = await get(`http://ada:p%40ss@127.0.0.1:${first.port}/`)
    assert.equal(first.seen[0]?.headers.authorization, `Basic ${Buffer.from('ada:p@ss').toString('base64')}`)
    assert.equal(url, `${first.url}/`)
  })

  it('posts a body, and gives a redirect back instead of posting it elsewhere', async () => {
    answer = (_, response) => response.writeHead(307, { location: second.url }).end()
    const { status } = await get(first.url, { method: 'POST', body: '{}' })
    assert.equal(status, 307)
    assert.equal(second.seen.length, 0)
  })

  it('asks for no compression and refuses one that comes all the same', async () => {
    answer = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')
    assert.equal((await failureOf(get(first.url))).code, 'fetch_encoding')
    assert.equal(first.seen[0]?.headers['accept-encoding'], 'identity')
  })
})

describe('redirects', () => {
  it('are followed, relative ones too, with what belongs to the origin', async () => {
    answer = (request, response) =>
      request.url === '/a' ? response.writeHead(302, { location: 'b' }).end() : response.end('there')
    const { body, url } = await get(`${first.url}/a`, {
      headers: { authorization: 'Bearer x', 'x-key': 'k' },
    })
    assert.deepEqual([body.toString(), url], ['there', `${first.url}/b`])
    assert.equal(first.seen[1]?.headers.authorization, 'Bearer x')
  })

  it('to another origin take no credentials along', async () => {
    answer = (request, response) =>
      request.headers.host?.endsWith(`:${first.port}`)
        ? response.writeHead(302, { location: `${second.url}/` }).end()
        : response.end('there')
    await get(`http://ada:pass@127.0.0.1:${first.port}/`, {
      headers: { cookie: 'c=1', 'x-api-key': 'k', accept: 'text/html' },
    })
    assert.match(first.seen[0]?.headers.authorization ?? '', /^Basic /)
    const { authorization, cookie, accept } = second.seen[0]?.headers ?? {}
    assert.deepEqual(
      [authorization, cookie, second.seen[0]?.headers['x-api-key']],
      [undefined, undefined, undefined],
    )
    assert.equal(accept, 'text/html')
  })

  it('to a private address, or to no web address, are refused', async () => {
    // 127.0.0.1 is allowed here and [::1] is not.
    for (const location of ['http://[::1]:80/', 'http://169.254.169.254/latest/', 'http://0.0.0.0/']) {
      answer = (_, response) => response.writeHead(302, { location }).end()
      assert.equal((await failureOf(get(first.url))).code, 'address_refused', location)
    }
    for (const location of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'javascript:1']) {
      answer = (_, response) => response.writeHead(302, { location }).end()
      assert.equal((await failureOf(get(first.url))).code, 'url_invalid', location)
    }
  })

  it('have an end', async () => {
    answer = (_, response) => response.writeHead(302, { location: '/' }).end()
    assert.equal((await failureOf(get(first.url, { redirectsMax: 3 }))).code, 'fetch_redirects')
    assert.equal(first.seen.length, 4)
  })
})

describe('the address guard', () => {
  it('checks literals, names and each of their addresses', async () => {
    answer = (_, response) => response.end('inside')
    const strict = createOutgoing(
      addressGuard([], async () => [
        { address: '8.8.8.8', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]),
    )
    for (const host of ['127.0.0.1', '0x7f000001', '[::ffff:127.0.0.1]', 'mixed.example']) {
      const failure = await failureOf(strict.fetch(`http://${host}:${first.port}/`, REQUEST))
      assert.deepEqual([failure.kind, failure.code], ['invalid', 'address_refused'], host)
    }
    assert.equal(first.seen.length, 0)
    await strict.close()
  })

  it('asks at the address that was checked', async () => {
    answer = (request, response) => response.end(request.headers.host)
    const pinned = createOutgoing(
      addressGuard(['127.0.0.1'], async () => [{ address: '127.0.0.1', family: 4 }]),
    )
    const { body } = await pinned.fetch(`http://pinned.example:${first.port}/`, REQUEST)
    assert.equal(body.toString(), `pinned.example:${first.port}`)
    await pinned.close()
  })

  it('checks the peer once more when the connection is open', async () => {
    answer = (_, response) => response.end('inside')
    const checked = addressGuard([], async () => [{ address: '8.8.8.8', family: 4 }])
    const misled = createOutgoing({
      ...checked,
      check: async host => ({ host, isLiteral: false, addresses: [{ address: '127.0.0.1', family: 4 }] }),
    })
    const failure = await failureOf(misled.fetch(`http://misled.example:${first.port}/`, REQUEST))
    assert.equal(failure.code, 'address_refused')
    assert.equal(first.seen.length, 0)
    await misled.close()
  })
})

describe('an answer', () => {
  it('that is larger than is read is cut off, announced or not', async () => {
    answer = (_, response) => response.writeHead(200, { 'content-length': '20000' }).write('x')
    assert.equal((await failureOf(get(first.url))).code, 'answer_too_large')
    answer = (_, response) => {
      const more = setInterval(() => response.write('x'.repeat(5_000)), 1)
      response.on('close', () => clearInterval(more))
    }
    const failure = await failureOf(get(first.url))
    assert.deepEqual([failure.kind, failure.code], ['too_large', 'answer_too_large'])
  })

  it('that never comes, or drips for ever, ends at the deadline', async () => {
    answer = () => {}
    assert.equal((await failureOf(get(first.url, { deadlineMs: 100 }))).code, 'fetch_timeout')
    answer = (_, response) => {
      const more = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(more))
    }
    assert.equal((await failureOf(get(first.url, { deadlineMs: 150 }))).code, 'fetch_timeout')
  })

  it('that its caller no longer wants ends with the reason of the caller', async () => {
    answer = () => {}
    const caller = new AbortController()
    setTimeout(() => caller.abort(new Error('stopping')), 50)
    await assert.rejects(get(first.url, { signal: caller.signal }), /stopping/)
  })

  it('that breaks off, or is no http, is a failure and not an error of ours', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('x')
      setTimeout(() => response.destroy(), 20)
    }
    assert.equal((await failureOf(get(first.url))).code, 'fetch_interrupted')
    answer = request => void request.socket.end('SSH-2.0-x\r\n')
    assert.equal((await failureOf(get(first.url))).code, 'fetch_interrupted')
  })
})

describe('a URL', () => {
  it('has to be http or https', async () => {
    for (const url of [
      '',
      'x',
      'file:///etc/passwd',
      'ftp://example.com/',
      'http://',
      `http://x/${'a'.repeat(9000)}`,
    ]) {
      assert.equal((await failureOf(get(url))).code, 'url_invalid', url.slice(0, 30))
    }
  })

  it('that nothing answers at is unreachable', async () => {
    const closing = await listen()
    await new Promise(resolve => closing.server.close(resolve))
    assert.equal((await failureOf(get(closing.url))).code, 'fetch_unreachable')
  })

  it('with https where http is spoken is refused', async () => {
    answer = (_, response) => response.end()
    const failure = await failureOf(get(`https://127.0.0.1:${first.port}/`))
    assert.equal(failure.code, 'fetch_certificate_refused')
  })
})
