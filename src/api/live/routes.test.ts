import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { spaceWith } from '../../../test/support/pages.ts'
import { originOf, serverWith } from '../../../test/support/server.ts'
import { cookieOf, signedIn, Tab } from '../../../test/support/sessions.ts'
import { type PersonName, world } from '../../../test/support/world.ts'

const w = await world()
const origin = await originOf(w)
const open = new Set<AbortController>()
after(() => {
  for (const one of open) one.abort()
})

type Live = {
  readonly status: number
  /** The next event; undefined when the stream has ended. */
  next(): Promise<Record<string, string> | undefined>
  close(): void
}

async function listen(headers: Record<string, string>, query = '', of = origin): Promise<Live> {
  const controller = new AbortController()
  open.add(controller)
  const answer = await fetch(`${of}/v1/stream${query}`, { headers, signal: controller.signal })
  const reader = (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const close = () => {
    controller.abort()
    open.delete(controller)
  }
  const next = async (): Promise<Record<string, string> | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const frame = text.slice(0, end)
        text = text.slice(end + 2)
        if (frame.startsWith('event: done')) return undefined
        if (frame.startsWith('data: ')) return JSON.parse(frame.slice(6))
        continue
      }
      const { done, value } = await reader.read()
      if (done) return undefined
      text += value
    }
  }
  return { status: answer.status, next, close }
}

const tokenOf = (person: PersonName) => ({ authorization: `Bearer ${w.people[person].token}` })

/** Begun and greeted. */
async function listenAs(person: PersonName, query = ''): Promise<Live> {
  const live = await listen(tokenOf(person), query)
  assert.deepEqual(await live.next(), { type: 'hello' })
  return live
}

test('GET /stream → a hello at once, then what moved, without its content', async () => {
  const space = await spaceWith(w, { 'README.md': '# Start\n' })
  const live = await listenAs('read')
  const { body } = await w.call('POST', `/spaces/${space}/change-requests`, {
    body: { subject: 'Secret words' },
  })
  const at = { organization: w.organizationId, space, changeRequest: body.id }
  assert.deepEqual(await live.next(), { type: 'changeRequest', ...at })
  const comment = await w.call('POST', `/spaces/${space}/change-requests/${body.id}/comments`, {
    body: { body: { markdown: 'Well said' } },
  })
  assert.deepEqual(await live.next(), { type: 'comment', ...at, comment: comment.body.id })
  live.close()
})

test('GET /stream in a browser with a session → the same', async () => {
  const space = await spaceWith(w, { 'README.md': '# Start\n' })
  const live = await listen({ cookie: await cookieOf(w, 'read'), 'octavo-workspace': '1' })
  assert.deepEqual(await live.next(), { type: 'hello' })
  await w.call('PATCH', `/spaces/${space}`, { body: { title: 'Renamed' } })
  assert.deepEqual(await live.next(), { type: 'space', organization: w.organizationId, space })
  live.close()
})

test('GET /stream → the person who is told of something hears that, and nobody else', async () => {
  const space = await spaceWith(w, { 'README.md': '# Start\n' })
  const [told, other] = [await listenAs('edit'), await listenAs('read')]
  await w.call('POST', `/spaces/${space}/comments`, {
    body: { body: { markdown: `[@Edit](/users/${w.people.edit.id})` } },
  })
  assert.equal((await told.next())?.type, 'comment')
  assert.deepEqual(await told.next(), { type: 'notification' })
  assert.equal((await other.next())?.type, 'comment')
  const [{ id }] = (await w.call('GET', '/user/notifications', { as: 'edit' })).body.items
  await w.call('PATCH', `/user/notifications/${id}`, { as: 'edit', body: { read: true } })
  assert.deepEqual(await told.next(), { type: 'notification' })
  await w.call('PATCH', `/spaces/${space}`, { body: { title: 'Renamed' } })
  assert.equal((await other.next())?.type, 'space')
  for (const one of [told, other]) one.close()
})

