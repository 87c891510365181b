// The head of a request costs in proportion to it, on its way through the whole server: headers, the address and its
// query. `OCTAVO_PROPERTY_RUNS=1000` tries every shape.
import { describe, test } from 'node:test'
import Fastify from 'fastify'
import { assertLinear, type Shape } from '../support/growth.ts'
import { type Language, shapesOf, some } from '../support/hostile-shapes.ts'
import { world } from '../support/world.ts'

const w = await world()
const bearer = `Bearer ${w.people.admin.token}`
const space = await w.createSpace()

// Beyond what any server lets in (16 KB), so that the slow are seen.
const HEAD_LENGTH_MAX = 64 * 1024
const SHAPES = 2

const WEIGHTED: Language = {
  tokens: [' ', ',', ';', '/', '*', 'text/html', ';q=', '0', '.', '=', '"', 'de-DE'],
}
const MEDIA: Language = {
  tokens: [' ', ';', '/', '=', '"', '\\', 'charset', 'application/json', ', ', 'a', '; boundary=', '\t'],
  head: 'application/json',
}
const PROXIES: Language = {
  tokens: [' ', ',', ';', '=', '"', 'for=', ':', '[', '::', '1.2.3.4', '.', 'https', '%'],
}
const TOKEN: Language = { tokens: ['.', 'eyJ', 'a', '-', '_', '=', ' ', '/', '+', ','], head: 'Bearer ' }
const BASIC: Language = { tokens: ['Basic ', 'Bearer ', ' ', '=', 'YTpi', ',', '"', 'a'] }
const COOKIES: Language = {
  tokens: ['; ', ';', '=', '%', '%41', 'octavo_session=', 'octavo_visitor=', 'a', '"', ' '],
}
const NAMES: Language = { tokens: ['a', '"', ' ', '-', '\\', '=', ',', ';', '{', '.'] }
const QUERY: Language = {
  tokens: ['&', '=', 'a', 'page=', 'limit=', '%', '%41', '+', 'shareKey=', '[', ']', 'a=1&', '.', 'e30', ';'],
  head: '?',
}
const PATH: Language = {
  tokens: ['/', '.', '..', '%', '%2f', '%2F..', 'a', ':', '*', '//', ';', 'spaces/', '@'],
}

const HEADERS: Readonly<Record<string, readonly Language[]>> = {
  accept: [WEIGHTED],
  'accept-language': [WEIGHTED],
  'accept-encoding': [WEIGHTED],
  authorization: [TOKEN, BASIC],
  'content-type': [MEDIA],
  cookie: [COOKIES],
  forwarded: [PROXIES],
  'x-forwarded-for': [PROXIES],
  'x-forwarded-host': [PROXIES],
  'x-forwarded-proto': [PROXIES],
  host: [PROXIES],
  origin: [PATH],
  'idempotency-key': [NAMES],
  'x-request-id': [NAMES],
}

/** A request of the API and one of a reader, since each asks other headers. */
async function send(path: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  await w.app.inject({
    method: 'POST',
    url: `/v1/orgs/${w.organizationId}/spaces${path}`,
    headers: { authorization: bearer, 'content-type': 'application/json', ...headers },
    payload: '{"title":1}',
  })
  await w.app.inject({ url: `/s/${space.id}${path}`, headers: { accept: 'text/html', ...headers } })
}

// As behind a reverse proxy (`OCTAVO_TRUST_PROXY`).
const proxied = Fastify({ trustProxy: true }).get('/', async ({ ip, ips, host, protocol }) => [
  ip,
  ips,
  host,
  protocol,
])

describe('a header of any shape is read in proportion to its length', () => {
  for (const [name, languages] of Object.entries(HEADERS))
    test(name, async () => {
      for (const [parts, shape] of languages.flatMap(language => some(shapesOf(language), SHAPES)))
        await assertLinear(`${name}, ${parts}`, text => send('', { [name]: text }), shape, HEAD_LENGTH_MAX)
    })

  for (const name of ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'])
    test(`${name} behind a proxy`, async () => {
      for (const [parts, shape] of some(shapesOf(PROXIES), 3 * SHAPES))
        await assertLinear(
          `${name}, ${parts}`,
          text => proxied.inject({ url: '/', headers: { [name]: text } }),
          shape,
          HEAD_LENGTH_MAX,
        )
    })

  test('many headers', async () => {
    const lines: Shape<Record<string, string>> = count =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-a${index}`, '1']))
    await assertLinear('many headers', headers => send('', headers), lines, HEAD_LENGTH_MAX / 16)
  })
})

describe('an address of any shape is read in proportion to its length', () => {
  for (const [name, language] of Object.entries({ query: QUERY, path: { ...PATH, head: '/' } }))
    test(name, async () => {
      for (const [parts, shape] of some(shapesOf(language), 2 * SHAPES))
        await assertLinear(`${name}, ${parts}`, text => send(encodeURI(text)), shape, HEAD_LENGTH_MAX)
    })
})
