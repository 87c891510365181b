import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type World, world } from '../../../test/support/world.ts'
import { newId } from '../../base/ids.ts'
import { EVENT_DAYS_KEPT, EVENTS_KEPT_MAX, removeOldEvents } from './jobs.ts'

const SCOPES = ['space:content:read', 'space:metadata:read', 'space:git:sync']

/** A new integration, installed in its own organization. */
async function installed(w: World, scopes: readonly string[] = SCOPES) {
  const path = `/integrations/told-${newId().toLowerCase()}`
  const body = { organization: w.organizationId, title: 'Told', description: '', script: '', scopes }
  await w.call('POST', path, { body })
  const { body: token } = await w.call('POST', `${path}/tokens`, { body: { label: 'one' } })
  const to = { body: { organization: w.organizationId } }
  const { body: installation } = await w.call('POST', `${path}/installations`, to)
  return { path, token, id: installation.id as string, at: `${path}/installations/${installation.id}` }
}

type Tool = Awaited<ReturnType<typeof installed>>

/** Its events, oldest first. */
async function told(w: World, { path, token }: Tool) {
  const { status, body, text } = await w.call('GET', `${path}/events?limit=1000`, { as: token })
  assert.equal(status, 200, text)
  return body.items.toReversed() as {
    id: string
    integrationId: string
    installationId: string
    status: string
    payload: Record<string, unknown>
  }[]
}

const withoutId = ({ eventId: _, ...payload }: Record<string, unknown>) => payload

test('an integration gets the events of its installations and of the spaces it is set up on', async () => {
  const w = await world()
  const space = await w.createSpace()
  const tool = await installed(w)
  await w.call('POST', `${tool.at}/spaces`, { body: { space: space.id } })
  const changes = [{ operation: 'insert_page', title: 'Rain', document: { markdown: 'It rains.\n' } }]
  const { body: made } = await w.call('POST', `/spaces/${space.id}/content`, { body: { changes } })
  await w.call('PATCH', `/spaces/${space.id}`, { body: { visibility: 'public' } })
  await w.call('PATCH', `/spaces/${space.id}`, { body: { title: 'Of no interest' } })
  await w.call('DELETE', `${tool.at}/spaces/${space.id}`)
  const events = await told(w, tool)
  const installationId = tool.id
  const spaceId = space.id
  assert.deepEqual(
    events.map(({ payload }) => withoutId(payload)),
    [
      { installationId, type: 'installation_setup', status: 'active' },
      { installationId, type: 'space_installation_setup', spaceId, status: 'active' },
      { installationId, type: 'space_content_updated', spaceId, revisionId: made.revision },
      {
        ...{ installationId, type: 'space_visibility_updated', spaceId },
        ...{ previousVisibility: 'private', visibility: 'public' },
      },
      { installationId, type: 'space_installation_deleted', spaceId, previous: { configuration: {} } },
    ],
  )
  const [event] = events
  assert.deepEqual(
    [event?.integrationId, event?.installationId, event?.status, event?.payload.eventId],
    [tool.path.split('/')[2], tool.id, 'success', event?.id],
  )
  const { body } = await w.call('GET', `${tool.path}/events/${event?.id}`, { as: tool.token })
  assert.deepEqual(body, { event })
  assert.equal((await w.call('GET', `${tool.path}/events/unknown`, { as: tool.token })).status, 404)
})

test('an active installation gets the events that its scopes let it read, of the spaces that it reaches', async () => {
  const w = await world()
  const [space, other] = [await w.createSpace(), await w.createSpace()]
  const [deaf, chosen, paused] = [await installed(w, []), await installed(w), await installed(w)]
  await w.call('PATCH', chosen.at, { body: { space_selection: 'selected' } })
  await w.call('POST', `${chosen.at}/spaces`, { body: { space: space.id } })
  await told(w, chosen)
  await w.call('PATCH', paused.at, { body: { status: 'paused' } })
  const changes = [{ operation: 'insert_page', title: 'Rain', document: { markdown: 'It rains.\n' } }]
  for (const { id } of [space, other]) await w.call('POST', `/spaces/${id}/content`, { body: { changes } })
  const updated = async (tool: Tool) =>
    (await w.call('GET', `${tool.path}/events`)).body.items
      .filter(({ payload }: { payload: { type: string } }) => payload.type === 'space_content_updated')
      .map(({ payload }: { payload: { spaceId: string } }) => payload.spaceId)
  assert.deepEqual(await updated(deaf), [])
  assert.deepEqual(await updated(chosen), [space.id])
  assert.deepEqual(await updated(paused), [])
})

