// How long an organization keeps its audit and its conversations.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { signedIn, workspaceHeaders } from '../../../test/support/sessions.ts'
import { type World, world, worldOn } from '../../../test/support/world.ts'
import { newId } from '../../base/ids.ts'
import { letGo } from './retention.ts'

const w = await world()

/** Events of an organization so many days ago, with an address. */
const happened = (of: World, type: string, days: number, count: number, changeRequest = 'none') =>
  of.services.transaction(trx =>
    sql`insert into events (id, type, organization_id, actor_id, payload, address, occurred_at)
      select gen_random_uuid()::text, ${type}, ${of.organizationId}, ${of.people.admin.id},
        jsonb_build_object('changeRequest', ${changeRequest}::text), '203.0.113.7', now() - make_interval(days => ${days})
      from generate_series(1, ${count})`.execute(trx),
  )

const conversed = (of: World, days: number) =>
  of.services.transaction(trx =>
    sql`insert into conversations (id, organization_id, source, external_id, parts, characters, created_at, is_dated)
      values (${newId()}, ${of.organizationId}, 'email', ${newId()}, '[]', 0, now() - make_interval(days => ${days}), true)`.execute(
      trx,
    ),
  )

async function countOf(of: World, what: 'events' | 'conversations', where = sql`true`): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from ${sql.table(what)}
    where organization_id = ${of.organizationId} and ${where}`.execute(of.services.db)
  return rows[0]?.count ?? 0
}

test('what is older than an organization keeps it is deleted, in portions, and what is younger stays', async () => {
  const path = `/orgs/${w.organizationId}`
  await happened(w, 'space.changed', 40, 2300)
  await happened(w, 'space.changed', 20, 3)
  for (const days of [40, 40, 20]) await conversed(w, days)
  await letGo(w.services)
  assert.equal(await countOf(w, 'conversations'), 3, 'for ever, unless somebody says otherwise')
  const { body } = await w.call('PATCH', path, { body: { retention: { auditDays: 30 } } })
  assert.deepEqual(body.retention, { auditDays: 30, conversationDays: null })
  const { body: list } = await w.call('GET', `${path}/audit-events?action=space.changed`)
  assert.equal(list.count, 3, 'the audit shows none of it from now on')
  await letGo(w.services)
  assert.equal(await countOf(w, 'events', sql`type = 'space.changed'`), 3)
  assert.equal(await countOf(w, 'conversations'), 3)
  await w.call('PATCH', path, { body: { retention: { conversationDays: 30 } } })
  assert.deepEqual((await w.call('GET', path)).body.retention, { auditDays: 30, conversationDays: 30 })
  await letGo(w.services)
  assert.equal(await countOf(w, 'conversations'), 1)
  const { body: told } = await w.call('GET', `${path}/audit-events?action=organization.let_go`)
  assert.equal(told.count, 2, 'once for each run that deleted something')
  const details = await w.call('GET', `${path}/audit-events/${told.items[1].id}`)
  assert.deepEqual(details.body.payload, { events: 2300, conversations: 0 })
})

test('events that a history is read from stay, without the address, and are not looked at again', async () => {
  const other = await world()
  const changeRequest = newId()
  await happened(other, 'change_request.created', 40, 3, changeRequest)
  await happened(other, 'space.rolled_back', 40, 1, changeRequest)
  await other.call('PATCH', `/orgs/${other.organizationId}`, { body: { retention: { auditDays: 30 } } })
  await letGo(other.services)
  const ofIt = sql`payload->>'changeRequest' = ${changeRequest}`
  assert.equal(await countOf(other, 'events', ofIt), 4)
  assert.equal(await countOf(other, 'events', sql`${ofIt} and address is not null`), 0)
  const { body } = await other.call(
    'GET',
    `/orgs/${other.organizationId}/audit-events?target=${changeRequest}`,
  )
  assert.equal(body.count, 0)
})

test('several processes let go at once of everything, once', async () => {
  const other = await world()
  await happened(other, 'space.changed', 40, 1500)
  for (let count = 0; count < 60; count++) await conversed(other, 40)
  await other.call('PATCH', `/orgs/${other.organizationId}`, {
    body: { retention: { auditDays: 30, conversationDays: 30 } },
  })
  await Promise.all([letGo(other.services), letGo(other.services)])
  await letGo(other.services)
  assert.equal(await countOf(other, 'events', sql`type = 'space.changed'`), 0)
  assert.equal(await countOf(other, 'conversations'), 0)
})

test('what the operator has set counts where an organization has set nothing, or more', async () => {
  const other = await worldOn({
    ...w,
    services: { ...w.services, config: { ...w.config, auditDays: 30 } },
  })
  await happened(other, 'space.changed', 40, 2)
  await other.call('PATCH', `/orgs/${other.organizationId}`, { body: { retention: { auditDays: 365 } } })
  await letGo(other.services)
  assert.equal(await countOf(other, 'events', sql`type = 'space.changed'`), 0)
})

test('an organization keeps something for 7 days at least, and only its admins say so, who they are', async () => {
  const path = `/orgs/${w.organizationId}`
  for (const [retention, message] of [
    [{ auditDays: 6 }, /body\.retention\.auditDays/],
    [{ conversationDays: 0 }, /body\.retention\.conversationDays/],
    [{ auditDays: 1.5 }, /body\.retention\.auditDays/],
    [7, /body\.retention/],
  ] as const) {
    const { status, body } = await w.call('PATCH', path, { body: { retention } })
    assert.equal(status, 400)
    assert.match(body.error.message, message)
  }
  const body = { retention: { auditDays: 90 } }
  assert.equal((await w.call('PATCH', path, { as: 'create', body })).status, 403)
  const headers = workspaceHeaders(await signedIn(w, 'admin'))
  const { status, body: refused } = await w.call('PATCH', path, { as: null, headers, body })
  assert.equal(status, 403)
  assert.equal(refused.error.reason, 'confirm_identity')
})
