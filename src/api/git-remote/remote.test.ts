import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { changeRequestOn, edit, idAt, liveAt } from '../../../test/support/edits.ts'
import { flattenPages, importWorld } from '../../../test/support/imports.ts'
import { createRepository, type TestRepository } from '../../../test/support/repositories.ts'
import { originOf } from '../../../test/support/server.ts'
import type { PersonName } from '../../../test/support/world.ts'
import { findSpace } from '../spaces/rows.ts'
import { exportFolder } from './export-folder.ts'
import { remotesFolder } from './repository.ts'

const w = await importWorld()
const folder = mkdtempSync(join(tmpdir(), 'octavo-remote-'))
after(() => rmSync(folder, { recursive: true, force: true }))

let clones = 0
const newClone = () => createRepository(folder, `clone-${++clones}.git`)

async function addressOf(spaceId: string, as: PersonName = 'admin'): Promise<string> {
  const url = new URL(`/git/${spaceId}.git`, await originOf(w))
  url.username = w.people[as].token
  return url.href
}

/** Brings every branch of the space into the clone, and removes deleted ones. */
async function fetchInto(clone: TestRepository, spaceId: string, flags: readonly string[] = []) {
  const address = await addressOf(spaceId)
  await clone.git([...flags, 'fetch', '--quiet', '--prune', address, '+refs/heads/*:refs/heads/*'])
}

const output = async (clone: TestRepository, ...args: string[]) => (await clone.git(args)).toString().trim()
const branches = (clone: TestRepository) =>
  output(clone, 'for-each-ref', '--format=%(refname:short) %(objectname)')
const subjects = async (clone: TestRepository, ref: string) =>
  (await output(clone, 'log', '--format=%s', ref)).split('\n')
const changed = async (clone: TestRepository, ref: string) =>
  (await output(clone, 'diff', '--name-status', '--no-renames', `${ref}^`, ref)).split('\n')

async function spaceWithPage(body = {}) {
  const space = await w.createSpace(body)
  const at = liveAt(space.id)
  await edit(w, at, {
    operation: 'insert_page',
    title: 'Start',
    document: { markdown: '# Start\n\nHello.\n' },
  })
  await edit(w, at, {
    operation: 'insert_page',
    title: 'More',
    document: { markdown: '# More\n\nA word.\n' },
  })
  return { space, at }
}

test('every revision is a commit with its author, its time and what it changed', async () => {
  const { space, at } = await spaceWithPage()
  const page = await idAt(w, at, 'more')
  await edit(w, at, { operation: 'update_page', page, document: { markdown: '# More\n\nAnother word.\n' } })
  const clone = await newClone()
  await fetchInto(clone, space.id)

  const { body: revisions } = await w.call('GET', `/spaces/${space.id}/revisions`)
  const log = (
    await output(clone, 'log', '--format=%(trailers:key=Octavo-Revision,valueonly)%x00%at', 'main')
  )
    .split('\n')
    .filter(line => line !== '')
  const commits = log.join('').split('\0')
  assert.ok(commits[0]?.startsWith(revisions.items[0].id), 'the newest revision is the newest commit')
  assert.equal(log.length / 2, revisions.items.length)
  assert.deepEqual(await changed(clone, 'main'), ['M\tmore.md'])
  assert.equal(await output(clone, 'show', 'main:more.md'), '# More\n\nAnother word.')
  const { body: user } = await w.call('GET', '/user')
  assert.equal(
    await output(clone, 'log', '-1', '--format=%an <%ae>', 'main'),
    `${user.displayName} <${user.email}>`,
  )
  assert.match(
    await output(clone, 'show', 'main:SUMMARY.md'),
    /\[Start\]\(start\.md\)\n\* \[More\]\(more\.md\)/,
  )
})

test('change requests that are under way are branches, and a merge has both parents', async () => {
  const { space, at } = await spaceWithPage()
  const changeRequest = await changeRequestOn(w, space.id)
  const page = await idAt(w, at, 'more')
  await edit(w, changeRequest, {
    operation: 'update_page',
    page,
    document: { markdown: '# More\n\nProposed.\n' },
  })
  const clone = await newClone()
  await fetchInto(clone, space.id)
  const { body: request } = await w.call('GET', changeRequest.path)
  const branch = `change-requests/${request.number}`
  assert.deepEqual(await changed(clone, branch), ['M\tmore.md'])
  assert.equal(await output(clone, 'show', `${branch}:more.md`), '# More\n\nProposed.')
  assert.equal(await output(clone, 'show', 'main:more.md'), '# More\n\nA word.')
  const [, proposed] = /^change-requests\/\d+ (\w+)$/m.exec(await branches(clone)) ?? []

  assert.equal((await w.call('POST', `${changeRequest.path}/merge`)).status, 200)
  await fetchInto(clone, space.id)
  assert.doesNotMatch(await branches(clone), /change-requests/, 'what was merged is no branch any more')
  const parents = (await output(clone, 'log', '-1', '--format=%P', 'main')).split(' ')
  assert.equal(parents.length, 2)
  assert.ok(parents.includes(proposed ?? ''), 'the commit of the change request is a parent')
  assert.equal(await output(clone, 'show', 'main:more.md'), '# More\n\nProposed.')
})

