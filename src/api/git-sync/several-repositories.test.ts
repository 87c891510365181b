// A space and more than one repository: what only one of them has survives every order of imports and exports.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { edit, idAt, liveAt, readPage } from '../../../test/support/edits.ts'
import { startGitServer } from '../../../test/support/git-server.ts'
import { file, importWorld } from '../../../test/support/imports.ts'
import { createRepository, type TestRepository } from '../../../test/support/repositories.ts'
import { zipOf } from '../../../test/support/zip.ts'
import { forgetTips } from './tips.ts'

const w = await importWorld()
const root = mkdtempSync(join(tmpdir(), 'octavo-mirror-'))
const mirrorHost = await startGitServer({ root })
after(async () => {
  await mirrorHost.close()
  rmSync(root, { recursive: true, force: true })
})
type Space = { id: string }

const SUMMARY = '# Contents\n\n* [Home](README.md)\n* [More](more.md)\n'
const FIRST = [
  file('SUMMARY.md', SUMMARY),
  file('README.md', '# Home\n\nOld.\n'),
  file('more.md', '# More\n'),
]
const SECOND = [
  file('README.md', '# Home\n\nNew.\n'),
  file('SUMMARY.md', `${SUMMARY}* [Third](third.md)\n`),
  file('third.md', '# Third\n'),
  file('code.sh', 'true\n'),
]

/** A repository, and a mirror on another host with the same path that has only its first commit. */
async function mirrored() {
  const repository = await w.repository(FIRST, SECOND)
  const mirror = await createRepository(root, repository.name)
  await fetchInto(mirror, repository, 'main~1')
  const body = { url: mirrorHost.urlOf(mirror.name) }
  const space = await w.createSpace()
  return { repository, mirror, body, space }
}

async function fetchInto(to: TestRepository, from: TestRepository, revision: string) {
  const oid = (await from.git(['rev-parse', revision])).toString().trim()
  await to.git(['fetch', '--quiet', from.directory, oid])
  await to.git(['update-ref', 'refs/heads/main', oid])
}

async function done(operation: Promise<{ state: string; error?: string }>) {
  const ended = await operation
  assert.equal(ended.state, 'success', ended.error)
  return ended as never as { skipped: boolean; changeRequest?: string; problems: { code: string }[] }
}

const textAt = async (repository: TestRepository, path: string, ref = 'main') =>
  (await repository.git(['show', `${ref}:${path}`])).toString()
const write = async (space: Space, path: string, markdown: string) =>
  edit(w, liveAt(space.id), {
    ...{ operation: 'update_page', page: await idAt(w, liveAt(space.id), path), document: { markdown } },
  })
const read = async (space: Space, path: string) =>
  (await readPage(w, liveAt(space.id), await idAt(w, liveAt(space.id), path))).markdown

test('an export to a mirror that is behind brings it up to the space and takes nothing from either', async () => {
  const { repository, mirror, body, space } = await mirrored()
  await done(w.import(space, repository))
  await write(space, 'more', '# More\n\nWritten here.\n')
  const tree = await w.tree(space)
  const behind = await mirror.tip()
  await done(w.export(space, mirror, body))
  assert.deepEqual(await w.tree(space), tree)
  assert.equal(await read(space, 'readme'), '# Home\n\nNew.\n')
  assert.equal(await textAt(mirror, 'README.md'), '# Home\n\nNew.\n')
  assert.equal(await textAt(mirror, 'third.md'), '# Third\n')
  assert.equal(await textAt(mirror, 'more.md'), '# More\n\nWritten here.\n')
  assert.equal((await mirror.git(['rev-parse', 'main~1'])).toString().trim(), behind)
  assert.equal((await done(w.import(space, repository))).skipped, true, 'the first link is kept')
  assert.equal(await read(space, 'more'), '# More\n\nWritten here.\n')
  await done(w.export(space, repository))
  assert.equal(await textAt(repository, 'more.md'), '# More\n\nWritten here.\n')
  assert.equal((await done(w.export(space, mirror, body))).skipped, true)
})

