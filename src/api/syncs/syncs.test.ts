import assert from 'node:assert/strict'
import { createHmac, createSecretKey } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { edit, idAt, liveAt, readPage } from '../../../test/support/edits.ts'
import { type Connected, file, importWorld } from '../../../test/support/imports.ts'
import { createRepository } from '../../../test/support/repositories.ts'
import { originOf } from '../../../test/support/server.ts'
import { sealSecrets } from '../../access/sealed-secrets.ts'
import { now } from '../../base/clock.ts'
import { unavailable } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { onlyKey } from '../../platform/keys/signing-keys.ts'
import { importRepository } from '../git-sync/import.ts'
import { claimDue, findSync, recordEnding } from './rows.ts'
import { runDueSyncs } from './run.ts'

const w = await importWorld()

/** Runs what is due, and returns the state afterwards. */
async function run(spaceId: string) {
  await runDueSyncs(w.services)
  return (await w.call('GET', `/spaces/${spaceId}/git/sync`)).body
}

/** Makes it due now. */
const makeDue = (spaceId: string, what: object) =>
  w.services.db.updateTable('git_syncs').set(what).where('space_id', '=', spaceId).execute()

const hook = (spaceId: string, secret: string, payload = '{}') =>
  w.app.inject({
    method: 'POST',
    url: `/git/hooks/${spaceId}`,
    headers: {
      'content-type': 'application/json',
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update('{}').digest('hex')}`,
    },
    payload,
  })

const files = [file('README.md', '# Home\n\nOne.\n'), file('more.md', '# More\n')]
const repository = await w.repository(files)
const example = { repository, space: await w.createSpace() }
await w.import(example.space, repository)

/** A space synchronized with a repository, before the first import. */
async function kept(body = {}) {
  const name = `kept-${newId()}.git`
  return keep({ repository: await repository.copy(name), space: await w.createSpace() }, body)
}

/** A space after the first import. */
async function pulled() {
  const copy = await keep(await w.copyOf(example), {})
  await makeDue(copy.space.id, { pull_due_at: null })
  return copy
}

async function keep({ repository, space }: Connected, body: object) {
  const at = liveAt(space.id)
  const url = w.host.urlOf(repository.name)
  const { status, body: set } = await w.call('PUT', `${at.path}/git/sync`, {
    body: { url, ref: 'main', push: true, ...body },
  })
  assert.equal(status, 200, JSON.stringify(set))
  return { repository, space, at, set, url }
}

test('a space is synchronized with its repository: imported when its host calls, exported when it changes', async () => {
  const { repository, space, at, set, url } = await kept()
  const password = decodeURIComponent(new URL(url).password)
  assert.ok(password !== '' && !JSON.stringify(set).includes(password), 'what is read shows no password')
  const row = await w.services.db
    .selectFrom('git_syncs')
    .selectAll()
    .where('space_id', '=', space.id)
    .execute()
  assert.ok(!JSON.stringify(row).includes(password), 'nor does the database')
  const first = await run(space.id)
  assert.deepEqual([first.failure, first.secret, typeof first.pulledAt], [null, undefined, 'string'])
  const home = await idAt(w, at, 'readme')
  assert.equal((await readPage(w, at, home)).markdown, '# Home\n\nOne.\n')

  await repository.commit({ changes: [file('README.md', '# Home\n\nTwo.\n')] })
  assert.equal((await hook(space.id, 'another secret')).statusCode, 401)
  assert.equal((await hook(space.id, set.secret, '{ }')).statusCode, 401)
  assert.equal((await hook('nothing', set.secret)).statusCode, 404)
  await run(space.id)
  assert.equal((await readPage(w, at, home)).markdown, '# Home\n\nOne.\n', 'nobody proved that there is more')
  assert.equal((await hook(space.id, set.secret)).statusCode, 204)
  await run(space.id)
  assert.equal((await readPage(w, at, home)).markdown, '# Home\n\nTwo.\n')

  await edit(w, at, { operation: 'update_page', page: home, document: { markdown: '# Home\n\nThree.\n' } })
  await makeDue(space.id, { push_due_at: new Date(0) })
  assert.equal((await run(space.id)).failure, null)
  assert.equal((await repository.git(['show', 'main:README.md'])).toString(), '# Home\n\nThree.\n')
})

test('a call that is too large is answered, although its sender sends all of it before', async () => {
  const { space } = await kept()
  const { port } = new URL(await originOf(w))
  const socket = connect(Number(port), '127.0.0.1')
  after(() => socket.destroy())
  const answer = once(socket, 'data')
  const bytes = 40 * 1024 * 1024
  const head = [`POST /git/hooks/${space.id} HTTP/1.1`, 'Host: localhost', 'X-Hub-Signature-256: x']
  socket.write(`${[...head, `Content-Length: ${bytes}`].join('\r\n')}\r\n\r\n`)
  await new Promise(resolve => socket.write(Buffer.alloc(bytes), resolve))
  assert.match(String(await answer), /^HTTP\/1\.1 413 /)
})

test('if both changed, the changes of the repository are a change request, and nothing is pushed over them', async () => {
  const { repository, space, at } = await pulled()
  const home = await idAt(w, at, 'readme')
  await edit(w, at, { operation: 'update_page', page: home, document: { markdown: '# Home\n\nOurs.\n' } })
  await repository.commit({
    changes: [file('README.md', '# Home\n\nTheirs.\n'), file('more.md', '# More\n\nToo.\n')],
  })
  await makeDue(space.id, { pull_due_at: new Date(0), push_due_at: new Date(0) })
  const { changeRequest, failure } = await run(space.id)
  assert.equal(failure, null)
  const request = { ...at, path: `${at.path}/change-requests/${changeRequest}` }
  assert.equal((await readPage(w, request, home)).markdown, '# Home\n\nTheirs.\n')
  assert.equal((await readPage(w, at, home)).markdown, '# Home\n\nOurs.\n')
  assert.equal((await repository.git(['show', 'main:README.md'])).toString(), '# Home\n\nTheirs.\n')

  await repository.commit({ changes: [file('new.md', '# New\n')] })
  await makeDue(space.id, { pull_due_at: new Date(0), push_due_at: new Date(0) })
  assert.equal((await run(space.id)).changeRequest, changeRequest, 'what comes later and fits comes in')
  await idAt(w, at, 'new')
  const conflicts = await w.call('POST', `${request.path}/merge`)
  assert.equal(conflicts.body.result, 'conflicts')
  const nextDay = new Date(now().getTime() + 86_400_000)
  await makeDue(space.id, { push_due_at: nextDay })
  await w.call('PATCH', request.path, { body: { status: 'archived' } })
  const { push_due_at } = (await findSync(w.services.db, space.id))!
  assert.ok(push_due_at! < nextDay, 'the push is due once the change request is settled')
  await makeDue(space.id, { push_due_at: new Date(0) })
  assert.equal((await run(space.id)).failure, null)
  assert.equal((await repository.git(['show', 'main:README.md'])).toString(), '# Home\n\nOurs.\n')
})

test('each of several change requests of the repository holds back the push, also after it is set again', async () => {
  const { repository, space, at, url } = await pulled()
  const [home, more] = [await idAt(w, at, 'readme'), await idAt(w, at, 'more')]
  const clash = async (page: string, path: string) => {
    await edit(w, at, { operation: 'update_page', page, document: { markdown: '# Ours\n' } })
    await repository.commit({ changes: [file(path, '# Theirs\n')] })
    await makeDue(space.id, { pull_due_at: new Date(0) })
    return (await run(space.id)).changeRequest
  }
  const first = await clash(home, 'README.md')
  const second = await clash(more, 'more.md')
  assert.notEqual(first, second)
  const isPushed = async () => {
    await makeDue(space.id, { push_due_at: new Date(0) })
    assert.equal((await run(space.id)).failure, null)
    return (await repository.git(['show', 'main:more.md'])).toString() === '# Ours\n'
  }
  const archive = (id: string) =>
    w.call('PATCH', `${at.path}/change-requests/${id}`, { body: { status: 'archived' } })
  await archive(second)
  assert.equal(await isPushed(), false, 'the first is open still')
  const set = await w.call('PUT', `${at.path}/git/sync`, { body: { url, ref: 'main', push: true } })
  assert.equal(set.body.changeRequest, second)
  assert.equal(await isPushed(), false, 'it is the same repository')
  await archive(first)
  assert.equal(await isPushed(), true)
})

test('a repository with content becomes a change request, and an empty one is filled', async () => {
  const { space, at } = await kept()
  const { body: found } = await w.call('GET', `${at.path}/content/pages`)
  assert.equal(found.pages.length, 0)
  await edit(w, at, { operation: 'insert_page', title: 'Own', document: { markdown: '# Own\n' } })
  const { changeRequest, failure } = await run(space.id)
  assert.deepEqual([failure, typeof changeRequest], [null, 'string'])
  await idAt(w, at, 'own')

  const empty = await createRepository(w.root, 'empty.git')
  const body = { url: w.host.urlOf(empty.name), ref: 'main', push: true }
  await w.call('PUT', `${at.path}/git/sync`, { body })
  const filled = await run(space.id)
  assert.deepEqual([filled.failure, filled.changeRequest], [null, null])
  assert.equal((await empty.git(['show', 'main:own.md'])).toString(), '# Own\n')
})

test('failures are reported and tried again later, and nothing is done for an owner who is no longer an admin', async () => {
  const { space, at } = await kept({ ref: 'nowhere', pullEveryMinutes: 5, push: false })
  const failed = await run(space.id)
  assert.deepEqual([failed.failure.code, failed.failure.count], ['git_ref_missing', 1])
  assert.equal((await run(space.id)).failure.count, 1, 'not at once')
  await makeDue(space.id, { pull_due_at: new Date(0) })
  assert.equal((await run(space.id)).failure.count, 2)
  await makeDue(space.id, { pull_due_at: new Date(0), owner_id: w.people.edit.id })
  assert.equal((await run(space.id)).failure.code, 'owner')
  assert.equal((await w.call('DELETE', `${at.path}/git/sync`)).status, 204)
  assert.equal((await w.call('GET', `${at.path}/git/sync`)).status, 404)
})

test('changes during a push are pushed after it', async () => {
  const { space, at } = await pulled()
  await makeDue(space.id, { push_due_at: new Date(0) })
  const claimed = await claimDue(w.services.db, 'one')
  assert.equal(claimed?.space_id, space.id)
  const home = await idAt(w, at, 'readme')
  await edit(w, at, { operation: 'update_page', page: home, document: { markdown: '# Home\n\nLate.\n' } })
  await recordEnding(w.services.db, claimed, {
    ...{ pullAgain: null, pushAgain: null, isPulled: false, isPushed: true },
    failure: undefined,
  })
  const row = await findSync(w.services.db, space.id)
  assert.ok(row?.push_due_at, 'the push is due')
})

test('if both changed, a push without a pull before makes a change request too', async () => {
  const { repository, space, at } = await pulled()
  const home = await idAt(w, at, 'readme')
  await repository.commit({ changes: [file('README.md', '# Home\n\nTheirs.\n')] })
  await edit(w, at, { operation: 'update_page', page: home, document: { markdown: '# Home\n\nOurs.\n' } })
  await makeDue(space.id, { push_due_at: new Date(0) })
  const { changeRequest, failure } = await run(space.id)
  assert.deepEqual([failure, typeof changeRequest], [null, 'string'])
  assert.equal((await repository.git(['show', 'main:README.md'])).toString(), '# Home\n\nTheirs.\n')
})

test('a change request holds back the push from the same transaction on', async () => {
  const { space, at, url } = await kept()
  await edit(w, at, { operation: 'insert_page', title: 'Own', document: { markdown: '# Own\n' } })
  const options = { spaceId: space.id, url, ref: 'main', createdBy: w.people.admin.id }
  const propose = async () => {
    throw unavailable('interrupted', 'The server stops.')
  }
  await assert.rejects(importRepository(w.services, { ...options, propose }), /The server stops/)
  const requests = await w.call('GET', `${at.path}/change-requests`)
  assert.deepEqual(requests.body.items, [])
  const { changeRequest, failure } = await run(space.id)
  assert.deepEqual([failure, typeof changeRequest], [null, 'string'])
})

test('credentials encrypted with another key are refused with the advice to set them again', async () => {
  const { space, set } = await kept()
  const secrets = sealSecrets(onlyKey(createSecretKey(Buffer.alloc(32, 2))), {
    remote: 'https://x',
    hook: set.secret,
  })
  await makeDue(space.id, { secrets })
  assert.equal((await run(space.id)).failure.code, 'credentials_unreadable')
  assert.equal((await hook(space.id, set.secret)).statusCode, 503)
})

test('an address on a private network is refused when it is set, and an unresolvable name is not', async () => {
  const space = await w.createSpace()
  const put = async (url: string) =>
    w.call('PUT', `/spaces/${space.id}/git/sync`, { body: { url, ref: 'main' } })
  for (const url of ['http://10.0.0.1/a.git', 'https://u:p@[fd00::1]/a.git', 'http://0xa.1/a.git']) {
    const { status, body } = await put(url)
    assert.equal(status, 400, url)
    assert.match(body.error.message, /on a private or reserved network/)
  }
  assert.equal((await w.call('GET', `/spaces/${space.id}/git/sync`)).status, 404)
  assert.equal((await put('https://nobody.invalid/a.git')).status, 200)
})
