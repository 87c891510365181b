import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inSeconds, shareLinkOf, signToken, visitorKeyOf } from '../../../test/support/visitors.ts'
import { world } from '../../../test/support/world.ts'
import { createLinkUses } from '../../access/link-uses.ts'
import { createPrincipals } from '../../access/principals.ts'
import { fits, NO_PROOFS, VISITOR_TOKEN_DAYS_MAX } from '../../access/proofs.ts'
import { newId } from '../../base/ids.ts'
import { KEYS_MAX, SHARE_LINKS_MAX } from './actions.ts'
import { flushLinkUses } from './jobs.ts'

const w = await world()
const nowhere = `/spaces/${newId()}`

const newSpace = async (visibility: string) => {
  const { id } = await w.createSpace({ title: 'Manual', visibility })
  return { id, s: `/spaces/${id}` }
}
const reading = async (s: string, shareKey: string) =>
  (await w.call('GET', `${s}/content/pages?shareKey=${shareKey}`, { as: null })).status
const readingWith = async (s: string, token: string) =>
  (await w.call('GET', `${s}/content/pages`, { as: { token } })).status

test('a share link opens its space, is renamed, closed, reopened and deleted', async () => {
  const { s } = await newSpace('share-link')
  const made = await w.call('POST', `${s}/share-links`, { body: { name: 'Partners' } })
  assert.equal(made.status, 201)
  const { id, createdAt, ...link } = made.body
  assert.equal(made.headers.location, `http://octavo.test/v1${s}/share-links/${id}`)
  assert.ok(Date.parse(createdAt) > 0)
  const key = new URL(link.urls.published).searchParams.get('shareKey') ?? ''
  assert.deepEqual(link, {
    object: 'share-link',
    name: 'Partners',
    active: true,
    urls: {
      location: made.headers.location,
      published: `http://octavo.test${s.replace('/spaces/', '/s/')}?shareKey=${key}`,
    },
  })
  assert.ok(key.length >= 43, 'a key has 256 bits and more')
  assert.equal(await reading(s, key), 200)
  const l = `${s}/share-links/${id}`
  const renamed = await w.call('PATCH', l, { body: { name: 'Friends' } })
  assert.deepEqual([renamed.status, renamed.body.name, renamed.body.active], [200, 'Friends', true])
  assert.equal((await w.call('PATCH', l, { body: { active: false } })).body.active, false)
  assert.equal(await reading(s, key), 401)
  assert.equal(
    (await w.call('PATCH', l, { body: { active: true } })).body.urls.published,
    link.urls.published,
  )
  assert.equal(await reading(s, key), 200)
  assert.deepEqual((await w.call('GET', l)).body, { ...made.body, name: 'Friends' })
  assert.equal((await w.call('DELETE', l)).status, 204)
  assert.equal((await w.call('DELETE', l)).status, 204, 'what is not there is deleted already')
  assert.equal(await reading(s, key), 401)
  assert.equal((await w.call('GET', l)).status, 404)
})

test('a link says when it last opened its space, to the hour, in one write for each hour however much is read', async () => {
  const { id: space, s } = await newSpace('share-link')
  const { id, urls } = (await w.call('POST', `${s}/share-links`, { body: { name: 'Partners' } })).body
  const key = new URL(urls.published).searchParams.get('shareKey') ?? ''
  const lastUse = async () => (await w.call('GET', `${s}/share-links/${id}`)).body.lastUsedAt
  assert.equal(await lastUse(), undefined)
  const before = Date.now()
  assert.equal(await reading(s, `${key}x`), 401)
  await flushLinkUses(w.services)
  assert.equal(await lastUse(), undefined, 'what opens nothing is no use')
  for (let time = 0; time < 3; time += 1) assert.equal(await reading(s, key), 200)
  await flushLinkUses(w.services)
  const used = Date.parse(await lastUse())
  assert.equal(used % 3_600_000, 0)
  assert.ok(used > before - 3_600_000 && used <= Date.now())
  assert.equal(await reading(s, key), 200)
  assert.equal(w.services.linkUses.take().size, 0, 'within the hour nothing is written again')

  let at = new Date('2030-01-01T10:59:00Z')
  const linkUses = createLinkUses(() => at)
  const visit = () =>
    fits(
      { ...w.services, linkUses },
      { ...NO_PROOFS, shareKey: key },
      { id: space, visibility: 'share-link' },
    )
  await visit()
  at = new Date('2030-01-01T11:00:00Z')
  await visit()
  await flushLinkUses({ db: w.services.db, linkUses })
  assert.equal(await lastUse(), '2030-01-01T11:00:00.000Z')
  // Another process that is a little behind.
  await flushLinkUses({
    db: w.services.db,
    linkUses: { note() {}, take: () => new Map([[id, new Date(used)]]) },
  })
  assert.equal(await lastUse(), '2030-01-01T11:00:00.000Z')
})

