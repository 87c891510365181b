import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as pause } from 'node:timers/promises'
import { temporaryFolder } from '../../../test/support/process.ts'
import { createFileCache } from './file-cache.ts'

test('a file is made once for all who ask, and again after it failed', async () => {
  const kept = createFileCache(join(temporaryFolder(), 'pdf'), 100)
  let made = 0
  const make = async () => {
    made += 1
    if (made === 1) throw new Error('not yet')
    return Buffer.from('made')
  }
  await assert.rejects(kept.get('a', make), /not yet/)
  const [one, other] = await Promise.all([kept.get('a', make), kept.get('a', make)])
  assert.deepEqual([made, one, (await kept.get('a', make)).path], [2, other, one.path])
  assert.equal(readFileSync(one.path, 'utf8'), 'made')
})

test('files of an earlier process are removed, and the least recently requested ones when there is no room', async () => {
  const folder = join(temporaryFolder(), 'pdf')
  mkdirSync(folder)
  writeFileSync(join(folder, 'left.pdf'), 'left')
  const kept = createFileCache(folder, 100)
  const bytes = () => Promise.resolve(Buffer.alloc(40))
  const [first, second] = [await kept.get('1', bytes), await kept.get('2', bytes)]
  await kept.get('1', bytes)
  const third = await kept.get('3', bytes)
  while (existsSync(second.path)) await pause()
  assert.equal(readdirSync(folder).length, 2)
  assert.ok(existsSync(first.path) && existsSync(third.path))
})