test('the same revision is the same commit, whatever was lost or renamed since, in every version of the protocol', async () => {
  const { space } = await spaceWithPage()
  const [first, second, third] = [await newClone(), await newClone(), await newClone()]
  await fetchInto(first, space.id, ['-c', 'protocol.version=2'])
  await w.services.db
    .updateTable('users')
    .set({ display_name: 'Somebody Else' })
    .where('id', '=', w.people.admin.id)
    .execute()
  rmSync(join(remotesFolder(w.config), space.id), { recursive: true })
  await fetchInto(second, space.id, ['-c', 'protocol.version=0'])
  await fetchInto(third, space.id, ['-c', 'protocol.version=1'])
  assert.equal(await branches(second), await branches(first))
  assert.equal(await branches(third), await branches(first))
  await output(second, 'fsck', '--strict')
})

test('what was fetched is not sent again', async () => {
  const { space, at } = await spaceWithPage()
  const clone = await newClone()
  await fetchInto(clone, space.id)
  const page = await idAt(w, at, 'more')
  await edit(w, at, { operation: 'update_page', page, document: { markdown: '# More\n\nNew.\n' } })
  const before = await output(clone, 'count-objects', '-v')
  await fetchInto(clone, space.id)
  const after = await output(clone, 'count-objects', '-v')
  const countOf = (text: string) =>
    Number(/^count: (\d+)/m.exec(text)?.[1]) + Number(/^in-pack: (\d+)/m.exec(text)?.[1])
  // A commit, its tree and the document.
  assert.equal(countOf(after) - countOf(before), 3)
})

