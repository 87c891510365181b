import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import { type Call, world } from '../../../test/support/world.ts'
import { openSecrets, sealSecrets } from '../../access/sealed-secrets.ts'
import { newId } from '../../base/ids.ts'
import { onlyKey } from '../../platform/keys/signing-keys.ts'
import { TOKENS_MAX } from './actions.ts'

const w = await world()
const other = await world()

// The smallest images that are ones.
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const GIF = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')

const small = {
  ...{ organization: w.organizationId, title: 'Weather', description: 'Tells the weather.' },
  ...{ script: 'addEventListener("fetch", () => {})', scopes: ['space:content:read'] },
}
const publish = (name: string, more: object = {}, call: Call = {}) =>
  w.call('POST', `/integrations/${name}`, { body: { ...small, ...more }, ...call })
const newName = () => `weather-${newId()}`

test('a publication is kept whole and shown without its script and its secrets', async () => {
  const name = newName()
  const manifest = {
    summary: '# Weather\n',
    categories: ['content', 'analytics', 'content'],
    blocks: [
      {
        ...{ id: 'map', title: 'Map', description: 'A map.', icon: 'map' },
        ...{ urlUnfurl: ['https://maps.test/**'], markdown: { codeblock: 'map', body: 'content' } },
      },
    ],
    contentSources: [{ id: 'feed', title: 'Feed', configuration: { componentId: 'feed-settings' } }],
    externalLinks: [{ url: 'https://weather.test/help', label: 'Help' }],
    configurations: {
      account: {
        properties: {
          key: { type: 'string', title: 'Key', enum: ['a', 'b'], default: 'a' },
          days: { type: 'number', default: 3 },
          metric: { type: 'boolean', default: true },
          connect: { type: 'button', callback_url: '/connect', button_text: 'Connect' },
        },
        required: ['key'],
      },
      space: { componentId: 'space-settings' },
    },
    contentSecurityPolicy: { 'img-src': 'https://maps.test' },
  }
  const first = await publish(name, {
    ...manifest,
    ...{ runtime: 'v2', visibility: 'public', target: 'space', secrets: { API_KEY: 'very secret' } },
    ...{ icon: PNG.toString('base64'), previewImages: [GIF.toString('base64')] },
  })
  assert.equal(first.status, 200, first.text)
  const { body } = first
  assert.equal(body.version, 1)
  assert.equal(body.owner.id, w.organizationId)
  assert.deepEqual(body.categories, ['analytics', 'content'])
  for (const field of ['summary', 'blocks', 'contentSources', 'externalLinks', 'configurations'] as const)
    assert.deepEqual(body[field], manifest[field], field)
  assert.deepEqual(body.contentSecurityPolicy, manifest.contentSecurityPolicy)
  assert.deepEqual(body.permissions, { admin: true })
  assert.ok(!first.text.includes('very secret') && !first.text.includes('addEventListener'))

  const { body: seen } = await w.call('GET', `/integrations/${name}`, { as: null })
  assert.deepEqual({ ...seen, owner: null }, { ...body, owner: null, permissions: { admin: false } })
  for (const [url, type, bytes] of [
    [body.urls.icon, 'image/png', PNG],
    [body.previewImages[0], 'image/gif', GIF],
  ]) {
    const image = await w.app.inject({ method: 'GET', url: new URL(url).pathname })
    assert.equal(image.headers['content-type'], type)
    assert.equal(image.headers['x-content-type-options'], 'nosniff')
    assert.deepEqual(image.rawPayload, bytes)
  }

  const kept = await w.services.db
    .selectFrom('integration_versions')
    .selectAll()
    .where('integration', '=', name)
    .executeTakeFirstOrThrow()
  assert.equal(kept.script, small.script)
  assert.equal(kept.runtime, 'v2')
  assert.ok(kept.secrets !== null && !kept.secrets.includes('very secret'))
  assert.deepEqual(openSecrets(w.services.signingKey, kept.secrets), { API_KEY: 'very secret' })
})

