// What a backup refuses, and what is left when one is refused or ended: never half of anything.
import assert from 'node:assert/strict'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { newTestDatabase } from '../../../test/support/database.ts'
import { startS3Server } from '../../../test/support/s3-server.ts'
import { sha256 as hashOf } from '../../base/canonical.ts'
import { Failure } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { openDiskBlobs } from '../blobs/disk.ts'
import { openS3Blobs } from '../blobs/s3.ts'
import type { BlobStore } from '../blobs/store.ts'
import type { Database } from '../db/database.ts'
import { type Migration, readMigrations } from '../db/migrate.ts'
import { findSetting, INSTALLATION } from '../db/settings.ts'
import { createLog } from '../log.ts'
import { writeArchive } from './archive.ts'
import { type BackupEnd, END, HEADER, PORTION_BYTES, rowsName } from './format.ts'
import { readBackup } from './read.ts'
import { restoreBackup } from './restore.ts'
import { groups } from './tables.ts'
import { type BackupSource, type ReportProgress, writeBackup } from './write.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-backup-'))
const log = createLog('silent')
const quiet = () => {}
const { signal } = new AbortController()
const migrations = readMigrations()

after(async () => {
  await source.database.close()
  await target.close()
  rmSync(folder, { recursive: true, force: true })
})

// Beyond what goes together, of rows and of files; also what is left of it by compression is most of a backup.
const LARGE = Buffer.from(Array.from({ length: PORTION_BYTES / 6 }, (_, n) => n).join(' '))

/** A database with people and things, and files of every kind of size. */
async function filled(): Promise<{ database: Database; blobs: BlobStore; home: string; hashes: string[] }> {
  const database = await newTestDatabase()
  const home = mkdtempSync(join(folder, 'home-'))
  const blobs = await openDiskBlobs(join(home, 'blobs'))
  const id = newId()
  await database.db
    .insertInto('users')
    .values({ id, email: `${id}@x`, display_name: 'Ünï"\\\n\t💥' })
    .execute()
  const body = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
  await database.db.insertInto('objects').values({ hash: body, kind: 'document', body }).execute()
  await database.db
    .insertInto('objects')
    .values({ hash: LARGE.subarray(0, 32), kind: 'node', body: LARGE })
    .execute()
  await database.db.insertInto('settings').values({ name: 'nothing', value: 'null' }).execute()
  await database.db.insertInto('settings').values({ name: INSTALLATION, value: '"source"' }).execute()
  const arrived = { event_id: newId(), organization_id: '', type: '', number: 7 }
  await database.db.insertInto('event_arrivals').values(arrived).execute()
  const hashes: string[] = []
  for (const bytes of [Buffer.alloc(0), Buffer.from('x'), LARGE])
    hashes.push((await blobs.put(bytes, { contentType: 'text/plain' })).sha256)
  return { database, blobs, home, hashes }
}

const source = await filled()
const target = await newTestDatabase()
const targetHome = mkdtempSync(join(folder, 'target-'))
const targetBlobs = await openDiskBlobs(join(targetHome, 'blobs'))

const good = join(folder, 'good.tar.gz')
const sourceOf = ({ database, blobs, home }: typeof source) => ({
  db: database.db,
  copyTo: database.copyTo,
  blobs,
  home,
  log,
})
const withFiles = (blobs: BackupSource['blobs']): BackupSource => ({ ...sourceOf(source), blobs })
const holds = () => source.database.db.selectFrom('blob_holds').select('id').execute()
const held: ReturnType<typeof holds>[] = []
const report = (stage: string) => {
  if (stage === 'saving files') held.push(holds())
}
const made = await writeBackup(sourceOf(source), good, report, signal)

/** Into the one database that stays empty, as long as nothing succeeds. */
async function restore(
  path: string,
  known: readonly Migration[] = migrations,
  until = signal,
  report: ReportProgress = quiet,
) {
  const backup = await readBackup(path, {}, until)
  return restoreBackup(
    { database: target, blobs: targetBlobs, migrations: known },
    path,
    backup,
    report,
    until,
  )
}

async function assertUntouched(): Promise<void> {
  const { rows } = await sql<{ users: number; objects: number; triggers: number; keys: number }>`select
    (select count(*) from users) as users, (select count(*) from objects) as objects,
    (select count(*) from pg_trigger where tgenabled = 'D') as triggers,
    (select count(*) from pg_constraint where contype = 'f') as keys`.execute(target.db)
  const { rows: now } = await sql`select count(*) as keys from pg_constraint where contype = 'f'`.execute(
    source.database.db,
  )
  assert.deepEqual(rows, [{ users: 0, objects: 0, triggers: 0, ...(now[0] as { keys: number }) }])
}

