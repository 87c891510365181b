// Every change emits an event: webhooks and the audit learn of everything from the events, so each operation
// that writes has an entry here, with the events that its call has to leave behind. One added without an entry
// fails.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { operations } from '../../src/api/index.ts'
import { newId } from '../../src/base/ids.ts'
import { allRead, conversation } from '../support/conversations.ts'
import { file, importWorld } from '../support/imports.ts'
import { allowed } from '../support/programs.ts'
import { givePassword, signedIn, workspaceHeaders } from '../support/sessions.ts'
import type { Call, Reply } from '../support/world.ts'
import { zipOf } from '../support/zip.ts'

const w = await importWorld()
const org = `/orgs/${w.organizationId}`
const space = await w.createSpace({ title: 'Told' })
const s = `/spaces/${space.id}`
const page = { operation: 'insert_page', document: { markdown: '# Rain\n\nIt rains.\n' } }
const told = new Set<string>()
const seen = new Set<string>()
// Skips events of other files of the lane.
const { rows: clock } = await sql<{ began: Date }>`select now() as began`.execute(w.services.db)
const began = clock[0]?.began as Date

type Event = {
  id: string
  type: string
  actor_id: string | null
  space_id: string | null
  payload: unknown
}

async function newEvents(): Promise<Event[]> {
  const rows = await w.services.db
    .selectFrom('events')
    .select(['id', 'type', 'actor_id', 'space_id', 'payload'])
    .where('occurred_at', '>=', began)
    .orderBy('occurred_at')
    .execute()
  const fresh = rows.filter(({ id }) => !seen.has(id))
  for (const { id } of fresh) seen.add(id)
  return fresh
}

/** Makes the call, and holds the events that it left against those that are expected. */
async function tells(
  id: string,
  path: string,
  types: readonly string[],
  call: Call = {},
  actorId = w.people[typeof call.as === 'string' ? call.as : 'admin'].id,
): Promise<Reply> {
  const operation = operations.find(one => one.id === id)
  assert.ok(operation !== undefined, `${id} is an operation`)
  await newEvents()
  const reply = await w.call(operation.method, path, call)
  assert.ok(reply.status < 300, `${id} answered ${reply.status}: ${reply.text}`)
  await w.services.tasks.idle()
  const events = await newEvents()
  assert.deepEqual(events.map(({ type }) => type).sort(), [...types].sort(), id)
  for (const { actor_id, type } of events) assert.equal(actor_id, actorId, `${id}: who ${type}`)
  for (const secret of secretsIn(reply.body))
    assert.ok(!JSON.stringify(events).includes(secret), `${id}: what it tells holds no secret`)
  told.add(id)
  return reply
}

/** Secrets in an answer. The id of an invitation is one. */
function secretsIn(value: unknown, name = ''): string[] {
  if (typeof value === 'string') {
    const key = /(?:[?&](?:shareKey|jwt_token)=|\/password\/)([^&]+)/.exec(value)?.[1]
    return SECRET_FIELDS.includes(name) ? [value] : key === undefined ? [] : [key]
  }
  if (typeof value !== 'object' || value === null) return []
  const isInvite = (value as { object?: unknown }).object === 'invite'
  return Object.entries(value).flatMap(([field, inner]) =>
    secretsIn(inner, isInvite && field === 'id' ? 'token' : field),
  )
}
const SECRET_FIELDS = ['token', 'privateKey', 'password', 'secret']

test('people, tokens, organizations and spaces emit an event for every change', async () => {
  const { body: token } = await tells('createToken', '/user/tokens', ['token.created'], {
    body: { label: 'one' },
  })
  await tells('deleteToken', `/user/tokens/${token.id}`, ['token.deleted'])
  await tells('updateUserById', `/users/${w.people.admin.id}`, ['user.changed'], {
    body: { displayName: 'Ada' },
  })
  await tells('createOrganization', '/orgs', ['organization.created'], { body: { title: 'Another' } })
  await tells('updateOrganizationById', org, ['organization.changed'], { body: { title: 'Renamed' } })
  const { body: made } = await tells('createSpace', `${org}/spaces`, ['space.created'])
  await tells('updateSpaceById', `/spaces/${made.id}`, ['space.changed'], { body: { title: 'Named' } })
  await tells('duplicateSpace', `/spaces/${made.id}/duplicate`, ['space.duplicated'])
  await tells('deleteSpaceById', `/spaces/${made.id}`, ['space.deleted'])
  await tells('restoreSpace', `/spaces/${made.id}/restore`, ['space.restored'])
})

