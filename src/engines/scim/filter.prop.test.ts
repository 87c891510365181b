// What is written by the grammar is read as it was meant, and nothing that anybody sends throws.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FILTER_LEVELS_MAX, type Filter, parseFilter, parsePath } from './filter.ts'

const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,6}$/)
const path = fc.record({
  uri: fc.option(fc.constant('urn:ietf:params:scim:schemas:core:2.0:User'), { nil: null }),
  name: word,
  sub: fc.option(word, { nil: null }),
})
const text = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .filter(one => one.isWellFormed() && !one.includes('\u0000'))
const value = fc.oneof(
  text,
  fc.boolean(),
  fc.constant(null),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const operator = fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le')

const { filter } = fc.letrec<{ filter: Filter }>(tie => ({
  filter: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ kind: fc.constant('present' as const), path }),
    fc.record({ kind: fc.constant('compare' as const), path, operator, value }) as fc.Arbitrary<Filter>,
    fc.record({ kind: fc.constant('not' as const), filter: tie('filter') }),
    fc.record({ kind: fc.constant('element' as const), path, filter: tie('filter') }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      filters: fc.array(tie('filter'), { minLength: 2, maxLength: 3 }),
    }),
  ),
}))

const nameOf = ({ uri, name, sub }: Extract<Filter, { path: unknown }>['path']) =>
  `${uri === null ? '' : `${uri}:`}${name}${sub === null ? '' : `.${sub}`}`

function write(one: Filter): string {
  switch (one.kind) {
    case 'present':
      return `${nameOf(one.path)} pr`
    case 'compare':
      return `${nameOf(one.path)} ${one.operator} ${JSON.stringify(one.value)}`
    case 'not':
      return `not (${write(one.filter)})`
    case 'element':
      return `${nameOf(one.path)}[${write(one.filter)}]`
    default:
      return one.filters
        .map(each => (isJoined(each) ? `(${write(each)})` : write(each)))
        .join(` ${one.kind} `)
  }
}
const isJoined = ({ kind }: Filter) => kind === 'and' || kind === 'or'

test('a filter that is written is read as it was', () => {
  fc.assert(
    fc.property(filter, one => {
      const parsed = parseFilter(write(one))
      // −0 has no text of its own.
      if ('problem' in parsed) assert.match(parsed.problem, /more than|nested/)
      else assert.equal(JSON.stringify(parsed.value), JSON.stringify(one))
    }),
  )
  assert.ok(FILTER_LEVELS_MAX >= 4)
})

test('no text makes a filter or a path throw', () => {
  const pieces = fc.constantFrom(
    '(',
    ')',
    '[',
    ']',
    '"',
    '\\',
    'a',
    'not',
    'and',
    'or',
    'eq',
    'pr',
    '.',
    ':',
    ' ',
    '1',
  )
  const noise = fc.oneof(
    fc.string(),
    fc.array(pieces, { maxLength: 30 }).map(all => all.join('')),
  )
  fc.assert(
    fc.property(noise, one => {
      for (const parsed of [parseFilter(one), parsePath(one)])
        assert.ok('problem' in parsed || 'value' in parsed)
    }),
  )
})
