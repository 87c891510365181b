import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BODY_LEVELS_MAX, BODY_VALUES_MAX, jsonBody, type ReadJson } from './json-body.ts'

const read = (text: string, { isFolding = true, isDigesting = false } = {}): ReadJson =>
  jsonBody({ bytes: Buffer.from(text), isFolding, isDigesting }, {}) as ReadJson

const refusal = (text: string) => {
  const found = read(text)
  return found.kind === 'refused' ? [found.why, found.path.join('.')] : undefined
}

const document = (words: string) =>
  `{"object":"document","data":{},"nodes":[{"object":"block","words":${JSON.stringify(words)}}]}`

test('JSON is read as it is sent', () => {
  const text = '{"a":[1,"\ud83d\ude00",null,{"b":true}]}'
  assert.deepEqual(read(text), { kind: 'read', value: JSON.parse(text), documents: [] })
  assert.deepEqual(read('\ufeff[1]'), { kind: 'read', value: [1], documents: [] })
})

test('documents are returned as JSON, and their placeholder is not a valid document', () => {
  const found = read(`{"of":[${document('one')},{"document":${document('two')}}]}`)
  assert.ok(found.kind === 'read')
  assert.deepEqual(
    found.documents.map(({ json }) => json),
    [document('one'), document('two')],
  )
  const { of } = found.value as { of: [object, { document: object }] }
  assert.equal(of[0], found.documents[0]?.stub)
  assert.equal(of[1].document, found.documents[1]?.stub)
  assert.deepEqual(of[0], { object: 'document', data: {}, nodes: [{ object: 'folded' }] })
  const whole = read(document('one'), { isFolding: false })
  assert.deepEqual(whole, { kind: 'read', value: JSON.parse(document('one')), documents: [] })
})

test('the nodes of a body that is itself blocks are folded too, and those of others are not', () => {
  const found = read('{"nodes":[{"object":"block"}],"page":"a"}')
  assert.ok(found.kind === 'read')
  assert.deepEqual(found.value, { nodes: [{ object: 'folded' }], page: 'a' })
  const [folded] = found.documents
  assert.equal(folded?.stub, found.value)
  assert.equal(folded?.json, '{"object":"document","data":{},"nodes":[{"object":"block"}]}')
  for (const text of ['{"of":{"nodes":[1]}}', '{"nodes":"a"}'])
    assert.deepEqual(read(text), { kind: 'read', value: JSON.parse(text), documents: [] })
  const values = `{"nodes":[${'0,'.repeat(BODY_VALUES_MAX)}0]}`
  assert.equal(read(values).kind, 'read')
  assert.equal(read(values, { isFolding: false }).kind, 'refused')
})

test('equal documents have equal digests in any order of members', () => {
  const digests = [
    '{"object":"document","nodes":[{"a":1,"b":2}]}',
    '{"nodes":[{"b":2,"a":1}],"object":"document"}',
  ].map(text => {
    const found = read(text, { isDigesting: true })
    return found.kind === 'read' ? found.documents[0]?.digest : undefined
  })
  assert.match(digests[0] ?? '', /^[0-9a-f]{64}$/)
  assert.equal(digests[0], digests[1])
})

test('what is no JSON, too deep, or has half a character or a forbidden name is refused, in documents too', () => {
  assert.deepEqual(refusal('{'), ['no_json', ''])
  assert.deepEqual(refusal('['.repeat(BODY_LEVELS_MAX + 1)), ['too_deep', ''])
  assert.deepEqual(refusal('{"a":[1,"\\ud83d"]}'), ['half_character', 'a.1'])
  assert.deepEqual(refusal('{"a":{"\\udfff":1}}'), ['half_character', 'a'])
  assert.deepEqual(refusal('{"a":{"__proto__":1}}'), ['name_forbidden', 'a.__proto__'])
  assert.deepEqual(refusal('{"constructor":{"prototype":1}}'), ['name_forbidden', 'constructor'])
  assert.equal(refusal('{"constructor":"a"}'), undefined)
  const inside = '{"d":{"object":"document","nodes":["\\ud83d"]}}'
  assert.deepEqual(refusal(inside), ['half_character', 'd.nodes.0'])
})

test('values beyond the bound are refused; those of a folded document do not count', () => {
  const many = (count: number) => `[${'{},'.repeat(count - 1)}{}]`
  assert.deepEqual(refusal(many(BODY_VALUES_MAX)), ['too_many_values', String(BODY_VALUES_MAX - 1)])
  assert.equal(refusal(many(BODY_VALUES_MAX - 1)), undefined)
  assert.equal(refusal(`{"object":"document","nodes":${many(BODY_VALUES_MAX)}}`), undefined)
})
