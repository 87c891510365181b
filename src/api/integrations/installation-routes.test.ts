import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { testEngine } from '../../../test/support/database.ts'
import { untilSomebodyWaits } from '../../../test/support/lock-waits.ts'
import { type Call, type World, world } from '../../../test/support/world.ts'
import { createPrincipals } from '../../access/principals.ts'
import { newId } from '../../base/ids.ts'
import { lockOrganization } from '../organizations/rows.ts'
import { INSTALLATIONS_MAX, TOKENS_ALIVE_MAX } from './installation-actions.ts'
import { insertInstallation } from './installation-rows.ts'

const w = await world()
const other = await world()
const org = w.organizationId
const HOUR_MS = 3_600_000

type Tool = { name: string; i: string; as: { token: string } }

/** A published integration, with a token of its own. */
async function newTool(more: object = {}): Promise<Tool> {
  const name = `tool-${newId()}`
  const i = `/integrations/${name}`
  const body = {
    ...{ organization: org, title: 'Tool', description: 'A tool.', script: '', visibility: 'public' },
    ...{ scopes: ['space:content:read'], ...more },
  }
  const published = await w.call('POST', i, { body })
  assert.equal(published.status, 200, published.text)
  const { body: as } = await w.call('POST', `${i}/tokens`, { body: { label: 'test' } })
  return { name, i, as: { token: as.token } }
}

/** The path of a new installation of it. */
async function install({ i }: Tool, organization = org, on = w): Promise<string> {
  const made = await on.call('POST', `${i}/installations`, { body: { organization } })
  assert.equal(made.status, 201, made.text)
  assert.equal(made.headers.location, made.body.urls.location)
  return `${i}/installations/${made.body.id}`
}

async function tokenAt(path: string, { as }: Tool): Promise<{ token: string }> {
  const made = await w.call('POST', `${path}/tokens`, { as })
  assert.equal(made.status, 200, made.text)
  return made.body
}

const statusOf = async (path: string, as: Call['as'], method = 'GET', body?: unknown) =>
  (await w.call(method, path, { as: as ?? null, body })).status

test('an installation is made by an admin of the organization in the body', async () => {
  const tool = await newTool({ scopes: ['space:content:read', 'openapi:read'] })
  const post = (as: Call['as'], organization: unknown = org) =>
    w.call('POST', `${tool.i}/installations`, { as: as ?? null, body: { organization } })
  for (const [as, status] of [
    [null, 401],
    ['stranger', 400],
    ['guest', 403],
    ['create', 403],
    [tool.as, 403],
  ] as const)
    assert.equal((await post(as)).status, status, JSON.stringify(as))
  for (const organization of ['nobody', other.organizationId, 7, '']) {
    const refused = await post('admin', organization)
    assert.equal(refused.status, 400)
    assert.match(refused.body.error.message, /^body\.organization/)
  }
  const made = await post('admin')
  assert.equal(made.status, 201)
  assert.deepEqual(made.body.target, { organization: org })
  assert.deepEqual(made.body.scopes, ['openapi:read', 'space:content:read'])
  assert.deepEqual(
    [made.body.status, made.body.space_selection, made.body.configuration, made.body.externalIds],
    ['active', 'all', {}, []],
  )
  assert.equal((await post('admin')).status, 409)
  const twice = await Promise.all(
    [1, 2, 3].map(() =>
      other.call('POST', `${tool.i}/installations`, {
        body: { organization: other.organizationId },
      }),
    ),
  )
  assert.deepEqual(twice.map(({ status }) => status).sort(), [201, 409, 409])
  assert.equal(
    (await w.call('POST', '/integrations/nowhere/installations', { body: { organization: org } })).status,
    404,
  )
})