test('content emits events, whichever way it was written', async () => {
  const live = await tells('updateSpaceContent', `${s}/content`, ['space.published'], {
    body: { changes: [page] },
  })
  await tells('proposeRevisionRollback', `${s}/revisions/${live.body.revision}/propose-rollback`, [
    'change_request.created',
  ])
  await tells('rollbackRevision', `${s}/revisions/${live.body.revision}/rollback`, [
    'space.published',
    'space.rolled_back',
  ])
  await tells('applyTemplateToSpace', `${s}/content/template`, ['space.published'], { body: { id: 'blank' } })
  const repository = await w.repository([file('README.md', '# Home\n')])
  const body = { url: w.host.urlOf(repository.name), ref: 'main' }
  const kept = `/spaces/${(await w.createSpace()).id}`
  const carried = ['space.git_sync_started', 'space.published', 'space.git_sync_completed']
  await tells('importGitRepository', `${kept}/git/import`, carried, { body })
  await tells('updateSpaceContent', `${kept}/content`, ['space.published'], { body: { changes: [page] } })
  await tells('exportToGitRepository', `${kept}/git/export`, carried, {
    body: { ...body, commitMessage: 'One more page' },
  })
  await tells('importArchive', `/spaces/${(await w.createSpace()).id}/git/archive`, ['space.published'], {
    payload: zipOf([{ path: 'README.md', text: '# Home\n' }]),
    headers: { 'content-type': 'application/zip' },
  })
  await tells('deleteLegacyGitInstallation', `${kept}/git/legacy-installation`, [
    'space.repository_disconnected',
  ])
  await tells('setGitSync', `${kept}/git/sync`, ['space.git_sync_set'], { body })
  await tells('deleteGitSync', `${kept}/git/sync`, ['space.git_sync_removed'])
})

test('a change request emits an event for each step of its life', async () => {
  const { body: made } = await tells('createChangeRequest', `${s}/change-requests`, [
    'change_request.created',
  ])
  const c = `${s}/change-requests/${made.number}`
  await tells('updateChangeRequestById', c, ['change_request.changed'], { body: { subject: 'Rain' } })
  await tells('updateChangeRequestContent', `${c}/content`, ['change_request.edited'], {
    body: { changes: [{ ...page, slug: 'proposed' }] },
  })
  const reviewer = w.people.review.id
  await tells(
    'requestReviewersForChangeRequest',
    `${c}/requested-reviewers`,
    ['change_request.review_requested', 'change_request.changed'],
    { body: { users: [reviewer] } },
  )
  await tells('removeRequestedReviewerFromChangeRequest', `${c}/requested-reviewers/${reviewer}`, [
    'change_request.review_request_withdrawn',
  ])
  const { body: team } = await w.call('PUT', `/orgs/${w.organizationId}/teams`, {
    body: { title: 'Reviewers of an event', members: [reviewer] },
  })
  await w.call('POST', `${c}/requested-reviewers`, { body: { users: [], teams: [team.id] } })
  await tells('removeRequestedTeamFromChangeRequest', `${c}/requested-reviewers/teams/${team.id}`, [
    'change_request.review_request_withdrawn',
  ])
  await tells('submitChangeRequestReview', `${c}/reviews`, ['change_request.reviewed', 'comment.created'], {
    as: 'review',
    body: { status: 'approved', comment: { markdown: 'Fine.' } },
  })
  await w.call('POST', `${s}/content`, { body: { changes: [{ ...page, slug: 'meanwhile' }] } })
  await tells('updateChangeRequest', `${c}/update`, ['change_request.edited'])
  await tells('mergeChangeRequest', `${c}/merge`, ['space.published', 'change_request.merged'])
})

const changeRequest = async () =>
  `${s}/change-requests/${(await w.call('POST', `${s}/change-requests`)).body.id}`