test('links are listed the oldest first, in pages', async () => {
  const { s } = await newSpace('private')
  for (const name of ['One', 'Two', 'Three']) await shareLinkOf(w, s.slice('/spaces/'.length), name)
  const first = (await w.call('GET', `${s}/share-links?limit=2`)).body
  const rest = (await w.call('GET', `${s}/share-links?limit=2&page=${first.next.page}`)).body
  assert.deepEqual(
    [...first.items, ...rest.items].map(({ name }: { name: string }) => name),
    ['One', 'Two', 'Three'],
  )
  assert.deepEqual([first.count, rest.next], [3, undefined])
  assert.equal((await w.call('GET', `${s}/share-links?limit=1001`)).status, 400)
})

test('a change without effect appends no event', async () => {
  const { id, s } = await newSpace('share-link')
  const link = await shareLinkOf(w, id)
  const told = async () => {
    const events = w.services.db.selectFrom('events').select('payload').where('space_id', '=', id)
    return (await events.where('type', '=', 'share_link.changed').execute()).map(({ payload }) => payload)
  }
  const l = `${s}/share-links/${link.id}`
  for (const body of [{}, { name: 'Partners' }, { active: true }])
    assert.equal((await w.call('PATCH', l, { body })).status, 200)
  assert.deepEqual(await told(), [])
  await w.call('PATCH', l, { body: { active: false, name: 'Partners' } })
  assert.deepEqual(await told(), [{ link: link.id, name: 'Partners', active: false, fields: ['active'] }])
})

test('a link is one of its own space', async () => {
  const [one, other] = [await newSpace('share-link'), await newSpace('share-link')]
  const link = await shareLinkOf(w, one.id)
  const foreign = `${other.s}/share-links/${link.id}`
  assert.equal((await w.call('GET', foreign)).status, 404)
  assert.equal((await w.call('PATCH', foreign, { body: { active: false } })).status, 404)
  assert.equal((await w.call('DELETE', foreign)).status, 204)
  assert.equal(await reading(one.s, link.key), 200, 'and stays')
  assert.equal(await reading(other.s, link.key), 401)
})

test('names have bounds, and so has the number of links', async () => {
  const { id, s } = await newSpace('share-link')
  for (const [body, message, values] of [
    [{}, /^body\.name: this is required/],
    [{ name: '' }, /^body\.name/],
    [{ name: 'x'.repeat(51) }, /^body\.name/, { max: 50 }],
    [{ name: null }, /^body\.name/],
  ] as const) {
    const reply = await w.call('POST', `${s}/share-links`, { body })
    assert.deepEqual([reply.status, message.test(reply.body.error.message)], [400, true], reply.text)
    assert.deepEqual([reply.body.error.reason, reply.body.error.values], ['body_invalid', values])
  }
  await w.services.transaction(async trx => {
    const rows = Array.from({ length: SHARE_LINKS_MAX }, () => ({ id: newId(), space_id: id, name: 'Many' }))
    await trx.insertInto('share_links').values(rows).execute()
  })
  const full = await w.call('POST', `${s}/share-links`, { body: { name: 'One more' } })
  assert.deepEqual([full.status, /1000 share links/.test(full.body.error.message)], [409, true])
  assert.deepEqual([full.body.error.reason, full.body.error.values], ['share_links_full', { max: 1000 }])
})

test('only admins of a space manage its links, keys and content tokens', async () => {
  const { id, s } = await newSpace('share-link')
  const link = await shareLinkOf(w, id)
  const calls = [
    ['GET', '/share-links'],
    ['POST', '/share-links', { name: 'Mine' }],
    ['GET', `/share-links/${link.id}`],
    ['PATCH', `/share-links/${link.id}`, { active: false }],
    ['DELETE', `/share-links/${link.id}`],
    ['GET', '/publishing/auth'],
    ['PATCH', '/publishing/auth', { fallbackURL: null }],
    ['POST', '/publishing/auth/regenerate'],
    ['GET', '/content-tokens'],
    ['POST', '/content-tokens'],
    ['DELETE', '/content-tokens/none'],
  ] as const
  const { body: narrow } = await w.call('POST', '/user/tokens', {
    body: { label: 'reads', scopes: ['space:read', 'space:write', 'space:permissions:read'] },
  })
  for (const [method, path, body] of calls) {
    const status = async (as: Parameters<typeof w.call>[2] & object) =>
      (await w.call(method, s + path, { ...as, ...(body === undefined ? {} : { body }) })).status
    assert.equal(await status({ as: 'create' }), 403, `${method} ${path}`)
    assert.equal(await status({ as: narrow }), 403, `${method} ${path} with a token that gives no roles`)
    assert.equal(await status({ as: null }), 401, `${method} ${path}`)
    assert.equal(await status({ as: 'stranger' }), method === 'DELETE' ? 204 : 404, `${method} ${path}`)
  }
  assert.equal(await reading(s, link.key), 200, 'none of it did anything')
})

