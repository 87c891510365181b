import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDocument } from './document.ts'
import { sampleDocument } from './sample.ts'
import { type Shape, shapeOf } from './shape.ts'

const document = readDocument(sampleDocument)
const shape = (schema: unknown): Shape => shapeOf(document, schema)
const space = shape({ $ref: '#/components/schemas/Space' })
const field = (name: string): Shape => {
  const found = space.fields.find(field => field.name === name)
  assert.ok(found, name)
  return found.shape
}

test('a named model is called by its name and opens into its fields', () => {
  assert.equal(space.type, 'Space')
  assert.equal(space.model, 'Space')
  assert.deepEqual(
    space.fields.filter(field => field.isRequired).map(field => field.name),
    ['object', 'id', 'title', 'mergeRules'],
  )
})

test('bounds are shown as words', () => {
  const facts = (schema: unknown) => shape(schema).facts
  assert.deepEqual(facts({ type: 'string', minLength: 1, maxLength: 50 }), ['1 to 50 characters'])
  assert.deepEqual(facts({ type: 'string', maxLength: 2048 }), ['at most 2,048 characters'])
  assert.deepEqual(facts({ type: 'string', minLength: 4, maxLength: 4, format: 'uri' }), [
    'exactly 4 characters',
    'uri',
  ])
  assert.deepEqual(facts({ type: 'array', minItems: 1, items: { type: 'string' } }), ['at least 1 item'])
  assert.deepEqual(facts({ type: 'integer', minimum: 0, maximum: 1000, default: 100 }), [
    '0 to 1000',
    'default 100',
  ])
  assert.deepEqual(facts({ type: 'number', exclusiveMinimum: 0 }), ['more than 0'])
  assert.deepEqual(facts({ type: 'string', pattern: '^a$' }), ['matches ^a$'])
})

test('nullable is shown once, whichever way the schema says it', () => {
  assert.equal(field('emoji').type, 'string or null')
  assert.deepEqual(field('emoji').facts, ['1 to 50 characters'])
  assert.equal(shape({ type: ['string', 'null'] }).type, 'string or null')
  assert.equal(shape({ type: 'string', nullable: true }).type, 'string or null')
  assert.equal(
    shape({ anyOf: [{ $ref: '#/components/schemas/Space' }, { type: 'null' }] }).type,
    'Space or null',
  )
})

test('alternatives of plain values are one line with all values', () => {
  assert.equal(field('level').type, 'string or null')
  assert.deepEqual(field('level').values, ['read', 'edit', 'inherit'])
})

test('values of one alternative are not said of the others', () => {
  const partly = shape({ anyOf: [{ type: 'boolean' }, { type: 'string', enum: ['deterministic-only'] }] })
  assert.equal(partly.type, 'boolean or "deterministic-only"')
  assert.deepEqual(partly.values, [])
})

test('alternatives that are objects stay a choice', () => {
  const rules = field('mergeRules')
  assert.equal(rules.type, 'MergeRules')
  assert.deepEqual(
    rules.options.map(option => option.fields.map(({ name }) => name)),
    [['type'], ['type', 'rules']],
  )
})

test('an array says what it holds and shows the parts of that', () => {
  const list = shape({ type: 'array', items: { $ref: '#/components/schemas/Space' } })
  assert.equal(list.type, 'array of Space')
  assert.equal(list.model, 'Space')
  assert.equal(list.fields.length, space.fields.length)
  assert.equal(shape({ type: 'array', items: { type: 'string' } }).type, 'array of strings')
})

test('members of allOf are the fields of one object', () => {
  const both = shape({
    allOf: [
      { $ref: '#/components/schemas/Error' },
      { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
    ],
  })
  assert.deepEqual(
    both.fields.map(({ name, isRequired }) => [name, isRequired]),
    [
      ['error', true],
      ['id', true],
    ],
  )
})

test('a free map shows what its values are', () => {
  assert.deepEqual(
    field('labels').fields.map(({ name, shape }) => [name, shape.type]),
    [['[any other name]', 'string']],
  )
})

test('a model inside itself is named, not opened again', () => {
  assert.equal(field('parent').type, 'Space')
  assert.equal(field('parent').isCut, true)
  assert.deepEqual(field('parent').fields, [])
})

test('a reference that leads nowhere, or round in a circle, is shown by its name', () => {
  const circle = readDocument({
    components: { schemas: { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } } },
  })
  assert.equal(shapeOf(circle, { $ref: '#/components/schemas/A' }).type, 'A')
  assert.equal(shape({ $ref: '#/components/schemas/Gone' }).type, 'Gone')
  assert.equal(shape({ $ref: '#/components/schemas/Gone' }).model, undefined)
  assert.equal(shape({ $ref: 'https://elsewhere.example/a.json' }).type, 'anything')
})

test('a schema that branches without end costs a bounded number of shapes', () => {
  const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']
  const properties = Object.fromEntries(
    names.flatMap(name => [1, 2].map(n => [`${name}${n}`, { $ref: `#/components/schemas/${name}` }])),
  )
  const schemas = Object.fromEntries(names.map(name => [name, { type: 'object', properties }]))
  const wide = readDocument({ components: { schemas } })
  const count = ({ fields }: Shape): number => fields.reduce((sum, field) => sum + count(field.shape), 1)
  assert.ok(count(shapeOf(wide, { $ref: '#/components/schemas/A' })) < 10_000)
})
