import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { temporaryFolder } from '../../test/support/process.ts'
import { actFor } from '../platform/fairness/party.ts'
import { createKeptAnswers, type KeptAnswers, type MakeAnswer } from './kept-answers.ts'

const BOUNDS = { bytesMax: 1_000, millisecondsMax: 60_000 }

function keptIn(bounds = BOUNDS) {
  const folder = join(temporaryFolder(), 'answers')
  return { folder, kept: createKeptAnswers(folder, bounds) }
}

/** An answer in pieces, each of which is made when it is told to. */
function inPieces(...pieces: (string | Error)[]) {
  const steps = pieces.map(() => Promise.withResolvers<void>())
  let begun = 0
  async function* make() {
    begun += 1
    for (const [at, piece] of pieces.entries()) {
      await steps[at]?.promise
      if (piece instanceof Error) throw piece
      yield piece
    }
  }
  return { make, go: (at: number) => steps[at]?.resolve(), timesBegun: () => begun }
}

const textOf = async (kept: KeptAnswers, key: string, make: () => AsyncIterable<string>) => {
  const { stream, secret } = await kept.open(key, 'lane', make)
  return { text: await text(stream), secret }
}

test('an answer is made once, for those who ask while it is made and for those who ask later', async () => {
  const { kept } = keptIn()
  const { make, go, timesBegun } = inPieces('one ', 'two ', 'three')
  const first = textOf(kept, 'a', make)
  const second = textOf(kept, 'a', make)
  go(0)
  const { stream } = await kept.open('a', 'lane', make)
  const pieces = stream[Symbol.asyncIterator]()
  assert.equal(String((await pieces.next()).value), 'one ', 'before the rest is made')
  go(1)
  assert.equal(String((await pieces.next()).value), 'two ')
  await pieces.return?.()
  go(2)
  const all = [await first, await second, await textOf(kept, 'a', make)]
  assert.deepEqual(new Set(all.map(each => each.text)), new Set(['one two three']))
  assert.equal(new Set(all.map(each => each.secret)).size, 1)
  assert.equal(timesBegun(), 1)
  assert.equal((await textOf(kept, 'b', () => inPiecesAtOnce('other'))).text, 'other')
})

async function* inPiecesAtOnce(...pieces: string[]) {
  yield* pieces
}

test('an answer of many pieces is read to its end while it is made', async () => {
  const { kept } = keptIn({ ...BOUNDS, bytesMax: 1_000_000 })
  const pieces = Array.from({ length: 2_000 }, (_, at) => `piece ${at}\n`)
  const read = await Promise.all([1, 2, 3].map(() => textOf(kept, 'a', () => inPiecesAtOnce(...pieces))))
  for (const { text } of read) assert.equal(text, pieces.join(''))
})

test('who leaves ends it for nobody', async () => {
  const { kept } = keptIn()
  const { make, go, timesBegun } = inPieces('one ', 'two')
  go(0)
  const { stream } = await kept.open('a', 'lane', make)
  stream.destroy()
  const later = textOf(kept, 'a', make)
  go(1)
  assert.equal((await later).text, 'one two')
  assert.equal(timesBegun(), 1)
})

test('what fails at first fails for all who wait, what fails later breaks off, and neither is kept', async () => {
  const { kept, folder } = keptIn()
  const atOnce = inPieces(new Error('at once'))
  const asked = [textOf(kept, 'a', atOnce.make), textOf(kept, 'a', atOnce.make)]
  atOnce.go(0)
  for (const each of asked) await assert.rejects(each, /at once/)
  const later = inPieces('one', new Error('later'))
  later.go(0)
  const { stream } = await kept.open('a', 'lane', later.make)
  later.go(1)
  await assert.rejects(buffer(stream), /later/)
  while (readdirSync(folder).length > 0) await setImmediate()
  assert.equal((await textOf(kept, 'a', () => inPiecesAtOnce('well'))).text, 'well')
})

