// The reference of Octavo itself: every operation is shown, and what it shows as a request is accepted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { operations, tags } from '../../api/index.ts'
import { readDocument } from '../../api/rendering/openapi/document.ts'
import { exampleReply, exampleRequest } from '../../api/rendering/openapi/example.ts'
import { toOpenApi } from '../../http/openapi.ts'
import { renderReference } from './reference.ts'

const root = toOpenApi(operations, { publicUrl: 'http://127.0.0.1:4000', version: '1.0.0', tags })
const document = readDocument(root)
const shown = new Map(document.operations.map(operation => [operation.id, operation]))

test('every operation has a page under its own id', () => {
  const reference = renderReference(root)
  for (const { id } of operations) assert.ok(reference.find(`/docs/operations/${id}`), id)
})

test('the body of every example request is accepted', () => {
  const checked = operations.filter(({ id, body }) => {
    if (body === undefined) return false
    const example = exampleRequest(document, shown.get(id)?.body?.schema)
    assert.ok(Value.Check(body, example), `${id}: ${JSON.stringify(example)}`)
    return true
  })
  assert.ok(checked.length > 0)
})

test('every required query parameter in an example is accepted', () => {
  for (const { id, query } of operations) {
    const required =
      shown.get(id)?.parameters.filter(({ where, isRequired }) => where === 'query' && isRequired) ?? []
    if (query === undefined) continue
    const example = Object.fromEntries(
      required.map(({ name, schema }) => [name, exampleRequest(document, schema, name)]),
    )
    assert.ok(Value.Check(query, example), `${id}: ${JSON.stringify(example)}`)
  }
})

test('every example reply is one that the operation could give', () => {
  // TypeBox refers to a named schema by its name alone.
  const named = JSON.parse(JSON.stringify(root).replaceAll('#/components/schemas/', '')) as typeof root
  const models = named.components.schemas as unknown as Record<string, TSchema>
  const replies = readDocument(named).operations.flatMap(({ id, replies }) =>
    replies.map(reply => ({ id, ...reply })),
  )
  for (const { id, status, schema } of replies) {
    if (schema === undefined || !/^2/.test(status)) continue
    const reply = shown.get(id)?.replies.find(one => one.status === status)
    const example = exampleReply(document, reply?.schema)
    assert.ok(Value.Check(models, schema as TSchema, example), `${id}: ${JSON.stringify(example)}`)
  }
})
