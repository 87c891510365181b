import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeRequestWith } from '../../../test/support/change-requests.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'
import { now } from '../../base/clock.ts'
import { type PrintAddress, readPrintAddress, toPrintUrl } from './address.ts'

const w = await world()
const { services } = w
const files = { 'SUMMARY.md': '* [A](a.md)\n* [Site](https://example.com)\n', 'a.md': '# A\n' }
const space = await spaceWith(w, files, { visibility: 'public' })
const { body: content } = await w.call('GET', `/spaces/${space}/content`)
const [page, link] = content.pages

/** What an address says, as the reader takes it. */
function readUrl(url: string): PrintAddress | undefined {
  const { pathname, searchParams } = new URL(url)
  const [, , spaceId = '', revisionId = '', seconds = '', signature = ''] = pathname.split('/')
  return readPrintAddress(
    services.signingKey,
    { spaceId, revisionId, seconds, signature },
    Object.fromEntries(searchParams),
  )
}

test('the address of a print view names the revision, what is printed, and the hour it works', async () => {
  for (const [query, printed] of [
    ['', { page: null, isAlone: false }],
    [`?page=${page.id}`, { page: page.id, isAlone: false }],
    [`?page=${page.id}&only=true`, { page: page.id, isAlone: true }],
    ['?only=false', { page: null, isAlone: false }],
  ] as const) {
    const { status, body } = await w.call('GET', `/spaces/${space}/pdf${query}`)
    assert.equal(status, 200)
    const { expiresAt, ...address } = readUrl(body.url) ?? assert.fail(body.url)
    const makerId = w.people.admin.id
    assert.deepEqual(address, { spaceId: space, revisionId: content.id, makerId, ...printed })
    const seconds = (expiresAt.getTime() - now().getTime()) / 1000
    assert.ok(seconds > 3590 && seconds <= 3600, String(seconds))
  }
})

test('a change request has a print view of its own content', async () => {
  const { id } = await changeRequestWith(w, space, { 'b.md': '# B\n' })
  const at = `/spaces/${space}/change-requests/${id}`
  const { body: proposed } = await w.call('GET', `${at}/content`)
  const { body } = await w.call('GET', `${at}/pdf?page=${proposed.pages[0].id}`)
  assert.equal(readUrl(body.url)?.revisionId, proposed.id)
  assert.equal((await w.call('GET', `${at}/pdf?page=${page.id}`)).status, 404, 'a page that would be gone')
})

test('only without a page is refused, and so is what cannot be printed', async () => {
  const { status, body } = await w.call('GET', `/spaces/${space}/pdf?only=true`)
  assert.equal(status, 400)
  assert.match(body.error.message, /^query\.only: .*page/)
  assert.equal((await w.call('GET', `/spaces/${space}/pdf?only=perhaps&page=${page.id}`)).status, 400)
  for (const id of ['unknown', link.id]) {
    const answer = await w.call('GET', `/spaces/${space}/pdf?page=${id}`)
    assert.equal(answer.status, 404)
    assert.match(answer.body.error.message, /no such page/)
  }
})

test('a visitor of an open space may print it, and nobody prints a change request that they may not see', async () => {
  assert.equal((await w.call('GET', `/spaces/${space}/pdf`, { as: 'stranger' })).status, 200)
  const { id } = await changeRequestWith(w, space, files)
  const at = `/spaces/${space}/change-requests/${id}/pdf`
  assert.equal((await w.call('GET', at, { as: 'stranger' })).status, 404)
})

test('an address of which any part was changed is not one of ours', () => {
  const address: PrintAddress = {
    ...{ spaceId: 'a', revisionId: 'b', page: 'c', isAlone: false, makerId: 'm' },
    expiresAt: new Date(4_000_000_000_000),
  }
  const url = toPrintUrl(services.urls, services.signingKey, address)
  assert.deepEqual(readUrl(url), address)
  for (const other of [
    url.replace('/print/a/', '/print/x/'),
    url.replace('/a/b/', '/a/x/'),
    url.replace('4000000000', '4000000001'),
    url.replace('4000000000', '4e9'),
    url.replace('page=c', 'page=x'),
    url.replace('&page=c', ''),
    url.replace('by=m', 'by=x'),
    url.replace('by=m&', ''),
    `${url}&only=true`,
    url.replace(/[^/]+(?=\?)/, 'AAAA'),
  ])
    assert.equal(readUrl(other), undefined, other)
})
