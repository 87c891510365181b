import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeRequestWith, proposeFiles } from '../../../test/support/change-requests.ts'
import { idAt, liveAt } from '../../../test/support/edits.ts'
import { publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { blockOf, keepPrivate, SECRET } from '../../../test/support/private-specification.ts'
import { keepSpecification } from '../../../test/support/specifications.ts'
import { world } from '../../../test/support/world.ts'

const w = await world()

const FILES = {
  'SUMMARY.md': '# Table of contents\n\n* [Start](README.md)\n\n## Guides\n\n* [Setup](setup.md)\n',
  'README.md':
    '# Start\n\nGo to [setup](setup.md#install).\n\n{% hint style="info" %}\nMind.\n{% endhint %}\n\n{% include ".gitbook/includes/note.md" %}\n\n```js\nlet a = 1\n```\n',
  'setup.md': '# Setup\n\n## Install\n\nBack to [start](README.md).\n',
  '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nOne.\n\nTwo.\n',
}

const keysIn = (html: string) => [...html.matchAll(/ data-block="([^"]*)"/g)].map(([, key]) => key ?? '')

async function pageOf(files: Parameters<typeof spaceWith>[1], body = {}) {
  const space = await spaceWith(w, files, body)
  return { space, page: await idAt(w, liveAt(space), 'readme') }
}

const htmlOf = (path: string, page: string, call = {}) => w.call('GET', `${path}/page/${page}/html`, call)

/** Once its code is coloured: on a busy machine later readers see more of it. */
async function completeHtmlOf(path: string, page: string) {
  for (;;) {
    const reply = await htmlOf(path, page)
    if (reply.body.complete !== false) return reply
  }
}

test('a page as HTML has the keys of its blocks, and its links the pages that they lead to', async () => {
  const { space, page } = await pageOf(FILES)
  const { status, body } = await completeHtmlOf(`/spaces/${space}/content`, page)
  assert.equal(status, 200)
  assert.deepEqual([body.id, body.complete, body.outline], [page, true, []])
  const { body: read } = await w.call('GET', `/spaces/${space}/content/page/${page}?format=document`)
  const keys: string[] = read.document.nodes.map(({ key }: { key: string }) => key)
  // An include shows both of its blocks.
  const [paragraph, hint, include, code] = keys
  assert.deepEqual(keysIn(body.html), [paragraph, hint, include, include, code])
  const setup = await idAt(w, liveAt(space), 'guides/setup')
  const link = `<a href="/s/${space}/guides/setup#install" data-page="${setup}" data-space="${space}">setup</a>`
  assert.ok(body.html.includes(link), body.html)
  assert.match(body.html, /class="tok-keyword"/)
  const { body: other } = await htmlOf(`/spaces/${space}/content`, setup)
  assert.deepEqual(other.outline, [{ id: 'page.install', text: 'Install', level: 2 }])
})

test('the page of the reader has no keys, whichever of them is read first, with links and without', async () => {
  for (const words of ['Go to [setup](setup.md).', 'Words without a link.']) {
    const files = { ...FILES, 'README.md': `# Start\n\n${words}\n` }
    const { space, page } = await pageOf(files, { visibility: 'public' })
    assert.match((await htmlOf(`/spaces/${space}/content`, page)).body.html, /data-block/)
    const { payload } = await w.app.inject({ url: `/s/${space}` })
    assert.ok(payload.includes(`<p>${words.slice(0, 5)}`))
    assert.ok(!/data-(?:block|page|space)/.test(payload))
  }
})

test('a page of a change request is as proposed and links within it, and one of a revision is as it was', async () => {
  const { space, page } = await pageOf(FILES)
  const { body: before } = await w.call('GET', `/spaces/${space}`)
  const proposed = { ...FILES, 'README.md': '# Start\n\nProposed: [setup](setup.md).\n' }
  const { id, number } = await changeRequestWith(w, space, proposed)
  const there = await htmlOf(`/spaces/${space}/change-requests/${id}/content`, page)
  assert.match(there.body.html, /Proposed/)
  assert.ok(there.body.html.includes(`href="/s/${space}/~/changes/${number}/guides/setup"`))
  await publishFiles(w, space, { ...FILES, 'README.md': '# Start\n\nLater.\n' })
  assert.match((await htmlOf(`/spaces/${space}/content`, page)).body.html, /Later/)
  assert.match((await htmlOf(`/spaces/${space}/revisions/${before.revision}`, page)).body.html, /Go to/)
})

test('what did not change is answered with 304, whatever else of the space did', async () => {
  const { space, page } = await pageOf(FILES)
  const first = await htmlOf(`/spaces/${space}/content`, page)
  const headers = { 'if-none-match': first.headers.etag }
  assert.equal((await htmlOf(`/spaces/${space}/content`, page, { headers })).status, 304)
  await publishFiles(w, space, { ...FILES, 'setup.md': '# Setup\n\nOther words.\n' })
  assert.equal((await htmlOf(`/spaces/${space}/content`, page, { headers })).status, 304)
  const moved = { ...FILES, 'SUMMARY.md': '* [Start](README.md)\n* [Setup](setup.md)\n' }
  await publishFiles(w, space, moved)
  assert.equal((await htmlOf(`/spaces/${space}/content`, page, { headers })).status, 200)
})

test('a page without a text has none, and one that is not there is missing', async () => {
  const { space } = await pageOf(FILES)
  const guides = await idAt(w, liveAt(space), 'guides')
  const { status, body } = await htmlOf(`/spaces/${space}/content`, guides)
  assert.deepEqual([status, body.html, body.outline], [200, '', []])
  assert.equal((await htmlOf(`/spaces/${space}/content`, 'unknown')).status, 404)
})

test('nothing in a page runs, and content cannot pretend to be a block or a page', async () => {
  const markdown =
    '# Start\n\n<p data-block="0123456789abcdef01234567" data-page="x" onclick="alert(1)">Words</p>\n\n<script>alert(1)</script>\n\n[x](javascript:alert)\n'
  const { space, page } = await pageOf({ 'README.md': markdown })
  const { body } = await htmlOf(`/spaces/${space}/content`, page)
  assert.ok(!/script|onclick|0123456789abcdef01234567|data-page/.test(body.html), body.html)
})

test('no id that a page chooses is one of the document that it is shown in', async () => {
  const markdown =
    '# Start\n\n## Main {#workspace:main}\n\n<h3 id="workspace:merge">Merge</h3>\n\n<a id="_r_1_"></a>Words[^1]\n\n{% tabs %}\n{% tab title="One" %}\nOne.\n{% endtab %}\n{% endtabs %}\n\n[^1]: Note.\n'
  const { space, page } = await pageOf({ 'README.md': markdown })
  const { body } = await htmlOf(`/spaces/${space}/content`, page)
  const ids = [...body.html.matchAll(/ (?:id|for|name)="([^"]*)"/g)].map(([, id]) => id)
  assert.deepEqual(
    ids.filter(id => !id.startsWith('page.')),
    [],
  )
  for (const id of ['workspace:main', 'workspace:merge', '_r_1_']) assert.ok(ids.includes(`page.${id}`), id)
})

test('a part of an API description is shown without its script', async () => {
  await keepSpecification(
    w,
    'shop',
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1' },
      servers: [{ url: 'https://shop.example' }],
      paths: { '/carts': { get: { summary: 'List carts', responses: {} } } },
    }),
  )
  const block =
    '{% openapi-operation spec="shop" path="/carts" method="get" %}\n[x](https://a.example)\n{% endopenapi-operation %}\n'
  const { space, page } = await pageOf({ 'README.md': `# Start\n\n${block}` })
  const { body } = await htmlOf(`/spaces/${space}/content`, page)
  assert.match(body.html, /List carts/)
  assert.ok(!body.html.includes('<script'))
  const ids = [...body.html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
  assert.ok(ids.length > 0)
  for (const id of ids) assert.match(id, /^(?:page\.|part:)/)
})

test('a private specification is shown where the reader of a change request may see it', async () => {
  await keepPrivate(w, 'private')
  const { space, page } = await pageOf({ 'README.md': '# Start\n\nWords.\n' })
  await w.call('PATCH', `/spaces/${space}/permissions/users/${w.people.guest.id}`, { body: { role: 'edit' } })
  const { body: made } = await w.call('POST', `/spaces/${space}/change-requests`, { as: 'guest', body: {} })
  await proposeFiles(w, made.id, { 'README.md': `# Start\n\n${blockOf('private')}` }, 'guest')
  const shown = async (as: 'guest' | 'read') =>
    (await htmlOf(`/spaces/${space}/change-requests/${made.id}/content`, page, { as })).body.html.includes(
      SECRET,
    )
  assert.deepEqual(await Promise.all([shown('read'), shown('guest')]), [true, false])
})
