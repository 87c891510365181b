import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../../test/support/growth.ts'
import { DOCUMENTS_COMPARED_MAX } from './bounds.ts'
import { pairSimilar } from './similarity.ts'

const bytes = (...lines: string[]) => Buffer.from(lines.join('\n'))

test('a document that was edited is found by the lines it kept', () => {
  const went = new Map([
    ['a', bytes('# Install', 'Download the archive.', 'Run the program.', 'Open the browser.')],
    ['b', bytes('# Upgrade', 'Stop the program.', 'Replace the archive.', 'Start it again.')],
  ])
  const came = new Map([
    [1, bytes('# Upgrading', 'Stop the program.', 'Replace the archive.', 'Start it again.')],
    [2, bytes('# Something else', 'Nothing of this was there before.')],
  ])
  assert.deepEqual([...pairSimilar(went, came)], [[1, 'b']])
})

test('each document is paired once, with the most similar one', () => {
  const text = ['one line here', 'two lines here', 'three lines here', 'four lines here']
  const went = new Map([['a', bytes(...text)]])
  const came = new Map([
    [1, bytes(...text.slice(0, 3), 'other words')],
    [2, bytes(...text, 'a fifth')],
  ])
  assert.deepEqual([...pairSimilar(went, came)], [[2, 'a']])
})

test('lines that are in every document do not pair documents', () => {
  const licence = ['Licensed to nobody under no terms', 'All rights are with their owners']
  const went = new Map(
    Array.from({ length: 40 }, (_, at) => [`w${at}`, bytes(...licence, `w${at}`)] as const),
  )
  const came = new Map(Array.from({ length: 40 }, (_, at) => [at, bytes(...licence, `c${at}`)] as const))
  assert.equal(pairSimilar(went, came).size, 0)
})

test('many documents on each side are compared without comparing pairs', async () => {
  const make = (at: number) =>
    bytes(...Array.from({ length: 50 }, (_, line) => `document ${at} line ${line}`))
  const sides = (length: number) => ({
    went: new Map(Array.from({ length }, (_, at) => [at, make(at)] as const)),
    came: new Map(Array.from({ length }, (_, at) => [at, make(at)] as const)),
  })
  const { went, came } = sides(500)
  const pairs = pairSimilar(went, came)
  assert.ok([...pairs].every(([a, b]) => a === b) && pairs.size === 500)
  await assertLinear(
    'pairSimilar',
    ({ went, came }) => pairSimilar(went, came),
    sides,
    DOCUMENTS_COMPARED_MAX,
  )
})
