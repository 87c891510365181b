// Exporting and erasing people.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { changeRequestOn, edit, liveAt } from '../../../test/support/edits.ts'
import { signedIn, workspaceHeaders } from '../../../test/support/sessions.ts'
import { type Person, world } from '../../../test/support/world.ts'
import { hashToken } from '../../access/principal.ts'
import { newId } from '../../base/ids.ts'
import { newTokenSecret } from '../accounts/actions.ts'
import { DELETED_PERSON } from '../accounts/rows.ts'
import { beginErasing, completeErasing } from './erase.ts'
import { findErasure } from './rows.ts'

const w = await world()
const { db } = w.services
const space = await w.createSpace({ title: 'Written' })

/** A member with a name that nobody else has, and with something of everything. */
async function author(): Promise<
  Person & { readonly name: string; readonly as: { readonly token: string } }
> {
  const id = newId()
  const token = newTokenSecret()
  const name = `Ada Åström ${id}`
  const email = `Ada.${id}@people.test`
  await w.services.transaction(async trx => {
    await trx
      .insertInto('users')
      .values({ id, email, display_name: name, photo_url: `https://p.test/${id}` })
      .execute()
    await trx
      .insertInto('tokens')
      .values({ id: newId(), user_id: id, label: `of ${name}`, secret_hash: hashToken(token) })
      .execute()
    await trx
      .insertInto('members')
      .values({ organization_id: w.organizationId, user_id: id, role: 'create' })
      .execute()
  })
  return { id, email, token, name, as: { token } }
}

const addressOf = ({ id }: Pick<Person, 'id'>) => `address-of-${id}`

/** Comments, a review, an edit, a watch, a session, a token. */
async function write(person: Awaited<ReturnType<typeof author>>) {
  const { as } = person
  const s = `/spaces/${space.id}`
  await w.call('POST', `${s}/comments`, { as, body: { body: { markdown: 'It rains.' } } })
  await w.call('POST', `${s}/comments`, {
    body: {
      body: {
        markdown: `Hello [@${person.name}](/users/${person.id}), and [@${person.name}](/users/other).`,
      },
    },
  })
  const changeRequest = (await w.call('POST', `${s}/change-requests`, { as, body: { subject: 'Rain' } })).body
  await edit(w, liveAt(space.id), {
    operation: 'insert_page',
    title: `By ${newId()}`,
    document: { markdown: 'Words.\n' },
  })
  await w.call('POST', `${s}/change-requests/${changeRequest.id}/reviews`, {
    as,
    body: { status: 'approved' },
  })
  await w.call('POST', '/user/tokens', { as, body: { label: `again ${person.name}` } })
  await w.services.transaction(trx =>
    trx
      .insertInto('sessions')
      .values({
        ...{ id: newId(), user_id: person.id, secret_hash: Buffer.from(newId()), method: 'password' },
        ...{
          address: addressOf(person),
          user_agent: `Browser of ${person.name}`,
          expires_at: new Date(Date.now() + 1e6),
        },
      })
      .execute(),
  )
  return changeRequest
}

