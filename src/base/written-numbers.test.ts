import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseWritten } from './written-numbers.ts'

test('every number that JavaScript would spell otherwise is written as it was read', () => {
  for (const number of [
    '9007199254740993',
    '123456789012345678901',
    '1.0',
    '1.10',
    '1e3',
    '1E+400',
    '0.00001',
    '0.0000001',
    '-0',
    '-0.0',
    '0.1000000000000000055',
  ])
    assert.equal(JSON.stringify({ a: parseWritten(number) }), `{"a":${number}}`)
  for (const number of [0, 1, -1.5, 1e-5, 123456789012345, 0.1])
    assert.equal(parseWritten(JSON.stringify(number)), number)
})

test('a text that nests deeper than revivers go is read with doubles', () => {
  const deep = `${'['.repeat(200_000)}1.10${']'.repeat(200_000)}`
  let inner = parseWritten(deep)
  while (Array.isArray(inner)) inner = inner[0]
  assert.equal(inner, 1.1)
})