const file = (name: string, bytes: Uint8Array | string): string => {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

const refused = (path: string, code: string, message?: RegExp) =>
  assert.rejects(restore(path), error => {
    assert.ok(error instanceof Failure, String(error))
    assert.deepEqual([error.kind, error.code], ['invalid', code], error.message)
    assert.match(error.message, message ?? /./)
    return true
  })

test('a backup is a file that only its owner may read, and nothing lies beside it', () => {
  assert.equal(statSync(good).mode & 0o777, 0o600)
  assert.deepEqual(
    readdirSync(folder).filter(name => name.includes('unfinished')),
    [],
  )
  assert.deepEqual([made.blobs, made.damaged, made.tables.users, made.tables.objects], [3, [], 1, 2])
  assert.equal(made.bytes, statSync(good).size)
})

test('a file that is there is not written over, and a folder that is not there is named', async () => {
  const bytes = readFileSync(good)
  await assert.rejects(writeBackup(sourceOf(source), good, quiet, signal), {
    kind: 'invalid',
    code: 'file_exists',
  })
  assert.ok(readFileSync(good).equals(bytes))
  const nowhere = join(folder, 'none', 'b.tar.gz')
  await assert.rejects(writeBackup(sourceOf(source), nowhere, quiet, signal), { code: 'folder_missing' })
})

test('a file that ends too early is refused wherever it ends, and nothing is touched', async () => {
  const bytes = readFileSync(good)
  for (let part = 1; part < 10; part += 1) {
    const cut = file('cut', bytes.subarray(0, Math.floor((bytes.length * part) / 10)))
    await refused(cut, 'backup_truncated', /ends too early/)
  }
  await refused(file('cut', bytes.subarray(0, bytes.length - 1)), 'backup_truncated')
  // a whole file of gzip, of an archive that is not whole
  const inner = gunzipSync(bytes)
  await refused(file('cut', gzipSync(inner.subarray(0, inner.length - 4096))), 'backup_truncated')
  await assertUntouched()
})

test('a file with one wrong bit is refused wherever it is, and nothing is touched', async () => {
  const bytes = readFileSync(good)
  for (let part = 1; part < 10; part += 1) {
    const wrong = Buffer.from(bytes)
    const at = Math.floor((bytes.length * part) / 10)
    wrong.writeUInt8(wrong.readUInt8(at) ^ 0x10, at)
    await assert.rejects(restore(file('wrong', wrong)), { kind: 'invalid' })
  }
  // and one that gzip finds nothing wrong with
  const inner = gunzipSync(bytes)
  const at = inner.indexOf('document') + 1
  inner.writeUInt8(inner.readUInt8(at) ^ 1, at)
  await refused(file('wrong', gzipSync(inner, { level: 1 })), 'backup_damaged', /not those that were written/)
  await assertUntouched()
})

test('any file that is not a backup is refused by name', async () => {
  await refused(file('empty', ''), 'backup_foreign', /empty is not a backup of Octavo/)
  await refused(file('text', 'select 1;\n'.repeat(1000)), 'backup_foreign')
  await refused(file('zeros', gzipSync(Buffer.alloc(1 << 20))), 'backup_foreign')
  await refused(file('other.gz', gzipSync('not a tar file')), 'backup_foreign')
  await refused(await archiveOf({ 'README.md': 'words' }), 'backup_foreign')
  await refused(await archiveOf({ [HEADER]: '{"format":' }), 'backup_foreign')
  await refused(await archiveOf({ [HEADER]: '[]' }), 'backup_foreign')
  await refused(await archiveOf({ [HEADER]: '{"format":0}' }), 'backup_foreign')
  // some kilobytes of gzip for 32 MB: the first name decides, and no more is read
  await refused(file('bomb', gzipSync(Buffer.alloc(1 << 25), { level: 1 })), 'backup_foreign')
  await refused(join(folder, 'missing'), 'file_unreadable', /cannot be read: ENOENT/)
  mkdirSync(join(folder, 'a-folder'))
  await refused(join(folder, 'a-folder'), 'file_unreadable', /is not a file/)
  await assertUntouched()
})

test('a backup of a newer version is refused with what is newer about it, and a database that is newer than the backup, too', async () => {
  await refused(await archiveOf({ [HEADER]: '{"format":2,"what":"ever"}' }), 'backup_newer', /format is 2/)
  await assert.rejects(restore(good, migrations.slice(0, -1)), { code: 'backup_newer' })
  const older = { format: 1, octavo: '0', madeAt: '', migrations: migrations.slice(0, -1) }
  await assert.rejects(restore(await archiveOf({ [HEADER]: JSON.stringify(older) }, true)), {
    kind: 'precondition',
    code: migrations.at(-1)?.isBreaking === true ? 'database_newer' : 'database_migrated',
  })
  const edited = migrations.map((one, at) => (at === 1 ? { ...one, checksum: 'other' } : one))
  await assert.rejects(restore(good, edited), { code: 'backup_damaged' })
  await assertUntouched()
})

test('an archive that is signed as whole and holds what no backup has is refused before anything is kept', async () => {
  const header = JSON.stringify({ format: 1, octavo: '1', madeAt: '', migrations })
  const odd = (entries: Record<string, string>) => archiveOf({ [HEADER]: header, ...entries }, true)
  await refused(await odd({ '../../etc/passwd': 'x' }), 'backup_damaged', /\.\.\/etc\/passwd/)
  await refused(await odd({ [`blobs/${'0'.repeat(64)}`]: 'x' }), 'backup_damaged')
  await refused(await archiveOf({ [HEADER]: header }), 'backup_truncated')
  // rows that the end does not count, and rows that are none
  await refused(
    await odd({
      [rowsName('teams', 1)]: '[]',
      [rowsName('users', 1)]: '[{"id":"a","email":"a","display_name":"a","created_at":"2020-01-01"}]',
    }),
    'backup_damaged',
    /users has 1 rows and not 0/,
  )
  await assert.rejects(restore(await odd({ [rowsName('users', 1)]: '[{"id":' })))
  // rows that refer to nothing
  await assert.rejects(
    restore(
      await odd({
        [rowsName('passwords', 1)]: '[{"user_id":"nobody","hash":"x","changed_at":"2020-01-01"}]',
      }),
    ),
  )
  await assertUntouched()
})

test('a restore that is ended in the middle leaves the database empty, and the next one fills it; then nothing may be restored over it', async () => {
  const abort = new AbortController()
  const ending = restore(good, migrations, abort.signal, stage => {
    if (stage === 'restoring') abort.abort()
  })
  await assert.rejects(ending, { name: 'AbortError' })
  await assertUntouched()

  const { rows, blobs, leftOut } = await restore(good)
  assert.deepEqual([rows, blobs, leftOut], [Object.values(made.tables).reduce((sum, n) => sum + n, 0), 3, []])
  // numbers that the database gives go on
  const arrival = { event_id: newId(), organization_id: '', type: '' }
  const { number } = await target.db
    .insertInto('event_arrivals')
    .values(arrival)
    .returning('number')
    .executeTakeFirstOrThrow()
  assert.equal(Number(number), 8)
  await target.db.deleteFrom('settings').where('name', '=', 'restored_backup').execute()
  for (const table of ['users', 'objects', 'settings'] as const) {
    const all = (database: Database) => database.db.selectFrom(table).selectAll().execute()
    const [restored, saved] = [await all(target), await all(source.database)]
    const isKept = (row: object) => !('name' in row && row.name === INSTALLATION)
    assert.deepEqual(sorted(restored), sorted(saved.filter(isKept)))
  }
  for (const hash of source.hashes) assert.ok(await targetBlobs.find(hash))
  await assert.rejects(sql`delete from events`.execute(target.db), /never changed/)
  const nobody = { user_id: 'nobody', hash: 'x' }
  await assert.rejects(target.db.insertInto('passwords').values(nobody).execute(), /passwords_user_id_fkey/)
  await assert.rejects(restore(good), { kind: 'conflict', code: 'database_in_use' })
})

test('no file is removed while a backup is made, and every one may be afterwards', async () => {
  assert.ok(held.length > 1)
  for (const during of await Promise.all(held)) assert.equal(during.length, 1)
  assert.deepEqual(await holds(), [])
})

/** What a restore takes for an empty database. */
async function emptied(): Promise<Database> {
  await target.db.deleteFrom('users').execute()
  return target
}

test('files come from a bucket and go to one, the large and the empty ones too', async () => {
  const server = await startS3Server()
  after(() => server.close())
  const bucket = await openS3Blobs(server.settings, mkdtempSync(join(folder, 's3-')))
  const database = await emptied()
  const backup = await readBackup(good, {}, signal)
  await restoreBackup({ database, blobs: bucket, migrations }, good, backup, quiet, signal)
  for (const hash of source.hashes) assert.ok(await bucket.find(hash))
  assert.equal(await findSetting(database.db, INSTALLATION), undefined, 'it is another installation')
  const path = join(folder, 'from-s3.tar.gz')
  const again = await writeBackup(withFiles(bucket), path, quiet, signal)
  assert.deepEqual([again.blobs, again.damaged], [3, []])
})

test('small files are asked for together, a few at a time, and a large one in its turn', async () => {
  const sizes = [...Array.from({ length: 20 }, (_, i) => i), 2_000_000, 1, 2, 3]
  const contents = sizes.map((size, i) => Buffer.alloc(size, `${i} `))
  const named = new Map(contents.map(bytes => [hashOf(bytes), bytes]))
  const seen = { underWay: 0, most: 0, beside: 0 }
  const blobs: Pick<BlobStore, 'list' | 'read'> = {
    async *list() {
      for (const [sha256, { length: size }] of named) yield { sha256, size }
    },
    async read(sha256) {
      const bytes = named.get(sha256) as Buffer
      seen.underWay += 1
      seen.most = Math.max(seen.most, seen.underWay)
      if (bytes.length > 1_000_000) seen.beside = seen.underWay - 1
      await new Promise(setImmediate)
      seen.underWay -= 1
      return { size: bytes.length, first: 0, length: bytes.length, stream: Readable.from([bytes]) }
    },
  }
  const path = join(folder, 'together.tar.gz')
  const { blobs: count, damaged } = await writeBackup(withFiles(blobs), path, quiet, signal)
  assert.deepEqual([count, damaged], [named.size, []])
  assert.ok(seen.most > 1 && seen.most <= 8, String(seen.most))
  assert.equal(seen.beside, 0)
})

test('a backup that ends when a large file has been opened closes it', async () => {
  const abort = new AbortController()
  const stream = Readable.from([Buffer.alloc(2_000_000)])
  const blobs: Pick<BlobStore, 'list' | 'read'> = {
    async *list() {
      yield { sha256: hashOf('large'), size: 2_000_000 }
    },
    async read() {
      abort.abort()
      return { size: 2_000_000, first: 0, length: 2_000_000, stream }
    },
  }
  const ending = writeBackup(withFiles(blobs), join(folder, 'open.tar.gz'), quiet, abort.signal)
  await assert.rejects(ending, { name: 'AbortError' })
  assert.ok(stream.destroyed)
})

test('a file whose bytes have rotted is named, and does not keep the rest from being saved', async () => {
  const home = mkdtempSync(join(folder, 'rotten-'))
  cpSync(source.home, home, { recursive: true })
  const [, hash = ''] = source.hashes
  writeFileSync(join(home, 'blobs', hash.slice(0, 2), hash.slice(2, 4), hash), 'rotten')
  const path = join(folder, 'rotten.tar.gz')
  const saved = await openDiskBlobs(join(home, 'blobs'))
  assert.deepEqual((await writeBackup(withFiles(saved), path, quiet, signal)).damaged, [hash])
  const database = await emptied()
  const blobs = await openDiskBlobs(mkdtempSync(join(folder, 'blobs-')))
  const backup = await readBackup(path, {}, signal)
  const result = await restoreBackup({ database, blobs, migrations }, path, backup, quiet, signal)
  assert.deepEqual([result.blobs, result.leftOut], [2, [`the file ${hash}`]])
  assert.equal(await blobs.find(hash), undefined)
})

test('a database that was filled from an older backup has what newer migrations make', async () => {
  const later: Migration = {
    name: '9999_later',
    sql: 'create table later (n int)',
    checksum: 'x',
    isBreaking: false,
  }
  await emptied()
  await restore(good, [...migrations, later])
  assert.deepEqual((await sql`select * from later`.execute(target.db)).rows, [])
})

test('a backup that is ended leaves no file, and one at a time is made', async () => {
  const abort = new AbortController()
  const path = join(folder, 'ended.tar.gz')
  const ending = writeBackup(sourceOf(source), path, () => abort.abort(), abort.signal)
  await assert.rejects(writeBackup(sourceOf(source), `${path}.2`, quiet, signal), { code: 'backup_running' })
  await assert.rejects(ending, { name: 'AbortError' })
  assert.deepEqual(
    readdirSync(folder).filter(name => name.startsWith('ended')),
    [],
  )
})

test('rows go together up to a megabyte, and a larger one goes alone', () => {
  const sizes = [1, 2, PORTION_BYTES, PORTION_BYTES + 1, 5, PORTION_BYTES - 5, 1]
  assert.deepEqual([...groups(sizes)], [2, 1, 1, 2, 1])
  assert.deepEqual([...groups([])], [])
})

const sorted = (rows: readonly object[]): string[] => rows.map(row => JSON.stringify(row)).sort()

let archives = 0

async function archiveOf(entries: Record<string, string>, isSigned = false): Promise<string> {
  archives += 1
  const path = join(folder, `made-${archives}`)
  const archive = writeArchive(path)
  for (const [name, text] of Object.entries(entries)) await archive.add(name, Buffer.from(text))
  const end: BackupEnd = { tables: {}, blobs: 0, damaged: [], sha256: archive.hash() }
  if (isSigned) await archive.add(END, Buffer.from(JSON.stringify(end)))
  await archive.finish()
  return path
}