test('the least recently read ones make room, what has no room is read and not kept, and what was left is removed', async () => {
  const { kept, folder } = keptIn()
  mkdirSync(folder)
  writeFileSync(join(folder, 'left'), 'left')
  const sized = (bytes: number) => () => inPiecesAtOnce('x'.repeat(bytes))
  for (const key of ['a', 'b', 'c']) assert.equal((await textOf(kept, key, sized(400))).text.length, 400)
  while (readdirSync(folder).length > 2) await setImmediate()
  assert.ok(!existsSync(join(folder, 'left')))
  let again = 0
  const count = async function* () {
    again += 1
    yield 'x'.repeat(400)
  }
  await textOf(kept, 'c', count)
  assert.equal(again, 0)
  await textOf(kept, 'a', count)
  assert.equal(again, 1)
  assert.equal((await textOf(kept, 'd', sized(1_001))).text.length, 1_001)
  while (readdirSync(folder).length > 2) await setImmediate()
})

test('an answer with a part that may be better soon is not kept for longer than that', async () => {
  const { kept } = keptIn()
  let made = 0
  const make: MakeAnswer = async function* (answer) {
    made += 1
    if (made === 1) answer.keepAtMost(1)
    yield `${made}`
  }
  const read = async () => text((await kept.open('a', 'lane', make)).stream)
  assert.equal(await read(), '1')
  await sleep(5)
  assert.equal(await read(), '2')
  await sleep(5)
  assert.equal(await read(), '2')
})

test('what is removed from the disk is made again, and so is what could not be written', async () => {
  const { kept, folder } = keptIn()
  const parent = join(folder, '..')
  rmSync(parent, { recursive: true })
  writeFileSync(parent, 'no folder')
  await assert.rejects(textOf(kept, 'a', () => inPiecesAtOnce('one')))
  rmSync(parent)
  assert.equal((await textOf(kept, 'a', () => inPiecesAtOnce('two'))).text, 'two')
  for (const file of readdirSync(folder)) rmSync(join(folder, file))
  assert.equal((await textOf(kept, 'a', () => inPiecesAtOnce('three'))).text, 'three')
  rmSync(folder, { recursive: true })
  assert.equal((await textOf(kept, 'a', () => inPiecesAtOnce('four'))).text, 'four')
  assert.equal((await textOf(kept, 'a', () => inPiecesAtOnce('five'))).text, 'four')
})

test('with little room on the disk, answers are read and nothing is kept', async () => {
  const { folder } = keptIn()
  const kept = createKeptAnswers(folder, BOUNDS, async () => 0)
  const failing = inPieces(new Error('at once'))
  failing.go(0)
  await assert.rejects(textOf(kept, 'a', failing.make), /at once/)
  for (const words of ['one', 'two'])
    assert.equal((await textOf(kept, 'a', () => inPiecesAtOnce(words, '!'))).text, `${words}!`)
  assert.equal((await textOf(kept, 'b', () => inPiecesAtOnce())).text, '')
  assert.ok(!existsSync(folder))
})

test('those of another organization are made while one waits, and too many of one person are refused', async () => {
  const { kept } = keptIn()
  const held = inPieces('one')
  const openFor = (organization: string, key: string, make = held.make) =>
    actFor({ organization, person: 'anna' }, () => textOf(kept, key, make))
  const waiting = ['a', 'b', 'c'].map(key => openFor('acme', key))
  await assert.rejects(openFor('acme', 'd'), { kind: 'unavailable', code: 'busy' })
  assert.equal((await openFor('other', 'e', () => inPiecesAtOnce('mine'))).text, 'mine')
  held.go(0)
  assert.deepEqual(await Promise.all(waiting.map(async each => (await each).text)), ['one', 'one', 'one'])
})

test('a slow reader is cut off, and closing ends what is made', async () => {
  const { kept } = keptIn({ ...BOUNDS, millisecondsMax: 10 })
  const { make, go } = inPieces('one', 'two', 'three')
  go(0)
  const { stream } = await kept.open('a', 'lane', make)
  await assert.rejects(buffer(stream))
  const closed = kept.close()
  go(1)
  await closed
})
