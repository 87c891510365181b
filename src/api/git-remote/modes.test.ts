// The modes of files: what is executable in a repository is executable in every other place that the space is written to.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { edit, headOf, idAt, liveAt, readPage } from '../../../test/support/edits.ts'
import { importWorld } from '../../../test/support/imports.ts'
import { type Change, createRepository, type TestRepository } from '../../../test/support/repositories.ts'
import { originOf } from '../../../test/support/server.ts'
import { findSpace } from '../spaces/rows.ts'
import { exportFolder } from './export-folder.ts'

const w = await importWorld()
const folder = mkdtempSync(join(tmpdir(), 'octavo-modes-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const [PAGE, OTHER, NOTE] = ['README.md', 'more.md', '.gitbook/includes/note.md'] as const
const [PICTURE, SAME_BYTES] = ['.gitbook/assets/a.png', '.gitbook/assets/b.png'] as const
const FILES: Readonly<Record<string, string>> = {
  'SUMMARY.md': '# Contents\n\n- [Home](README.md)\n- [More](more.md)\n',
  [PAGE]: '# Home\n',
  [OTHER]: '# More\n',
  [NOTE]: '# Note\n',
  [PICTURE]: 'pixels',
  [SAME_BYTES]: 'pixels',
}

/** All files, and these of them executable. */
const files = (...executable: readonly string[]): Change[] =>
  Object.entries(FILES).map(([path, content]) => ({
    ...{ path, content },
    mode: executable.includes(path) ? '100755' : '100644',
  }))

const ofMain = async (repository: TestRepository, ...args: string[]) =>
  (await repository.git(args)).toString().trim()

/** The executable files of main. */
async function executableIn(repository: TestRepository): Promise<string[]> {
  const entries = (await ofMain(repository, 'ls-tree', '-r', 'main')).split('\n')
  return entries.filter(line => line.startsWith('100755')).map(line => line.split('\t')[1]!)
}

const addressOf = async (space: { id: string }) => {
  const url = new URL(`/git/${space.id}.git`, await originOf(w))
  url.username = w.people.admin.token
  return url.href
}

let clones = 0

async function cloneOf(space: { id: string }) {
  const clone = await createRepository(folder, `clone-${++clones}.git`)
  await clone.git(['fetch', '--quiet', await addressOf(space), '+refs/heads/*:refs/heads/*'])
  return clone
}

async function imported(...executable: readonly string[]) {
  const repository = await w.repository(files(...executable))
  const space = await w.createSpace()
  const operation = await w.import(space, repository)
  assert.equal(operation.state, 'success', operation.error)
  return { space, repository, at: liveAt(space.id) }
}

/** Changes modes and nothing else. */
const chmod = (repository: TestRepository, ...executable: readonly string[]) =>
  repository.commit({ changes: files(...executable) })

async function exported(space: { id: string }, repository: TestRepository, body = {}) {
  const operation = await w.export(space, repository, body)
  assert.equal(operation.state, 'success', operation.error)
}

const EXECUTABLE = [PICTURE, NOTE, PAGE]

test('pages, files and reusable contents are executable in a clone and in a folder, also after they were edited', async () => {
  const { space, repository, at } = await imported(...EXECUTABLE)
  const clone = await cloneOf(space)
  assert.deepEqual(await executableIn(clone), EXECUTABLE)
  assert.equal(await clone.tip(), await repository.tip(), 'equal files are the commit itself')

  const { reusableContents } = await w.get(`${at.path}/content`)
  await edit(
    w,
    at,
    {
      operation: 'update_page',
      page: await idAt(w, at, 'readme'),
      document: { markdown: '# Home\n\nNew.\n' },
    },
    {
      operation: 'update_reusable_content',
      reusableContent: reusableContents[0].id,
      document: { markdown: '# Note\n\nNew.\n' },
    },
  )
  await exported(space, repository)
  for (const [name, written] of Object.entries({ clone: await cloneOf(space), repository })) {
    assert.equal(
      await ofMain(written, 'show', `main:${PAGE}`, `main:${NOTE}`),
      '# Home\n\nNew.\n# Note\n\nNew.',
      name,
    )
    assert.deepEqual(await executableIn(written), EXECUTABLE, name)
  }

  const row = (await findSpace(w.services.db, space.id))!
  const written = join(folder, 'written')
  const options = { onProgress: () => {}, signal: new AbortController().signal }
  await exportFolder(w.services, row, written, options)
  const umask = process.umask()
  for (const path of Object.keys(FILES)) {
    const wanted = EXECUTABLE.some(one => one === path) ? 0o777 : 0o666
    assert.equal(statSync(join(written, path)).mode & 0o777, wanted & ~umask, path)
  }
})

test('a chmod alone in the repository comes in, and edits no page', async () => {
  const { space, repository, at } = await imported(PAGE, SAME_BYTES)
  const before = await headOf(w, at)
  const oid = await chmod(repository, PICTURE, NOTE, OTHER)
  await w.import(space, repository)
  assert.notEqual(await headOf(w, at), before)
  const clone = await cloneOf(space)
  assert.deepEqual(await executableIn(clone), [PICTURE, NOTE, OTHER])
  assert.equal(await clone.tip(), oid)
  const page = await readPage(w, at, await idAt(w, at, 'more'))
  assert.equal(page.updatedAt, undefined)
  const { body } = await w.call('GET', `${at.path}/revisions/${await headOf(w, at)}/changes`)
  assert.deepEqual(body.changes, [])
})

test('a chmod alone that is pushed is a revision, and goes out to the repository', async () => {
  const { space, repository, at } = await imported(PAGE, NOTE)
  const clone = await cloneOf(space)
  const before = await headOf(w, at)
  const oid = await chmod(clone, SAME_BYTES, OTHER)
  await clone.git(['push', '--quiet', await addressOf(space), 'main'])
  assert.notEqual(await headOf(w, at), before)
  assert.equal(await (await cloneOf(space)).tip(), oid)
  const page = await idAt(w, at, 'more')
  await edit(w, at, { operation: 'update_page', page, document: { markdown: '# More\n\nWords.\n' } })
  assert.deepEqual(await executableIn(await cloneOf(space)), [SAME_BYTES, OTHER])
  await exported(space, repository)
  assert.deepEqual(await executableIn(repository), [SAME_BYTES, OTHER])
})

test('an executable SUMMARY.md is none in a clone, whose commit is on top of that of the repository', async () => {
  const { space, repository } = await imported('SUMMARY.md', PAGE)
  const clone = await cloneOf(space)
  assert.deepEqual(await executableIn(clone), [PAGE])
  assert.equal(await ofMain(clone, 'rev-parse', 'main^'), await repository.tip())
})

test('a repository that the space never came from gets what is executable, and keeps what is executable there', async () => {
  const { space } = await imported(PAGE)
  const repository = await w.repository(files(OTHER))
  await exported(space, repository)
  assert.deepEqual(await executableIn(repository), [PAGE, OTHER])
  assert.equal(await ofMain(repository, 'diff', '--name-only', 'main~1', 'main'), PAGE)
  const empty = await w.repository()
  await exported(space, empty)
  assert.deepEqual(await executableIn(empty), [PAGE])
})

test('a mode that only the repository changed stays when the space writes the file', async () => {
  const { space, repository, at } = await imported(PAGE)
  await chmod(repository, OTHER)
  for (const path of ['readme', 'more'])
    await edit(w, at, {
      ...{ operation: 'update_page', page: await idAt(w, at, path) },
      document: { markdown: '# Else\n' },
    })
  await exported(space, repository, { force: true })
  assert.equal(await ofMain(repository, 'show', `main:${PAGE}`, `main:${OTHER}`), '# Else\n# Else')
  assert.deepEqual(await executableIn(repository), [OTHER])
})
