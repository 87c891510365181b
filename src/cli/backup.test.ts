// A backup that is made while people write: of one moment, with everything that was acknowledged before it began.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newTestDatabase, testEngine } from '../../test/support/database.ts'
import { copyMigrated } from '../../test/support/migrated-home.ts'
import { serverOn } from '../../test/support/server.ts'
import { type World, worldOn } from '../../test/support/world.ts'
import { readBackup } from '../platform/backup/read.ts'
import { restoreBackup } from '../platform/backup/restore.ts'
import type { Database } from '../platform/db/database.ts'
import { openFolder } from '../platform/db/embedded.ts'
import { readMigrations } from '../platform/db/migrate.ts'
import { embeddedDatabase } from '../platform/db/open.ts'
import { createLog } from '../platform/log.ts'
import { makeBackup } from './backup.ts'

const parent = mkdtempSync(join(tmpdir(), 'octavo-backup-'))
after(() => rmSync(parent, { recursive: true, force: true }))
const WRITERS = 2
const BACKUPS = 1
// Between two comments of a writer: a few dozen of each show as much as all that the machine can write.
const PAUSE_MS = 10

/** As users have it: the embedded one in a folder. */
async function openUsers(home: string): Promise<Database> {
  if (testEngine === 'postgres') return newTestDatabase()
  const log = createLog('silent')
  return embeddedDatabase(await openFolder(join(home, 'database'), log), log)
}

/** Writes one after the other until it is stopped; the ids are of comments, in the order of their answers. */
function startWriter(w: World, spaceId: string): { readonly acknowledged: string[]; stop(): Promise<void> } {
  const acknowledged: string[] = []
  let isStopped = false
  const writing = (async () => {
    while (!isStopped) {
      const body = { body: { markdown: `Comment ${acknowledged.length}` } }
      const comment = await w.call('POST', `/spaces/${spaceId}/comments`, { body })
      assert.equal(comment.status, 200)
      acknowledged.push(comment.body.id)
      const replies = `/spaces/${spaceId}/comments/${comment.body.id}/replies`
      assert.equal((await w.call('POST', replies, { body })).status, 200)
      await sleep(PAUSE_MS)
    }
  })()
  return {
    acknowledged,
    async stop() {
      isStopped = true
      await writing
    },
  }
}

test('a backup while people write holds all that was acknowledged before it, of every writer as far as they had come at one moment', async () => {
  const home = testEngine === 'postgres' ? join(parent, 'home') : await copyMigrated(parent)
  const database = await openUsers(home)
  const server = await serverOn(database, { OCTAVO_HOME: home })
  const w = await worldOn(server)
  const spaces = await Promise.all(Array.from({ length: WRITERS }, () => w.createSpace()))
  const writers = spaces.map(({ id }) => startWriter(w, id))
  const made: { file: string; before: number[] }[] = []
  for (let count = 0; count < BACKUPS; count += 1) {
    const file = join(parent, `${count}.tar.gz`)
    const before = writers.map(({ acknowledged }) => acknowledged.length)
    await makeBackup(server.services, { file }, { emit: () => {}, signal: new AbortController().signal })
    made.push({ file, before })
  }
  const during = writers.map(({ acknowledged }, at) => acknowledged.length - (made[0]?.before[at] ?? 0))
  for (const writer of writers) await writer.stop()
  assert.ok(
    during.every(count => count > 0),
    `written meanwhile: ${during}`,
  )
  assert.equal(existsSync(join(home, 'database-copy')), false)

  for (const { file, before } of made) {
    const restored = await newTestDatabase()
    const { signal } = new AbortController()
    const backup = await readBackup(file, {}, signal)
    const target = { database: restored, blobs: server.services.blobs, migrations: readMigrations() }
    await restoreBackup(target, file, backup, () => {}, signal)
    for (const [at, { acknowledged }] of writers.entries()) {
      const rows = await restored.db
        .selectFrom('comments')
        .select([
          'id',
          eb =>
            eb
              .selectFrom('comment_replies')
              .whereRef('comment_id', '=', 'comments.id')
              .select(eb.fn.countAll<number>().as('count'))
              .as('replies'),
        ])
        .where('space_id', '=', spaces[at]?.id ?? '')
        .orderBy('posted_at')
        .orderBy('id')
        .execute()
      assert.ok(rows.length >= (before[at] ?? 0), `${rows.length} of ${before[at]}`)
      assert.deepEqual(new Set(rows.map(({ id }) => id)), new Set(acknowledged.slice(0, rows.length)))
      // each comment was answered before the next was written
      assert.ok(rows.slice(0, -1).every(({ replies }) => replies === 1))
    }
    await restored.close()
  }
  await server.close()
  await database.close()
})
