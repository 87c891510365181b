import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../../base/errors.ts'
import { PktReader, pktLine } from './pkt-lines.ts'
import { readCommands, renderRefs, renderReport } from './receive-commands.ts'

const [A, B, NO_COMMIT] = ['a'.repeat(40), 'b'.repeat(40), '0'.repeat(40)]

async function* piecesOf(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const read = (bytes: Buffer | string, size = 7) =>
  readCommands(new PktReader(piecesOf(Buffer.from(bytes), size)))

const listOf = (...lines: string[]) => Buffer.concat([...lines.map(pktLine), Buffer.from('0000')])

test('commands are read however they are cut into pieces, and what follows them is left as it is', async () => {
  const list = listOf(
    `shallow ${A}\n`,
    `${A} ${B} refs/heads/main\0 report-status side-band-64k agent=git/2\n`,
    `${NO_COMMIT} ${B} refs/heads/ümlaut`,
    `${A} ${NO_COMMIT} refs/tags/v1\n`,
  )
  for (const size of [1, 3, 1000]) {
    const reader = new PktReader(piecesOf(Buffer.concat([list, Buffer.from('PACK and more')]), size))
    assert.deepEqual(await readCommands(reader), {
      commands: [
        { from: A, to: B, ref: 'refs/heads/main' },
        { from: undefined, to: B, ref: 'refs/heads/ümlaut' },
        { from: A, to: undefined, ref: 'refs/tags/v1' },
      ],
      wantsReport: true,
      hasBands: true,
    })
    const rest: Uint8Array[] = []
    for await (const piece of reader.rest()) rest.push(piece)
    assert.equal(Buffer.concat(rest).toString(), 'PACK and more')
  }
  assert.deepEqual((await read('0000')).commands, [], 'a client that looks whether it is let in')
})

test('what is no list of commands, or too long a one, is refused', async () => {
  const many = Array.from({ length: 21 }, (_, at) => `${A} ${B} refs/heads/b${at}\n`)
  for (const [bytes, code] of [
    ['nonsense', 'body_invalid'],
    ['0003', 'body_invalid'],
    ['00', 'body_invalid'],
    ['0100short', 'body_invalid'],
    [listOf('hello\n'), 'body_invalid'],
    [listOf(`${A} ${B} \n`), 'body_invalid'],
    [
      listOf(`${A} ${B} refs/heads/${'x'.repeat(60_000)}\n`, `${A} ${B} ${'y'.repeat(9_000)}`),
      'body_invalid',
    ],
    [listOf(...many), 'commands_too_many'],
  ] as const) {
    const failure = await read(bytes, 4096).catch((error: unknown) => error)
    assert.ok(failure instanceof Failure, String(bytes).slice(0, 20))
    assert.equal(failure.code, code)
  }
})

test('a report is one line a ref, on the bands that a client reads', () => {
  const results = [{ ref: 'refs/heads/a' }, { ref: 'refs/heads/b', refused: 'two\nlines' }]
  const report = { results, messages: ['Change request #1'] }
  const plain = renderReport({ wantsReport: true, hasBands: false }, report).toString()
  assert.equal(plain, '000eunpack ok\n0014ok refs/heads/a\n001eng refs/heads/b two lines\n0000')
  const banded = renderReport({ wantsReport: true, hasBands: true }, report).toString('latin1')
  assert.match(banded, /^0017\u0002Change request #1\n/)
  assert.ok(banded.includes(`\u0001${plain}`) && banded.endsWith('0000'))
  const long = renderReport(
    { wantsReport: true, hasBands: true },
    { results: [], messages: Array(200).fill('x'.repeat(999)) },
  )
  assert.equal(long.toString('latin1', 0, 5), 'fff0\u0002', 'a line of git has at most 65,520 bytes')
})

test('refs are listed as a client expects them, also where there are none', () => {
  assert.match(
    renderRefs(new Map([['refs/heads/main', A]]), 'octavo/1').toString(),
    /^001f# service=git-receive-pack\n0000[0-9a-f]{4}a{40} refs\/heads\/main\0report-status .* agent=octavo\/1\n0000$/,
  )
  assert.match(renderRefs(new Map(), 'octavo/1').toString(), /0{40} capabilities\^\{\}\0/)
})