for (const [where, placeOf] of [
  ['Space', async () => s],
  ['ChangeRequest', changeRequest],
] as const) {
  test(`comments emit events: ${where}`, async () => {
    const c = `${await placeOf()}/comments`
    const body = { body: { markdown: 'Why?' } }
    const { body: comment } = await tells(`postCommentIn${where}`, c, ['comment.created'], { body })
    await tells(`updateCommentIn${where}`, `${c}/${comment.id}`, ['comment.resolved'], {
      body: { resolved: true },
    })
    const content = c.replace(/comments$/, 'content')
    const slug = `suggested-in-${where.toLowerCase()}`
    await w.call('POST', content, { body: { changes: [{ ...page, slug }] } })
    const { body: rain } = await w.call('GET', `${content}/path/${slug}?format=document`)
    const { body: suggested } = await w.call('POST', c, {
      body: {
        body: { markdown: 'So?' },
        page: rain.id,
        node: rain.document.nodes.at(-1).key,
        suggestion: { before: 'rains', after: 'pours' },
      },
    })
    await tells(`applySuggestionIn${where}`, `${c}/${suggested.id}/apply`, [
      'comment.resolved',
      where === 'Space' ? 'space.published' : 'change_request.edited',
    ])
    const replies = `${c}/${comment.id}/replies`
    const { body: reply } = await tells(`postCommentReplyIn${where}`, replies, ['comment_reply.created'], {
      body,
    })
    await tells(`updateCommentReplyIn${where}`, `${replies}/${reply.id}`, ['comment_reply.changed'], {
      body: { body: { markdown: 'Because.' } },
    })
    await tells(`deleteCommentReplyIn${where}`, `${replies}/${reply.id}`, ['comment_reply.deleted'])
    await tells(`deleteCommentIn${where}`, `${c}/${comment.id}`, ['comment.deleted'])
  })
}

for (const [where, placeOf, type] of [
  ['Space', async () => s, 'space.permission_changed'],
  ['Collection', newCollection, 'collection.permission_changed'],
] as const) {
  test(`permissions emit an event for each granted and revoked role: ${where}`, async () => {
    const p = `${await placeOf()}/permissions`
    const user = w.people.guest.id
    await tells(`inviteTo${where}`, p, [type], { body: { role: 'read', users: [user] } })
    await tells(`updateUserPermissionIn${where}`, `${p}/users/${user}`, [type], { body: { role: 'edit' } })
    await tells(`removeUserFrom${where}`, `${p}/users/${user}`, [type])
    const team = await newTeam()
    await tells(`updateTeamPermissionIn${where}`, `${p}/teams/${team}`, [type], { body: { role: 'edit' } })
    await tells(`removeTeamFrom${where}`, `${p}/teams/${team}`, [type])
  })
}

async function newCollection(): Promise<string> {
  const id = newId()
  const row = { id, organization_id: w.organizationId, position: id, title: 'Guides' }
  await w.services.transaction(trx => trx.insertInto('collections').values(row).execute())
  return `/collections/${id}`
}

async function newTeam(): Promise<string> {
  const id = newId()
  const row = { id, organization_id: w.organizationId, title: 'Writers' }
  await w.services.transaction(trx => trx.insertInto('teams').values(row).execute())
  return id
}

test('share links and visitor keys emit events', async () => {
  const { body: link } = await tells('createSpaceShareLink', `${s}/share-links`, ['share_link.created'], {
    body: { name: 'Partners' },
  })
  const l = `${s}/share-links/${link.id}`
  await tells('updateSpaceShareLinkById', l, ['share_link.changed'], { body: { active: false } })
  await tells('deleteSpaceShareLinkById', l, ['share_link.deleted'])
  const auth = `${s}/publishing/auth`
  await tells('updateSpacePublishingAuth', auth, ['space.changed'], {
    body: { fallbackURL: 'https://login.example/docs' },
  })
  await tells('regenerateSpacePublishingAuth', `${auth}/regenerate`, ['visitor_key.rotated'])
  const { body: token } = await tells('createSpaceContentToken', `${s}/content-tokens`, [
    'content_token.created',
  ])
  await tells('deleteSpaceContentTokenById', `${s}/content-tokens/${token.id}`, ['content_token.deleted'])
})

