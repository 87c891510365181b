import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { now } from '../../base/clock.ts'
import { prepareCache } from './cache.ts'
import { evictCaches, USED_FILE } from './cache-eviction.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-room-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('repositories that were not used for longest are removed until the others have room, and none in use', async () => {
  const hours = [5, 3, 0, 4]
  for (const [at, ago] of hours.entries()) {
    const directory = join(folder, `space-${at}`)
    await prepareCache(directory, 'space', Number.POSITIVE_INFINITY)
    writeFileSync(join(directory, 'objects', 'pack', 'pack-1.pack'), Buffer.alloc(1000))
    const time = now().getTime() / 1000 - ago * 3600
    utimesSync(join(directory, USED_FILE), time, time)
  }
  const room = { inUseMs: 3600_000, alone: (_directory: string, run: () => Promise<void>) => run() }
  assert.equal(await evictCaches(folder, { ...room, bytesMax: 4000 }), 0)
  assert.equal(await evictCaches(folder, { ...room, bytesMax: 2500 }), 2)
  assert.deepEqual(readdirSync(folder).sort(), ['space-1', 'space-2'])
  assert.equal(await evictCaches(folder, { ...room, bytesMax: 0 }), 1)
  assert.deepEqual(readdirSync(folder), ['space-2'], 'somebody may be fetching it')
})
