// No operation escapes: each is refused to nobody (401), strangers (404) and weak roles (403) before its body is read,
// and only then does a bad body count (400). The weakest role that may is not refused, and what hangs on a deleted space
// is gone with it (404). An operation that is added without a place in this test fails it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { coversScope } from '../../src/access/scopes.ts'
import { operations } from '../../src/api/index.ts'
import type { Failure } from '../../src/base/errors.ts'
import { newSecret } from '../../src/base/ids.ts'
import { admit, contextTemplateOf } from '../../src/http/admission.ts'
import type { Operation } from '../../src/http/operation.ts'
import { compileCheck } from '../../src/http/validation.ts'
import { signedIn, workspaceHeaders } from '../support/sessions.ts'
import type { PersonName } from '../support/world.ts'
import { newScene, strongPerson, weakPerson } from './scene.ts'

const { w, paramsOf, pathOf, unknownIn } = await newScene()

const BAD_BODY = JSON.stringify({
  ...{ title: 1, label: 2, url: 3, displayName: 4, operations: 5, subject: 6, changes: 7, users: 8, body: 9 },
  ...{ status: 10, resolutions: 11, id: 12, parent: 13, role: 13, add: 14 },
  ...{ name: 30, fallbackURL: 31, graceSeconds: true, lifetimeSeconds: 32.5, configuration: 33 },
  mergeRules: 34,
})

/** The id of an invitation is all that is needed, so a stranger is a caller without it. */
const NOT_INVITED = { inviteId: 'guessed' }

const send = (operation: Operation, as: PersonName | null, headers: Readonly<Record<string, string>> = {}) =>
  w.call(operation.method, pathOf(operation, as === 'stranger' ? NOT_INVITED : {}), {
    as,
    headers,
    ...(operation.body === undefined ? {} : { payload: BAD_BODY }),
  })

const sessions = new Map<PersonName, Promise<string>>()
function secretOf(person: PersonName): Promise<string> {
  const secret = sessions.get(person) ?? signedIn(w, person, { confirmedAt: new Date() })
  sessions.set(person, secret)
  return secret
}

/** The answers to the same person with a token, and in the workspace. */
const sendBoth = async (operation: Operation, as: PersonName) => [
  await send(operation, as),
  await w.call(operation.method, pathOf(operation, as === 'stranger' ? NOT_INVITED : {}), {
    as: null,
    headers: workspaceHeaders(await secretOf(as)),
    ...(operation.body === undefined ? {} : { payload: BAD_BODY }),
  }),
]

const countEvents = async () =>
  Number((await sql<{ count: string }>`select count(*) from events`.execute(w.services.db)).rows[0]?.count)

const deletedSpace = w.createSpace({ title: 'Deleted' }).then(async ({ id }) => {
  await w.call('DELETE', `/spaces/${id}`)
  return id
})
/** A deleted space exists for those who may restore it, and deleting it again succeeds. */
const IN_DELETED_SPACES = ['getSpaceById', 'deleteSpaceById', 'restoreSpace']

const isForPeople = ({ by }: Operation): boolean => by.includes('user')

/** Allowed to nobody of the world: to the user alone, or to holders of a link. */
const rolesOfNobody = ({ place, may }: Operation): boolean =>
  place?.subject === 'invitation' || (place?.subject === 'user' && may === 'change')

/** What an operation hangs on: the parameters of its place, or all of them where it has none. */
const parentsOf = ({ id, place, params }: Operation): string[] =>
  id === MAKES_WHAT_IT_NAMES ? [] : Object.keys((place?.params ?? params).properties)
const MAKES_WHAT_IT_NAMES = 'publishIntegration'

/** What admission says, without carrying anything out. */
const admitted = (operation: Operation, as: PersonName, others: Readonly<Record<string, string>> = {}) =>
  admit(operation, compileCheck(operation.params), contextTemplateOf(w.services), {
    headers: { authorization: `Bearer ${w.people[as].token}` },
    params: { ...paramsOf(operation), ...others },
    query: {},
    requestId: 'test',
    address: '127.0.0.1',
  })

/** Those about the session of a browser take no token; their own test is at the end. */
const toPeople = operations.filter(operation => isForPeople(operation) && !operation.isForSessions)
const placed = toPeople.filter(({ place }) => place !== null)

/** One promise, of each of the operations. */
const each = (promise: string, of: readonly Operation[], look: (operation: Operation) => Promise<void>) =>
  test(promise, async () => {
    for (const operation of of) await named(operation, look)
  })

async function named(operation: Operation, look: (operation: Operation) => Promise<void>): Promise<void> {
  try {
    await look(operation)
  } catch (error) {
    throw new Error(`${operation.method} ${operation.path}`, { cause: error })
  }
}