test('the event of a removed installation has its configuration', async () => {
  const w = await world()
  const tool = await installed(w)
  await w.call('PATCH', tool.at, { body: { configuration: { key: 'value' } } })
  await told(w, tool)
  await w.call('DELETE', tool.at)
  const last = (await told(w, tool)).at(-1)
  assert.deepEqual(withoutId(last?.payload ?? {}), {
    ...{
      installationId: tool.id,
      type: 'installation_deleted',
      previous: { configuration: { key: 'value' } },
    },
  })
})

test('events of changed settings have the previous ones, for an installation and on a space', async () => {
  const w = await world()
  const space = await w.createSpace()
  const tool = await installed(w)
  await w.call('POST', `${tool.at}/spaces`, { body: { space: space.id } })
  await told(w, tool)
  await w.call('PATCH', tool.at, { body: { configuration: { key: 'one' } } })
  await w.call('PATCH', tool.at, { body: { status: 'paused' } })
  await w.call('PATCH', `${tool.at}/spaces/${space.id}`, { body: { configuration: { key: 'two' } } })
  const events = (await told(w, tool)).slice(-3)
  const installationId = tool.id
  assert.deepEqual(
    events.map(({ payload }) => withoutId(payload)),
    [
      {
        ...{ installationId, type: 'installation_setup', status: 'active' },
        previous: { status: 'active', configuration: {} },
      },
      {
        ...{ installationId, type: 'installation_setup', status: 'paused' },
        previous: { status: 'active', configuration: { key: 'one' } },
      },
      {
        ...{ installationId, type: 'space_installation_setup', spaceId: space.id, status: 'paused' },
        previous: { status: 'paused', configuration: {} },
      },
    ],
  )
})

test('more events at once than fit into the parameters of a statement reach every installation', async () => {
  const w = await world()
  const space = await w.createSpace()
  const tool = await installed(w)
  const { db } = w.services
  const INSTALLATIONS = 21
  const EVENTS = 700
  await sql`insert into integrations (name, organization_id, title, description, visibility, manifest, scopes, version)
    select name || '-' || n, organization_id, title, description, visibility, manifest, scopes, version
    from integrations, generate_series(2, ${INSTALLATIONS}::integer) n where name = ${tool.path.split('/')[2]}`.execute(
    db,
  )
  await sql`insert into installations (id, integration, organization_id, status, scopes)
    select id || n, integration || '-' || n, organization_id, status, scopes
    from installations, generate_series(2, ${INSTALLATIONS}::integer) n where id = ${tool.id}`.execute(db)
  await told(w, tool)
  await w.services.transaction(async trx => {
    for (let at = 0; at < EVENTS; at += 1)
      await w.services.events.append(trx, {
        ...{ type: 'space.git_sync_started', organizationId: w.organizationId, spaceId: space.id },
        ...{
          actorId: null,
          payload: { operation: 'one', direction: 'import', revision: 'one', commit: `${at}` },
        },
      })
  })
  const events = await told(w, tool)
  assert.equal(events.filter(({ payload }) => payload.type === 'space_gitsync_started').length, EVENTS)
  const { rows } = await sql`select from integration_events where installation_id like ${`${tool.id}%`}
    and payload ->> 'type' = 'space_gitsync_started'`.execute(db)
  assert.equal(rows.length, INSTALLATIONS * EVENTS)
})

test('events of an integration are for its own tokens and its owners', async () => {
  const w = await world()
  const [tool, other] = [await installed(w), await installed(w)]
  assert.equal((await w.call('GET', `${tool.path}/events`, { as: other.token })).status, 404)
  assert.equal((await w.call('GET', `${tool.path}/events`, { as: 'edit' })).status, 403)
  assert.equal((await w.call('GET', `${tool.path}/events`, { as: 'stranger' })).status, 404)
})

test('events of an integration are bounded in age and in number', async () => {
  const w = await world()
  const tool = await installed(w)
  await told(w, tool)
  const name = tool.path.split('/')[2]
  const tellOf = (days: number, events: number) =>
    sql`insert into integration_events (id, integration, installation_id, payload, created_at)
      select gen_random_uuid()::text, ${name}, 'one', '{"eventId": "e", "type": "t"}', now() - make_interval(days => ${days})
      from generate_series(1, ${events}::integer) n`.execute(w.services.db)
  const count = async () => (await w.call('GET', `${tool.path}/events?limit=1`)).body.count
  const recent = await count()
  await tellOf(EVENT_DAYS_KEPT + 1, 10)
  await removeOldEvents(w.services)
  assert.equal(await count(), recent)
  await tellOf(EVENT_DAYS_KEPT - 1, EVENTS_KEPT_MAX)
  await removeOldEvents(w.services)
  assert.equal(await count(), EVENTS_KEPT_MAX)
})
