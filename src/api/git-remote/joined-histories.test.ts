import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { file, importWorld } from '../../../test/support/imports.ts'
import { createRepository } from '../../../test/support/repositories.ts'
import { originOf } from '../../../test/support/server.ts'
import { fetchHistoryLater, historiesFolder } from '../git-sync/history.ts'
import { readExportRequest } from '../git-sync/request.ts'
import { listHistories } from '../git-sync/rows.ts'
import { remotesFolder } from './repository.ts'

const w = await importWorld()
const folder = mkdtempSync(join(tmpdir(), 'octavo-joined-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('packs of many imports become one, and a clone after everything was lost has the same commits', async () => {
  const repository = await w.repository([
    file('SUMMARY.md', '# Contents\n\n- [Home](README.md)\n'),
    file('README.md', '# Home\n'),
  ])
  const space = await w.createSpace()
  await w.import(space, repository)
  const history = async () => {
    const rows = await listHistories(w.services.db, space.id)
    return { rows, packs: new Set(rows.map(row => row.blob_hash?.toString('hex'))) }
  }
  const mainOf = async (name: string) => {
    const url = new URL(`/git/${space.id}.git`, await originOf(w))
    url.username = w.people.admin.token
    const clone = await createRepository(folder, name)
    await clone.git(['fetch', '--quiet', url.href, '+refs/heads/*:refs/heads/*'])
    await clone.git(['fsck', '--strict'])
    return (await clone.git(['rev-parse', 'main'])).toString()
  }
  let oid = ''
  for (const words of ['One', 'Two']) {
    oid = await repository.commit({ changes: [file('README.md', `# Home\n\n${words}.\n`)] })
    await w.import(space, repository)
    await mainOf(`${words}.git`)
  }
  assert.equal((await history()).packs.size, 3)

  const url = w.host.urlOf(repository.name)
  const asked = readExportRequest({ url, ref: 'refs/heads/main', commitMessage: 'x' })
  await w.services.db
    .updateTable('git_histories')
    .set({ blob_hash: null })
    .where('space_id', '=', space.id)
    .where('oid', '=', oid)
    .execute()
  await fetchHistoryLater(w.services, space.id, asked, oid, 2)
  const { rows, packs } = await history()
  assert.deepEqual([rows.length, packs.size], [3, 1])
  assert.equal(packs.has(undefined), false)

  for (const caches of [remotesFolder(w.config), historiesFolder(w.config)])
    rmSync(join(caches, space.id), { recursive: true })
  assert.equal((await mainOf('anew.git')).trim(), oid)
})
