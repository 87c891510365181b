import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPart, partsOf } from './parts.ts'
import { findPathItem, pathItems } from './path-items.ts'

const document = (schemas: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  openapi: '3.1.1',
  info: { title: 'Printers', version: '1' },
  paths: {
    '/a': {
      parameters: [{ $ref: '#/components/parameters/p' }],
      get: { responses: { 200: { $ref: '#/components/schemas/A' } } },
    },
    '/b': { $ref: '#/paths/~1a' },
    ...more,
  },
  components: { parameters: { p: { name: 'p', in: 'query' }, q: { name: 'q', in: 'query' } }, schemas },
})

const part = (root: unknown, path = '/a') => {
  const json = findPart(root, ['operation', 'get', path])
  return json === undefined ? undefined : JSON.parse(json)
}

test('a part has what it refers to, in circles too, and nothing else', () => {
  const schemas = {
    A: { properties: { b: { $ref: '#/components/schemas/B' } } },
    B: { items: { $ref: '#/components/schemas/A' } },
    C: { type: 'string' },
  }
  const { components } = part(document(schemas))
  assert.deepEqual(components, {
    parameters: { p: { name: 'p', in: 'query' } },
    schemas: { A: schemas.A, B: schemas.B },
  })
  assert.deepEqual(part(document(schemas), '/b').paths['/b'], part(document(schemas)).paths['/a'])
})

test('what there is no room for is left out, and said to be', () => {
  const long = { description: 'x'.repeat(150_000) }
  const found = part(
    document({
      A: { allOf: [{ $ref: '#/components/schemas/B' }, { $ref: '#/components/schemas/C' }] },
      B: long,
      C: { ...long },
    }),
  )
  assert.deepEqual(Object.keys(found.components.schemas), ['A', 'B'])
  assert.equal(found['x-cut'], true)
  assert.equal(part(document({}, { '/a': { get: { summary: 'x'.repeat(300_000) } } })), undefined)
})

test('references that lead nowhere, to no name of a document, or into a list end', () => {
  const root = JSON.parse(
    '{"paths":{"/a":{"get":{"x":[{"$ref":"#/nowhere/a"},{"$ref":"#/__proto__/x"},{"$ref":"#/x-list/1/y"},{"$ref":"#/%"},{"$ref":"#/components/__proto__/a"}]}}},"x-list":[0,{"y":{"type":"string"}}],"components":{"__proto__":{"a":{"type":"number"}}}}',
  )
  const found = part(root)
  assert.deepEqual(found['x-list'], { 1: { y: { type: 'string' } } })
  assert.ok(Object.hasOwn(found.components, '__proto__'))
  assert.equal(({} as Record<string, unknown>).a, undefined)
})

test('a path may refer to one that refers to another, and in a circle to nothing', () => {
  const paths = {
    '/c': { $ref: '#/paths/~1d' },
    '/d': { $ref: '#/paths/~1b' },
    '/e': { $ref: '#/paths/~1e' },
    '/f': { $ref: 'x/paths/~1b', get: {} },
  }
  assert.ok(part(document({}, paths), '/c')?.paths['/c'].get)
  assert.equal(part(document({}, paths), '/e'), undefined)
  // Of another document: its own operations are all there is.
  assert.equal(findPathItem({ paths }, 'operation', '/f'), paths['/f'])
})

test('a path refers to another in few steps and few characters', () => {
  const nested = (steps: number) => `#${'/n'.repeat(steps)}`
  const root = (reference: string) => {
    const deep: Record<string, unknown> = { get: {} }
    deep.n = deep
    const named = { ['x'.repeat(3_000)]: deep, ['x'.repeat(5_000)]: deep }
    return { paths: { '/a': { $ref: reference } }, n: deep, named }
  }
  const isFound = (reference: string) => {
    const [found] = pathItems(root(reference))
    return found?.item !== undefined
  }
  assert.ok(isFound(nested(20)))
  assert.ok(!isFound(nested(21)))
  assert.ok(isFound(`#/named/${'x'.repeat(3_000)}`))
  assert.ok(!isFound(`#/named/${'x'.repeat(5_000)}`))
})

test('every operation, webhook and schema is a part, and no more than so many', () => {
  const names = Array.from(partsOf({ ...document({ A: {} }), webhooks: { w: { post: {} } } }), ([name]) =>
    name.join(' '),
  )
  assert.deepEqual(names, ['operation get /a', 'operation get /b', 'webhook post w', 'schema A'])
  const many = Object.fromEntries(Array.from({ length: 11_000 }, (_, at) => [`S${at}`, {}]))
  assert.equal(Array.from(partsOf({ components: { schemas: many } })).length, 10_000)
})
