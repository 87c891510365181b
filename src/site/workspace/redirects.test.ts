import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeRequestWith } from '../../../test/support/change-requests.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { cookieOf } from '../../../test/support/sessions.ts'
import { shareLinkOf } from '../../../test/support/visitors.ts'
import { type PersonName, world } from '../../../test/support/world.ts'
import { newId } from '../../base/ids.ts'

const w = await world()
const spaceOf = async (visibility: string): Promise<string> => {
  const id = await spaceWith(w, { 'README.md': '# Start\n' }, { visibility })
  await changeRequestWith(w, id, { 'README.md': '# Start\n\nWords.\n' })
  return id
}
const space = await spaceOf('public')

async function ask(path: string, as: PersonName | null, cookies = '') {
  const cookie = as === null ? cookies : await cookieOf(w, as)
  const { statusCode, headers, payload } = await w.app.inject({
    url: path,
    headers: cookie === '' ? {} : { cookie },
  })
  return {
    status: statusCode,
    to: headers.location,
    vary: headers.vary,
    caching: headers['cache-control'],
    payload,
  }
}

/** The addresses of the reader, and where they lead. */
const pairsOf = (id: string): [string, string][] =>
  [
    ['', ''],
    ['?status=all', ''],
    ['?status=nonsense&page=made-up', ''],
    ['?status=draft', '?filter=draft'],
    ['?status=merged', '?filter=merged'],
    ['?status=archived', '?filter=archived'],
    ['/1', '/1'],
    ['/1/~/page/some%20id', '/1/changes?item=page.some%20id'],
  ].map(([from, to]) => [`/s/${id}/~/changes${from}`, `/w/s/${id}/c${to}`])

test('addresses of change requests below a space lead its members to the workspace, for good and not for others', async () => {
  for (const [from, to] of pairsOf(space)) {
    const { status, to: location, vary, caching } = await ask(from, 'read')
    assert.deepEqual([status, location], [301, to], from)
    assert.deepEqual([vary, caching], ['Cookie', 'private, no-cache'], 'another who signs in asks again')
  }
})

test('a change request says the address to which its former address leads', async () => {
  const { body } = await w.call('GET', `/spaces/${space}/change-requests/1`)
  assert.equal(body.urls.app, `http://octavo.test/w/s/${space}/c/1`)
})

test('whoever is not signed in signs in first, and learns of no space and no change request whether it is there', async () => {
  const hidden = await spaceOf('private')
  const told = new Set<string>()
  for (const id of [space, hidden, newId()])
    for (const [from, to] of [...pairsOf(id), [`/s/${id}/~/changes/7`, `/w/s/${id}/c/7`] as const]) {
      const { status, to: location, payload } = await ask(from, null)
      assert.deepEqual([status, location], [302, `/sign-in?next=${encodeURIComponent(to)}`], from)
      told.add(payload)
    }
  assert.deepEqual([...told], [''])
})

test('a share key is no membership: it leads to sign in', async () => {
  const shared = await spaceOf('share-link')
  const { key } = await shareLinkOf(w, shared)
  const cookie = `octavo_share_${shared}=${key}`
  assert.equal((await ask(`/s/${shared}`, null, cookie)).status, 200)
  for (const [path, set] of [
    [`/s/${shared}/~/changes/1`, cookie],
    [`/s/${shared}/~/changes/1?shareKey=${key}`, ''],
  ] as const) {
    const { status, to } = await ask(path, null, set)
    assert.deepEqual([status, to], [302, `/sign-in?next=${encodeURIComponent(`/w/s/${shared}/c/1`)}`])
  }
})

test('to who is signed in and does not belong to the space, a space that is open to all has none of it', async () => {
  const nowhere = (await ask(`/s/${newId()}/~/changes/1`, 'stranger')).payload
  const wordsOf = (html: string) => /<main[^>]*>(.*)<\/main>/s.exec(html)?.[1]
  for (const person of ['stranger', 'guest'] as const)
    for (const [from] of pairsOf(space)) {
      const { status, payload } = await ask(from, person)
      assert.equal(status, 404, `${from} to ${person}`)
      assert.equal(wordsOf(payload), wordsOf(nowhere))
    }
})

test('what is no change request of the space leads members nowhere', async () => {
  for (const number of ['0', '2', 'x', '%00', '99999999999', '..%2F..%2Fx', '%0d%0aa'])
    assert.equal((await ask(`/s/${space}/~/changes/${number}`, 'read')).status, 404, number)
  assert.equal((await ask('/s/%00/~/changes', 'read')).status, 404)
})

test('what is written into an address stays in its part of the address', async () => {
  const { to } = await ask('/s/..%2F..%2Fevil.test%0d%0a/~/changes/%22%3E', null)
  const next = new URL(String(to), 'http://octavo.test').searchParams.get('next')
  assert.equal(next, '/w/s/..%2F..%2Fevil.test%0D%0A/c/%22%3E')
  const item = await ask(`/s/${space}/~/changes/1/~/page/a&b%23%3F`, 'read')
  assert.equal(item.to, `/w/s/${space}/c/1/changes?item=page.a%26b%23%3F`)
})
