import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/compile'
import { readDocument } from './document.ts'
import { exampleReply, exampleRequest } from './example.ts'
import { sampleDocument } from './sample.ts'

const document = readDocument(sampleDocument)

test('a request shows what is required, and nothing else', () => {
  const schema = {
    type: 'object',
    required: ['title'],
    properties: { title: { type: 'string' }, icon: { type: 'string' }, query: { type: 'integer' } },
  }
  assert.deepEqual(exampleRequest(document, schema), { title: 'Getting started' })
})

test('a request without required fields shows the first two plain ones', () => {
  const schema = {
    type: 'object',
    properties: {
      rules: { type: 'object' },
      title: { type: 'string' },
      isOpen: { type: 'boolean' },
      size: { type: 'integer' },
    },
  }
  assert.deepEqual(exampleRequest(document, schema), { title: 'Getting started', isOpen: true })
})

test('a reply shows every field, and leaves a model inside itself out', () => {
  const reply = exampleReply(document, { $ref: '#/components/schemas/Space' }) as Record<string, unknown>
  const { parent: _, ...others } = sampleDocument.components.schemas.Space.properties
  assert.deepEqual(Object.keys(reply), Object.keys(others))
  assert.deepEqual(reply.mergeRules, { type: 'none' })
})

test('what the document gives as an example is taken', () => {
  assert.equal(exampleReply(document, { type: 'string', examples: ['mine'] }), 'mine')
  assert.equal(exampleReply(document, { type: 'integer', example: 7 }), 7)
  assert.equal(exampleReply(document, { type: 'string', enum: ['a', 'b'] }), 'a')
  assert.equal(exampleReply(document, { type: 'boolean', default: false }), false)
})

test('examples obey the bounds of their schema', () => {
  const schemas = [
    { type: 'string', minLength: 30 },
    { type: 'string', maxLength: 3 },
    { type: 'string', minLength: 3, maxLength: 253, pattern: '^[a-z0-9.-]+\\.[a-z0-9-]+$' },
    { type: 'string', minLength: 3, maxLength: 32, pattern: '^[a-z0-9][a-z0-9-]*[a-z0-9]$' },
    { type: 'string', format: 'date-time' },
    { type: 'integer', minimum: 10, maximum: 700 },
    { type: 'integer', maximum: 0 },
    { type: 'number', exclusiveMinimum: 5 },
    { type: 'array', minItems: 2, items: { type: 'string', enum: ['a'] } },
    { type: 'array', maxItems: 0, items: { type: 'object' } },
    { type: 'object', required: ['a'], properties: { a: { type: 'string', format: 'uri' } } },
  ]
  for (const schema of schemas) {
    const value = exampleRequest(document, schema)
    assert.ok(Compile(schema as never).Check(value), `${JSON.stringify(value)} for ${JSON.stringify(schema)}`)
  }
})

test('an example that has become long leaves away what may be absent, and nothing that must be there', () => {
  const wide = (required: boolean) => ({
    type: 'object',
    ...(required ? { required: ['inner'] } : {}),
    properties: {
      ...Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`f${at}`, { type: 'string' }])),
      inner: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
    },
  })
  const shown = (required: boolean) =>
    Object.hasOwn(exampleReply(document, wide(required)) as object, 'inner')
  assert.deepEqual([shown(false), shown(true)], [false, true])
})

test('an example of a document without measure ends', () => {
  const names = Array.from({ length: 10 }, (_, at) => `f${at}`)
  let schema: object = { type: 'object', properties: {} }
  for (let depth = 0; depth < 12; depth += 1)
    schema = {
      type: 'object',
      required: names,
      properties: Object.fromEntries(names.map(name => [name, { ...schema }])),
    }
  exampleReply(document, schema)
})

test('a pattern built to take for ever is not tried', () => {
  for (const pattern of ['^(.+)+!$', '^(.|.)*!$', `${'.*'.repeat(14)}!`, '(']) {
    assert.equal(typeof exampleRequest(document, { type: 'string', format: 'uuid', pattern }), 'string')
  }
})

test('a string has an example whatever its format and length are called', () => {
  for (const format of ['constructor', 'toString', '__proto__'])
    assert.equal(typeof exampleReply(document, { type: 'string', format }), 'string', format)
  assert.equal(exampleReply(document, { type: 'string', minLength: -100, pattern: '^!$' }), '')
})