each('answers 401 without a token, unless it is open to everyone', operations, async operation => {
  const { status, body, headers } = await send(operation, null)
  if (operation.may === 'anyone') return assert.ok(status < 400)
  assert.equal(status, 401)
  assert.equal(body.error.code, 401)
  assert.match(headers['www-authenticate'] ?? '', /^Bearer/)
})

each(
  'takes no session of a browser without the header of the workspace, or from elsewhere, or that is over',
  operations,
  async operation => {
    const live = await secretOf('admin')
    for (const headers of [
      workspaceHeaders(live, { 'octavo-workspace': undefined }),
      workspaceHeaders(live, { 'sec-fetch-site': 'same-site' }),
      workspaceHeaders(live, { origin: 'http://evil.test' }),
      workspaceHeaders(newSecret()),
    ]) {
      const { status } = await send(operation, null, headers)
      if (operation.may === 'anyone' && headers['octavo-workspace'] === undefined) assert.ok(status < 400)
      else assert.equal(status, 401)
    }
  },
)

each(
  'that is not for people refuses the token of any person with 403, whatever the body',
  operations.filter(operation => !isForPeople(operation)),
  async operation => {
    for (const person of ['stranger', 'admin'] as const)
      for (const { status, body } of await sendBoth(operation, person)) {
        assert.equal(status, 403)
        assert.match(body.error.message, /yours is one of a person/)
      }
  },
)

each(
  'answers 404 to a stranger, whatever the body',
  placed.filter(({ absent }) => absent === undefined),
  async operation => {
    for (const { status, body } of await sendBoth(operation, 'stranger'))
      assert.equal(status, 404, body?.error?.message)
  },
)

each(
  'that deletes reveals nothing to a stranger and deletes nothing',
  placed.filter(({ absent }) => absent === 'done'),
  async operation => {
    const before = await countEvents()
    for (const { status } of await sendBoth(operation, 'stranger')) assert.equal(status, 204)
    assert.equal(await countEvents(), before, 'every deletion emits an event')
  },
)

each('answers 403 to the strongest role that may not, whatever the body', toPeople, async operation => {
  const weak = weakPerson(operation)
  if (weak === undefined) return
  for (const { status, body } of await sendBoth(operation, weak)) {
    assert.equal(status, 403, body?.error?.message)
    assert.match(body.error.message, /needs the role/)
  }
})

each('has a place in this test: ids for its path, and a caller who may', placed, async operation => {
  assert.deepEqual(unknownIn(operation), [], 'add them to test/conformance/scene.ts')
  if (rolesOfNobody(operation)) return
  assert.ok(strongPerson(operation) !== undefined, 'add them to test/conformance/scene.ts')
})

each('admits the weakest role that may, and not the strongest that may not', placed, async operation => {
  const strong = strongPerson(operation)
  if (strong !== undefined) await admitted(operation, strong)
  const weak = weakPerson(operation)
  if (weak !== undefined)
    await assert.rejects(admitted(operation, weak), (error: Failure) => error.kind === 'forbidden')
})

each('is not there when one that its path names is unknown', toPeople, async operation => {
  for (const name of parentsOf(operation)) {
    const path = pathOf(operation, { [name]: 'nowhere' })
    const { status } = await w.call(operation.method, path, { as: 'admin' })
    assert.equal(status, operation.absent === 'done' ? 204 : 404, name)
  }
})

each(
  'is not there when its space is deleted',
  toPeople.filter(({ id, path }) => path.startsWith('/spaces/{spaceId}') && !IN_DELETED_SPACES.includes(id)),
  async operation => {
    await assert.rejects(
      admitted(operation, 'admin', { spaceId: await deletedSpace }),
      (error: Failure) => error.kind === 'missing',
    )
  },
)

each(
  'names the wrong field to those who may call it',
  placed.filter(({ body, place }) => body !== undefined && place?.subject !== 'user'),
  async operation => {
    for (const { status, body } of await sendBoth(operation, 'admin')) {
      assert.equal(status, 400)
      assert.match(body.error.message, /^body/)
    }
  },
)

each(
  'refuses an invalid Idempotency-Key, but only to those who may call it',
  toPeople.filter(({ method, place }) => method === 'POST' && place?.subject !== 'user'),
  async operation => {
    const headers = { 'idempotency-key': '' }
    const { status, body } = await send(operation, 'admin', headers)
    assert.equal(status, 400)
    assert.match(body.error.message, /^Idempotency-Key: /)
    if (operation.place !== null) assert.equal((await send(operation, 'stranger', headers)).status, 404)
  },
)

