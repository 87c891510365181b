// What strangers send beyond the head of a request costs in proportion to it, by itself and without a server: bodies of
// every operation; tokens and what an identity provider says of itself, through the libraries that read them.
// `OCTAVO_PROPERTY_RUNS=1000` tries every shape.
import { describe, test } from 'node:test'
import { jwtVerify } from 'jose'
import { customFetch, discovery } from 'openid-client'
import { operations } from '../../src/api/index.ts'
import { BODY_BYTES_MAX } from '../../src/http/app.ts'
import { IgnoredFields } from '../../src/http/ignored-fields.ts'
import { bodyReader } from '../../src/http/validation.ts'
import { assertLinear } from '../support/growth.ts'
import { bodyShapesOf } from '../support/hostile-bodies.ts'
import { type Language, shapesOf, some } from '../support/hostile-shapes.ts'

const SHAPES = 2

describe('a body of any shape is read in proportion to its length', () => {
  // Its changes are a union of many, and the longest bodies that there are.
  const changes = bodyShapesOf(operations.filter(({ id }) => id === 'updateSpaceContent'))
  const others = bodyShapesOf(operations.filter(({ id }) => id !== 'updateSpaceContent'))
  for (const [name, shape, schema, isOptional] of [...changes, ...some(others, 8)])
    test(name, () => {
      const read = bodyReader(schema, isOptional)
      return assertLinear(
        name,
        (body: unknown) => read(body, new IgnoredFields()),
        shape,
        BODY_BYTES_MAX / 128,
      )
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