test('an imported SUMMARY.md stays as its author wrote it, and a page that is renamed changes its own line', async () => {
  const summary =
    '# Contents\n\n- [Welcome](README.md)\n- [Set up](guides/setup.md "Long")\n    * [Details](guides/details.md)\n'
  const repository = await w.repository([
    { path: 'SUMMARY.md', content: summary },
    { path: 'README.md', content: '\ufeff# Welcome\r\n' },
    { path: 'guides/setup.md', content: '# Set up\r\n\r\n* a\r\n' },
    { path: 'guides/details.md', content: '# Details\n' },
    { path: '.gitbook/assets/dot.svg', content: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
  ])
  const space = await w.createSpace()
  await w.import(space, repository)
  const clone = await newClone()
  await fetchInto(clone, space.id)
  assert.equal(
    await output(clone, 'rev-parse', 'main^{tree}'),
    (await repository.git(['rev-parse', 'main^{tree}'])).toString().trim(),
    'the tree is that of the repository',
  )
  assert.deepEqual((await subjects(clone, 'main'))[0], 'Commit 1')

  const at = liveAt(space.id)
  const { pages } = await w.get(`/spaces/${space.id}/content/pages`)
  const idOf = (title: string) => flattenPages(pages).find(page => page.title === title)?.id
  await edit(w, at, { operation: 'update_page', page: idOf('Details'), title: 'All' })
  await edit(w, at, { operation: 'update_page', page: idOf('Welcome'), title: 'Hello' })
  await fetchInto(clone, space.id)
  assert.deepEqual(await changed(clone, 'main'), ['M\tREADME.md', 'M\tSUMMARY.md'])
  assert.equal(
    await output(clone, 'show', 'main:SUMMARY.md'),
    summary.replace('[Details]', '[All]').replace('[Welcome]', '[Hello]').trim(),
  )
})

test('a folder that a space is exported to has the files of a clone, the edited lines of SUMMARY.md included', async () => {
  const summary = '# Contents\n\nWords.\n\n- [Welcome](README.md)\n- [More](more.md "Long")\n'
  const repository = await w.repository([
    { path: 'SUMMARY.md', content: summary },
    { path: 'README.md', content: '# Welcome\n' },
    { path: 'more.md', content: '# More\n' },
  ])
  const space = await w.createSpace()
  await w.import(space, repository)
  const at = liveAt(space.id)
  await edit(w, at, { operation: 'update_page', page: await idAt(w, at, 'more'), title: 'Much more' })
  await edit(w, at, { operation: 'update_page', page: await idAt(w, at, 'more'), slug: 'much' })
  const exported = async (to: string) => {
    const row = (await findSpace(w.services.db, space.id))!
    const options = { onProgress: () => {}, signal: new AbortController().signal }
    await exportFolder(w.services, row, join(folder, to), options)
    return readFileSync(join(folder, to, 'SUMMARY.md'), 'utf8')
  }
  const wanted = summary.replace('[More]', '[Much more]')
  assert.equal(await exported('before'), wanted, 'nobody cloned it yet')
  const clone = await newClone()
  await fetchInto(clone, space.id)
  assert.equal(await output(clone, 'show', 'main:SUMMARY.md'), wanted.trim())
  await edit(w, at, { operation: 'update_page', page: await idAt(w, at, 'much'), title: 'Most' })
  assert.equal(await exported('after'), summary.replace('[More]', '[Most]'))
})

test('fetching needs permission to read the history, and pushing permission to write', async () => {
  const { space } = await spaceWithPage({ visibility: 'public' })
  const ask = async (
    as: PersonName | { token: string } | null,
    path = `${space.id}.git`,
    service = 'upload',
  ) => {
    const token = as === null ? undefined : typeof as === 'string' ? w.people[as].token : as.token
    const { statusCode, headers, payload } = await w.app.inject({
      url: `/git/${path}/info/refs?service=git-${service}-pack`,
      headers: token === undefined ? {} : { authorization: `Basic ${btoa(`${token}:`)}` },
    })
    return { status: statusCode, challenge: headers['www-authenticate'], text: payload }
  }
  const nobody = await ask(null)
  assert.deepEqual([nobody.status, nobody.challenge], [401, 'Basic realm="octavo"'])
  assert.equal((await ask('read')).status, 200)
  assert.equal((await ask('read', space.id)).status, 200, 'the ending may be left out')
  assert.equal((await ask('stranger')).status, 403, 'who only visits an open space reads no history')
  assert.equal((await ask({ token: 'octv_unknown' })).status, 401)
  const { body: narrow } = await w.call('POST', '/user/tokens', {
    body: { label: 'narrow', scopes: ['user:read'] },
  })
  assert.equal((await ask({ token: narrow.token })).status, 403)
  const secret = await w.createSpace()
  assert.equal((await ask('stranger', `${secret.id}.git`)).status, 404)
  assert.equal((await ask('admin', 'nothing.git')).status, 404)
  assert.equal((await ask('admin', '..%2f..%2fetc.git')).status, 404)
  assert.equal((await ask('edit', undefined, 'receive')).status, 200)
  const reading = await ask('read', undefined, 'receive')
  assert.equal(reading.status, 403)
  assert.match(reading.text, /needs the role edit/)
  assert.equal((await ask('admin', undefined, 'archive')).status, 403)
})

test('requests that no git would send are refused, and block nothing', async () => {
  const { space } = await spaceWithPage()
  const post = async (payload: Buffer | string, headers: Record<string, string> = {}) => {
    const { statusCode } = await w.app.inject({
      method: 'POST',
      url: `/git/${space.id}.git/git-upload-pack`,
      headers: {
        authorization: `Bearer ${w.people.admin.token}`,
        'content-type': 'application/x-git-upload-pack-request',
        ...headers,
      },
      payload,
    })
    return statusCode
  }
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
  assert.equal(await post(bomb, { 'content-encoding': 'gzip' }), 413)
  assert.equal(await post('no gzip', { 'content-encoding': 'gzip' }), 400)
  assert.equal(await post('0000', { 'content-encoding': 'br' }), 400)
  assert.equal(await post('0000', { 'content-type': 'text/plain' }), 400)
  assert.equal(await post(Buffer.alloc(5 * 1024 * 1024)), 413)
  assert.equal((await w.app.inject({ url: `/git/${space.id}.git/HEAD` })).statusCode, 404)
})

test('clients that leave make room for others', async () => {
  const { space } = await spaceWithPage()
  const url = `${await originOf(w)}/git/${space.id}.git/info/refs?service=git-upload-pack`
  const headers = { authorization: `Bearer ${w.people.admin.token}` }
  for (let round = 0; round < 8; round++) {
    const left = new AbortController()
    const asked = fetch(url, { headers, signal: left.signal }).catch(() => {})
    setImmediate(() => left.abort())
    await asked
  }
  const served = async (): Promise<number> => (await fetch(url, { headers })).status
  let status = await served()
  for (const ms of [50, 200, 1000, 4000]) {
    if (status === 200) break
    await sleep(ms)
    status = await served()
  }
  assert.equal(status, 200)
})
