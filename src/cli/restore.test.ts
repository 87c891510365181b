// What a restore refuses before it opens a database. What else is refused: src/platform/backup/backup.test.ts.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readConfig } from '../platform/config.ts'
import { lockHome } from '../platform/lock.ts'
import { createLog } from '../platform/log.ts'
import { restoreFrom } from './restore.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-restore-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'words.txt')
writeFileSync(file, 'words')

const restoreTo = (home: string) =>
  restoreFrom(readConfig({ OCTAVO_HOME: home }), createLog('silent'), file, {
    emit: () => {},
    signal: new AbortController().signal,
  })

test('a file that is not a backup is refused before a folder is created', async () => {
  const nowhere = join(folder, 'nowhere')
  await assert.rejects(restoreTo(nowhere), { code: 'backup_foreign', message: /words\.txt is not a backup/ })
  assert.equal(existsSync(nowhere), false)
})

test('a folder in use is refused with the process id, and left unchanged', async () => {
  const home = join(folder, 'home')
  mkdirSync(join(home, 'database'), { recursive: true })
  const lock = await lockHome(home)
  await assert.rejects(restoreTo(home), {
    code: 'home_in_use',
    message: new RegExp(`is in use by process ${process.pid}\\.`),
  })
  lock.release()
  assert.deepEqual(readdirSync(home, { recursive: true }), ['database'])
})
