import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearPagesOf } from './near-pages.ts'
import { closenessOf, scaleOf } from './scale.ts'

/** A direction of each pair, and one that all texts have in common. */
const vectorOf = (at: number, own: number, common: number): Int8Array => {
  const vector = new Int8Array(9)
  vector[0] = common
  vector[1 + at] = own
  return vector
}
const all = (own: number, common: number) => Array.from({ length: 8 }, (_, at) => vectorOf(at, own, common))

test('models with wide and with narrow angles are measured alike', () => {
  for (const common of [0, 30, 90]) {
    const scale = scaleOf(all(60, common), all(60, common))
    assert.ok(scale !== undefined)
    assert.ok(scale.unrelated < scale.floor && scale.floor < scale.related, JSON.stringify(scale))
    assert.equal(closenessOf(scale, scale.unrelated), 0)
    assert.equal(closenessOf(scale, -1), 0)
    assert.ok(Math.abs(closenessOf(scale, scale.related) - 0.5) < 1e-9)
    assert.equal(closenessOf(scale, scale.related + 2 * (scale.related - scale.unrelated)), 1)
  }
})

test('where unrelated texts lie anywhere, the floor is beyond nearly all of them', () => {
  const questions = all(60, 20)
  const answers = all(60, 20).map((vector, at) => (at % 2 === 0 ? vector : vectorOf(at, 60, -20)))
  const scale = scaleOf(questions, answers)
  assert.ok(scale !== undefined)
  assert.ok(scale.floor > (scale.unrelated + scale.related) / 2 || scale.floor > 0.1)
})

test('a model that separates nothing has no scale', () => {
  assert.equal(scaleOf(all(0, 1), all(0, 1)), undefined)
  const others = all(60, 0)
  assert.equal(scaleOf(others, [...others.slice(1), ...others.slice(0, 1)]), undefined)
  assert.equal(scaleOf(all(0, 0), all(0, 0)), undefined)
})

test('pages come by their nearest section, and only those that are closer than any', () => {
  const scale = { unrelated: 0.2, related: 0.6, floor: 0.5 }
  const sections = [
    { page: 'b', ordinal: 4, score: 0.7 },
    { page: 'a', ordinal: 0, score: 0.6 },
    { page: 'b', ordinal: 1, score: 0.45 },
    { page: 'c', ordinal: 0, score: 0.4 },
    { page: 'b', ordinal: 2, score: 0.3 },
    { page: 'b', ordinal: 3, score: 0.3 },
    { page: 'd', ordinal: 0, score: 0.2 },
  ]
  const near = nearPagesOf(sections, scale, { limit: 10, nameOf: page => page })
  assert.deepEqual(
    near.map(({ page, isNear, ordinals }) => [page, isNear, ordinals]),
    [
      ['b', true, [4, 1, 2]],
      ['a', true, [0]],
      ['c', false, [0]],
    ],
  )
  assert.equal(nearPagesOf(sections, scale, { limit: 1, nameOf: page => page }).length, 1)
})