test('identity providers and claimed domains emit events', async () => {
  const { body: provider } = await tells(
    'createOrganizationSAMLProvider',
    `${org}/saml`,
    ['sso.provider_created'],
    { body: { label: 'Staff' } },
  )
  const { body: directory } = await tells('createScimToken', `${org}/scim/tokens`, ['scim_token.created'], {
    body: { label: 'Directory' },
  })
  await tells('deleteScimToken', `${org}/scim/tokens/${directory.id}`, ['scim_token.deleted'])
  const p = `${org}/saml/${provider.id}`
  await tells('updateOrganizationSAMLProvider', p, ['sso.provider_changed'], { body: { label: 'All' } })
  await tells('deleteOrganizationSAMLProvider', p, ['sso.provider_deleted'])
})

test('members and teams emit an event for every change', async () => {
  const { body: team } = await tells('createOrganizationTeam', `${org}/teams`, ['team.created'], {
    body: { title: 'One' },
  })
  const t = `${org}/teams/${team.id}`
  await tells('updateTeamInOrganizationById', t, ['team.changed'], { body: { title: 'Two' } })
  const writer = w.people.create.id
  await tells('updateMembersInOrganizationTeam', `${t}/members`, ['team.members_changed'], {
    body: { add: [writer] },
  })
  const role = { body: { role: 'owner' } }
  const m = `${t}/members/${writer}`
  await tells('addMemberToOrganizationTeamById', m, ['team.members_changed'], role)
  await tells('deleteMemberFromOrganizationTeamById', m, ['team.members_changed'])
  await tells('removeTeamFromOrganizationById', t, ['team.deleted'])
  const member = `${org}/members/${w.people.comment.id}`
  await tells('updateMemberInOrganizationById', member, ['member.changed'], { body: { role: 'read' } })
  await tells('setUserAsSSOMemberForOrganization', `${member}/sso`, ['member.sso_set'])
  await w.services.db
    .insertInto('passkeys')
    .values({
      ...{ id: newId(), user_id: w.people.comment.id, name: 'Key', signatures: 0, transports: [] },
      credential_id: Buffer.from(newId()),
      public_key: Buffer.from('key'),
    })
    .execute()
  await tells('resetSecondFactorOfMember', `${member}/second-factor`, ['second_factor.reset'])
  await tells('removeMemberFromOrganizationById', member, ['member.removed'])
})

test('integrations emit events for what is published, installed and set up, by every kind of caller', async () => {
  const { body: tool } = await tells('publishIntegration', '/integrations/told', ['integration.published'], {
    body: {
      ...{ organization: w.organizationId, title: 'Told', description: '', script: '' },
      scopes: ['space:content:read'],
    },
  })
  const i = `/integrations/${tool.name}`
  const { body: token } = await tells(
    'createIntegrationToken',
    `${i}/tokens`,
    ['integration_token.created'],
    {
      body: { label: 'one' },
    },
  )
  const { body: installation } = await tells(
    'installIntegration',
    `${i}/installations`,
    ['installation.created'],
    { body: { organization: w.organizationId } },
  )
  const at = `${i}/installations/${installation.id}`
  const changed = ['installation.changed']
  await tells(
    'updateIntegrationInstallation',
    at,
    changed,
    { as: token, body: { externalIds: ['a'] } },
    'told',
  )
  const made = ['installation_token.created']
  await tells('createIntegrationInstallationToken', `${at}/tokens`, made, { as: token }, 'told')
  await tells('installIntegrationOnSpace', `${at}/spaces`, ['installation_space.created'], {
    body: { space: space.id },
  })
  const onSpace = `${at}/spaces/${space.id}`
  await tells('updateIntegrationSpaceInstallation', onSpace, ['installation_space.changed'], {
    body: { externalIds: ['b'] },
  })
  await tells('uninstallIntegrationFromSpace', onSpace, ['installation_space.deleted'])
  await tells('uninstallIntegration', at, ['installation.deleted'])
  await tells('deleteIntegrationToken', `${i}/tokens/${token.id}`, ['integration_token.deleted'])
  await w.call('POST', `${i}/installations`, { body: { organization: w.organizationId } })
  await tells('unpublishIntegration', i, ['installation.deleted', 'integration.unpublished'])
})