test('GET /stream → nothing of a space that its reader may not see, and nothing for strangers', async () => {
  const hidden = await w.createSpace({ title: 'Hidden' })
  await w.call('PATCH', `/spaces/${hidden.id}`, { body: { defaultLevel: null } })
  const shown = await spaceWith(w, { 'README.md': '# Start\n' })
  const [member, stranger] = [await listenAs('read'), await listenAs('stranger')]
  await w.call('POST', `/spaces/${hidden.id}/change-requests`, { body: { subject: 'Hidden' } })
  await w.call('POST', `/spaces/${shown}/change-requests`, { body: { subject: 'Shown' } })
  assert.equal((await member.next())?.space, shown)
  const told = await Promise.race([stranger.next(), new Promise(resolve => setImmediate(resolve, 'nothing'))])
  assert.equal(told, 'nothing')
  for (const one of [member, stranger]) one.close()
})

test('GET /stream → who loses a space by its settings is told that the list has changed', async () => {
  const space = await spaceWith(w, { 'README.md': '# Start\n' })
  const live = await listenAs('read')
  await w.call('PATCH', `/spaces/${space}`, { body: { defaultLevel: null } })
  assert.deepEqual(await live.next(), { type: 'spaces', organization: w.organizationId })
  live.close()
})

test('GET /stream → members are told that what they may do in spaces has changed with the default role', async () => {
  const live = await listenAs('read')
  await w.call('PATCH', `/orgs/${w.organizationId}`, { body: { defaultRole: 'comment' } })
  assert.deepEqual(await live.next(), { type: 'spaces', organization: w.organizationId })
  live.close()
})

test('GET /stream?spaces=… → only these, and one that may not be seen is as one that does not exist', async () => {
  const [one, other] = [await spaceWith(w, { 'a.md': 'A\n' }), await spaceWith(w, { 'b.md': 'B\n' })]
  const live = await listenAs('read', `?spaces=${one}&spaces=nothing`)
  await w.call('POST', `/spaces/${other}/change-requests`, { body: { subject: 'Other' } })
  await w.call('POST', `/spaces/${one}/change-requests`, { body: { subject: 'One' } })
  assert.equal((await live.next())?.space, one)
  live.close()
})

test('GET /stream → ends when the session ends, the token is deleted, or the membership changes', async () => {
  const cookie = await cookieOf(w, 'edit')
  const bySession = await listen({ cookie, 'octavo-workspace': '1' })
  const made = await w.call('POST', '/user/tokens', { body: { label: 'Live' }, as: 'edit' })
  const byToken = await listen({ authorization: `Bearer ${made.body.token}` })
  const asMember = await listenAs('comment')
  for (const one of [bySession, byToken]) assert.deepEqual(await one.next(), { type: 'hello' })
  const { body: sessions } = await w.call('GET', '/user/sessions', { as: 'edit' })
  for (const { id } of sessions.items) await w.call('DELETE', `/user/sessions/${id}`, { as: 'edit' })
  assert.equal(await bySession.next(), undefined)
  await w.call('DELETE', `/user/tokens/${made.body.id}`, { as: 'edit' })
  assert.equal(await byToken.next(), undefined)
  await w.call('PATCH', `/orgs/${w.organizationId}/members/${w.people.comment.id}`, {
    body: { role: 'edit' },
  })
  let last = await asMember.next()
  while (last !== undefined) last = await asMember.next()
})

test('GET /stream → ends when its browser is signed out of by the form', async () => {
  const tab = new Tab(w)
  const secret = await signedIn(w, 'review')
  tab.cookies.set('octavo_session', secret)
  const live = await listen({ cookie: `octavo_session=${secret}`, 'octavo-workspace': '1' })
  assert.deepEqual(await live.next(), { type: 'hello' })
  assert.equal((await tab.post('/sign-out', { person: w.people.review.id })).status, 303)
  assert.equal(await live.next(), undefined)
})

test('GET /stream → ends when the server stops, which does not wait for its reader to leave', async () => {
  const app = serverWith(w, {})
  const live = await listen(tokenOf('review'), '', await originOf({ app }))
  assert.deepEqual(await live.next(), { type: 'hello' })
  const stopped = app.close()
  assert.equal(await live.next(), undefined)
  await stopped
})

test('GET /stream → 401 without a person, 429 beyond twenty of one person, and free again once they close', async () => {
  assert.equal((await listen({})).status, 401)
  const all = await Promise.all(Array.from({ length: 20 }, () => listen(tokenOf('review'))))
  const [first] = all
  assert.equal((await listen(tokenOf('review'))).status, 429)
  first?.close()
  let status = 429
  while (status === 429) {
    const again = await listen(tokenOf('review'))
    ;({ status } = again)
    again.close()
  }
  assert.equal(status, 200)
  for (const one of all) one.close()
})