/** An organization with `count` installations, of which one is of `tool` and at `path`. */
async function withInstallations(count: number): Promise<{ full: World; tool: Tool; path: string }> {
  const full = await world()
  const tool = await newTool()
  const path = await install(tool, full.organizationId, full)
  const id = path.split('/').at(-1) as string
  const { db } = full.services
  await sql`insert into integrations (name, organization_id, title, description, manifest, scopes)
    select name || n, organization_id, title, description, manifest, scopes
    from integrations, generate_series(2, ${count}::integer) n where name = ${tool.name}`.execute(db)
  await sql`insert into installations (id, integration, organization_id, scopes)
    select id || n, integration || n, organization_id, scopes
    from installations, generate_series(2, ${count}::integer) n where id = ${id}`.execute(db)
  return { full, tool, path }
}

test('an organization has no more installations than a bound', async () => {
  const { full, tool, path } = await withInstallations(INSTALLATIONS_MAX)
  const another = await newTool()
  const body = { organization: full.organizationId }
  const installOnFull = (i: string) => full.call('POST', `${i}/installations`, { body })
  const refused = await installOnFull(another.i)
  assert.deepEqual([refused.status, refused.body.error.code], [409, 409])
  assert.match(refused.body.error.message, /has 100 installations/)
  assert.match((await installOnFull(tool.i)).body.error.message, /has the integration already/)
  await full.call('DELETE', path)
  assert.equal((await installOnFull(another.i)).status, 201)
})

test('integrations that are installed at the same time are no more than the bound together', {
  skip: testEngine === 'embedded' && 'one connection has one transaction at a time',
}, async () => {
  const { full } = await withInstallations(INSTALLATIONS_MAX - 1)
  const [first, second] = [await newTool(), await newTool()]
  const body = { organization: full.organizationId }
  let installing: ReturnType<World['call']> | undefined
  await full.services.db.transaction().execute(async trx => {
    await lockOrganization(trx, full.organizationId)
    const row = { id: newId(), integration: first.name, organization_id: full.organizationId }
    await insertInstallation(trx, row)
    installing = full.call('POST', `${second.i}/installations`, { body })
    await Promise.race([untilSomebodyWaits(trx), installing])
  })
  assert.equal((await installing)?.status, 409)
})

test('a private integration is installed in its own organization only', async () => {
  const tool = await newTool({ visibility: 'private' })
  const both = await w.call('POST', '/orgs', { body: { title: 'Second' } })
  const body = { organization: both.body.id }
  const refused = await w.call('POST', `${tool.i}/installations`, { body })
  assert.equal(refused.status, 400)
  assert.match(refused.body.error.message, /^body\.organization: a private integration/)
  assert.equal((await other.call('POST', `${tool.i}/installations`, { body })).status, 404)
  await install(tool)
})

test('an integration that becomes private stays visible to admins where it is installed', async () => {
  const tool = await newTool()
  const path = await install(tool, other.organizationId, other)
  const { body: as } = await w.call('POST', `${path}/tokens`, { as: tool.as })
  const body = { organization: org, title: 'Tool', description: '', script: '', scopes: [] }
  await w.call('POST', tool.i, { body })
  assert.equal((await other.call('GET', tool.i)).status, 200)
  assert.equal((await other.call('GET', tool.i, { as: 'create' })).status, 404)
  assert.equal((await other.call('GET', tool.i, { as })).status, 200, 'its own token sees it')
  const { body: list } = await other.call(
    'GET',
    `/orgs/${other.organizationId}/integrations?search=${tool.name}`,
  )
  assert.equal(list.count, 1)
})

