import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { IgnoredFields } from './ignored-fields.ts'
import { bodyReader } from './validation.ts'

const ITEMS_MAX = 2_000
const schema = Type.Object({
  items: Type.Array(
    Type.Object({ name: Type.String(), inner: Type.Array(Type.Integer(), { minItems: 1 }) }),
    {
      maxItems: ITEMS_MAX,
    },
  ),
})
const read = bodyReader(schema, false)
const right = { name: 'right', inner: [1, 2, 3] }
const items = (length: number, item: object) => Array.from({ length }, () => item)
const refused = (body: object, message: string) =>
  assert.throws(() => read(body, new IgnoredFields()), { kind: 'invalid', message })

test('what is wrong with a body is named wherever it is in a long list', () => {
  refused({ items: [{ ...right, name: 1 }, ...items(500, right)] }, 'body.items.0.name: must be string.')
  refused({ items: [...items(1_500, right), { ...right, name: 1 }] }, 'body.items.1500.name: must be string.')
})

test('the error for a list that is too long, or empty where it needs an item, says so', () => {
  refused({ items: items(ITEMS_MAX + 1, right) }, `body.items: must not have more than ${ITEMS_MAX} items.`)
  refused(
    { items: [...items(500, right), { ...right, inner: [] }] },
    'body.items.500.inner: must not have fewer than 1 items.',
  )
})
