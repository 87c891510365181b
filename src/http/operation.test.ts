import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { operationsOf, publishedReadsOf } from './operation.ts'

const read = { id: 'x', path: '', summary: '', tag: '', scope: 'space:read', run: async () => {} } as const

test('the function that declares an operation decides who may call it', () => {
  const viewing = { ...read, method: 'POST', may: 'view' } as const
  const wider = { ...viewing, by: ['anonymous'] } as const
  operationsOf<'space', null>()(viewing)
  // @ts-expect-error The function sets `by` to people: a declaration that opens it to visitors is refused.
  operationsOf<'space', null>()(wider)
  // @ts-expect-error The function sets `by` to readers: a declaration that says it again is refused.
  publishedReadsOf<'space', null>()({ ...read, by: wider.by })
})

test('a published read with a body is a POST that writes nothing', () => {
  const reading = publishedReadsOf<'space', null>()
  assert.equal(reading(read).method, 'GET')
  const { method, isReadOnly } = reading({ ...read, body: Type.Object({}) })
  assert.deepEqual([method, isReadOnly], ['POST', true])
})
