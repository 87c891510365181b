// What a backup brings back: everything that the API says, from either database to either database.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { operations } from '../../src/api/index.ts'
import { makeBackup } from '../../src/cli/backup.ts'
import type { Services } from '../../src/http/context.ts'
import { readBackup } from '../../src/platform/backup/read.ts'
import { restoreBackup } from '../../src/platform/backup/restore.ts'
import { listTables, readRows, spellPlainly } from '../../src/platform/backup/tables.ts'
import { openBlobStore } from '../../src/platform/blobs/open.ts'
import { readConfig } from '../../src/platform/config.ts'
import type { Database, Db } from '../../src/platform/db/database.ts'
import { openMemory } from '../../src/platform/db/embedded.ts'
import { readMigrations } from '../../src/platform/db/migrate.ts'
import { embeddedDatabase } from '../../src/platform/db/open.ts'
import { inSnapshot } from '../../src/platform/db/snapshot.ts'
import { createLog } from '../../src/platform/log.ts'
import { embeddedTemplate, newTestDatabase, testEngine } from '../support/database.ts'
import { inject } from '../support/inject.ts'
import { publishFiles } from '../support/pages.ts'
import { serverOn, type TestServer } from '../support/server.ts'
import { newScene } from './scene.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-backup-'))
const undo: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
after(async () => {
  for (const step of undo) await step()
})
const silent = { emit: () => {}, signal: new AbortController().signal }

/** Another server, on another database, with what a backup of this one holds. It starts after the restore. */
async function moved(services: Services, name: string, database: Database): Promise<TestServer> {
  undo.unshift(() => database.close())
  const file = join(folder, `${name}.tar.gz`)
  await makeBackup(services, { file }, silent)
  // As the command opens it: the rows of files come with the backup.
  const home = join(folder, name)
  const config = readConfig({ OCTAVO_HOME: home })
  const blobs = await openBlobStore(config, join(home, 'blobs'))
  const target = { database, blobs, migrations: readMigrations() }
  const backup = await readBackup(file, {}, silent.signal)
  await restoreBackup(target, file, backup, () => {}, silent.signal)
  const server = await serverOn(database, { OCTAVO_HOME: home })
  undo.unshift(server.close)
  return server
}

const openEmbedded = async () =>
  embeddedDatabase(await openMemory(await embeddedTemplate()), createLog('silent'))

/** Every row of every table, in an order of its own. */
const allRows = (db: Db): Promise<Record<string, string[]>> =>
  inSnapshot(db, async trx => {
    await spellPlainly(trx)
    const found: Record<string, string[]> = {}
    for (const table of await listTables(trx)) {
      const rows: string[] = []
      for await (const { json } of readRows(trx, table))
        for (const row of JSON.parse(json) as object[]) rows.push(JSON.stringify(row))
      // A database itself records what it was filled from.
      found[table.name] = rows.filter(row => !row.includes('"restored_backup"')).sort()
    }
    return found
  })

/** What every GET answers to each of them, and what the address of a file gives. */
async function askAll({ app }: Pick<TestServer, 'app'>, { w, pathOf, file }: Scene) {
  const people = { admin: w.people.admin.token, reader: w.people.read.token, nobody: null }
  const said: Record<string, string> = {}
  for (const operation of operations.filter(({ method }) => method === 'GET'))
    for (const [who, token] of Object.entries(people)) {
      const headers = token === null ? {} : { authorization: `Bearer ${token}` }
      const answer = await inject(app, { method: 'GET', url: `/v1${pathOf(operation)}`, headers })
      said[`${operation.id} to ${who}`] =
        `${answer.statusCode} ${answer.payload.replaceAll(OF_THE_MOMENT, '')}`
    }
  const { statusCode, payload } = await app.inject({ method: 'GET', url: file })
  said['a file'] = `${statusCode} ${payload}`
  return said
}

// An address to print from ends an hour after it was asked for; an export says when it was made.
const OF_THE_MOMENT =
  /\/\d{10}\/[\w-]{22}\?|(?<="object":"person-export","version":"[^"]*","madeAt":)"[^"]*"/g

const TEXT = 'The words of a file.'

type Scene = Awaited<ReturnType<typeof sceneWithFile>>

async function sceneWithFile() {
  const scene = await newScene({})
  const { w, space } = scene
  await publishFiles(w, space.id, {
    'README.md': '# Start\n\nWith a [file](.gitbook/assets/words.txt) and **more**\\!\n',
    'SUMMARY.md': '* [Start](README.md)\n* [Ünïcödé 💥](more.md)\n',
    'more.md': '# Ünïcödé 💥\n\n```\n\\x00 \\N "quotes" \t\u0001\n```\n',
    '.gitbook/assets/words.txt': TEXT,
  })
  const { body } = await w.call('GET', `/spaces/${space.id}/content/files`)
  const { pathname, search } = new URL(body.items[0].downloadURL)
  return { ...scene, file: `${pathname}${search}` }
}

/** What a job writes after its rows were read is in the backup. */
async function untilNoJobWaits(db: Db): Promise<void> {
  while ((await db.selectFrom('jobs').select('id').where('failed_at', 'is', null).execute()).length > 0)
    await setTimeout(100)
}

const skip = testEngine === 'embedded' && 'with PostgreSQL it goes to the embedded database and back'

test('a backup of one of everything, restored, answers every GET alike and has the same rows, on the other database and back', {
  skip,
}, async () => {
  const scene = await sceneWithFile()
  const { services } = scene.w
  const before = await askAll(scene.w, scene)
  assert.ok(Object.values(before).filter(answer => answer.startsWith('200')).length > 100)
  assert.equal(before['a file'], `200 ${TEXT}`)
  await untilNoJobWaits(services.db)
  const rows = await allRows(services.db)
  assert.ok(Object.values(rows).filter(found => found.length > 0).length > 30)

  const other = await moved(services, 'first', await openEmbedded())
  assert.deepEqual(await allRows(other.services.db), rows)
  const back = await moved(other.services, 'second', await newTestDatabase())
  assert.deepEqual(await allRows(back.services.db), rows)
  assert.deepEqual(await askAll(back, scene), before)
})
