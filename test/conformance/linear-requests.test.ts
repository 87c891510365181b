// Every part of a request that strangers decide costs in proportion to it, on its way through the whole server: headers,
// the address and its query, bodies of every operation; and tokens and what an identity provider says of itself, through
// the libraries that read them. `OCTAVO_PROPERTY_RUNS=1000` tries every shape.
import { describe, test } from 'node:test'
import Fastify from 'fastify'
import { jwtVerify } from 'jose'
import { customFetch, discovery } from 'openid-client'
import { operations } from '../../src/api/index.ts'
import { BODY_BYTES_MAX } from '../../src/http/app.ts'
import { Ignored } from '../../src/http/ignored.ts'
import { bodyReader } from '../../src/http/validation.ts'
import { assertLinear, type Shape } from '../support/growth.ts'
import { bodyShapesOf } from '../support/hostile-bodies.ts'
import { type Language, shapesOf, some } from '../support/hostile-shapes.ts'
import { world } from '../support/world.ts'

const w = await world()
const bearer = `Bearer ${w.people.admin.token}`
const space = await w.createSpace()

// Beyond what any server lets in (16 KB), so that the slow are seen.
const HEAD_LENGTH_MAX = 64 * 1024
const SHAPES = 4

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

describe('a body of any shape is read in proportion to its length', () => {
  // Its changes are a union of many, and the longest bodies that there are.
  const changes = bodyShapesOf(operations.filter(({ id }) => id === 'updateSpaceContent'))
  const others = bodyShapesOf(operations.filter(({ id }) => id !== 'updateSpaceContent'))
  for (const [name, shape, schema, isOptional] of [...changes, ...some(others, 12)])
    test(name, () => {
      const read = bodyReader(schema, isOptional)
      return assertLinear(name, (body: unknown) => read(body, new Ignored()), shape, BODY_BYTES_MAX / 128)
    })
})

const JWT: Language = { tokens: ['.', 'eyJ', 'e30', 'a', '-', '=', ' '], head: 'eyJhbGciOiJIUzI1NiJ9.' }
const CLAIMS: Language = {
  tokens: ['"a":1,', '"exp":"', '\\u0041', '[', '{"a":', ' ', '"', 'null,'],
  head: '{',
}
const METADATA: Language = { tokens: ['"https://a.test",', '"', '\\', ' ', '[', '1,', 'a', '{"a":'] }
const ISSUER = 'https://issuer.test'
const ANSWER_LENGTH_MAX = 256 * 1024

describe('what is signed elsewhere is read in proportion to its length', () => {
  const verify = (token: string) => jwtVerify(token, Buffer.alloc(32), { algorithms: ['HS256'] })
  const base64 = (text: string) => Buffer.from(text).toString('base64url')

  test('a token', async () => {
    for (const [parts, shape] of some(shapesOf(JWT), SHAPES))
      await assertLinear(`token, ${parts}`, verify, shape, ANSWER_LENGTH_MAX)
    for (const [parts, shape] of some(shapesOf(CLAIMS), SHAPES)) {
      const header = (length: number) => `${base64(shape(length))}.e30.a`
      await assertLinear(`head of a token, ${parts}`, verify, header, ANSWER_LENGTH_MAX)
    }
  })

  test('what a provider says of itself', async () => {
    const read = (json: string) =>
      discovery(new URL(ISSUER), 'id', undefined, undefined, {
        [customFetch]: async () => new Response(json, { headers: { 'content-type': 'application/json' } }),
      })
    for (const [parts, shape] of some(shapesOf(METADATA), SHAPES)) {
      const whole = (length: number) =>
        `{"issuer":"${ISSUER}","token_endpoint":${JSON.stringify(shape(length))}}`
      await assertLinear(`metadata, ${parts}`, read, whole, ANSWER_LENGTH_MAX)
    }
  })
})