test('each publication is a new version of the whole, and only the last ten are kept', async () => {
  const name = newName()
  await publish(name, { summary: 'First.', visibility: 'public', icon: PNG.toString('base64') })
  let last = await publish(name, { title: 'Second' })
  assert.equal(last.body.version, 2)
  assert.equal(last.body.title, 'Second')
  assert.equal(last.body.visibility, 'private')
  assert.equal(last.body.summary, undefined)
  assert.equal(last.body.urls.icon, undefined)
  for (let version = 3; version <= 12; version += 1) last = await publish(name)
  assert.equal(last.body.version, 12)
  const kept = await w.services.db
    .selectFrom('integration_versions')
    .select('version')
    .where('integration', '=', name)
    .orderBy('version')
    .execute()
  assert.deepEqual(
    kept.map(({ version }) => version),
    [3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  )
})

test('publications at the same time are versions one after the other', async () => {
  const name = newName()
  const replies = await Promise.all(Array.from({ length: 5 }, () => publish(name)))
  assert.deepEqual(replies.map(({ body }) => body.version).sort(), [1, 2, 3, 4, 5])
})

test('only an admin of the organization that the body names publishes, by its id or its subdomain', async () => {
  const name = newName()
  assert.equal((await publish(name, {}, { as: null, body: small })).status, 401)
  for (const [as, status] of [
    ['stranger', 400],
    ['guest', 403],
    ['create', 403],
  ] as const) {
    const refused = await publish(name, {}, { as, body: small })
    assert.equal(refused.status, status, as)
    assert.match(refused.body.error.message, /^body\.organization: /)
  }
  for (const organization of [other.organizationId, 'nobody', '']) {
    const refused = await publish(name, { organization })
    assert.equal(refused.status, 400)
    assert.match(refused.body.error.message, /^body\.organization/)
  }
  const hostname = `h${newId().toLowerCase()}`
  await w.call('PATCH', `/orgs/${w.organizationId}`, { body: { hostname } })
  assert.equal((await publish(name, { organization: hostname })).status, 200)
  const { body: narrow } = await w.call('POST', '/user/tokens', {
    body: { label: 'x', scopes: ['integration:read'] },
  })
  assert.equal((await publish(name, {}, { as: narrow, body: small })).status, 403)
  const { body: publisher } = await w.call('POST', '/user/tokens', {
    body: { label: 'x', scopes: ['integration:publish'] },
  })
  assert.equal((await publish(name, {}, { as: publisher, body: small })).status, 200)
})

test('a name that another organization has is taken, and stays as it is', async () => {
  const name = newName()
  await publish(name)
  const theirs = { ...small, organization: other.organizationId, title: 'Theirs' }
  const refused = await other.call('POST', `/integrations/${name}`, { body: theirs })
  assert.equal(refused.status, 409)
  assert.match(refused.body.error.message, /belongs to another organization/)
  assert.equal((await w.call('GET', `/integrations/${name}`)).body.title, 'Weather')
  await w.call('DELETE', `/integrations/${name}`)
  assert.equal((await other.call('POST', `/integrations/${name}`, { body: theirs })).status, 200)
})

test('an invalid publication is refused by field, and nothing is written', async () => {
  const block = { id: 'a', title: 'Block' }
  const slot = (account: object) => ({ configurations: { account } })
  const cases: [object, RegExp, number?][] = [
    [{ title: 'x' }, /^body\.title/],
    [{ title: 'x'.repeat(31) }, /^body\.title/],
    [{ description: 'x'.repeat(101) }, /^body\.description/],
    [{ description: undefined }, /^body\.description: this is required/],
    [{ script: undefined }, /^body\.script: this is required/],
    [{ scopes: undefined }, /^body\.scopes: this is required/],
    [{ scopes: ['space:content:delete'] }, /^body\.scopes\.0: must be one of space:content:read/],
    [{ summary: 'x'.repeat(2049) }, /^body\.summary/],
    [{ visibility: 'secret' }, /^body\.visibility/],
    [{ target: 'page' }, /^body\.target/],
    [{ runtime: 'v3' }, /^body\.runtime/],
    [{ categories: ['games'] }, /^body\.categories\.0/],
    [{ previewImages: Array(4).fill(PNG.toString('base64')) }, /^body\.previewImages/],
    [{ previewImages: ['bm8gaW1hZ2U='] }, /^body\.previewImages\.0: this is no PNG/],
    [{ icon: 'not base64!' }, /^body\.icon/],
    [{ icon: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64') }, /^body\.icon/],
    [{ blocks: [{ ...block, title: 'x' }] }, /^body\.blocks\.0\.title/],
    [{ blocks: [block, block] }, /^body\.blocks\.1\.id: a is there twice/],
    [{ blocks: Array.from({ length: 101 }, (_, id) => ({ ...block, id: `${id}` })) }, /^body\.blocks/],
    [{ contentSources: [block] }, /^body\.contentSources\.0\.configuration/],
    [{ externalLinks: [{ url: 'javascript:alert(1)', label: 'x' }] }, /^body\.externalLinks\.0\.url/],
    [{ externalLinks: Array(6).fill({ url: 'https://x.test', label: 'x' }) }, /^body\.externalLinks/],
    [slot({ properties: { a: { type: 'date' } } }), /^body\.configurations\.account/],
    [slot({ properties: {}, required: ['a'] }), /account\.required: there is no property a/],
    [slot({ properties: { a: { type: 'string', enum: ['x'], default: 'y' } } }), /properties\.a\.default/],
    [slot({ properties: {}, required: ['constructor'] }), /there is no property constructor/],
    [{ secrets: { 'a b': 'x' } }, /^body/],
    [{ secrets: { a: 1 } }, /^body\.secrets/],
    [{ script: 'a\u0000b' }, /./],
    [{ summary: 'a\u0000b' }, /./],
    [{ blocks: [{ ...block, icon: 'x'.repeat(16_385) }] }, /^body\.blocks\.0\.icon/],
    [
      { blocks: Array.from({ length: 9 }, (_, id) => ({ ...block, id: `${id}`, icon: 'x'.repeat(16_000) })) },
      /more than 65536 characters/,
      413,
    ],
  ]
  const name = newName()
  for (const [more, message, status = 400] of cases) {
    const refused = await publish(name, more)
    assert.equal(refused.status, status, `${JSON.stringify(more).slice(0, 100)}: ${refused.text}`)
    assert.match(refused.body.error.message, message)
  }
  const large = await publish(name, { script: 'x'.repeat(17 * 1024 * 1024) })
  assert.equal(large.status, 413)
  assert.equal((await w.call('GET', `/integrations/${name}`)).status, 404)
  for (const bad of ['a b', 'a%20b', 'ä', 'x'.repeat(101)])
    assert.equal((await publish(encodeURIComponent(bad))).status, 404, bad)
})

test('a private integration is visible to its organization only, an unlisted one to everybody who knows its name', async () => {
  const [hidden, unlisted, open] = [newName(), newName(), newName()] as const
  await publish(hidden)
  await publish(unlisted, { visibility: 'unlisted' })
  await publish(open, { visibility: 'public' })
  const statusOf = async (name: string, as: Call['as']) =>
    (await w.call('GET', `/integrations/${name}`, { as: as ?? null })).status
  const listed = async (as: Call['as']) => {
    const { body } = await w.call('GET', '/integrations?search=weather-&limit=1000', { as: as ?? null })
    assert.equal(body.count, body.items.length)
    return body.items.map(({ name }: { name: string }) => name)
  }
  for (const [as, status] of [
    [null, 401],
    ['stranger', 404],
    ['guest', 404],
    ['read', 200],
    ['admin', 200],
  ] as const) {
    assert.equal(await statusOf(hidden, as), status, `${as}`)
    assert.equal(await statusOf(unlisted, as), 200)
    assert.equal(await statusOf(open, as), 200)
    const names = await listed(as)
    assert.equal(names.includes(hidden), status === 200, `${as}`)
    assert.equal(names.includes(unlisted), status === 200, `${as}`)
    assert.ok(names.includes(open))
  }
  assert.equal((await w.call('GET', `/integrations/${open}`, { as: 'read' })).body.permissions.admin, false)
  const { owner } = (await w.call('GET', `/integrations/${open}`, { as: null })).body
  assert.equal(owner.hostname, undefined, 'a stranger sees the name of the owner and not its settings')
})

test('the list of integrations finds by each of its filters, in pages', async () => {
  const mark = newId()
  const a = await publish(`a-${mark}`, {
    ...{ visibility: 'public', title: `Ä ${mark}`, categories: ['content'], target: 'organization' },
    blocks: [{ id: 'x', title: 'Block', urlUnfurl: ['https://Maps.test/**'] }],
  })
  const b = await publish(`b-${mark}`, {
    ...{ visibility: 'public', scopes: ['openapi:read'], target: 'space' },
    contentSources: [{ id: 'x', title: 'Source', configuration: { componentId: 'y' } }],
  })
  const find = async (query: string) => {
    const { body } = await w.call('GET', `/integrations?search=${mark.toUpperCase()}${query}`, { as: null })
    assert.equal(body.count, body.items.length)
    return body.items.map(({ name }: { name: string }) => name)
  }
  const [first, second] = [a.body.name, b.body.name]
  assert.deepEqual(await find(''), [first, second])
  assert.deepEqual(await find('&category=content'), [first])
  assert.deepEqual(await find('&blockDomain=maps.test'), [first])
  assert.deepEqual(await find('&blockDomain=maps_test'), [])
  assert.deepEqual(await find('&blocks=true'), [first])
  assert.deepEqual(await find('&blocks=false'), [second])
  assert.deepEqual(await find('&contentSources=true'), [second])
  assert.deepEqual(await find(`&owner=${w.organizationId}`), [first, second])
  assert.deepEqual(await find('&owner=nobody'), [])
  assert.deepEqual(await find('&scope=openapi:read'), [second])
  assert.deepEqual(await find('&target=space'), [second])
  assert.deepEqual((await w.call('GET', '/integrations?search=%25', { as: null })).body.items, [])
  const { body: page } = await w.call('GET', `/integrations?search=${mark}&limit=1`)
  assert.equal(page.count, 2)
  const { body: next } = await w.call('GET', `/integrations?search=${mark}&limit=1&page=${page.next.page}`)
  assert.deepEqual([next.items[0].name, next.next], [second, undefined])
  for (const query of [
    'category=games',
    'blockDomain=a/b',
    'scope=x',
    'blocks=maybe',
    `search=${'x'.repeat(101)}`,
  ])
    assert.equal((await w.call('GET', `/integrations?${query}`)).status, 400, query)
})

test('a token of an integration is made by its owner, shown once, listed without its secret, and revoked', async () => {
  const name = newName()
  await publish(name)
  const tokens = `/integrations/${name}/tokens`
  assert.equal((await w.call('POST', tokens, { as: 'create', body: { label: 'x' } })).status, 403)
  assert.equal((await other.call('POST', tokens, { body: { label: 'x' } })).status, 404)
  for (const body of [{}, { label: '' }, { label: 'x', expiresAt: '2001-01-01T00:00:00Z' }])
    assert.equal((await w.call('POST', tokens, { body })).status, 400)
  const made = await w.call('POST', tokens, { body: { label: 'production' } })
  assert.equal(made.status, 201)
  assert.match(made.body.token, /^octv_/)
  const as = { token: made.body.token }
  assert.equal((await w.call('GET', `/integrations/${name}/installations`, { as })).status, 200)
  const list = await w.call('GET', tokens)
  assert.ok(!list.text.includes(made.body.token))
  assert.deepEqual(
    list.body.items.map(({ label }: { label: string }) => label),
    ['production'],
  )
  assert.equal((await other.call('DELETE', `${tokens}/${made.body.id}`)).status, 204)
  assert.equal((await w.call('GET', `/integrations/${name}`, { as })).status, 200)
  await w.call('DELETE', `${tokens}/${made.body.id}`)
  assert.equal((await w.call('GET', `/integrations/${name}`, { as })).status, 401)
  for (let made = 0; made < TOKENS_MAX; made += 1)
    assert.equal((await w.call('POST', tokens, { body: { label: 'x' } })).status, 201)
  assert.equal((await w.call('POST', tokens, { body: { label: 'x' } })).status, 409)
  const [{ id }] = (await w.call('GET', tokens)).body.items
  const ended = { expires_at: new Date(Date.now() - 1) }
  await w.services.db.updateTable('tokens').set(ended).where('id', '=', id).execute()
  assert.equal((await w.call('POST', tokens, { body: { label: 'x' } })).status, 201, 'one has expired')
  assert.equal((await w.call('POST', tokens, { body: { label: 'x' } })).status, 409)
})

test('a token that expires makes no token of an integration that outlives it', async () => {
  const name = newName()
  await publish(name)
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  const { body: as } = await w.call('POST', '/user/tokens', { body: { label: 'short', expiresAt } })
  const { body } = await w.call('POST', `/integrations/${name}/tokens`, { as, body: { label: 'x' } })
  assert.equal(body.expiresAt, expiresAt)
})

test('unpublishing an integration removes its tokens and installations, with an event in their organizations', async () => {
  const name = newName()
  await publish(name, { visibility: 'public' })
  const { body: as } = await w.call('POST', `/integrations/${name}/tokens`, { body: { label: 'x' } })
  const { body: there } = await other.call('POST', `/integrations/${name}/installations`, {
    body: { organization: other.organizationId },
  })
  assert.equal((await w.call('DELETE', `/integrations/${name}`, { as: 'create' })).status, 403)
  assert.equal((await other.call('DELETE', `/integrations/${name}`)).status, 403)
  assert.equal((await w.call('DELETE', `/integrations/${name}`)).status, 204)
  assert.equal((await w.call('DELETE', `/integrations/${name}`)).status, 204)
  assert.equal((await w.call('GET', '/integrations', { as })).status, 401)
  assert.equal((await other.call('GET', `/integrations/${name}/installations/${there.id}`)).status, 404)
  const told = await w.services.db
    .selectFrom('events')
    .select('payload')
    .where('organization_id', '=', other.organizationId)
    .where('type', '=', 'installation.deleted')
    .execute()
  assert.deepEqual(
    told.map(({ payload }) => payload),
    [{ installation: there.id, integration: name }],
  )
})

test('sealed secrets open with their own key only, and no two are sealed alike', () => {
  const key = onlyKey(createSecretKey(Buffer.alloc(32, 1)))
  const secrets = { a: 'ä'.repeat(1000) }
  const sealed = sealSecrets(key, secrets)
  assert.deepEqual(openSecrets(key, sealed), secrets)
  assert.notDeepEqual(sealSecrets(key, secrets), sealed)
  assert.throws(() => openSecrets(onlyKey(createSecretKey(Buffer.alloc(32, 2))), sealed))
  const changed = Buffer.from(sealed)
  changed[changed.length - 1] = (changed.at(-1) as number) ^ 1
  assert.throws(() => openSecrets(key, changed))
})
