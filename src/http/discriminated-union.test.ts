import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { Failure } from '../base/errors.ts'
import { DiscriminatedUnion } from './discriminated-union.ts'
import { IgnoredFields } from './ignored-fields.ts'
import { model } from './list.ts'
import { bodyReader } from './validation.ts'

const Move = model('Move', { do: Type.Literal('move'), to: Type.Integer(), by: Type.Optional(Type.String()) })
const Shapes = Array.from({ length: 12 }, (_, i) =>
  model(`Shape${i}`, { do: Type.Literal(`shape${i}`), size: Type.Number() }),
)
const Step = DiscriminatedUnion('do', [...Shapes, Move])
const read = bodyReader(Type.Object({ steps: Type.Array(Step, { minItems: 1 }) }), false)

function refusal(body: unknown, reader = read): string {
  try {
    reader(body, new IgnoredFields())
  } catch (error) {
    assert.ok(error instanceof Failure)
    return error.message
  }
  return 'accepted'
}

test('an error is described for the alternative that was named, however many there are', () => {
  assert.equal(refusal({ steps: [{ do: 'move' }] }), 'body.steps.0.to: this is required.')
  assert.equal(
    refusal({
      steps: [
        { do: 'move', to: 1 },
        { do: 'move', to: 'x' },
      ],
    }),
    'body.steps.1.to: must be integer.',
  )
  assert.equal(refusal({ steps: [{ do: 'shape11' }] }), 'body.steps.0.size: this is required.')
})

test('the error for an object that names no alternative lists them', () => {
  assert.match(
    refusal({ steps: [{ do: 'jump' }] }),
    /^body\.steps\.0\.do: must be one of shape0, .*, move\.$/,
  )
  assert.equal(refusal({ steps: [{}] }), 'body.steps.0.do: this is required.')
  assert.equal(refusal({ steps: [7] }), 'body.steps.0: must be object.')
})

test('other errors of a body are refused as before', () => {
  assert.equal(refusal({ steps: [] }), 'body.steps: must not have fewer than 1 items.')
  assert.equal(refusal({}), 'body.steps: this is required.')
})

test('an object of any alternative is accepted, with fields that are not declared', () => {
  const body = {
    steps: [
      { do: 'move', to: 1, extra: 2 },
      { do: 'shape3', size: 0.5 },
    ],
  }
  assert.deepEqual(read(structuredClone(body), new IgnoredFields()), body)
})

test('an error is described for the object that was named, also in nested unions that are not declared as discriminated', () => {
  const Rule = Type.Union([
    Type.Object({ rule: Type.Enum(['one', 'two']), users: Type.Array(Type.String()) }),
    Type.Object({ rule: Type.Enum(['three']) }),
    Type.Object({ rule: Type.Enum(['four']), text: Type.String() }),
  ])
  const Rules = Type.Union([
    Type.Object({ type: Type.Literal('none') }),
    Type.Object({ type: Type.Literal('rules'), rules: Type.Array(Rule) }),
  ])
  const said = (rules: unknown) => refusal({ rules }, bodyReader(Type.Object({ rules: Rules }), false))
  assert.equal(
    said({ type: 'rules', rules: [{ rule: 'five' }] }),
    'body.rules.rules.0.rule: must be one of one, two, three, four.',
  )
  assert.equal(
    said({ type: 'rules', rules: [{ rule: 'three' }, { rule: 'four' }] }),
    'body.rules.rules.1.text: this is required.',
  )
  assert.equal(
    said({ type: 'rules', rules: [{ rule: 'two', users: 1 }] }),
    'body.rules.rules.0.users: must be array.',
  )
  assert.equal(said({ type: 'rules' }), 'body.rules.rules: this is required.')
  assert.equal(said({ type: 'some' }), 'body.rules.type: must be one of none, rules.')
  assert.equal(said({ type: 'rules', rules: [{ rule: 'three', users: 1 }] }), 'accepted')
})