test('a directory of a mirror that is behind is brought up, too, and its other files stay', async () => {
  const inside = FIRST.map(change => ({ ...change, path: `docs/${'path' in change ? change.path : ''}` }))
  const repository = await w.repository([...inside, file('code.c', 'one\n')] as never, [
    file('docs/README.md', '# Home\n\nNew.\n'),
    file('code.c', 'two\n'),
  ])
  const mirror = await createRepository(root, repository.name)
  await fetchInto(mirror, repository, 'main~1')
  const space = await w.createSpace()
  const directory = { repoProjectDirectory: 'docs' }
  await done(w.import(space, repository, directory))
  await done(w.export(space, mirror, { url: mirrorHost.urlOf(mirror.name), ...directory }))
  assert.equal(await textAt(mirror, 'docs/README.md'), '# Home\n\nNew.\n')
  assert.equal(await textAt(mirror, 'code.c'), 'one\n')
})

test('a branch that was reset to an earlier commit is brought up by an export', async () => {
  const { repository, space } = await mirrored()
  await done(w.import(space, repository))
  await write(space, 'more', '# More\n\nWritten here.\n')
  await repository.git(['update-ref', 'refs/heads/main', 'main~1'])
  await done(w.export(space, repository))
  assert.equal(await read(space, 'readme'), '# Home\n\nNew.\n')
  assert.equal(await textAt(repository, 'README.md'), '# Home\n\nNew.\n')
  assert.equal(await textAt(repository, 'more.md'), '# More\n\nWritten here.\n')
})

test('an import from a mirror that is behind is nothing new', async () => {
  const { repository, mirror, body, space } = await mirrored()
  await done(w.import(space, repository))
  assert.equal((await done(w.import(space, mirror, body))).skipped, true)
  assert.equal(await read(space, 'readme'), '# Home\n\nNew.\n')
})

test('new commits of a mirror come in where it is exported to, also where it was never met before', async () => {
  const { repository, mirror, body, space } = await mirrored()
  await done(w.import(space, repository))
  await write(space, 'more', '# More\n\nWritten here.\n')
  await fetchInto(mirror, repository, 'main')
  await mirror.commit({ changes: [file('third.md', '# Third\n\nOf the mirror.\n')] })
  await done(w.export(space, mirror, body))
  assert.equal(await read(space, 'third'), '# Third\n\nOf the mirror.\n')
  assert.equal(await textAt(mirror, 'more.md'), '# More\n\nWritten here.\n')
  await mirror.commit({ changes: [file('third.md', '# Third\n\nOf the mirror again.\n')] })
  await done(w.import(space, mirror, body))
  assert.equal(await read(space, 'third'), '# Third\n\nOf the mirror again.\n')
  await done(w.export(space, repository))
  assert.equal(await textAt(repository, 'third.md'), '# Third\n\nOf the mirror again.\n')
})

test('a mirror that went its own way is not written over, and an import of it is proposed', async () => {
  const { repository, mirror, body, space } = await mirrored()
  await done(w.import(space, repository))
  await mirror.commit({ changes: [file('README.md', '# Home\n\nOther.\n')] })
  const failed = await w.export(space, mirror, body)
  assert.equal(failed.errorCode, 'export_conflicts')
  assert.equal(await textAt(mirror, 'README.md'), '# Home\n\nOther.\n')
  await write(space, 'more', '# More\n\nWritten here.\n')
  const { changeRequest, problems } = await done(w.import(space, mirror, body))
  assert.ok(changeRequest)
  assert.deepEqual(
    problems.map(({ code }) => code),
    ['change_request_opened'],
  )
  assert.equal(await read(space, 'more'), '# More\n\nWritten here.\n')
  assert.equal((await w.export(space, mirror, body)).errorCode, 'change_request_open')
  await w.call('PATCH', `/spaces/${space.id}/change-requests/${changeRequest}`, {
    body: { status: 'archived' },
  })
  await done(w.export(space, mirror, body))
  assert.equal(await textAt(mirror, 'more.md'), '# More\n\nWritten here.\n')
})

