import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { BLOB, COMMIT, OF_ID, packed, packedBlob, packOf } from '../../../test/support/packs.ts'
import { createRepository } from '../../../test/support/repositories.ts'
import { Failure } from '../../base/errors.ts'
import { SEARCH_PATH, startGit } from './command.ts'
import { createGit } from './git.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-packs-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const git = createGit()
const repository = await createRepository(folder)
const oid = await repository.commit({ changes: [{ path: 'a.md', content: '# A\n' }] })

let count = 0

const take = async (bytes: Buffer, bounds: { bytesMax?: number; objectsMax?: number } = {}) => {
  const directory = join(folder, `taken-${++count}`)
  const arrival = { directory, input: Readable.from([bytes]), bytesMax: 1024 * 1024, objectsMax: 1000 }
  const received = await git.receivePack({ ...arrival, ...bounds })
  const pack = await git.takePack({ received, upon: repository.directory, deadlineMs: 20_000 })
  return { ...pack, directory }
}

const refusal = async (bytes: Buffer, bounds = {}) => {
  const failure = await take(bytes, bounds).catch((error: unknown) => error)
  assert.ok(failure instanceof Failure, String(failure))
  return failure
}

test('a pack is completed by the bases of its deltas, and told apart from nothing', async () => {
  const [base] = (await repository.git(['rev-parse', `${oid}:a.md`])).toString().trim().split('\n')
  // Copies four bytes of the base, and adds one.
  const delta = Buffer.from([4, 5, 0b1001_0000, 4, 1, 0x21])
  const thin = packed(OF_ID, delta, Buffer.from(base!, 'hex'))
  const { path, objects, directory } = await take(packOf([thin]))
  assert.equal(objects, 1)
  assert.ok(path?.endsWith('.pack'))
  const wanted = createHash('sha1').update('blob 5\0# A\n!').digest('hex')
  assert.equal((await buffer(git.streamBlob(directory, wanted))).toString(), '# A\n!')
  assert.equal((await take(Buffer.alloc(0))).path, undefined)
  assert.equal((await take(packOf([]))).path, undefined)
})

test('a pack that is broken, lies or is too large is refused with a sentence that names no folder', async () => {
  const fine = packOf([packedBlob('hello')])
  const bomb = Buffer.concat([Buffer.from([4]), Buffer.from([0x80, 0x80, 0x80, 0x80, 0x10])])
  const base = createHash('sha1').update('blob 4\0# A\n').digest()
  const broken = 'tree 0\n\nnothing'
  const cases: [name: string, bytes: Buffer, code: string, bounds?: object][] = [
    ['no pack', Buffer.from('hello, this is none'), 'pack_invalid'],
    ['half of one', fine.subarray(0, 15), 'pack_invalid'],
    ['a wrong sum', Buffer.concat([fine.subarray(0, -1), Buffer.from([0])]), 'pack_invalid'],
    ['more objects than it says it may', fine, 'push_too_large', { objectsMax: 0 }],
    ['four billion objects', packOf([packedBlob('x')], 0xffff_ffff), 'push_too_large'],
    [
      'too many bytes',
      packOf([{ type: BLOB, size: 9, body: Buffer.alloc(3000) }]),
      'push_too_large',
      { bytesMax: 1000 },
    ],
    ['a delta that grows to 4 GB', packOf([packed(OF_ID, bomb, base)]), 'push_too_large'],
    ['a commit that is none', packOf([packed(COMMIT, Buffer.from(broken))]), 'pack_invalid'],
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

test('git is killed once it has used the processor for longer than it may', async () => {
  const running = startGit({
    args: ['cat-file', '--batch-check'],
    ...{ directory: repository.directory, searchPath: SEARCH_PATH, deadlineMs: 60_000, cpuSecondsMax: 1 },
  })
  // Each expression is looked for through the whole history.
  const question = `${oid}^{/no commit says this}\n`.repeat(10_000)
  const ask = (error?: Error | null) => {
    if (error == null) running.stdin.write(question, ask)
  }
  ask()
  running.stdout.resume()
  const { code, stopped } = await running.ended
  assert.deepEqual([code, stopped], [null, undefined])
})
