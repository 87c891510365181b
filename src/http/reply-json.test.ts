import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { ListOf, Nullable, OneOf } from './list.ts'
import { replyWriter } from './replies.ts'

const Person = Type.Object({ name: Type.String(), born: Type.Optional(Type.String()) })

const written = (schema: Parameters<typeof replyWriter>[0], value: unknown) =>
  JSON.parse(replyWriter(schema)(value))

test('fields that the schema does not name stay inside, at every depth', () => {
  const person = { name: 'Ada', password: 'secret' }
  assert.deepEqual(written(Person, person), { name: 'Ada' })
  assert.deepEqual(written(ListOf(Person), { items: [person], count: 1, extra: 1 }), {
    items: [{ name: 'Ada' }],
    count: 1,
  })
  assert.deepEqual(written(Type.Record(Type.String(), Person), { a: person }), { a: { name: 'Ada' } })
  assert.deepEqual(written(Type.Object({ of: Nullable(Person) }), { of: person }), { of: { name: 'Ada' } })
})

test('of discriminated alternatives, only the fields of the one that is meant', () => {
  const shape = Type.Union([
    Type.Object({ kind: OneOf(['page']), title: Type.String() }),
    Type.Object({ kind: OneOf(['file']), size: Type.Number() }),
  ])
  const both = { kind: 'file', title: 'T', size: 1 }
  assert.deepEqual(written(shape, both), { kind: 'file', size: 1 })
})

test('absent fields stay absent, null stays null, what a schema leaves open passes as it is', () => {
  assert.deepEqual(written(Person, { name: 'Ada', born: undefined }), { name: 'Ada' })
  assert.deepEqual(written(Type.Object({ of: Nullable(Person) }), { of: null }), { of: null })
  const open = { a: [{ b: 1 }] }
  assert.deepEqual(written(Type.Object({ open: Type.Unknown() }), { open }), { open })
})
