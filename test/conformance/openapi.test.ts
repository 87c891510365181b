// The document that clients are made from.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { operations } from '../../src/api/index.ts'
import { describe } from '../../src/cli/description.ts'
import { toOpenApi } from '../../src/http/openapi.ts'
import { mount } from '../../src/http/operation.ts'

const document = describe('http://octavo.test')

test('every reference of the document leads to a part of it', () => {
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (key === '$ref') assert.ok(find(String(inner)), String(inner))
      visit(inner)
    }
  }
  const find = (reference: string): unknown =>
    reference
      .split('/')
      .slice(1)
      .reduce((part: unknown, name) => (part as Record<string, unknown> | undefined)?.[name], document)
  visit(document)
})

test('every operation is in the document, under its method, path and id', () => {
  for (const operation of operations) {
    const path = document.paths[operation.path.replaceAll('*}', '}')]
    assert.equal(path?.[operation.method.toLowerCase()]?.operationId, operation.id)
  }
})

test('every parameter of a path is declared, and none that is not in it', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]).sort()
    for (const operation of Object.values(methods)) {
      const declared = (operation.parameters as { in: string; name: string }[])
        .filter(parameter => parameter.in === 'path')
        .map(parameter => parameter.name)
      assert.deepEqual(declared.sort(), names, path)
    }
  }
})

/** The names of the headers that an operation of the document has. */
const headersOf = (method: string, path: string): string[] => {
  const parameters = document.paths[path.replaceAll('*}', '}')]?.[method.toLowerCase()]?.parameters
  return (parameters as { $ref?: string }[]).flatMap(({ $ref }) => $ref?.split('/').at(-1) ?? [])
}

test('every POST but those about a session has an Idempotency-Key and its 409, and of the others the import of an archive', () => {
  for (const { id, method, path, isForSessions } of operations) {
    const isKept = (method === 'POST' && !isForSessions) || id === 'importArchive'
    assert.equal(headersOf(method, path).includes('IdempotencyKey'), isKept, id)
    const responses = document.paths[path.replaceAll('*}', '}')]?.[method.toLowerCase()]?.responses
    if (isKept) assert.ok(Object.hasOwn(responses as object, '409'), id)
  }
})

test('an operation has the headers that it supports, and the statuses that they lead to', () => {
  const run = async () => {}
  const [operation] = mount(
    [{ name: 'test', subject: 'user', path: '/test', params: Type.Object({}), noun: 'test' } as never],
    [
      {
        ...{ id: 'test', method: 'PUT', path: '', summary: '', tag: '', may: 'view', scope: 'any', run },
        reply: Type.Object({}),
        supportedHeaders: ['if-match', 'return=minimal'],
      } as never,
    ],
  )
  const { paths } = toOpenApi([operation as never], { publicUrl: '', version: '', tags: [] })
  const { parameters, responses = {} } = paths['/test']?.put ?? {}
  assert.deepEqual(parameters, [
    { $ref: '#/components/parameters/IfMatch' },
    { $ref: '#/components/parameters/Prefer' },
  ])
  assert.deepEqual(Object.keys(responses as object), ['200', '204', '400', '401', '403', '404', '412'])
})