test('edits that no repository has survive the import of a branch that was renamed, and of one that goes on', async () => {
  for (const isAhead of [false, true]) {
    const { repository, space } = await mirrored()
    await done(w.import(space, repository))
    await write(space, 'more', '# More\n\nWritten here.\n')
    if (isAhead) await repository.commit({ changes: [file('third.md', '# Third\n\nLater.\n')] })
    await repository.git(['branch', '-m', 'main', 'trunk'])
    const { skipped } = await done(w.import(space, repository, { ref: 'refs/heads/trunk' }))
    assert.equal(skipped, !isAhead)
    assert.equal(await read(space, 'more'), '# More\n\nWritten here.\n')
    assert.equal(await read(space, 'third'), isAhead ? '# Third\n\nLater.\n' : '# Third\n')
    await done(w.export(space, repository, { ref: 'refs/heads/trunk' }))
    assert.equal(await textAt(repository, 'more.md', 'trunk'), '# More\n\nWritten here.\n')
  }
})

test('edits survive an import after an export elsewhere', async () => {
  const { repository, mirror, body, space } = await mirrored()
  await done(w.import(space, repository))
  await done(w.export(space, mirror, body))
  await write(space, 'more', '# More\n\nWritten here.\n')
  await repository.commit({ changes: [file('third.md', '# Third\n\nLater.\n')] })
  await done(w.import(space, repository))
  assert.equal(await read(space, 'more'), '# More\n\nWritten here.\n')
  assert.equal(await read(space, 'third'), '# Third\n\nLater.\n')
})

test('what was only written here is never replaced by an import without force', async () => {
  const written = async () => {
    const space = await w.createSpace()
    await edit(w, liveAt(space.id), {
      ...{ operation: 'insert_page', title: 'Own', document: { markdown: 'Written here.\n' } },
    })
    return space
  }
  const other = await w.repository([file('README.md', '# Other\n')])
  const space = await written()
  const { changeRequest } = await done(w.import(space, other))
  assert.ok(changeRequest)
  assert.equal(await read(space, 'own'), 'Written here.\n')
  const forced = await written()
  await done(w.import(forced, other, { force: true }))
  assert.deepEqual(await w.tree(forced), ['document readme | Other'])
  const sent = await written()
  assert.ok((await done(send(sent, '# Archive\n'))).changeRequest)
  assert.equal(await read(sent, 'own'), 'Written here.\n')
})

async function send(space: Space, text: string) {
  const answer = await w.app.inject({
    method: 'PUT',
    url: `/v1/spaces/${space.id}/git/archive`,
    headers: { authorization: `Bearer ${w.people.admin.token}`, 'content-type': 'application/zip' },
    payload: Buffer.from(
      zipOf([
        { path: 'README.md', text },
        { path: 'more.md', text: '# More\n' },
      ]),
    ),
  })
  return w.operation({ status: answer.statusCode, headers: answer.headers, text: answer.payload } as never)
}

test('an archive that is sent again is merged with what was written since', async () => {
  const space = await w.createSpace()
  await done(send(space, '# Home\n'))
  await write(space, 'more', '# More\n\nWritten here.\n')
  await done(send(space, '# Home\n\nNew.\n'))
  assert.equal(await read(space, 'more'), '# More\n\nWritten here.\n')
  assert.equal(await read(space, 'readme'), '# Home\n\nNew.\n')
})

test('a repository replaces what another one has as well', async () => {
  const { repository, space } = await mirrored()
  await done(w.import(space, repository))
  const other = await w.repository([file('README.md', '# Other\n')])
  assert.equal((await done(w.import(space, other))).changeRequest, undefined)
  assert.deepEqual(await w.tree(space), ['document readme | Other'])
  await done(w.import(space, repository))
  assert.equal(await read(space, 'readme'), '# Home\n\nNew.\n')
})

test('the addresses of a repository are one, whatever their case, port, ending and user', async () => {
  const { repository, space } = await mirrored()
  await done(w.import(space, repository))
  await w.services.db.deleteFrom('git_known_commits').where('space_id', '=', space.id).execute()
  const url = w.host.urlOf(repository.name)
  for (const same of [`${url}/`, url.replace('http:', 'HTTP:')])
    assert.equal((await done(w.import(space, repository, { url: same }))).skipped, true, same)
  await w.services.transaction(trx => forgetTips(trx, space.id))
  assert.equal((await done(w.import(space, repository))).skipped, false)
})