test('only its admins, its integration and itself see an installation', async () => {
  const tool = await newTool()
  const [path, elsewhere] = [await install(tool), await install(tool, other.organizationId, other)]
  const stranger = await newTool()
  const self = await tokenAt(path, tool)
  for (const [as, status] of [
    [null, 401],
    ['stranger', 404],
    ['guest', 404],
    ['create', 404],
    ['admin', 200],
    [tool.as, 200],
    [self, 200],
    [stranger.as, 404],
    [await tokenAt(await install(stranger), stranger), 404],
  ] as const) {
    assert.equal(await statusOf(path, as), status, JSON.stringify(as))
    assert.equal(await statusOf(`${path}/spaces`, as), status)
  }
  assert.equal(await statusOf(elsewhere, self), 404)
  assert.equal(await statusOf(elsewhere, 'admin'), 404, 'its owner administrates no installation elsewhere')
  assert.equal(await statusOf(elsewhere, tool.as), 200)
  assert.equal(await statusOf(path.replace(tool.name, stranger.name), 'admin'), 404)
  const list = (as: Call['as']) => w.call('GET', `${tool.i}/installations`, { as: as ?? null })
  for (const as of ['admin', tool.as] as const) assert.equal((await list(as)).body.count, 2)
  for (const as of ['create', stranger.as, self] as const) assert.equal((await list(as)).status, 403)
})

test('an installation becomes active when its required configuration is given, which is checked', async () => {
  const properties = {
    key: { type: 'string', enum: ['a', 'b'] },
    days: { type: 'number' },
    metric: { type: 'boolean' },
    connect: { type: 'button', callback_url: '/x', button_text: 'Connect' },
  }
  const account = { properties, required: ['key', 'days'] }
  const tool = await newTool({ configurations: { account } })
  const path = await install(tool)
  assert.equal((await w.call('GET', path)).body.status, 'pending')
  const waiting = await w.call('POST', `${path}/tokens`, { as: tool.as })
  assert.equal(waiting.status, 409)
  assert.match(waiting.body.error.message, /waits for its configuration/)
  const patch = (body: unknown, as: Call['as'] = tool.as) => w.call('PATCH', path, { as, body })
  for (const [configuration, message] of [
    [{ key: 'c' }, /^body\.configuration\.key: must be one of a, b/],
    [{ key: 1 }, /^body\.configuration\.key: must be string/],
    [{ days: '3' }, /^body\.configuration\.days: must be number/],
    [{ metric: 'yes' }, /^body\.configuration\.metric: must be boolean/],
    [{ connect: true }, /^body\.configuration\.connect: this is a button/],
    [[], /^body\.configuration/],
    ['x', /^body\.configuration/],
  ] as const) {
    const refused = await patch({ configuration })
    assert.equal(refused.status, 400, JSON.stringify(configuration))
    assert.match(refused.body.error.message, message)
  }
  assert.equal((await patch({ configuration: { more: 'x'.repeat(65_536) } })).status, 413)
  assert.equal((await patch({ configuration: { key: 'a' } })).body.status, 'pending')
  const whole = { key: 'a', days: 3, own: { deep: [1] } }
  const done = await patch({ configuration: whole })
  assert.deepEqual([done.body.status, done.body.configuration], ['active', whole])
  const self = await tokenAt(path, tool)
  assert.equal((await patch({ configuration: { key: 'b', days: 1 } }, self)).body.configuration.key, 'b')
  assert.equal((await patch({ configuration: {} })).body.status, 'pending')
  assert.equal(await statusOf(path, self), 401, 'what is not set up has no tokens that work')
})

test('external ids find an installation again, five at most', async () => {
  const tool = await newTool()
  const path = await install(tool)
  const patch = (externalIds: unknown) => w.call('PATCH', path, { as: tool.as, body: { externalIds } })
  for (const bad of [['a', 'b', 'c', 'd', 'e', 'f'], [''], ['x'.repeat(256)], 'a', [1]])
    assert.equal((await patch(bad)).status, 400, JSON.stringify(bad))
  assert.deepEqual((await patch(['T1', 'T2', 'T1'])).body.externalIds, ['T1', 'T2'])
  const find = async (id: string) =>
    (await w.call('GET', `${tool.i}/installations?externalId=${id}`, { as: tool.as })).body.count
  assert.deepEqual([await find('T2'), await find('T')], [1, 0])
})

