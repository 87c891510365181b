// The document that clients are made from.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../src/api/index.ts'
import { describe } from '../../src/cli/description.ts'

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

test('every operation stands in the document, under its method, path and id', () => {
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