for (const [where, placeOf] of [
  ['Organization', async () => org],
  ['Space', async () => s],
] as const) {
  test(`webhooks emit an event for every change, without their secret: ${where}`, async () => {
    const hooks = `${await placeOf()}/webhooks`
    const url = 'http://127.0.0.1:9/hook'
    const { body: hook } = await tells(`create${where}Webhook`, hooks, ['webhook.created'], { body: { url } })
    const h = `${hooks}/${hook.id}`
    await tells(`update${where}Webhook`, h, ['webhook.changed'], { body: { active: false } })
    await tells(`regenerate${where}WebhookSecret`, `${h}/secret`, ['webhook.secret_changed'])
    await tells(`delete${where}Webhook`, h, ['webhook.deleted'])
  })
}

test('a glossary emits an event when it changes', async () => {
  await tells('updateGlossaryEntries', `${org}/translations-glossary`, ['glossary.changed'], {
    body: { operations: [{ type: 'insert', translations: { en: 'rain' } }] },
  })
})

test('a template emits an event for each step of its life', async () => {
  const templates = `${org}/templates`
  const { body } = await tells('createTemplate', templates, ['template.created'], {
    body: { title: 'Rain', space: space.id },
  })
  await tells('updateTemplate', `${templates}/${body.id}`, ['template.changed'], { body: { title: 'Snow' } })
  await tells('deleteTemplate', `${templates}/${body.id}`, ['template.deleted'])
})

test('an OpenAPI specification emits an event for each step of its life', async () => {
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Rain', version: '1' }, paths: {} })
  const specs = `${org}/openapi`
  const source = { text: '{}' }
  await tells('createOpenAPISpec', specs, ['openapi_spec.created'], { body: { slug: 'rain', source } })
  await specRead('rain')
  await tells('createOrUpdateOpenAPISpecBySlug', `${specs}/rain`, ['openapi_spec.replaced'], {
    body: { source },
  })
  await specRead('rain')
  await tells('updateOpenAPISpecBySlug', `${specs}/rain`, ['openapi_spec.changed'], {
    body: { visibility: 'public' },
  })
  await newEvents()
  await w.call('PUT', `${specs}/rain`, { body: { source: { text } } })
  await specRead('rain')
  assert.deepEqual(
    (await newEvents()).map(({ type }) => type),
    ['openapi_spec.replaced', 'openapi_spec.published'],
  )
  await tells('deleteOpenAPISpecBySlug', `${specs}/rain`, ['openapi_spec.deleted'])
})

/** Waits until the job of a specification has ended. */
async function specRead(slug: string): Promise<void> {
  const { body } = await w.call('GET', `${org}/openapi/${slug}`)
  const waiting = () => w.services.db.selectFrom('jobs').select('id').where('key', '=', body.id).execute()
  while ((await waiting()).length > 0) await sleep(5)
}

test('conversations emit events when they come and go, and tasks when they progress', async () => {
  await tells('ingestConversation', `${org}/conversations`, ['conversations.ingested'], {
    body: conversation('1', 'Why does it rain?'),
  })
  await allRead(w)
  const { body: list } = await w.call('GET', `${org}/conversations`)
  await tells('deleteConversationById', `${org}/conversations/${list.items[0].id}`, ['conversation.deleted'])
  const { body: task } = await tells('createAgentTask', `${s}/agent-tasks`, ['agent_task.created'], {
    body: { title: 'Explain rain' },
  })
  await tells('updateAgentTask', `${org}/agent-tasks/${task.id}`, ['agent_task.changed'], {
    body: { status: 'canceled' },
  })
  const opened = await w.call('POST', `${s}/change-requests`, { body: { agentTaskId: task.id } })
  const types = (await newEvents()).map(({ type }) => type).sort()
  assert.deepEqual([opened.status, types], [201, ['agent_task.changed', 'change_request.created']])
})

/** Operations that write without an event, because nothing changes that anybody could act on or answer for. */
const SILENT = [
  'updateOrganizationMemberLastSeenAt',
  // Seen by nobody else.
  'markViewedPagesOfChangeRequest',
  ...['markNotification', 'markNotifications', 'changeNotificationSettings'],
  ...['watchSpace', 'watchPage', 'watchChangeRequest', 'unwatchSpace', 'unwatchPage', 'unwatchChangeRequest'],
  // A file that nothing shows yet: inserting it emits the event.
  'uploadFile',
  // What is sent is in the log of the webhook.
  ...['testOrganizationWebhook', 'testSpaceWebhook', 'redeliverOrganizationWebhook', 'redeliverSpaceWebhook'],
]

