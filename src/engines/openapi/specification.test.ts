import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Loaded, readSpecification } from './specification.ts'

const nothing = async (url: string): Promise<Loaded> => ({ ok: false, message: `${url} was asked for` })
const info = { title: 'T', version: '1' }

test('a document that refers to nothing outside asks for nothing and is upgraded', async () => {
  const read = await readSpecification(
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
  assert.ok(read.isUsable)
  assert.deepEqual(read.errors, [])
  const { openapi, components } = read.document as { openapi: string; components: { schemas: { A: object } } }
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
  const read = await readSpecification(
    {
      openapi: '3.1.0',
      info,
      paths: {},
      components: { schemas: { A: { $ref: 'x/pet.yaml' }, B: { $ref: 'x/pet.yaml' } } },
    },
    'https://a.test/api.yaml',
    async url => {
      asked.push(url)
      return { ok: true, text: '', value: files[url] }
    },
  )
  assert.ok(read.isUsable)
  assert.deepEqual(asked.sort(), Object.keys(files).sort())
  assert.ok(!/"\$ref":"(?!#)/.test(JSON.stringify(read.document)), JSON.stringify(read.document))
})

test('what is wrong is told with its place, and the document is kept', async () => {
  const read = await readSpecification(
    {
      openapi: '3.1.0',
      info: { title: 'T' },
      paths: {},
      components: { schemas: { A: { $ref: 'other.yaml#/a' } } },
    },
    'https://a.test/api.yaml',
    nothing,
  )
  assert.ok(read.isUsable)
  const messages = read.errors.map(({ code, message }) => `${code} ${message}`).join('\n')
  assert.match(messages, /INVALID \/info: .*version/)
  assert.match(messages, /REFERENCE_FAILED https:\/\/a\.test\/other\.yaml/)
})

test('what is no specification is told apart', async () => {
  const codeOf = async (value: unknown) => {
    const read = await readSpecification(value, undefined, nothing)
    return read.isUsable ? 'usable' : read.errors[0]?.code
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

test('what one word stands for in many places counts in each of them', async () => {
  const long = { description: 'word '.repeat(100_000) }
  const document = { openapi: '3.1.0', info, paths: {}, 'x-all': Array(90).fill(long) }
  const read = await readSpecification(document, undefined, nothing)
  assert.equal(read.errors[0]?.code, 'TOO_LARGE')
  let shared: object = {}
  for (let level = 0; level < 100; level++) shared = { one: shared, other: shared }
  const doubled = await readSpecification({ openapi: '3.1.0', shared }, undefined, nothing)
  assert.equal(doubled.errors[0]?.code, 'TOO_LARGE')
})

test('what the libraries cannot go through ends nothing', async () => {
  const read = await readSpecification(
    { swagger: '2.0', info: null, paths: { '/a': { get: null } } },
    undefined,
    nothing,
  )
  assert.ok(!read.isUsable)
  assert.deepEqual(read.errors.at(-1)?.code, 'NOT_UPGRADED')
})