each(
  'refuses an invalid If-Match, but only to those who may call it',
  toPeople.filter(({ supportedHeaders }) => supportedHeaders.includes('if-match')),
  async operation => {
    const { status, body } = await send(operation, 'admin', { 'if-match': 'unquoted' })
    assert.equal(status, 400)
    assert.match(body.error.message, /^If-Match: /)
    assert.equal((await send(operation, 'stranger', { 'if-match': 'unquoted' })).status, 404)
  },
)

each('answers 404 for a thing that is not there', placed, async operation => {
  const path = operation.path.replaceAll(/\{(\w+)\*?\}/g, 'nowhere')
  const { status } = await w.call(operation.method, path)
  assert.equal(status, operation.absent === 'done' ? 204 : 404)
})

each(
  'about the session of a browser refuses every token',
  operations.filter(({ isForSessions }) => isForSessions),
  async operation => {
    const [byToken, bySession] = await sendBoth(operation, 'admin')
    assert.equal(byToken?.status, 403)
    assert.match(byToken?.body.error.message, /session of a browser/)
    assert.ok(bySession !== undefined && bySession.status !== 403 && bySession.status !== 401)
    sessions.clear()
  },
)

const sensitive = toPeople.filter(one => one.sensitive === true)

each(
  'that is always sensitive asks a session to confirm who it is, and only those who may call it',
  sensitive,
  async operation => {
    const answer = async (as: PersonName) =>
      await w.call(operation.method, pathOf(operation), {
        as: null,
        headers: workspaceHeaders(await signedIn(w, as)),
        ...(operation.body === undefined ? {} : { payload: BAD_BODY }),
      })
    const { status, body } = await answer('admin')
    assert.deepEqual([status, body.error.reason], [403, 'confirm_identity'])
    if (operation.place === null) return
    assert.equal((await answer('stranger')).status, operation.absent === 'done' ? 204 : 404)
    const weak = weakPerson(operation)
    if (weak !== undefined) assert.match((await answer(weak)).body.error.message, /needs the role/)
  },
)

test('what is sensitive', () => {
  const ids = (some: readonly Operation[]) => some.map(({ id }) => id).sort()
  assert.deepEqual(ids(sensitive), [
    'addMemberToOrganizationTeamById',
    'createIntegrationToken',
    'createOrganizationSAMLProvider',
    'createOrganizationWebhook',
    'createScimToken',
    'createSignInLinks',
    'createSpaceContentToken',
    'createSpaceShareLink',
    'createSpaceWebhook',
    'createToken',
    'deleteOrganizationSAMLProvider',
    'deleteSpaceById',
    'eraseAccount',
    'exportAccount',
    'getSpacePublishingAuth',
    'getSpaceShareLinkById',
    'listOrganizationInviteLinks',
    'listSpaceShareLinks',
    'regenerateOrganizationWebhookSecret',
    'regenerateSpacePublishingAuth',
    'regenerateSpaceWebhookSecret',
    'resetSecondFactorOfMember',
    'setUserAsSSOMemberForOrganization',
    'transferCollection',
    'transferSpace',
    'updateOrganizationSAMLProvider',
    'updateSpacePublishingAuth',
  ])
  assert.deepEqual(ids(operations.filter(one => typeof one.sensitive === 'object')), [
    'createOrganizationInvite',
    'createOrganizationTeam',
    'createSpace',
    'inviteToCollection',
    'inviteToSpace',
    'inviteUsersToOrganization',
    'updateCollectionById',
    'updateMemberInOrganizationById',
    'updateMembersInOrganizationTeam',
    'updateOpenAPISpecBySlug',
    'updateOrganizationById',
    'updateOrganizationInviteById',
    'updateOrganizationWebhook',
    'updateSpaceById',
    'updateSpaceShareLinkById',
    'updateSpaceWebhook',
    'updateTeamPermissionInCollection',
    'updateTeamPermissionInSpace',
    'updateUserPermissionInCollection',
    'updateUserPermissionInSpace',
  ])
})

test('a token narrowed to another scope is refused with 403 by every operation that needs one', async () => {
  const { body: token } = await w.call('POST', '/user/tokens', {
    body: { label: 'narrow', scopes: ['organization:ask'] },
  })
  for (const operation of operations) {
    if (coversScope(['organization:ask'], operation.scope)) continue
    const { status, body } = await w.call(operation.method, pathOf(operation), { as: token })
    assert.equal(status, 403, `${operation.id}: ${body?.error?.message}`)
  }
})

test('every operation has an id, a path and a method of its own', () => {
  assert.equal(new Set(operations.map(operation => operation.id)).size, operations.length)
  assert.equal(
    new Set(operations.map(operation => `${operation.method} ${operation.path}`)).size,
    operations.length,
  )
})