test('collections emit an event for every change and every move', async () => {
  const { body: other } = await w.call('POST', '/orgs', { body: { title: 'Elsewhere' } })
  const { body: made } = await tells('createCollection', `${org}/collections`, ['collection.created'])
  const c = `/collections/${made.id}`
  await tells('updateCollectionById', c, ['collection.changed'], { body: { title: 'Named' } })
  const held = await w.createSpace({ title: 'Held' })
  const body = { parent: made.id }
  await tells('moveSpace', `/spaces/${held.id}/move`, ['space.moved'], { body })
  await tells('moveCollection', `${c}/move`, ['collection.moved'])
  const target = { body: { organization: other.id } }
  await tells('transferCollection', `${c}/transfer`, ['collection.leaving', 'collection.transferred'], target)
  await tells('deleteCollectionById', c, ['collection.deleted'])
  const alone = await w.createSpace({ title: 'Alone' })
  await tells('transferSpace', `/spaces/${alone.id}/transfer`, ['space.leaving', 'space.transferred'], target)
})

test('invitations emit events that say who was invited, how, and who came', async () => {
  await tells('inviteUsersToOrganization', `${org}/invites`, ['member.joined'], {
    body: { emails: ['invited@people.test'], role: 'read' },
  })
  const invited = await w.services.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'invited@people.test')
    .executeTakeFirstOrThrow()
  await tells('createSignInLinks', `${org}/sign-in-links`, ['password_link.created'], {
    body: { users: [invited.id] },
  })
  await tells('deleteSignInLink', `${org}/members/${invited.id}/sign-in-link`, ['password_link.deleted'])
  const { body: invite } = await tells(
    'createOrganizationInvite',
    `${org}/link-invites`,
    ['invite.created'],
    {
      body: { role: 'read' },
    },
  )
  const i = `${org}/link-invites/${invite.id}`
  await tells('updateOrganizationInviteById', i, ['invite.changed'], { body: { role: 'comment' } })
  await tells(
    'joinOrganizationWithInvite',
    `${org}/invites/${invite.id}`,
    ['member.joined', 'invite.accepted'],
    { as: 'stranger' },
  )
  await tells('deleteOrganizationInviteById', i, ['invite.deleted'])
  const { db } = w.services
  await db.deleteFrom('members').where('user_id', '=', w.people.stranger.id).execute()
  await db
    .updateTable('users')
    .set({ email_verified_at: new Date() })
    .where('id', '=', w.people.stranger.id)
    .execute()
  await w.call('PATCH', org, { body: { emailDomains: ['people.test'] } })
  await tells('joinOrganization', `${org}/join`, ['member.joined'], { as: 'stranger' })
})

test('signing a browser out emits an event', async () => {
  const sessionId = (await w.services.principals.findSession(await signedIn(w, 'admin')))?.session?.id
  await tells('deleteSession', `/user/sessions/${sessionId}`, ['session.ended'])
  await allowed(w, 'admin')
  const { body: programs } = await w.call('GET', '/user/authorizations')
  await tells('deleteAuthorization', `/user/authorizations/${programs.items[0].id}`, [
    'authorization.deleted',
  ])
})

test('confirming who one is and signing out emit an event', async () => {
  await givePassword(w, w.people.admin.id, 'rain on a tin roof')
  const headers = workspaceHeaders(await signedIn(w, 'admin'))
  const as = { as: null, headers }
  const me = w.people.admin.id
  const body = { password: 'rain on a tin roof' }
  await tells('confirmSession', '/user/session/confirm', ['session.confirmed'], { ...as, body }, me)
  await tells('signOut', '/user/session/sign-out', ['session.ended'], as, me)
})

test('erasing an account emits an event for each of its memberships, and one for itself', async () => {
  const { id, email, token } = w.people.create
  const as = { token }
  await tells('eraseAccount', '/user/erasure', ['member.removed', 'user.erased'], { as, body: { email } }, id)
})

test('no operation that writes is without its events', () => {
  const writing = operations
    .filter(({ method, isReadOnly }) => method !== 'GET' && !isReadOnly)
    .map(({ id }) => id)
  assert.deepEqual(
    writing.filter(id => !told.has(id) && !SILENT.includes(id)),
    [],
  )
})
