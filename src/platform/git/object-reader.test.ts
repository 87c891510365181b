import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createRepository, writeBlob } from '../../../test/support/repositories.ts'
import { SEARCH_PATH } from './command.ts'
import { ObjectReader } from './object-reader.ts'

const root = await mkdtemp(join(tmpdir(), 'octavo-objects-'))
after(() => rm(root, { recursive: true }))
const repository = await createRepository(root, 'objects.git')
// More than a pipe holds: git is not done before they are read.
const oids = [
  await writeBlob(repository, 'a'.repeat(500_000)),
  await writeBlob(repository, 'b'.repeat(500_000)),
]
const DEADLINE_MS = 600_000

const newReader = () =>
  new ObjectReader(repository.directory, { searchPath: SEARCH_PATH, deadlineMs: DEADLINE_MS })

test('what is done with a blob is not held against the time that git is given', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const reader = newReader()
  let count = 0
  for await (const { bytes } of reader.readBlobs(oids, 1_000_000)) {
    assert.equal(bytes?.length, 500_000)
    t.mock.timers.tick(2 * DEADLINE_MS)
    count += 1
  }
  assert.equal(count, 2)
  t.mock.timers.tick(2 * DEADLINE_MS)
  assert.equal(await reader.finish(), '')
})

test('a git that lets a reader wait for too long is ended', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const reading = newReader().readBlobs(oids, 1_000_000).next()
  t.mock.timers.tick(DEADLINE_MS)
  await assert.rejects(reading, { code: 'git_timeout' })
})

test('a second question before the answers to the first are read is refused: they would be mixed', async () => {
  const reader = newReader()
  const first = reader.readBlobs(oids, 1_000_000)
  await first.next()
  await assert.rejects(reader.readBlobs(oids, 1_000_000).next(), /answers to the last question/)
  const { value } = await first.next()
  assert.equal(`${(value as { bytes: Buffer }).bytes.subarray(0, 1)}`, 'b')
  reader.close()
})