test('only an admin sets what an installation reaches and whether it is paused', async () => {
  const tool = await newTool()
  const path = await install(tool)
  const self = await tokenAt(path, tool)
  for (const as of [tool.as, self])
    for (const body of [{ space_selection: 'all' }, { status: 'active' }]) {
      const refused = await w.call('PATCH', path, { as, body })
      assert.equal(refused.status, 403)
      assert.match(refused.body.error.message, /^body\.(space_selection|status): /)
    }
  for (const body of [{ space_selection: 'none' }, { status: 'pending' }])
    assert.equal((await w.call('PATCH', path, { body })).status, 400)
  assert.equal((await w.call('PATCH', path, { body: {} })).status, 200)
  const { body: narrow } = await w.call('POST', '/user/tokens', {
    body: { label: 'x', scopes: ['integration:installations:read'] },
  })
  assert.equal(await statusOf(path, narrow), 200)
  assert.equal(await statusOf(path, narrow, 'PATCH', {}), 403)
})

test('a token of an installation reads and writes as its scopes allow, where it is installed', async () => {
  const space = await w.createSpace({ title: 'Read' })
  const theirs = await other.createSpace({ title: 'Theirs' })
  const s = `/spaces/${space.id}`
  const tool = await newTool()
  const self = await tokenAt(await install(tool), tool)
  assert.equal(await statusOf(s, self), 200)
  assert.equal(await statusOf(`${s}/content`, self), 200)
  assert.equal(await statusOf(`${s}/content/pages`, self), 200)
  assert.equal(await statusOf(`/spaces/${theirs.id}`, self), 404, 'of another organization')
  const { permissions } = (await w.call('GET', s, { as: self })).body
  assert.deepEqual([permissions.access, permissions.edit, permissions.merge], [true, false, false])

  const writing = await newTool({ scopes: ['space:content:write'] })
  const writer = await tokenAt(await install(writing), writing)
  const written = (await w.call('GET', s, { as: writer })).body.permissions
  assert.deepEqual([written.edit, written.merge, written.admin], [true, false, false])
  const changes = [{ operation: 'insert_page', title: 'Rain', document: { markdown: 'It rains.\n' } }]
  const { body: changeRequest } = await w.call('POST', `${s}/change-requests`)
  const into = [`${s}/content`, `${s}/change-requests/${changeRequest.id}/content`]
  for (const path of into) {
    assert.equal(await statusOf(path, self, 'POST', { changes }), 403, 'it may only read')
    assert.equal(await statusOf(path, writer, 'POST', { changes }), 200)
  }
  assert.equal(await statusOf(`/spaces/${theirs.id}/content`, writer, 'POST', { changes }), 404)
  await w.call('PATCH', s, { body: { editMode: 'locked' } })
  assert.equal(await statusOf(`${s}/content`, writer, 'POST', { changes }), 409)
  const { body: feed } = await w.call('GET', `/orgs/${org}/events?space=${space.id}&types=space.published`)
  const [event] = feed.items
  assert.deepEqual([event.actor.type, event.source], ['installation', 'integration'])

  const blind = await newTool({ scopes: ['openapi:read'] })
  assert.equal(await statusOf(s, await tokenAt(await install(blind), blind)), 404)
  assert.equal(await statusOf(s, tool.as), 403, 'the integration as such reads nothing')
})

