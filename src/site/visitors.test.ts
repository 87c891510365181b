import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PIXEL, publishFiles, spaceWith } from '../../test/support/pages.ts'
import { serverWith } from '../../test/support/server.ts'
import {
  inSeconds,
  shareLinkOf,
  signToken,
  visitorKeyOf,
  visitorTokenOf,
} from '../../test/support/visitors.ts'
import { world } from '../../test/support/world.ts'
import { newId } from '../base/ids.ts'

const w = await world()

const FILES = {
  'README.md': '# Rain\n\n![](.gitbook/assets/pixel.png)\n',
  'snow.md': '# Snow\n\nIt snows.\n',
  '.gitbook/assets/pixel.png': PIXEL,
}
const manual = (visibility: string) => spaceWith(w, FILES, { title: 'Manual', visibility })

async function visit(url: string, cookie?: string) {
  const headers = cookie === undefined ? {} : { cookie }
  const { statusCode: status, headers: answered, payload } = await w.app.inject({ url, headers })
  const set = [answered['set-cookie'] ?? []].flat()
  return { status, text: payload, set, location: answered.location, headers: answered }
}

/** What a browser would send back. */
const sent = (set: readonly string[]) => set.map(one => one.split(';', 1)[0]).join('; ')

test('a share link leads to the space, and the browser reads on without the key in the address', async () => {
  const id = await manual('share-link')
  const { key, url } = await shareLinkOf(w, id)
  const first = await visit(url.replace('http://octavo.test', ''))
  assert.deepEqual([first.status, first.location], [302, `/s/${id}`])
  assert.deepEqual(first.set, [
    `octavo_share_${id}=${key}; Path=/s/${id}; HttpOnly; SameSite=Lax; Max-Age=2592000`,
  ])
  assert.equal(first.headers['cache-control'], 'no-store')
  assert.equal(first.headers['referrer-policy'], 'no-referrer')
  const paths = ['', '/snow', '/snow.md', '/llms.txt', '/llms-full.txt', '/~/search?q=snow']
  for (const path of [...paths, '/~/search?q=snow&fragment=1']) {
    const page = await visit(`/s/${id}${path}`, sent(first.set))
    assert.equal(page.status, 200, path)
    assert.equal(page.headers['x-robots-tag'], 'noindex', path)
    assert.equal(page.headers['cache-control'], 'private, no-cache', path)
    assert.ok(!page.text.includes(key), 'no page repeats the key')
    assert.equal((await visit(`/s/${id}${path}`)).status, 404, path)
  }
  const deep = await visit(`/s/${id}/~/search?q=a%26b&shareKey=${key}&page=2`)
  assert.equal(deep.location, `/s/${id}/~/search?q=a%26b&page=2`)
})

test('by https the cookie never goes over an open line', async () => {
  const id = await manual('share-link')
  const { key } = await shareLinkOf(w, id)
  const app = serverWith(w, { publicUrl: 'https://octavo.test' })
  try {
    const { headers } = await app.inject({ url: `/s/${id}?shareKey=${key}` })
    const set = String(headers['set-cookie'])
    assert.match(
      set,
      new RegExp(`^__Secure-octavo_share_${id}=.*; Path=/s/${id}; HttpOnly; SameSite=Lax; .*; Secure$`),
    )
    const read = (cookie: string) => app.inject({ url: `/s/${id}`, headers: { cookie } })
    assert.equal((await read(sent([set]))).statusCode, 200)
    assert.equal(
      (await read(sent([set]).replace('__Secure-', ''))).statusCode,
      404,
      'anybody can plant that one',
    )
  } finally {
    await app.close()
  }
})

test('the key of one space opens no other, no change request and no page of the API', async () => {
  const [id, other] = [await manual('share-link'), await manual('share-link')]
  const { key } = await shareLinkOf(w, id)
  await w.call('POST', `/spaces/${id}/change-requests`)
  const cookies = `octavo_share_${id}=${key}; octavo_share_${other}=${key}`
  assert.equal((await visit(`/s/${id}`, cookies)).status, 200)
  assert.equal((await visit(`/s/${other}`, cookies)).status, 404)
  assert.equal((await visit(`/s/${other}?shareKey=${key}`)).status, 404)
  assert.equal((await visit(`/s/${id}/~/changes/1/rain`, cookies)).status, 404)
  assert.equal((await visit(`/s/${id}/~/changes/1/rain?shareKey=${key}`)).status, 404)
  assert.equal((await visit(`/v1/spaces/${id}`, cookies)).status, 401)
  assert.ok(!(await visit('/', cookies)).text.includes(id), 'the home page lists no such space')
})

test('a wrong key answers like any address without a space, and is kept in no cookie', async () => {
  const { key } = await shareLinkOf(w, await manual('share-link'))
  const texts = new Set<string>()
  const spaces = [await manual('share-link'), await manual('private'), await manual('visitor-auth'), newId()]
  for (const id of spaces) {
    for (const query of [
      `shareKey=${key}`,
      'shareKey=%00',
      'shareKey=a&shareKey=b',
      'jwt_token=a.b.c',
      'jwt_token=',
    ]) {
      const { status, set, text } = await visit(`/s/${id}?${query}`)
      assert.deepEqual([status, set], [404, []])
      texts.add(text.replaceAll(id, 'ID').replaceAll(encodeURIComponent(query), 'QUERY'))
    }
  }
  assert.equal(texts.size, 1)
})

