import assert from 'node:assert/strict'
import { test } from 'node:test'
import { array, asyncProperty, assert as check, constantFrom, jsonValue, string } from 'fast-check'
import { anyCharacter } from '../../../test/support/characters.ts'
import { tried } from '../../../test/support/property-runs.ts'
import type { Json } from '../../base/canonical.ts'
import { checkExpression, evaluateExpression } from './evaluate.ts'

test('a value comes out as it went in', async () => {
  await check(
    asyncProperty(jsonValue({ maxDepth: 6 }), async value => {
      const expected = JSON.parse(JSON.stringify(value))
      assert.deepEqual(await evaluateExpression('given', { given: value as Json }), {
        kind: 'value',
        value: expected,
      })
    }),
    tried(50),
  )
})

const PIECES = constantFrom(
  ...['(', ')', '[', ']', '{', '}', ',', ';', '=>', '...', '`', '${', '"', "'", '/', '//', '/*', '*/', '\n'],
  ...[
    '1',
    'a',
    'in',
    'x = ',
    'async ',
    'function ',
    'class ',
    'new ',
    'yield ',
    'await ',
    ':',
    '?',
    '.',
    '-->',
  ],
)

/** Whether it can be an argument alone and cannot be two: another reading of "one expression" by another engine. */
function isExpression(text: string): boolean {
  try {
    new Function(`"use strict"; return (\n${text}\n)`)
    new Function(`"use strict"; return f\`\${\n${text}\n}\``)
    return true
  } catch {
    return false
  }
}

test('whatever is put together from pieces of code is either refused or one expression', async () => {
  await check(
    asyncProperty(array(PIECES, { minLength: 1, maxLength: 8 }), async pieces => {
      const text = pieces.join('')
      if ((await checkExpression(text)) === undefined) assert.ok(isExpression(text), text)
    }),
    tried(75),
  )
})

test('any text at all has a verdict', async () => {
  await check(
    asyncProperty(string({ maxLength: 40, unit: anyCharacter }), async text => {
      const evaluation = await evaluateExpression(text, { a: 1 })
      assert.ok(evaluation.kind === 'value' || /^[^\n]+$/.test(evaluation.message))
    }),
    tried(50),
  )
})