test('an installation that may write opens change requests, changes them and keeps them up to date, as itself', async () => {
  const space = await w.createSpace({ title: 'Proposed to' })
  const c = `/spaces/${space.id}/change-requests`
  const tool = await newTool({ scopes: ['space:content:write'], title: 'Weather' })
  const path = await install(tool)
  const as = await tokenAt(path, tool)
  const id = path.split('/').at(-1)
  const author = {
    object: 'user',
    id,
    displayName: 'Weather',
    urls: { location: w.services.urls.api(`/users/${id}`) },
  }
  const opened = await w.call('POST', c, { as, body: { subject: 'Rain' } })
  assert.equal(opened.status, 201, opened.text)
  assert.deepEqual(opened.body.createdBy, author, 'without an address')
  const one = `${c}/${opened.body.id}`
  const changes = [{ operation: 'insert_page', title: 'Rain', document: { markdown: 'It rains.\n' } }]
  assert.equal(await statusOf(`${one}/content`, as, 'POST', { changes }), 200)
  assert.equal((await w.call('PATCH', one, { as, body: { status: 'open' } })).body.status, 'open')
  const other = [{ operation: 'insert_page', title: 'Sun', document: { markdown: 'It shines.\n' } }]
  await w.call('POST', `/spaces/${space.id}/content`, { body: { changes: other } })
  assert.equal((await w.call('POST', `${one}/update`, { as })).body.result, 'update')
  assert.equal((await w.call('GET', c, { as })).body.items[0].id, opened.body.id)
  assert.equal((await w.call('GET', `${one}/changes`, { as })).body.changes.length, 1)
  const { body: contributors } = await w.call('GET', `${one}/contributors`)
  assert.deepEqual(
    contributors.items.map((item: { user: object }) => item.user),
    [author],
  )
  for (const [path, body] of [
    [`${one}/merge`, {}],
    [`${one}/reviews`, { status: 'approved' }],
  ] as const)
    assert.equal(await statusOf(path, as, 'POST', body), 403, 'that is for people')
  const { body: feed } = await w.call(
    'GET',
    `/orgs/${org}/events?space=${space.id}&types=change_request.created`,
  )
  assert.deepEqual(feed.items[0].actor, { type: 'installation', id })
  assert.equal((await w.call('POST', `${one}/merge`)).body.result, 'merge')
  assert.equal((await w.call('DELETE', path)).status, 204)
  assert.deepEqual((await w.call('GET', one)).body.createdBy, author, 'also when it is gone')
})

test('an installation comments and replies, and changes only its own; one with read scopes does none of it', async () => {
  const space = await w.createSpace({ title: 'Talked about' })
  const comments = `/spaces/${space.id}/comments`
  const tool = await newTool({ scopes: ['space:content:write'] })
  const path = await install(tool)
  const as = await tokenAt(path, tool)
  const id = path.split('/').at(-1)
  const say = (markdown: string, as?: Call['as']) =>
    w.call('POST', comments, { ...(as === undefined ? {} : { as }), body: { body: { markdown } } })
  const mine = await say('It rains.', as)
  assert.equal(mine.status, 200, mine.text)
  assert.deepEqual([mine.body.postedBy.id, mine.body.permissions.edit], [id, true])
  const theirs = (await say('It shines.')).body
  const changed = { body: { markdown: 'It pours.' } }
  assert.equal(await statusOf(`${comments}/${mine.body.id}`, as, 'PUT', changed), 200)
  assert.equal(await statusOf(`${comments}/${theirs.id}`, as, 'PUT', changed), 403)
  assert.equal(await statusOf(`${comments}/${theirs.id}`, as, 'DELETE'), 403)
  const reacted = await w.call('PUT', `${comments}/${theirs.id}`, { as, body: { addedReactions: ['👍'] } })
  assert.equal(reacted.body.reactions[0].users[0].user.id, id)
  const reply = await w.call('POST', `${comments}/${theirs.id}/replies`, {
    as,
    body: { body: { markdown: 'No.' } },
  })
  assert.equal(reply.body.postedBy.id, id)
  assert.equal((await w.call('GET', comments, { as })).body.items.length, 2)
  assert.equal(await statusOf(`${comments}/${mine.body.id}`, as, 'DELETE'), 204)
  const reader = await newTool()
  const reading = await tokenAt(await install(reader), reader)
  assert.equal((await say('Hm.', reading)).status, 403)
  assert.equal(await statusOf(comments, reading), 200)
  assert.equal(await statusOf(`/spaces/${space.id}/change-requests`, reading, 'POST', {}), 403)
})