test('a member is redirected to the clean address and keeps no key that does not fit', async () => {
  const id = await manual('public')
  const { status, location, set } = await visit(`/s/${id}/snow?shareKey=old&jwt_token=older`)
  assert.deepEqual([status, location, set], [302, `/s/${id}/snow`, []])
  const page = await visit(`/s/${id}`)
  assert.deepEqual([page.status, page.headers['x-robots-tag']], [200, undefined])
})

test('a closed link closes the pages that it opened, and a newer one opens them beside the old cookie', async () => {
  const id = await manual('share-link')
  const [old, young] = [await shareLinkOf(w, id), await shareLinkOf(w, id)]
  const cookie = `octavo_share_${id}=${old.key}`
  assert.equal((await visit(`/s/${id}`, cookie)).status, 200)
  await w.call('DELETE', `/spaces/${id}/share-links/${old.id}`)
  assert.equal((await visit(`/s/${id}`, cookie)).status, 404)
  const again = await visit(`/s/${id}?shareKey=${young.key}`, cookie)
  assert.equal((await visit(`/s/${id}`, sent(again.set))).status, 200)
  await publishFiles(w, id, { 'README.md': '# Hail\n' })
  assert.match((await visit(`/s/${id}`, sent(again.set))).text, /Hail/)
})

test('a token of the server of a space opens it to the browser that brings it', async () => {
  const id = await manual('visitor-auth')
  const token = await visitorTokenOf(w, id)
  assert.equal((await visit(`/s/${id}`)).status, 404)
  const first = await visit(`/s/${id}/snow?jwt_token=${token}`)
  assert.deepEqual([first.status, first.location], [302, `/s/${id}/snow`])
  assert.match(
    first.set[0] ?? '',
    new RegExp(`^octavo_visitor_${id}=eyJ.*; Path=/s/${id}; HttpOnly; SameSite=Lax`),
  )
  assert.equal((await visit(`/s/${id}/snow`, sent(first.set))).status, 200)
  await w.call('POST', `/spaces/${id}/publishing/auth/regenerate`)
  assert.equal((await visit(`/s/${id}/snow`, sent(first.set))).status, 404)
})

test('without a token a browser is sent to the server that makes them, and never round in circles', async () => {
  const id = await manual('visitor-auth')
  const key = await visitorKeyOf(w, id)
  await w.call('PATCH', `/spaces/${id}/publishing/auth`, {
    body: { fallbackURL: 'https://login.example/docs?from=octavo' },
  })
  const to = (path: string) => {
    const url = new URL('https://login.example/docs?from=octavo')
    url.searchParams.set('location', path)
    return url.href
  }
  const expired = `octavo_visitor_${id}=${signToken(key, { exp: inSeconds(-60) })}`
  for (const cookie of [undefined, expired]) {
    for (const path of [`/s/${id}`, `/s/${id}/snow?a=b%20c`, `/s/${id}/nowhere`]) {
      const { status, location, set } = await visit(path, cookie)
      assert.deepEqual([status, location, set], [302, to(path.replace('%20', '+')), []])
    }
  }
  const wrong = await visit(`/s/${id}?jwt_token=${signToken('wrong', { exp: inSeconds(60) })}`)
  assert.deepEqual([wrong.status, wrong.location, wrong.set], [403, undefined, []])
  assert.match(wrong.text, /not valid here/)
  const fragment = await visit(`/s/${id}/~/search?q=snow&fragment=1`)
  assert.deepEqual([fragment.status, fragment.location], [404, undefined], 'a script is not sent away')
  await w.call('PATCH', `/spaces/${id}`, { body: { visibility: 'private' } })
  assert.equal((await visit(`/s/${id}`)).status, 404, 'a private space says nothing of itself')
  await w.call('PATCH', `/spaces/${id}`, { body: { visibility: 'visitor-auth' } })
  await w.call('DELETE', `/spaces/${id}`)
  assert.equal((await visit(`/s/${id}`)).status, 404)
})

test('the files of a shared space are handed out in its content alone', async () => {
  const id = await manual('share-link')
  const { key } = await shareLinkOf(w, id)
  const { body } = await w.call('GET', `/spaces/${id}/content/files?shareKey=${key}`, { as: null })
  const download = new URL(body.items[0].downloadURL)
  assert.equal((await visit(download.pathname + download.search)).status, 200)
  const [, , blob] = download.pathname.split('/')
  const forged = download.pathname.replace(/\/files\/[^/]+\/[^/]+/, `/files/${blob}/${'A'.repeat(22)}`)
  for (const query of ['', `&shareKey=${key}`])
    assert.equal(
      (await visit(`${forged}${download.search}${query}`, `octavo_share_${id}=${key}`)).status,
      404,
    )
  const page = await visit(`/s/${id}`)
  assert.deepEqual([page.status, page.text.includes(blob ?? '?')], [404, false])
})

test('a malformed cookie is ignored', async () => {
  const id = await manual('share-link')
  for (const value of ['%00', '%E0%A4%A', 'x'.repeat(9000), '"', 'a b', '__proto__'])
    assert.equal(
      (await visit(`/s/${id}`, `octavo_share_${id}=${value}; octavo_visitor_${id}=${value}`)).status,
      404,
    )
})
