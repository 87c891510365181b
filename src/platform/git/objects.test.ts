import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseCommit } from './objects.ts'
import { type ProgressReport, progressReader } from './progress.ts'

const OID = '0123456789abcdef0123456789abcdef01234567'
const answer = (text: string): Buffer => Buffer.from(`${OID} commit ${Buffer.byteLength(text)}\n${text}\n`)
const commit = (author: string, message: string): string =>
  `tree ${OID}\n${author}\ncommitter C <c@example.com> 1700000000 +0000\n\n${message}`

describe('a commit', () => {
  it('says author, instant in UTC and message', () => {
    const text = commit('author Ada Ü <ada@example.com> 1700000000 -0330', 'Subject\n\nBody\n')
    assert.deepEqual(parseCommit(answer(text)), {
      oid: OID,
      message: 'Subject\n\nBody',
      author: 'Ada Ü',
      authoredAt: '2023-11-14T22:13:20.000Z',
    })
  })

  for (const [what, author, at] of [
    ['without an author', 'x', '1970-01-01T00:00:00.000Z'],
    ['from before 1970', 'author A <a> -5 +0000', '1970-01-01T00:00:00.000Z'],
    ['from beyond all dates', 'author A <a> 99999999999999999999 +0000', '+275760-09-13T00:00:00.000Z'],
    ['with nothing but brackets', `author ${'<'.repeat(500_000)} 5 +0000`, '1970-01-01T00:00:00.000Z'],
  ] as const) {
    it(`${what} is read all the same`, () => {
      assert.equal(parseCommit(answer(commit(author, 'm')))?.authoredAt, at)
    })
  }

  it('is not what is something else, or cut', () => {
    const whole = answer(commit('author A <a> 5 +0000', 'm'))
    assert.equal(parseCommit(whole.subarray(0, whole.length - 10)), undefined)
    assert.equal(parseCommit(Buffer.from(`${OID} blob 1\nx\n`)), undefined)
    assert.equal(parseCommit(Buffer.from(`${OID} missing\n`)), undefined)
    assert.equal(parseCommit(Buffer.alloc(0)), undefined)
  })
})

describe('progress', () => {
  it('is read from lines that come in pieces, and from nothing else', () => {
    const reports: ProgressReport[] = []
    const read = progressReader(report => void reports.push(report))
    const text =
      'remote: Compressing objects:  50% (1/2)\rremote: Receiving\nReceiving objects:  10% (3/30)\r' +
      `Receiving objects: 100% (30/30), 1.2 MiB | 3 MiB/s, done.\nReceiving objects: x\n${'z'.repeat(5000)}\n` +
      'Resolving deltas: 100% (7/7), done.\n'
    for (let at = 0; at < text.length; at += 7) read(text.slice(at, at + 7))
    assert.deepEqual(reports, [
      { stage: 'preparing', done: 1, total: 2 },
      { stage: 'receiving', done: 3, total: 30 },
      { stage: 'receiving', done: 30, total: 30 },
      { stage: 'resolving', done: 7, total: 7 },
    ])
  })
})