test('a program’s Idempotency-Key makes its request happen once, and is its own', async () => {
  const space = await w.createSpace({ title: 'Once' })
  const c = `/spaces/${space.id}/change-requests`
  const tool = await newTool({ scopes: ['space:content:write'] })
  const path = await install(tool)
  const [as, again] = [await tokenAt(path, tool), await tokenAt(path, tool)]
  const another = await newTool({ scopes: ['space:content:write'] })
  const others = await tokenAt(await install(another), another)
  const open = (as: Call['as'], subject = 'Rain') =>
    w.call('POST', c, { as: as ?? null, body: { subject }, headers: { 'idempotency-key': 'one' } })
  const first = await open(as)
  assert.equal(first.status, 201)
  const repeated = await open(again)
  assert.deepEqual([repeated.text, repeated.headers['idempotency-replayed']], [first.text, 'true'])
  assert.equal((await open(as, 'Sun')).status, 409, 'the key belongs to the first request')
  assert.notEqual((await open(others)).body.id, first.body.id)
  const wrong = await w.call('POST', c, { as, headers: { 'idempotency-key': '' } })
  assert.equal(wrong.status, 400)
  const key = { as: tool.as, headers: { 'idempotency-key': 'secret' } }
  assert.equal((await w.call('POST', `${path}/tokens`, key)).status, 200)
  assert.equal((await w.call('POST', `${path}/tokens`, key)).status, 409, 'its answer holds a secret')
})

test('an installation on selected spaces reads only these, from the next request on', async () => {
  const [one, two] = [await w.createSpace({ title: 'One' }), await w.createSpace({ title: 'Two' })]
  const tool = await newTool()
  const path = await install(tool)
  const self = await tokenAt(path, tool)
  const reads = async () => [
    await statusOf(`/spaces/${one.id}/content`, self),
    await statusOf(`/spaces/${two.id}/content`, self),
  ]
  assert.deepEqual(await reads(), [200, 200])
  const selected = await w.call('PATCH', path, { body: { space_selection: 'selected' } })
  assert.equal(selected.body.spaces, 0)
  assert.deepEqual(await reads(), [404, 404])
  const set = await w.call('POST', `${path}/spaces`, { body: { space: one.id } })
  assert.equal(set.status, 201)
  assert.equal(set.headers.location, set.body.urls.location)
  assert.equal((await w.call('GET', path)).body.spaces, 1)
  assert.deepEqual(await reads(), [200, 404])
  await w.call('DELETE', `${path}/spaces/${one.id}`)
  assert.deepEqual(await reads(), [404, 404])
  await w.call('PATCH', path, { body: { space_selection: 'all' } })
  assert.deepEqual(await reads(), [200, 200])
})

test('tokens of a paused or removed installation do not work, and those of a resumed one do again', async () => {
  const space = await w.createSpace()
  const tool = await newTool()
  const path = await install(tool)
  const self = await tokenAt(path, tool)
  const read = () => statusOf(`/spaces/${space.id}`, self)
  assert.equal(await read(), 200)
  assert.equal((await w.call('PATCH', path, { body: { status: 'paused' } })).body.status, 'paused')
  assert.equal(await read(), 401)
  const refused = await w.call('POST', `${path}/tokens`, { as: tool.as })
  assert.equal(refused.status, 409)
  assert.match(refused.body.error.message, /paused/)
  const { body: kept } = await w.call('PATCH', path, { as: tool.as, body: { configuration: { a: 1 } } })
  assert.equal(kept.status, 'paused', 'a new configuration does not let it go on')
  assert.equal((await w.call('PATCH', path, { body: { status: 'active' } })).body.status, 'active')
  assert.equal(await read(), 200)
  assert.equal(await statusOf(path, 'create', 'DELETE'), 204)
  assert.equal(await statusOf(path, tool.as, 'DELETE'), 403)
  assert.equal(await read(), 200, 'who may not remove it removes nothing')
  assert.equal(await statusOf(path, 'admin', 'DELETE'), 204)
  assert.equal(await read(), 401)
  assert.equal(await statusOf(path, 'admin', 'DELETE'), 204)
})

