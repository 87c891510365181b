import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { createRepository } from '../../../test/support/repositories.ts'
import { Failure } from '../../base/errors.ts'
import { createGit } from './git.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-packs-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const git = createGit()
const repository = await createRepository(folder)
const oid = await repository.commit({ changes: [{ path: 'a.md', content: '# A\n' }] })

let count = 0

const take = (bytes: Buffer, bounds: { bytesMax?: number; objectsMax?: number } = {}) => {
  const directory = join(folder, `taken-${++count}`)
  const taken = git.takePack({
    ...{ directory, upon: repository.directory, input: Readable.from([bytes]), deadlineMs: 20_000 },
    arrivalMsMax: 20_000,
    ...{ bytesMax: 1024 * 1024, objectsMax: 1000, ...bounds },
  })
  return taken.then(pack => ({ ...pack, directory }))
}

const refusal = async (bytes: Buffer, bounds = {}) => {
  const failure = await take(bytes, bounds).catch((error: unknown) => error)
  assert.ok(failure instanceof Failure, String(failure))
  return failure
}

/** A pack by hand: `objects` with their type and the size that they say they have. */
function packOf(
  objects: readonly { type: number; size: number; body: Buffer }[],
  counted = objects.length,
): Buffer {
  const header = Buffer.alloc(12)
  header.write('PACK')
  header.writeUInt32BE(2, 4)
  header.writeUInt32BE(counted, 8)
  const parts = objects.map(({ type, size, body }) => {
    const head = [(type << 4) | (size & 15)]
    for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
      head[head.length - 1]! |= 128
      head.push(rest % 128)
    }
    return Buffer.concat([Buffer.from(head), body])
  })
  const pack = Buffer.concat([header, ...parts])
  return Buffer.concat([pack, createHash('sha1').update(pack).digest()])
}

const blob = (text: string) => ({ type: 3, size: text.length, body: deflateSync(text) })

test('a pack is completed by the bases of its deltas, and told apart from nothing', async () => {
  const [base] = (await repository.git(['rev-parse', `${oid}:a.md`])).toString().trim().split('\n')
  // Copies four bytes of the base, and adds one.
  const delta = Buffer.from([4, 5, 0b1001_0000, 4, 1, 0x21])
  const thin = {
    type: 7,
    size: delta.length,
    body: Buffer.concat([Buffer.from(base!, 'hex'), deflateSync(delta)]),
  }
  const { path, objects, directory } = await take(packOf([thin]))
  assert.equal(objects, 1)
  assert.ok(path?.endsWith('.pack'))
  const wanted = createHash('sha1').update('blob 5\0# A\n!').digest('hex')
  assert.equal((await buffer(git.streamBlob(directory, wanted))).toString(), '# A\n!')
  assert.equal((await take(Buffer.alloc(0))).path, undefined)
  assert.equal((await take(packOf([]))).path, undefined)
})

test('a pack that is broken, lies or is too large is refused with a sentence that names no folder', async () => {
  const fine = packOf([blob('hello')])
  const bomb = Buffer.concat([Buffer.from([4]), Buffer.from([0x80, 0x80, 0x80, 0x80, 0x10])])
  const base = createHash('sha1').update('blob 4\0# A\n').digest()
  const broken = 'tree 0\n\nnothing'
  const cases: [name: string, bytes: Buffer, code: string, bounds?: object][] = [
    ['no pack', Buffer.from('hello, this is none'), 'pack_invalid'],
    ['half of one', fine.subarray(0, 15), 'pack_invalid'],
    ['a wrong sum', Buffer.concat([fine.subarray(0, -1), Buffer.from([0])]), 'pack_invalid'],
    ['more objects than it says it may', fine, 'push_too_large', { objectsMax: 0 }],
    ['four billion objects', packOf([blob('x')], 0xffff_ffff), 'push_too_large'],
    [
      'too many bytes',
      packOf([{ type: 3, size: 9, body: Buffer.alloc(3000) }]),
      'push_too_large',
      { bytesMax: 1000 },
    ],
    [
      'a delta that grows to 4 GB',
      packOf([{ type: 7, size: bomb.length, body: Buffer.concat([base, deflateSync(bomb)]) }]),
      'push_too_large',
    ],
    [
      'a commit that is none',
      packOf([{ type: 1, size: broken.length, body: deflateSync(broken) }]),
      'pack_invalid',
    ],
  ]
  for (const [name, bytes, code, bounds] of cases) {
    const { code: answered, message } = await refusal(bytes, bounds)
    assert.equal(answered, code, `${name}: ${message}`)
    assert.ok(!message.includes(folder), message)
  }
})

test('a commit with megabytes of message is refused as one that cannot be read, whatever time there is', async () => {
  const { directory } = repository
  const long = await repository.commit({ changes: [], message: 'm'.repeat(2 ** 21), ref: 'refs/heads/long' })
  await assert.rejects(git.commitsIn(directory).read(long), { code: 'commit_invalid' })
  assert.equal((await git.commitsIn(directory).read(oid)).oid, oid)
})
