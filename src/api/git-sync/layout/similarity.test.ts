import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../../test/support/growth.ts'
import { DOCUMENTS_COMPARED_MAX } from './bounds.ts'
import { pairSimilar } from './similarity.ts'

const bytes = (...lines: string[]) => Buffer.from(lines.join('\n'))

test('a document that was edited is found by the lines it kept', async () => {
  const went = new Map([
    ['a', bytes('# Install', 'Download the archive.', 'Run the program.', 'Open the browser.')],
    ['b', bytes('# Upgrade', 'Stop the program.', 'Replace the archive.', 'Start it again.')],
  ])
  const came = new Map([
    [1, bytes('# Upgrading', 'Stop the program.', 'Replace the archive.', 'Start it again.')],
    [2, bytes('# Something else', 'Nothing of this was there before.')],
  ])
  assert.deepEqual([...(await pairSimilar(went, came))], [[1, 'b']])
})

test('each document is paired once, with the most similar one', async () => {
  const text = ['one line here', 'two lines here', 'three lines here', 'four lines here']
  const went = new Map([['a', bytes(...text)]])
  const came = new Map([
    [1, bytes(...text.slice(0, 3), 'other words')],
    [2, bytes(...text, 'a fifth')],
  ])
  assert.deepEqual([...(await pairSimilar(went, came))], [[2, 'a']])
})

test('lines that are in every document do not pair documents', async () => {
  const licence = ['Licensed to nobody under no terms', 'All rights are with their owners']
  const went = new Map(
    Array.from({ length: 40 }, (_, at) => [`w${at}`, bytes(...licence, `w${at}`)] as const),
  )
  const came = new Map(Array.from({ length: 40 }, (_, at) => [at, bytes(...licence, `c${at}`)] as const))
  assert.equal((await pairSimilar(went, came)).size, 0)
})

test('many documents on each side are compared without comparing pairs', async () => {
  const make = (at: number) =>
    bytes(...Array.from({ length: 50 }, (_, line) => `document ${at} line ${line}`))
  const sides = (length: number) => ({
    went: new Map(Array.from({ length }, (_, at) => [at, make(at)] as const)),
    came: new Map(Array.from({ length }, (_, at) => [at, make(at)] as const)),
  })
  const { went, came } = sides(500)
  const pairs = await pairSimilar(went, came)
  assert.ok([...pairs].every(([a, b]) => a === b) && pairs.size === 500)
  await assertLinear(
    'pairSimilar',
    ({ went, came }) => pairSimilar(went, came),
    sides,
    DOCUMENTS_COMPARED_MAX,
  )
})

test('documents are compared in slices, between which others run', async t => {
  // Lines of sixteen documents are compared with each of them.
  const make = (at: number) =>
    bytes(...Array.from({ length: 2_000 }, (_, line) => `group ${Math.floor(at / 16)} line ${line}`))
  const documents = Array.from({ length: 64 }, (_, at) => [at, make(at)] as const)
  // Each look at this clock takes a millisecond, so that few steps are a slice.
  let ms = 1_000_000_000
  t.mock.method(globalThis.performance, 'now', () => ++ms)
  let [turns, isDone] = [0, false]
  const turn = () => {
    turns += 1
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  assert.equal((await pairSimilar(new Map(documents), new Map(documents))).size, documents.length)
  isDone = true
  assert.ok(turns >= documents.length / 4, `${turns} turns`)
})