/** The tables in which a text stands anywhere. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await sql<{ table: string }>`
    select relname as table from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`.execute(
    db,
  )
  const found: string[] = []
  for (const { table } of rows) {
    const { rows: hits } = await sql`
      select from ${sql.table(table)} as t where strpos(lower(to_jsonb(t)::text), lower(${text})) > 0 limit 1`.execute(
      db,
    )
    if (hits.length > 0) found.push(table)
  }
  return found
}

test('people export everything they wrote and everything that names them, without secrets', async () => {
  const ada = await author()
  const changeRequest = await write(ada)
  const { status, headers, body, text } = await w.call('GET', '/user/export', { as: ada.as })
  assert.equal(status, 200)
  assert.match(headers['content-disposition'] ?? '', /^attachment; filename="octavo-\w+\.json"$/)
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(body.account.email, ada.email)
  assert.deepEqual(
    body.memberships.map(({ title, role }: Record<string, string>) => [title, role]),
    [['A world', 'create']],
  )
  assert.deepEqual(
    body.comments.map((one: { body: string }) => one.body),
    ['It rains.'],
  )
  assert.equal(body.changeRequests[0].id, changeRequest.id)
  assert.equal(body.reviews[0].changeRequestId, changeRequest.id)
  assert.equal(body.tokens.length, 2)
  assert.equal(body.sessions[0].address, addressOf(ada))
  assert.ok(body.auditEvents.some(({ type }: { type: string }) => type === 'comment.created'))
  assert.ok(body.auditEvents.some(({ type }: { type: string }) => type === 'token.created'))
  assert.ok(!text.includes(ada.token) && !/hash|secret/i.test(text.replace('encode(blob_hash', '')))
})

test('an export has what others did about a person, without where they did it from and whom else they meant', async () => {
  const ada = await author()
  const org = `/orgs/${w.organizationId}`
  const other = w.people.comment
  await w.call('PATCH', `${org}/members/${ada.id}`, { body: { role: 'edit' } })
  const team = (
    await w.call('PUT', `${org}/teams`, { body: { title: 'Named', members: [ada.id, other.id] } })
  ).body
  await w.call('PUT', `${org}/teams/${team.id}/members`, { body: { delete: [other.id], update: {} } })
  await w.call('PUT', `${org}/teams/${team.id}/members/${ada.id}`, { body: { role: 'owner' } })
  await w.call('POST', `/spaces/${space.id}/permissions`, {
    body: { users: [ada.id, other.id], role: 'review' },
  })
  const changeRequest = (
    await w.call('POST', `/spaces/${space.id}/change-requests`, { body: { subject: 'Asked' } })
  ).body
  await w.call('POST', `/spaces/${space.id}/change-requests/${changeRequest.id}/requested-reviewers`, {
    body: { users: [ada.id, other.id] },
  })
  await w.services.transaction(trx =>
    w.services.events.append(trx, {
      type: 'second_factor.reset',
      actorId: w.people.admin.id,
      payload: { user: ada.id },
    }),
  )
  const { body, text } = await w.call('GET', '/user/export', { as: ada.as })
  const types = body.eventsAbout.map(({ type }: { type: string }) => type).sort()
  assert.deepEqual(types, [
    ...['change_request.review_requested', 'member.changed', 'space.permission_changed'],
    ...['team.created', 'team.members_changed'],
  ])
  for (const { actorId, address, tokenId } of body.eventsAbout)
    assert.deepEqual([actorId, address, tokenId], [w.people.admin.id, null, null])
  const reset = body.auditEvents.find(({ type }: { type: string }) => type === 'second_factor.reset')
  assert.deepEqual([reset.address, reset.tokenId], [null, null])
  assert.ok(!text.includes(other.id), 'nobody else')
  await w.call('DELETE', `${org}/members/${ada.id}`)
  const { body: left } = await w.call('GET', '/user/export', { as: ada.as })
  assert.ok(left.eventsAbout.some(({ type }: { type: string }) => type === 'member.removed'))
})

test('an export has every row, however many portions it takes', async () => {
  const ada = await author()
  await w.services.transaction(async trx => {
    await sql`insert into comments (id, space_id, revision_id, body, posted_by)
      select ${ada.id} || n, ${space.id}, ${space.revision}, 'n' || n, ${ada.id} from generate_series(1, 250) n`.execute(
      trx,
    )
    await sql`insert into events (id, type, organization_id, actor_id, payload, occurred_at)
      select gen_random_uuid()::text, 'comment.created', ${w.organizationId}, ${ada.id}, '{}', '2026-01-01'
      from generate_series(1, 250) n`.execute(trx)
  })
  const { body } = await w.call('GET', '/user/export', { as: ada.as })
  assert.equal(new Set(body.comments.map(({ body: text }: { body: string }) => text)).size, 250)
  assert.equal(new Set(body.auditEvents.map(({ id }: { id: string }) => id)).size, 250)
})

test('a token for one organization neither exports nor erases the whole account', async () => {
  const ada = await author()
  const { body: as } = await w.call('POST', '/user/tokens', {
    as: ada.as,
    body: { label: 'one', organization: w.organizationId },
  })
  assert.equal((await w.call('GET', '/user/export', { as })).status, 403)
  assert.equal((await w.call('POST', '/user/erasure', { as, body: { email: ada.email } })).status, 403)
  assert.equal((await w.call('GET', '/user', { as: ada.as })).status, 200)
})

test('a session has to be confirmed to export or erase an account', async () => {
  const headers = workspaceHeaders(await signedIn(w, 'read'))
  for (const [method, path, body] of [
    ['GET', '/user/export', undefined],
    ['POST', '/user/erasure', { email: w.people.read.email }],
  ] as const) {
    const { status, body: refused } = await w.call(method, path, { as: null, headers, ...(body && { body }) })
    assert.equal(status, 403)
    assert.equal(refused.error.reason, 'confirm_identity')
  }
})

test('an account is erased only by who names it', async () => {
  const ada = await author()
  const { status, body } = await w.call('POST', '/user/erasure', {
    as: ada.as,
    body: { email: 'no@people.test' },
  })
  assert.equal(status, 400)
  assert.match(body.error.message, /^body\.email/)
  assert.equal((await w.call('GET', '/user', { as: ada.as })).status, 200)
})

test('the only admin of an organization is not erased, and is told of which', async () => {
  const { body: other } = await w.call('POST', '/orgs', { as: 'stranger', body: { title: 'Left "alone"' } })
  const { status, body } = await w.call('POST', '/user/erasure', {
    as: 'stranger',
    body: { email: w.people.stranger.email },
  })
  assert.equal(status, 409)
  assert.match(body.error.message, /only admin of "Left \\"alone\\""/)
  assert.equal(
    (await w.call('GET', `/orgs/${other.id}`, { as: 'stranger' })).status,
    200,
    'nothing was removed',
  )
})

test('of an erased person the database holds nothing but an id', async () => {
  const ada = await author()
  const changeRequest = await write(ada)
  await w.services.transaction(trx =>
    sql`insert into events (id, type, organization_id, actor_id, payload, address, token_id, request_id)
      select gen_random_uuid()::text, 'comment.created', ${w.organizationId}, ${ada.id}, '{}', ${addressOf(ada)}, 't', 'r'
      from generate_series(1, 2500) n`.execute(trx),
  )
  const { status } = await w.call('POST', '/user/erasure', {
    as: ada.as,
    body: { email: ada.email.toUpperCase() },
  })
  assert.equal(status, 204)
  assert.equal((await w.call('GET', '/user', { as: ada.as })).status, 401, 'at once')
  await completeErasing(w.services, ada.id)
  for (const text of [ada.email, addressOf(ada), `https://p.test/${ada.id}`])
    assert.deepEqual(await tablesWith(text), [], text)
  // What others wrote with another link.
  assert.deepEqual(await tablesWith(ada.name), ['comments'])
  const { body: comments } = await w.call('GET', `/spaces/${space.id}/comments?format=markdown`)
  const texts = comments.items.map(({ body }: { body: { markdown: string } }) => body.markdown.trim())
  assert.ok(
    texts.includes(`Hello [@${DELETED_PERSON}](/users/${ada.id}), and [@${ada.name}](/users/other).`),
    texts.join('\n'),
  )
  const { body: still } = await w.call('GET', `/spaces/${space.id}/change-requests/${changeRequest.id}`)
  assert.equal(still.createdBy.displayName, DELETED_PERSON)
  assert.equal(still.createdBy.id, ada.id)
  assert.equal(still.createdBy.email, undefined)
  const { body: members } = await w.call('GET', `/orgs/${w.organizationId}/members?limit=100`)
  assert.ok(!members.items.some(({ id }: { id: string }) => id === ada.id))
  const { body: audit } = await w.call(
    'GET',
    `/orgs/${w.organizationId}/audit-events?actor=${ada.id}&limit=1`,
  )
  assert.equal(audit.items[0].actor.label, DELETED_PERSON)
})

test('an erasing that was cut off goes on, and can be repeated', async () => {
  const ada = await author()
  await write(ada)
  await beginErasing(w.services, ada.id, null)
  const queued = await db
    .selectFrom('jobs')
    .select('data')
    .where('name', '=', 'people.erase')
    .where('key', '=', ada.id)
    .execute()
  // A runner may have taken it already.
  assert.ok(queued.length === 1 || (await findErasure(db, ada.id)) !== undefined)
  const stopped = AbortSignal.abort(new Error('killed'))
  if ((await findErasure(db, ada.id))?.completed_at === null)
    await assert.rejects(completeErasing(w.services, ada.id, stopped), /killed/)
  await Promise.all([completeErasing(w.services, ada.id), completeErasing(w.services, ada.id)])
  await beginErasing(w.services, ada.id, null)
  const erasure = await findErasure(db, ada.id)
  assert.ok(erasure?.completed_at instanceof Date)
  assert.equal(erasure.name, null)
  assert.deepEqual(await tablesWith(ada.email), [])
})

test('a person who signs in with the address of an erased person is somebody new', async () => {
  const ada = await author()
  await beginErasing(w.services, ada.id, null)
  await completeErasing(w.services, ada.id)
  const again = await db.selectFrom('users').select('id').where('email', '=', ada.email).execute()
  assert.deepEqual(again, [])
  assert.equal((await changeRequestOn(w, space.id)).spaceId, space.id)
})

test('events are rewritten by nothing else', async () => {
  await assert.rejects(
    w.services.transaction(trx => sql`update events set address = null where id = 'none'`.execute(trx)),
    /never changed/,
  )
})
