// What tokens may, over all operations: each takes the kinds of tokens that it names and no other, and a token that was
// narrowed keeps its word, also when one word is all that it was narrowed by.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PrincipalKind } from '../../src/access/principal.ts'
import { PRESET_NAMES, PRESETS } from '../../src/access/scopes.ts'
import { insertToken } from '../../src/api/accounts/rows.ts'
import { operations } from '../../src/api/index.ts'
import { newId, newSecret } from '../../src/base/ids.ts'
import { newScene } from './scene.ts'

const { w, ids, pathOf } = await newScene()

test('a token may be named for what it may: each preset may more than the one before it', async () => {
  const { body: reader } = await w.call('POST', '/user/tokens', { body: { label: 'r', may: 'read' } })
  assert.deepEqual(reader.scopes, [...PRESETS.read].sort())
  let before: readonly string[] = []
  for (const name of PRESET_NAMES) {
    const scopes: readonly string[] = PRESETS[name]
    assert.ok(scopes.length > before.length && before.every(scope => scopes.includes(scope)), name)
    before = scopes
  }
})

/** What each of these tokens is answered, by preset, along the way of a change request. */
test('a token that may propose writes and discusses change requests, and changes nothing that readers see', async () => {
  const space = await w.createSpace({ title: 'Guarded' })
  const s = `/spaces/${space.id}`
  const page = { changes: [{ operation: 'insert_page', document: { markdown: '# Rain\n' } }] }
  const as = async (may: string) => ({
    token: (await w.call('POST', '/user/tokens', { body: { label: may, may } })).body.token,
  })
  const [reader, commenter, proposer, reviewer, merger] = await Promise.all(
    ['read', 'comment', 'propose', 'review', 'merge'].map(as),
  )
  const refused = async (
    who: { token: string } | undefined,
    method: string,
    path: string,
    body?: unknown,
  ) => {
    const reply = await w.call(method, path, { as: who ?? null, body })
    assert.equal(reply.status, 403, `${method} ${path}`)
    assert.match(reply.body.error.message, /narrowed and lacks the scope/)
  }
  const done = async (who: { token: string } | undefined, method: string, path: string, body?: unknown) => {
    const reply = await w.call(method, path, { as: who ?? null, body })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`)
    return reply.body
  }

  await done(reader, 'GET', s)
  await refused(reader, 'POST', `${s}/comments`, { body: { markdown: 'Why?' } })
  await done(commenter, 'POST', `${s}/comments`, { body: { markdown: 'Why?' } })
  await refused(commenter, 'POST', `${s}/change-requests`)

  const { id } = await done(proposer, 'POST', `${s}/change-requests`, { subject: 'Rain' })
  const c = `${s}/change-requests/${id}`
  await done(proposer, 'POST', `${c}/content`, page)
  await done(proposer, 'POST', `${c}/update`)
  await done(proposer, 'PATCH', c, { status: 'open' })
  await done(proposer, 'POST', `${c}/comments`, { body: { markdown: 'Because.' } })
  await done(proposer, 'POST', `${c}/requested-reviewers`, { users: [w.people.review.id] })
  await refused(proposer, 'POST', `${c}/reviews`, { status: 'approved' })

  const writing = operations.filter(
    ({ method, path, scope, by }) =>
      method !== 'GET' && path.startsWith('/spaces/{spaceId}') && scope !== 'any' && by.includes('user'),
  )
  const live = writing.filter(({ scope }) => !PRESETS.propose.includes(scope as never))
  const names = live.map(operation => operation.id)
  for (const name of [
    'updateSpaceContent',
    'applyTemplateToSpace',
    'importGitRepository',
    'exportToGitRepository',
    'rollbackRevision',
  ])
    assert.ok(names.includes(name), `${name} changes what readers see`)
  for (const name of [
    'mergeChangeRequest',
    'updateSpaceById',
    'deleteSpaceById',
    'submitChangeRequestReview',
  ])
    assert.ok(names.includes(name), name)
  for (const { method, path } of live)
    await refused(proposer, method, path.replace('{spaceId}', space.id).replace('{changeRequestId}', id))
  assert.equal((await w.call('GET', s)).body.revision, space.revision, 'the head has not moved')

  await done(reviewer, 'POST', `${c}/reviews`, { status: 'approved' })
  await refused(reviewer, 'POST', `${c}/merge`)
  await refused(merger, 'POST', `${s}/content`, page)
  assert.equal((await done(merger, 'POST', `${c}/merge`)).result, 'merge')
})

test('the scope space:write holds its parts, as in the public interface', async () => {
  const space = await w.createSpace()
  const { body: as } = await w.call('POST', '/user/tokens', {
    body: { label: 'x', scopes: ['space:write'] },
  })
  const c = `/spaces/${space.id}/change-requests`
  const { body: made, status } = await w.call('POST', c, { as })
  assert.equal(status, 201)
  const said = { body: { body: { markdown: 'Yes.' } }, as }
  assert.equal((await w.call('POST', `${c}/${made.id}/comments`, said)).status, 200)
  const body = { status: 'approved' }
  assert.equal((await w.call('POST', `${c}/${made.id}/reviews`, { as, body })).status, 201)
  assert.equal((await w.call('POST', `${c}/${made.id}/merge`, { as })).status, 403)
})

/** A token of each kind, of the scene. */
async function tokenOfEachKind(): Promise<Record<Exclude<PrincipalKind, 'anonymous'>, { token: string }>> {
  const i = `/integrations/${ids.integrationName}`
  const { body: user } = await w.call('POST', '/user/tokens', { body: { label: 'user' } })
  const { body: integration } = await w.call('POST', `${i}/tokens`, { body: { label: 'integration' } })
  const path = `${i}/installations/${ids.installationId}/tokens`
  const { body: installation } = await w.call('POST', path, { as: integration })
  const content = newSecret()
  await w.services.transaction(trx =>
    insertToken(
      trx,
      {
        ...{ id: newId(), kind: 'content', space_id: ids.spaceId as string, label: 'content' },
        created_by: w.people.admin.id,
        expires_at: new Date(Date.now() + 3_600_000),
      },
      content,
    ),
  )
  const { body: scim } = await w.call('POST', `/orgs/${w.organizationId}/scim/tokens`, {
    body: { label: 'directory' },
  })
  return { user, integration, installation, content: { token: content }, scim }
}

const NAMES = {
  user: 'a person',
  integration: 'an integration',
  installation: 'an installation of an integration',
  content: 'visitors',
  scim: 'a directory, for SCIM',
}

test('every operation takes the kinds of tokens that it names, and refuses others with the kinds that it takes', async () => {
  const tokens = await tokenOfEachKind()
  for (const operation of operations) {
    for (const kind of ['integration', 'installation', 'content', 'scim'] as const) {
      if (operation.by.includes(kind) && operation.method !== 'GET') continue
      const { status, body } = await w.call(operation.method, pathOf(operation), { as: tokens[kind] })
      const about = `${operation.id} with a token of ${kind}`
      if (operation.by.includes(kind)) {
        assert.ok(status < 500 && status !== 401, `${about}: ${status}`)
        continue
      }
      assert.equal(status, 403, about)
      assert.ok(body.error.message.startsWith('This takes a token of '), `${about}: ${body.error.message}`)
      assert.ok(body.error.message.endsWith(`yours is one of ${NAMES[kind]}.`), about)
    }
  }
})

test('what no token of a person does is only what an integration does for itself', async () => {
  const others = operations.filter(({ by }) => !by.includes('user')).map(({ id }) => id)
  assert.deepEqual(others, ['createIntegrationInstallationToken'])
})