test('a token of an installation expires after an hour', async () => {
  const tool = await newTool()
  const path = await install(tool)
  const before = Date.now()
  const { body: made } = await w.call('POST', `${path}/tokens`, { as: tool.as })
  const end = Date.parse(made.expiresAt)
  assert.ok(end >= before + HOUR_MS && end <= Date.now() + HOUR_MS)
  assert.equal(await statusOf(path, made), 200)
  const { db, changes } = w.services
  const holderAt = (ms: number) => createPrincipals(db, changes, () => new Date(ms)).find(made.token)
  assert.deepEqual([(await holderAt(end - 1))?.kind, await holderAt(end)], ['installation', undefined])
})

test('an installation has the scopes that were asked for when it was installed', async () => {
  const space = await w.createSpace()
  const tool = await newTool({ scopes: ['openapi:read'] })
  const path = await install(tool)
  const self = await tokenAt(path, tool)
  const body = { organization: org, title: 'Tool', description: '', script: '', visibility: 'public' }
  await w.call('POST', tool.i, { body: { ...body, scopes: ['space:content:write'] } })
  assert.deepEqual((await w.call('GET', path)).body.scopes, ['openapi:read'])
  assert.equal(await statusOf(`/spaces/${space.id}`, self), 404)
  assert.equal(await statusOf(`/spaces/${space.id}`, await tokenAt(path, tool)), 404)
  await w.call('DELETE', path)
  assert.equal(await statusOf(`/spaces/${space.id}`, await tokenAt(await install(tool), tool)), 200)
})

test('an installation makes no more tokens than a bound', async () => {
  const tool = await newTool()
  const path = await install(tool)
  const id = path.split('/').at(-1) as string
  await w.services.transaction(async trx => {
    const rows = Array.from({ length: TOKENS_ALIVE_MAX }, () => ({
      ...{ id: newId(), kind: 'installation' as const, installation_id: id, label: 'x' },
      ...{ secret_hash: Buffer.from(newId()), expires_at: new Date(Date.now() + 60_000) },
    }))
    await trx.insertInto('tokens').values(rows).execute()
  })
  const refused = await w.call('POST', `${path}/tokens`, { as: tool.as })
  assert.equal(refused.status, 429)
})

test('an installation on a space has a configuration of its own', async () => {
  const space = await w.createSpace({ title: 'Set up' })
  const theirs = await other.createSpace()
  const gone = await w.createSpace()
  await w.call('DELETE', `/spaces/${gone.id}`)
  const configurations = { space: { properties: { page: { type: 'string' } }, required: ['page'] } }
  const tool = await newTool({ configurations })
  const path = await install(tool)
  for (const bad of [theirs.id, gone.id, 'nowhere', 1]) {
    const refused = await w.call('POST', `${path}/spaces`, { body: { space: bad } })
    assert.equal(refused.status, 400)
    assert.match(refused.body.error.message, /^body\.space/)
  }
  assert.equal(await statusOf(`${path}/spaces`, tool.as, 'POST', { space: space.id }), 403)
  const made = await w.call('POST', `${path}/spaces?extended=true`, { body: { space: space.id } })
  assert.equal(made.status, 201)
  assert.equal(made.body.space.title, 'Set up')
  assert.equal(made.body.status, 'pending')
  assert.equal((await w.call('POST', `${path}/spaces`, { body: { space: space.id } })).status, 409)
  const at = `${path}/spaces/${space.id}`
  const refused = await w.call('PATCH', at, { as: tool.as, body: { configuration: { page: 1 } } })
  assert.match(refused.body.error.message, /^body\.configuration\.page: must be string/)
  const body = { configuration: { page: 'x' }, externalIds: ['room'] }
  const changed = await w.call('PATCH', at, { as: tool.as, body })
  assert.deepEqual(
    [changed.body.status, changed.body.space, changed.body.externalIds],
    ['active', space.id, ['room']],
  )
  assert.deepEqual((await w.call('PATCH', at, { body: {} })).body, changed.body)
  const all = await w.call('GET', `${tool.i}/spaces?externalId=room&extended=true`, { as: tool.as })
  assert.equal(all.body.count, 1)
  assert.equal(all.body.items[0].space, space.id, 'the integration as such sees no space')
  const self = await tokenAt(path, tool)
  const own = await w.call('GET', `${path}/spaces?extended=true`, { as: self })
  assert.equal(own.body.items[0].space.title, 'Set up')
  assert.equal(await statusOf(at, self), 200)
  assert.equal(await statusOf(`${tool.i}/spaces`, self), 403)
  await w.call('DELETE', `/spaces/${space.id}`)
  assert.equal(await statusOf(at, self), 404)
  assert.equal((await w.call('GET', `${path}/spaces`)).body.count, 0)
  await w.call('POST', `/spaces/${space.id}/restore`)
  assert.equal(await statusOf(at, 'admin', 'DELETE'), 204)
  assert.equal(await statusOf(at, 'admin'), 404)
})

