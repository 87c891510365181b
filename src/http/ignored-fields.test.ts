import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { Failure } from '../base/errors.ts'
import { DiscriminatedUnion } from './discriminated-union.ts'
import { IgnoredFields, ignoredFieldsCheck } from './ignored-fields.ts'
import { Id, model, Nullable } from './list.ts'
import { RichDocument } from './rich-document.ts'

const Text = Type.Object({
  markdown: Type.Optional(Type.String()),
  document: Type.Optional(RichDocument),
})
const Write = model('Write', { do: Type.Literal('write'), page: Id('A page.'), text: Type.Optional(Text) })
const Drop = model('Drop', { do: Type.Literal('drop'), page: Id('A page.') })
const Body = Type.Object({
  title: Type.Optional(Type.String()),
  steps: Type.Optional(Type.Array(DiscriminatedUnion('do', [Write, Drop]))),
  layout: Type.Optional(Nullable(Type.Object({ width: Type.Optional(Type.String()) }))),
  values: Type.Optional(Type.Record(Type.String(), Type.Object({ a: Type.Optional(Type.Integer()) }))),
  either: Type.Optional(
    Type.Union([
      Type.Object({ a: Type.Optional(Type.Object({ x: Type.Integer() })) }),
      Type.Object({ b: Type.Integer() }),
    ]),
  ),
})

function ignoredOf(body: unknown, walk = ignoredFieldsCheck(Body, false)): string | undefined {
  const ignored = new IgnoredFields()
  walk(body, ignored)
  return ignored.toHeader()
}

function refusal(body: unknown, walk = ignoredFieldsCheck(Body, false)): string {
  try {
    return `accepted, ${ignoredOf(body, walk)} ignored`
  } catch (error) {
    assert.ok(error instanceof Failure)
    assert.deepEqual([error.kind, error.code], ['invalid', 'body_misplaced'])
    return error.message
  }
}

const DOCUMENT = { object: 'document', data: {}, nodes: [{ object: 'block', whatever: 1 }] }

test('an ignored field is named with its path, and nothing else is', () => {
  assert.equal(ignoredOf({ title: 'T', steps: [{ do: 'drop', page: 'p' }] }), undefined)
  assert.equal(
    ignoredOf({
      title: 'T',
      colour: 1,
      steps: [{ do: 'write', page: 'p', text: { markdown: '', mood: {} }, at: 1 }],
    }),
    'colour, steps[0].text.mood, steps[0].at',
  )
  assert.equal(ignoredOf({ steps: [{ do: 'drop', page: 'p', force: true }] }), 'steps[0].force')
  assert.equal(ignoredOf({ values: { any: { a: 1 }, thing: { b: 1 } } }), undefined, 'names that are values')
  assert.equal(ignoredOf({ steps: [{ do: 'write', page: 'p', text: { document: DOCUMENT } }] }), undefined)
  assert.equal(ignoredOf({ either: { a: { x: 1, y: 2 }, b: 1, c: 1 } }), 'either.a.y, either.c')
  assert.equal(ignoredOf({ layout: null, title: 'T' }), undefined)
})

test('an object of which nothing would be used is refused, with what it takes', () => {
  assert.equal(
    refusal({ steps: [{ do: 'write', page: 'p', text: DOCUMENT }] }),
    'body.steps.0.text: nothing of this is known here: object, data, nodes. It takes markdown, document. A rich document belongs into body.steps.0.text.document.',
  )
  assert.equal(
    refusal({ titel: 'T' }),
    'body: nothing of this is known here: titel. It takes title, steps, layout, values, either.',
  )
  assert.equal(
    refusal({ title: 'T', layout: { widht: 'wide' } }),
    'body.layout: nothing of this is known here: widht. It takes width.',
  )
  assert.equal(
    refusal({ steps: [{ do: 'write', page: 'p', markdown: '# T' }] }),
    'body.steps.0: nothing of this is known here: markdown. It takes text.',
  )
  assert.equal(refusal({}), 'accepted, undefined ignored')
  assert.equal(refusal({ steps: [{ do: 'write', page: 'p', text: {} }] }), 'accepted, undefined ignored')
  assert.equal(
    refusal({ titel: 'T' }, ignoredFieldsCheck(Body, true)),
    'accepted, titel ignored',
    'where no body is needed',
  )
  assert.equal(
    refusal({ titel: 'T' }, ignoredFieldsCheck(undefined, true)),
    'accepted, titel ignored',
    'where none is taken',
  )
})

test('names are safe in a header, cannot be mistaken, and are bounded however much is sent', () => {
  const names = ['a\r\nSet-Cookie: x', 'a.b', 'ü, é', 'half \ud800', '__proto__', '']
  const header = ignoredOf({ title: 'T', ...Object.fromEntries(names.map(name => [name, 1])) })
  assert.equal(header, 'a%0D%0ASet-Cookie%3A%20x, a%2Eb, %C3%BC%2C%20%C3%A9, half%20%EF%BF%BD, __proto__, ')
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`${n}${'ü'.repeat(50)}`, 1]))
  const long = ignoredOf({ title: 'T', ...many }) ?? ''
  assert.ok(long.length < 2100, `${long.length} characters`)
  assert.match(long, /^[\x20-\x7e]+, \.\.\.$/)
})

test('a body is walked once: its cost grows as its fields do', () => {
  const visits = (count: number) => {
    let reads = 0
    const counting = (object: object) =>
      new Proxy(object, {
        get(target, name, receiver) {
          reads += 1
          return Reflect.get(target, name, receiver)
        },
      })
    const steps = Array.from({ length: count }, () =>
      counting({ do: 'write', page: 'p', text: counting({ markdown: '', x: 1 }), y: 1 }),
    )
    ignoredFieldsCheck(Body, false)({ steps }, new IgnoredFields())
    return reads
  }
  assert.equal(visits(2000), 2 * visits(1000))
})
