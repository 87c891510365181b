import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Loaded, readSpecification, type Specification } from './specification.ts'

const nothing = (url: string): Loaded => ({ ok: false, message: `${url} was asked for` })

/** The specification, where nothing more has to be read. */
async function read(...[value, origin, load]: Parameters<typeof readSpecification>): Promise<Specification> {
  const found = await readSpecification(value, origin, load)
  assert.ok(!('unread' in found))
  return found
}
const info = { title: 'T', version: '1' }

test('a document that refers to nothing outside asks for nothing and is upgraded', async () => {
  const found = await read(
    {
      openapi: '3.0.0',
      info,
      paths: {},
      components: {
        schemas: { A: { type: 'string', nullable: true }, B: { $ref: '#/components/schemas/A' } },
      },
    },
    undefined,
    nothing,
  )
  assert.ok(found.isUsable)
  assert.deepEqual(found.errors, [])
  const { openapi, components } = found.document as {
    openapi: string
    components: { schemas: { A: object } }
  }
  assert.match(openapi, /^3\.1/)
  assert.deepEqual(components.schemas.A, { type: ['string', 'null'] })
})

test('what other documents refer to is relative to them, and each is asked for once', async () => {
  const files: Record<string, unknown> = {
    'https://a.test/x/pet.yaml': {
      type: 'object',
      properties: { tag: { $ref: '../tag.yaml' }, next: { $ref: 'pet.yaml' } },
    },
    'https://a.test/tag.yaml': { type: 'string' },
  }
  const asked: string[] = []
  const found = await read(
    {
      openapi: '3.1.0',
      info,
      paths: {},
      components: { schemas: { A: { $ref: 'x/pet.yaml' }, B: { $ref: 'x/pet.yaml' } } },
    },
    'https://a.test/api.yaml',
    url => {
      asked.push(url)
      return { ok: true, text: '', value: files[url] }
    },
  )
  assert.ok(found.isUsable)
  assert.deepEqual(asked.sort(), Object.keys(files).sort())
  assert.ok(!/"\$ref":"(?!#)/.test(JSON.stringify(found.document)), JSON.stringify(found.document))
})

test('what has to be read first is named, whole', async () => {
  const found = await readSpecification(
    {
      openapi: '3.1.0',
      info,
      components: { schemas: { A: { $ref: 'a.yaml#/x' }, B: { $ref: '../b.yaml' }, C: { $ref: 'a.yaml' } } },
    },
    'https://a.test/x/api.yaml',
    () => undefined,
  )
  assert.ok('unread' in found)
  assert.deepEqual([...found.unread].sort(), ['https://a.test/b.yaml', 'https://a.test/x/a.yaml'])
})

test('errors are reported with their place, and the document is kept', async () => {
  const found = await read(
    {
      openapi: '3.1.0',
      info: { title: 'T' },
      paths: {},
      components: { schemas: { A: { $ref: 'other.yaml#/a' } } },
    },
    'https://a.test/api.yaml',
    nothing,
  )
  assert.ok(found.isUsable)
  const messages = found.errors.map(({ code, message }) => `${code} ${message}`).join('\n')
  assert.match(messages, /INVALID \/info: .*version/)
  assert.match(messages, /REFERENCE_FAILED https:\/\/a\.test\/other\.yaml/)
})

test('a document that is no specification is refused', async () => {
  const codeOf = async (value: unknown) => {
    const found = await read(value, undefined, nothing)
    return found.isUsable ? 'usable' : found.errors[0]?.code
  }
  assert.equal(await codeOf('words'), 'NOT_A_SPECIFICATION')
  assert.equal(await codeOf([]), 'NOT_A_SPECIFICATION')
  assert.equal(await codeOf({ info }), 'UNSUPPORTED_VERSION')
  assert.equal(await codeOf({ openapi: 3.1 }), 'UNSUPPORTED_VERSION')
  assert.equal(await codeOf({ openapi: '3.10.0' }), 'UNSUPPORTED_VERSION')
  let deep: object = {}
  for (let level = 0; level < 100_000; level++) deep = { deep }
  assert.equal(await codeOf({ openapi: '3.1.0', deep }), 'TOO_DEEP')
  const endless: Record<string, unknown> = { openapi: '3.1.0' }
  endless.itself = [endless]
  assert.equal(await codeOf(endless), 'TOO_DEEP')
})

test('an alias counts in each place that uses it', async () => {
  const long = { description: 'word '.repeat(100_000) }
  const document = { openapi: '3.1.0', info, paths: {}, 'x-all': Array(90).fill(long) }
  const found = await read(document, undefined, nothing)
  assert.equal(found.errors[0]?.code, 'TOO_LARGE')
  let shared: object = {}
  for (let level = 0; level < 100; level++) shared = { one: shared, other: shared }
  const doubled = await read({ openapi: '3.1.0', shared }, undefined, nothing)
  assert.equal(doubled.errors[0]?.code, 'TOO_LARGE')
})

test('what the libraries cannot go through ends nothing', async () => {
  const found = await read({ swagger: '2.0', info: null, paths: { '/a': { get: null } } }, undefined, nothing)
  assert.ok(!found.isUsable)
  assert.deepEqual(found.errors.at(-1)?.code, 'NOT_UPGRADED')
  const astray = { openapi: '3.1.0', info, components: { schemas: { A: { $ref: '//' } } } }
  const followed = await read(astray, 'https://a.test/api.yaml', nothing)
  assert.ok(followed.isUsable)
  assert.match(followed.errors[0]?.message ?? '', /cannot be followed.*Invalid URL/)
})