test('an organization knows what it has installed, and what it could', async () => {
  const tool = await newTool({ title: `Known ${newId()}`.slice(0, 30) })
  const o = `/orgs/${org}`
  const status = `${o}/integrations/${tool.name}/installation_status`
  assert.equal(await statusOf(status, 'read'), 404)
  const path = await install(tool)
  assert.deepEqual((await w.call('GET', status, { as: 'read' })).body, { status: 'active' })
  assert.equal(await statusOf(status, 'guest'), 403)
  assert.equal(await statusOf(status, 'stranger'), 404)
  const { body: list } = await w.call('GET', `${o}/installations?search=${tool.name.toUpperCase()}`)
  assert.equal(list.count, 1)
  assert.equal(list.items[0].integration.name, tool.name)
  assert.equal(`${tool.i}/installations/${list.items[0].installation.id}`, path)
  assert.equal(await statusOf(`${o}/installations`, 'create'), 403)
  assert.equal((await w.call('GET', `${o}/installations?limit=1`)).body.items.length, 1)
})

test('a space knows the integrations that reach it, and their blocks', async () => {
  const space = await w.createSpace()
  const far = await w.createSpace()
  const blocks = [{ id: 'map', title: 'Map' }]
  const tool = await newTool({ blocks })
  const path = await install(tool)
  await w.call('PATCH', path, { body: { space_selection: 'selected' } })
  await w.call('POST', `${path}/spaces`, { body: { space: space.id } })
  const names = async (id: string) => {
    const { body } = await w.call('GET', `/spaces/${id}/integrations?search=${tool.name}`, { as: 'read' })
    return [body.count, ...body.items.map(({ name }: { name: string }) => name)]
  }
  const find = async (id: string, as: Call['as'] = 'read') =>
    (await w.call('GET', `/spaces/${id}/integration-blocks`, { as })).body.find(
      ({ name }: { name: string }) => name === tool.name,
    )
  assert.deepEqual(await names(space.id), [1, tool.name])
  assert.deepEqual(await find(space.id), { name: tool.name, blocks })
  assert.deepEqual(await find(space.id, await tokenAt(path, tool)), { name: tool.name, blocks })
  assert.deepEqual(await names(far.id), [0])
  assert.equal(await find(far.id), undefined)
  await w.call('PATCH', path, { body: { status: 'paused' } })
  assert.deepEqual(await names(space.id), [0])
  assert.equal(await statusOf(`/spaces/${space.id}/integration-blocks`, tool.as), 404)
  assert.equal(await statusOf(`/spaces/${space.id}/integration-blocks`, null), 401)
})
