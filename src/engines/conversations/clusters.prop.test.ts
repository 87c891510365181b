// What clusters promise whatever the texts are: the same for the same texts, in any order, and much the same for some more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../test/support/growth.ts'
import { tried } from '../../../test/support/property-runs.ts'
import { clustersOf } from './clusters.ts'
import { matchGroups } from './matching.ts'
import { neighboursOf } from './neighbours.ts'
import { buildVectors } from './vectors.ts'

const SYLLABLES = ['ba', 'ko', 'li', 'mu', 'ne', 'pra', 'sti', 'tor', 'vel', 'zun', 'gri', 'fow']

/** A word of its own for each number. */
const wordOf = (number: number): string => {
  let word = ''
  for (let left = number + 12; left > 0; left = Math.floor(left / 12)) word += SYLLABLES[left % 12]
  return word
}

/** `each` texts in each of so many topics: some words of the topic, and some that all topics have. */
function textsIn(topics: number, each: number, seed: number): { text: string; topic: number }[] {
  let state = seed
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  return Array.from({ length: topics * each }, (_, at) => {
    const topic = Math.floor(at / each)
    const own = Array.from({ length: 5 }, () => wordOf(topic * 12 + next(12)))
    const shared = Array.from({ length: 3 }, () => wordOf(10_000 + next(60)))
    return { text: [...own, ...shared].join(' '), topic }
  })
}

const named = (texts: readonly string[]): string[] =>
  clustersOf(texts)
    .map(places =>
      places
        .map(place => texts[place] as string)
        .sort()
        .join('\n'),
    )
    .sort()

const scene = fc.record({
  topics: fc.integer({ min: 2, max: 12 }),
  each: fc.integer({ min: 3, max: 30 }),
  seed: fc.integer({ min: 1, max: 2 ** 31 }),
})

test('the same texts make the same clusters in any order', () => {
  fc.assert(
    fc.property(scene, fc.infiniteStream(fc.nat()), ({ topics, each, seed }, keys) => {
      const texts = textsIn(topics, each, seed).map(({ text }) => text)
      const keyed = texts.map(text => ({ text, key: keys.next().value as number }))
      const other = keyed.sort((a, b) => a.key - b.key).map(({ text }) => text)
      assert.deepEqual(named(other), named(texts))
    }),
    tried(15),
  )
})

test('any texts are in one cluster at most, and no cluster has less than two', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 60 }), { maxLength: 40 }), texts => {
      const clusters = clustersOf(texts)
      const places = clusters.flat()
      assert.equal(new Set(places).size, places.length)
      assert.ok(places.every(place => place >= 0 && place < texts.length))
      assert.ok(clusters.every(({ length }) => length >= 2))
    }),
    tried(50),
  )
})

test('topics that share few words are separate clusters', () => {
  const texts = textsIn(8, 20, 7)
  const clusters = clustersOf(texts.map(({ text }) => text))
  assert.equal(clusters.length, 8)
  for (const places of clusters) assert.equal(new Set(places.map(place => texts[place]?.topic)).size, 1)
})

test('with a tenth more texts, every cluster keeps its id and nearly all of its texts', () => {
  for (const seed of [1, 2, 3]) {
    const texts = textsIn(20, 22, seed)
    const isLate = texts.map((_, at) => at % 11 === 0)
    const early = texts.filter((_, at) => !isLate[at])
    const first = clustersOf(early.map(({ text }) => text))
    const clusterOf = new Map(
      first.flatMap((places, id) => places.map(place => [early[place], `${id}`] as const)),
    )
    const before = texts.map(one => clusterOf.get(one) ?? null)
    const then = clustersOf(texts.map(({ text }) => text))
    const { ids } = matchGroups(before, then)
    assert.equal(ids.filter(id => id !== null).length, first.length)
    const moved = then.flatMap((places, group) =>
      places.filter(place => before[place] !== null && before[place] !== ids[group]),
    )
    assert.ok(moved.length <= 0.05 * early.length, `${moved.length} of ${early.length} moved`)
  }
})

test('texts that are equal are together, however many', () => {
  const clusters = clustersOf([...Array(500).fill('the printer is offline'), 'invoices', 'dolphins'])
  assert.deepEqual(
    clusters.map(({ length }) => length),
    [500],
  )
})

test('vectors, neighbours and clusters take time in proportion to the texts', async () => {
  const shape = (length: number) => textsIn(Math.ceil(length / 40), 40, 5).map(({ text }) => text)
  const run = async (
    texts: readonly string[],
    stage: <T>(name: string, work: () => T) => Promise<Awaited<T>>,
  ) => {
    const vectors = await stage('vectors', () => buildVectors(texts))
    await stage('neighbours', () => neighboursOf(vectors))
    await stage('clusters', () => clustersOf(texts))
  }
  await assertLinear('texts', run as never, shape, 16_000)
})