test('rotating a key concurrently leaves one key, and earlier ones are refused', async () => {
  const { id, s } = await newSpace('visitor-auth')
  const before = await visitorKeyOf(w, id)
  const answers = await Promise.all([1, 2, 3].map(() => w.call('POST', `${s}/publishing/auth/regenerate`)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
  const made = answers.map(({ body }) => body.privateKey as string)
  const last = await visitorKeyOf(w, id)
  assert.equal(new Set([before, ...made]).size, 4)
  for (const key of [before, ...made])
    assert.equal(await readingWith(s, signToken(key, { exp: inSeconds(60) })), key === last ? 200 : 401)
})

test('a replaced key keeps working for its grace period, which a second rotation does not extend', async () => {
  const { id, s } = await newSpace('visitor-auth')
  const rotate = (body?: object) =>
    w.call('POST', `${s}/publishing/auth/regenerate`, body === undefined ? {} : { body })
  const keys = [await visitorKeyOf(w, id)]
  const opened = async () =>
    Promise.all(keys.map(async key => (await readingWith(s, signToken(key, { exp: inSeconds(60) }))) === 200))
  const before = Date.now()
  const first = (await rotate({ graceSeconds: 3600 })).body
  const after = Date.now()
  keys.push(first.privateKey)
  assert.deepEqual(await opened(), [true, true])
  const { retiresAt } = first.retiringKeys[0]
  const retiredAt = Date.parse(retiresAt) - 3_600_000
  assert.ok(retiredAt >= before && retiredAt <= after)
  const second = (await rotate({ graceSeconds: 7200 })).body
  keys.push(second.privateKey)
  assert.equal(second.retiringKeys.at(-1).retiresAt, retiresAt, 'a later grace lengthens no earlier one')
  assert.deepEqual(await opened(), [true, true, true])
  const { body } = await w.call('GET', `${s}/publishing/auth`)
  assert.deepEqual(body, second)
  await w.services.transaction(trx =>
    trx
      .updateTable('visitor_keys')
      .set({ retires_at: new Date(Date.now() - 1) })
      .where('id', '=', id)
      .execute(),
  )
  assert.deepEqual(await opened(), [false, true, true], 'the grace of the first one is over')
  const { body: ended } = await rotate()
  keys.push(ended.privateKey)
  assert.deepEqual([await opened(), ended.retiringKeys], [[false, false, false, true], []])
})

test('a key ends at its instant, though nothing is written then', async () => {
  const { id, s } = await newSpace('visitor-auth')
  const token = signToken(await visitorKeyOf(w, id), { exp: inSeconds(7200) })
  const { body } = await w.call('POST', `${s}/publishing/auth/regenerate`, { body: { graceSeconds: 3600 } })
  assert.equal(await readingWith(s, token), 200)
  const retiresAt = Date.parse(body.retiringKeys[0].retiresAt)
  const fitsAt = (ms: number) =>
    fits(w.services, { ...NO_PROOFS, visitorToken: token }, { id, visibility: 'visitor-auth' }, new Date(ms))
  assert.deepEqual([await fitsAt(retiresAt - 1), await fitsAt(retiresAt)], [true, false])
})

test('a token of a visitor lasts until its end, and for 30 days at most, with half a minute between two clocks', async () => {
  const { id } = await newSpace('visitor-auth')
  const key = await visitorKeyOf(w, id)
  const at = Math.floor(Date.now() / 1000)
  const fitsUntil = (exp: number) =>
    fits(
      w.services,
      { ...NO_PROOFS, visitorToken: signToken(key, { exp }) },
      { id, visibility: 'visitor-auth' },
      new Date(at * 1000),
    )
  const latest = at + VISITOR_TOKEN_DAYS_MAX * 24 * 3600 + 30
  assert.deepEqual([await fitsUntil(latest), await fitsUntil(latest + 1)], [true, false])
  assert.deepEqual([await fitsUntil(at - 29), await fitsUntil(at - 30)], [true, false])
})

test('few keys work at a time, and ending all of them is always possible', async () => {
  const { s } = await newSpace('visitor-auth')
  const rotate = (graceSeconds: number) =>
    w.call('POST', `${s}/publishing/auth/regenerate`, { body: { graceSeconds } })
  for (let n = 1; n < KEYS_MAX; n += 1) assert.equal((await rotate(60)).status, 200)
  const full = await rotate(60)
  assert.deepEqual([full.status, /^body\.graceSeconds/.test(full.body.error.message)], [409, true])
  assert.deepEqual((await rotate(0)).body.retiringKeys, [])
  for (const graceSeconds of [-1, 1.5, 30 * 24 * 3600 + 1, '60', null]) {
    const body = { graceSeconds }
    const reply = await w.call('POST', `${s}/publishing/auth/regenerate`, { body })
    assert.deepEqual([reply.status, /^body\.graceSeconds/.test(reply.body.error.message)], [400, true])
  }
})

test('the address for those without a token is one of the web, or none', async () => {
  const { s } = await newSpace('visitor-auth')
  const auth = `${s}/publishing/auth`
  const { body } = await w.call('GET', auth)
  assert.deepEqual(
    { ...body, privateKey: body.privateKey.length },
    { object: 'publishing-auth', backend: 'custom', privateKey: 43, retiringKeys: [] },
  )
  const fallbackURL = 'https://login.example/docs?from=octavo'
  assert.deepEqual((await w.call('PATCH', auth, { body: { fallbackURL } })).body, { ...body, fallbackURL })
  assert.deepEqual((await w.call('PATCH', auth, { body: {} })).body, { ...body, fallbackURL })
  for (const bad of [
    'javascript:alert(1)',
    'ftp://a.test/',
    '/s/here',
    'https://a b',
    'https://user:word@login.example',
    'https://user@login.example/docs',
    'https://:word@login.example',
    'https:///user:word@login.example',
    'https://a\\user:word@login.example',
    'HTTPS://login.example',
    `https://${'a'.repeat(2048)}`,
  ]) {
    const reply = await w.call('PATCH', auth, { body: { fallbackURL: bad } })
    assert.deepEqual([reply.status, /^body\.fallbackURL/.test(reply.body.error.message)], [400, true], bad)
  }
  assert.deepEqual((await w.call('PATCH', auth, { body: { fallbackURL: null } })).body, body)
})

test('a changed address for those without a token is told as a change of the space, and no change is not told', async () => {
  const { id, s } = await newSpace('visitor-auth')
  const fallbackURL = 'https://login.example/docs'
  for (const body of [{ fallbackURL: null }, { fallbackURL }, { fallbackURL }, {}])
    assert.equal((await w.call('PATCH', `${s}/publishing/auth`, { body })).status, 200)
  const events = w.services.db.selectFrom('events').select(['type', 'payload']).where('space_id', '=', id)
  assert.deepEqual(await events.where('type', '!=', 'space.created').execute(), [
    { type: 'space.changed', payload: { fields: ['fallbackURL'] } },
  ])
})

test('a content token reads its space, however private, until it ends or the space does', async () => {
  const { id, s } = await newSpace('private')
  const before = Date.now()
  const made = await w.call('POST', `${s}/content-tokens`)
  assert.equal(made.status, 201)
  const madeAt = Date.parse(made.body.expiresAt) - 3_600_000
  assert.ok(madeAt >= before && madeAt <= Date.now(), 'an hour')
  assert.equal(await readingWith(s, made.body.token), 200)
  const { status, body } = await w.call('POST', `${s}/content-tokens`, { body: { lifetimeSeconds: 1 } })
  assert.equal(status, 201)
  const end = Date.parse(body.expiresAt)
  const { db, changes } = w.services
  const readerAt = (ms: number) => createPrincipals(db, changes, () => new Date(ms)).find(body.token)
  assert.deepEqual([(await readerAt(end - 1))?.kind, await readerAt(end)], ['content', undefined])
  for (const lifetimeSeconds of [0, 86_401, 1.5, '60']) {
    const reply = await w.call('POST', `${s}/content-tokens`, { body: { lifetimeSeconds } })
    assert.deepEqual([reply.status, /^body\.lifetimeSeconds/.test(reply.body.error.message)], [400, true])
  }
  const rows = w.services.db.selectFrom('tokens').selectAll().where('space_id', '=', id)
  const kept = JSON.stringify(await rows.execute())
  assert.ok(!kept.includes(made.body.token), 'the secret is nowhere')
  await w.call('DELETE', s)
  assert.equal(await readingWith(s, made.body.token), 404)
})

test('a token created with a token expires no later than that token', async () => {
  const { s } = await newSpace('private')
  const expiresAt = new Date(Date.now() + 60_000).toISOString()
  const { body: maker } = await w.call('POST', '/user/tokens', { body: { label: 'short', expiresAt } })
  const { body } = await w.call('POST', `${s}/content-tokens`, { as: maker })
  assert.equal(body.expiresAt, expiresAt)
})

test('content tokens are listed without their secrets, and a revoked one is refused', async () => {
  const { s } = await newSpace('private')
  const other = await newSpace('private')
  const [one, two] = [
    (await w.call('POST', `${s}/content-tokens`)).body,
    (await w.call('POST', `${s}/content-tokens`)).body,
  ]
  const { token, ...details } = two
  assert.deepEqual(Object.keys(details), ['object', 'id', 'createdAt', 'expiresAt', 'createdBy'])
  assert.equal(details.createdBy, w.people.admin.id)
  const { body: list, text } = await w.call('GET', `${s}/content-tokens`)
  assert.deepEqual(list.items, [details, list.items[1]])
  assert.deepEqual([list.items[1].id, list.count], [one.id, 2])
  assert.ok(!text.includes(token) && !text.includes(one.token))
  assert.equal((await w.call('DELETE', `${other.s}/content-tokens/${one.id}`)).status, 204)
  assert.equal(await readingWith(s, one.token), 200, 'it is none of the other space')
  assert.equal((await w.call('DELETE', `${s}/content-tokens/${one.id}`)).status, 204)
  assert.equal((await w.call('DELETE', `${s}/content-tokens/${one.id}`)).status, 204)
  assert.deepEqual([await readingWith(s, one.token), await readingWith(s, token)], [401, 200])
  await w.services.db
    .updateTable('tokens')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('id', '=', two.id)
    .execute()
  assert.deepEqual((await w.call('GET', `${s}/content-tokens`)).body.items, [])
})

test('other tokens are none of content: neither listed nor revoked here', async () => {
  const { s } = await newSpace('private')
  const { body: own } = await w.call('POST', '/user/tokens', { body: { label: 'mine' } })
  assert.deepEqual((await w.call('GET', `${s}/content-tokens`)).body.items, [])
  await w.call('DELETE', `${s}/content-tokens/${own.id}`)
  assert.equal((await w.call('GET', '/user', { as: own })).status, 200)
})

test('no event holds a secret', async () => {
  const { id, s } = await newSpace('visitor-auth')
  const link = await shareLinkOf(w, id)
  const { body: auth } = await w.call('POST', `${s}/publishing/auth/regenerate`)
  const { body: made } = await w.call('POST', `${s}/content-tokens`)
  const events = await w.services.db.selectFrom('events').selectAll().where('space_id', '=', id).execute()
  const told = JSON.stringify(events)
  for (const secret of [link.key, auth.privateKey, made.token]) assert.ok(!told.includes(secret))
  assert.deepEqual(events.map(({ type }) => type).sort(), [
    'content_token.created',
    'share_link.created',
    'space.created',
    'visitor_key.rotated',
  ])
})

test('in a space that is deleted or unknown nothing is opened', async () => {
  const { id, s } = await newSpace('share-link')
  const link = await shareLinkOf(w, id)
  await w.call('DELETE', s)
  assert.equal(await reading(s, link.key), 401)
  for (const base of [s, nowhere]) {
    assert.equal((await w.call('POST', `${base}/share-links`, { body: { name: 'Late' } })).status, 404)
    assert.equal((await w.call('POST', `${base}/content-tokens`)).status, 404)
    assert.equal((await w.call('POST', `${base}/publishing/auth/regenerate`)).status, 404)
  }
  await w.call('POST', `${s}/restore`)
  assert.equal(await reading(s, link.key), 200, 'what was restored is as it was')
})

test('a request that is repeated with its key makes one link, and the answer is kept nowhere', async () => {
  const { id, s } = await newSpace('share-link')
  const call = { body: { name: 'Once' }, headers: { 'idempotency-key': newId() } }
  assert.equal((await w.call('POST', `${s}/share-links`, call)).status, 201)
  assert.equal((await w.call('POST', `${s}/share-links`, call)).status, 409)
  assert.equal((await w.call('GET', `/spaces/${id}/share-links`)).body.count, 1)
})
