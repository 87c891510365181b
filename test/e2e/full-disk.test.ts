// A disk that fills up under a server on the embedded database, whose disk that is as well.
import assert from 'node:assert/strict'
import { readdirSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Failure } from '../../src/base/errors.ts'
import { startFirst } from '../../src/cli/first-start.ts'
import { openRuntime } from '../../src/cli/runtime.ts'
import { buildServer } from '../../src/cli/server.ts'
import { readConfig } from '../../src/platform/config.ts'
import { insertSetting } from '../../src/platform/db/settings.ts'
import { createLog } from '../../src/platform/log.ts'
import { startedHome } from '../support/home.ts'
import { ADMIN_TOKEN, run } from '../support/process.ts'
import { type SmallDisk, smallDisk } from '../support/small-disk.ts'

const disk = smallDisk(160)
const room = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
const needsDisk = {
  skip: disk === undefined && 'this user may not mount a small disk',
}

test(
  'a server whose disk fills up goes on reading, refuses writes, and writes again once there is room',
  needsDisk,
  async () => {
    const { folder, fill, makeRoom } = disk as SmallDisk
    const config = { OCTAVO_HOME: await startedHome(folder), OCTAVO_ADMIN_TOKEN: ADMIN_TOKEN }
    const runtime = await openRuntime(readConfig(config), createLog('silent'))
    const { db, transaction } = runtime.services
    const app = buildServer(runtime.services)
    await startFirst(runtime.services)
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` }
    const read = () => app.inject({ url: '/v1/orgs', headers })
    const ready = async () => (await app.inject('/readyz')).json().status
    const organization = (await read()).json().items[0].id
    const write = () =>
      app.inject({
        ...{ method: 'POST', url: `/v1/orgs/${organization}/spaces`, headers },
        payload: { title: 'One more' },
      })
    const assertRefused = async () => {
      const refused = await write()
      assert.equal(refused.statusCode, 507)
      assert.match(refused.json().error.message, /disk of the server is full/)
      assert.equal(await ready(), 'disk full')
    }

    fill()
    await assertRefused()
    assert.equal((await read()).statusCode, 200)
    makeRoom()
    assert.equal(await ready(), 'ready')
    assert.equal((await write()).statusCode, 201)

    // What is written nevertheless needs the next file of the log, when the last file is full too:
    // PostgreSQL gives up, and cannot be opened to read.
    fill()
    let notes = 0
    const note = () => {
      notes += 1
      return transaction(trx => insertSetting(trx, `note-${notes}`, notes)).then(
        () => undefined,
        (error: unknown) => error as Failure,
      )
    }
    const noteInNextFile = () => sql`select pg_switch_wal()`.execute(db).then(note)
    const why = ((await noteInNextFile()) ?? (await noteInNextFile())) as Failure
    assert.deepEqual([why.kind, why.code], ['storage_full', 'disk_full'])
    assert.match(String((why.cause as Error).message), /No space left on device/)
    await assertRefused()
    const unread = await read()
    assert.equal(unread.statusCode, 507)
    makeRoom()
    for (let failure = await note(); failure !== undefined; failure = await note()) await sleep(100)
    assert.equal((await read()).statusCode, 200)
    assert.equal((await write()).statusCode, 201)
    assert.equal(await ready(), 'ready')
    await app.close()
    await runtime.close()
  },
)

test(
  'a start on a full disk says so in a sentence, and the next one finds nothing of it',
  needsDisk,
  async () => {
    const { folder, fill, makeRoom } = disk as SmallDisk
    const home = join(folder, 'new')
    const refused = async (): Promise<void> => {
      const { code, stderr } = await run(['serve'], {
        env: { OCTAVO_HOME: home, OCTAVO_LOG_LEVEL: 'silent', PORT: '0' },
      })
      assert.equal(code, 1, stderr)
      assert.match(stderr, /^octavo: The disk of the server is full[^\n]*\n$/)
    }
    fill()
    await refused()
    // With room for the lock, and not for the database.
    makeRoom()
    writeFileSync(join(folder, 'other'), Buffer.alloc(room(folder) - 20_000_000))
    await refused()
    assert.deepEqual(readdirSync(home), [])
  },
)
