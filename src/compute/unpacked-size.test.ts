import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { assertLinear } from '../../test/support/growth.ts'
import { BLOB, COMMIT, deltaBomb, OF_ID, packed, packedBlob, packOf } from '../../test/support/packs.ts'
import { createRepository } from '../../test/support/repositories.ts'
import { unpackedSize } from './unpacked-size.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-measured-'))
after(() => rmSync(folder, { recursive: true, force: true }))

let count = 0
const measure = async (pack: Uint8Array, bytesMax = 2 ** 40) => {
  const path = join(folder, `${++count}.pack`)
  writeFileSync(path, pack)
  return await unpackedSize({ path, bytesMax }, {})
}

test('a pack that git made is measured exactly: its objects, and the results of its deltas', async () => {
  const repository = await createRepository(folder)
  const words = randomBytes(2 ** 17).toString('hex')
  for (let at = 0; at < 20; at += 1)
    await repository.commit({
      changes: [
        { path: 'long.txt', content: `${words}${at}` },
        { path: `d/${at}.md`, content: `# ${at}\n${'text '.repeat(at)}` },
      ],
    })
  for (const offsets of ['true', 'false']) {
    const pack = await repository.git(
      [
        '-c',
        `repack.usedeltabaseoffset=${offsets}`,
        'pack-objects',
        '--all',
        '--revs',
        '--stdout',
        '--quiet',
      ].concat(offsets === 'true' ? ['--delta-base-offset'] : []),
      '',
    )
    const listed = await repository.git([
      ...['cat-file', '--batch-all-objects', '--batch-check=%(objectsize) %(deltabase)'],
    ])
    const sizes = listed
      .toString()
      .trim()
      .split('\n')
      .map(line => Number(line.split(' ')[0]))
    const whole = sizes.reduce((sum, size) => sum + size, 0)
    const measured = (await measure(pack)) ?? 0
    assert.ok(measured >= whole, `${measured} is at least ${whole}`)
    // Instructions of deltas count too.
    assert.ok(measured < whole + pack.length, `${measured} is hardly more than ${whole}`)
  }
})

test('objects of every length are told apart, also those that are long when packed', async () => {
  const contents = [0, 1, 15, 16, 70_000, 2 ** 20, 2 ** 20 + 1, 3 * 2 ** 20].map(length =>
    randomBytes(length),
  )
  const objects = contents.flatMap(content => [packed(BLOB, content), packedBlob('between')])
  const expected = objects.reduce((sum, { size }) => sum + size, 0)
  assert.equal(await measure(packOf(objects)), expected)
  const empty = Buffer.concat(Array.from({ length: 500_000 }, () => Buffer.from([0, 0, 0, 0xff, 0xff])))
  const stored = deflateSync('word', { level: 0 })
  const padded = Buffer.concat([stored.subarray(0, 2), empty, stored.subarray(2)])
  const objectsAfter = [{ type: BLOB, size: 4, body: padded }, packedBlob('after')]
  assert.equal(await measure(packOf(objectsAfter)), 9, 'padded with 2.5 MB of nothing')
})

test('what unpacks to more than the bound is unpacked no further', async () => {
  const bomb = deltaBomb()
  assert.ok(bomb.length < 40_000, `${bomb.length} bytes`)
  const measured = (await measure(bomb, 2 ** 29)) ?? 0
  assert.ok(measured > 2 ** 29 && measured < 2 ** 30, `${measured}`)
  const zeros = packOf([packed(BLOB, Buffer.alloc(2 ** 25)), packedBlob('never read')])
  assert.equal(await measure(zeros, 2 ** 20), 2 ** 25)
})

test('what is no pack, lies about a size or breaks off is none', async () => {
  const fine = packOf([packedBlob('hello'), packed(COMMIT, Buffer.alloc(2 ** 22))])
  assert.equal(await measure(fine), 5 + 2 ** 22)
  for (const end of [0, 11, 12, 13, 20, 40, fine.length - 30])
    assert.equal(await measure(fine.subarray(0, end)), undefined, `${end} bytes`)
  for (const size of [4, 6, 2 ** 22])
    assert.equal(await measure(packOf([{ ...packedBlob('hello'), size }])), undefined, `${size}`)
  const long = packed(BLOB, Buffer.alloc(2 ** 22))
  for (const size of [2 ** 22 - 1, 2 ** 22 + 1])
    assert.equal(await measure(packOf([{ ...long, size }])), undefined, `${size}`)
  assert.equal(await measure(packOf([packed(OF_ID, Buffer.alloc(30, 255), Buffer.alloc(20))])), undefined)
  assert.equal(await measure(packOf([{ type: BLOB, size: 5, body: Buffer.alloc(100) }])), undefined)
})

test('the time it takes is linear in the number of objects', () =>
  assertLinear<Buffer>(
    'measuring a pack',
    pack => measure(pack),
    length => packOf(Array.from({ length }, (_, at) => packedBlob(`object ${at}`))),
    40_000,
  ))
