import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PIXEL, publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'

const w = await world()

const README =
  '\ufeff---\ndescription: Where it begins\nicon: rocket\nhidden: false\n---\r\n\r\n# Start\r\n\r\nGo to [setup](guides/setup.md#install), [away](https://example.com) or [nowhere](missing.md).   \r\n'
const SETUP =
  '# Setup\n\n## Install\n\n{% hint style="warning" %}\nMind the **gap**.\n{% endhint %}\n\n![A dot](../.gitbook/assets/dot.png)\n'
const files = {
  'SUMMARY.md': [
    '# Table of contents',
    '',
    '* [Start](README.md)',
    '',
    '## Guides',
    '',
    '* [Setup](guides/setup.md)',
    '  * [Deeper](guides/deeper.md)',
    '* [The site](https://example.com/site)',
  ].join('\n'),
  'README.md': README,
  'guides/setup.md': SETUP,
  'guides/deeper.md': '# Deeper\n\nSee [setup](setup.md).\n',
  '.gitbook/assets/dot.png': PIXEL,
  '.gitbook/assets/notes.txt': 'plain words\n',
  '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nReuse me.\n',
  '.gitbook/vars.yaml': 'product: Octavo\nmajor: 1\n',
}
const id = await spaceWith(w, files, { title: 'Content' })
const get = (path: string) => w.call('GET', `/spaces/${id}${path}`)
const { body: revision } = await get('/content')
const [start, guides] = revision.pages
const [setup, site] = guides.pages

test('a revision has its pages in order, its files by name, reusable contents and variables', () => {
  assert.equal(revision.object, 'revision')
  assert.equal(revision.type, 'edits')
  assert.deepEqual(
    [start.title, guides.title, guides.type, setup.title, setup.pages[0].title],
    ['Start', 'Guides', 'group', 'Setup', 'Deeper'],
  )
  assert.deepEqual(
    [site.type, site.target, site.href],
    ['link', { kind: 'url', url: 'https://example.com/site' }, 'https://example.com/site'],
  )
  assert.deepEqual(
    revision.files.map((file: { name: string }) => file.name),
    ['dot.png', 'notes.txt'],
  )
  assert.deepEqual(revision.variables, { major: 1, product: 'Octavo' })
  assert.equal(revision.reusableContents[0].title, 'Note')
  assert.deepEqual(revision.urls, { app: `http://octavo.test/s/${id}` })
})

test('a document page has everything the interface promises', () => {
  assert.equal(start.kind, 'sheet')
  assert.equal(start.description, 'Where it begins')
  assert.equal(start.icon, 'rocket')
  assert.equal(setup.path, 'guides/setup')
  assert.equal(setup.slug, 'setup')
  assert.equal(setup.urls.app, `http://octavo.test/s/${id}/guides/setup`)
  assert.deepEqual([setup.hidden, setup.noIndex, setup.noRobotsIndex], [false, false, false])
  assert.equal(Object.keys(setup.layout).length, 9)
  assert.equal(setup.git.path, 'guides/setup.md')
  assert.match(setup.git.oid, /^[0-9a-f]{40}$/)
  assert.equal(setup.markdown, undefined, 'trees carry no bodies')
})

test('the text of a page is byte for byte what was written, BOM, CRLF and trailing spaces included', async () => {
  for (const query of ['', '?format=markdown']) {
    const { body } = await get(`/content/page/${start.id}${query}`)
    assert.equal(body.markdown, README)
    assert.equal(body.document, undefined)
  }
})

test('GET …/content/page/{id} says where the text begins, behind frontmatter and title', async () => {
  const space = await spaceWith(w, { 'README.md': '---\nicon: gear\n---\n\n# Start here\n\nWords.\n' })
  const { body: pages } = await w.call('GET', `/spaces/${space}/content/pages`)
  const { body } = await w.call('GET', `/spaces/${space}/content/page/${pages.pages[0].id}`)
  assert.equal(body.markdown.slice(body.textStart), 'Words.\n')
})

test('format=document answers the rich document and no Markdown', async () => {
  const { body } = await get(`/content/page/${setup.id}?format=document`)
  assert.equal(body.markdown, undefined)
  assert.equal(body.document.object, 'document')
  const types = body.document.nodes.map((node: { type: string }) => node.type)
  assert.deepEqual(types, ['heading-1', 'hint', 'images'])
  const text = JSON.stringify(body.document)
  assert.ok(text.includes(`"file":"${revision.files[0].id}"`), 'pictures refer to the file')
  const { body: document } = await get(`/documents/${setup.documentId}`)
  assert.deepEqual(document, body.document)
})

test('a document id opens nothing in another space', async () => {
  const other = await spaceWith(w, { 'SUMMARY.md': '* [Setup](setup.md)\n', 'setup.md': SETUP })
  assert.equal((await w.call('GET', `/spaces/${other}/documents/${setup.documentId}`)).status, 404)
  assert.equal((await get('/documents/unknown')).status, 404)
})

test('metadata=false leaves git out everywhere', async () => {
  for (const path of ['/content', '/content/pages', '/content/files', `/content/page/${setup.id}`]) {
    const { text } = await get(`${path}?metadata=false`)
    assert.ok(!text.includes('"git":'), path)
    assert.ok((await get(path)).text.includes('"git":'), path)
  }
})

test('a page is found by its path, with its real slashes', async () => {
  for (const path of ['guides/setup', 'guides/setup/', 'guides%2Fsetup']) {
    assert.equal((await get(`/content/path/${path}`)).body.id, setup.id, path)
  }
  assert.equal((await get('/content/path/guides')).body.type, 'group')
  assert.equal((await get('/content/path/guides/nowhere')).status, 404)
})

test('files are listed by name, page by page', async () => {
  const first = await get('/content/files?limit=1')
  assert.equal(first.body.count, 2)
  const second = await get(`/content/files?limit=1&page=${first.body.next.page}`)
  assert.deepEqual(
    [...first.body.items, ...second.body.items].map((file: { name: string }) => file.name),
    ['dot.png', 'notes.txt'],
  )
  assert.equal(second.body.next, undefined)
  assert.equal((await get('/content/files?page=bad')).status, 400)
})

test('a file has type, size and dimensions, and its address is read without a token', async () => {
  const [dot, notes] = revision.files
  assert.deepEqual(
    [dot.contentType, dot.size, dot.dimensions],
    ['image/png', PIXEL.length, { width: 1, height: 1 }],
  )
  assert.equal(notes.dimensions, undefined)
  assert.deepEqual((await get(`/content/files/${dot.id}`)).body, dot)
  const address = dot.downloadURL.replace('http://octavo.test', '')
  const answer = await w.app.inject({ url: address })
  assert.equal(answer.statusCode, 200)
  assert.deepEqual(answer.rawPayload, PIXEL)
  assert.equal(answer.headers['content-type'], 'image/png')
  assert.match(String(answer.headers['content-security-policy']), /^sandbox/)
  assert.equal(answer.headers['x-content-type-options'], 'nosniff')
  assert.equal(
    (await w.app.inject({ url: address, headers: { 'if-none-match': answer.headers.etag as string } }))
      .statusCode,
    304,
  )
})

test('an address of a file that was changed in any part opens nothing', async () => {
  const address = new URL(revision.files[0].downloadURL)
  const paths = [
    address.pathname.replace('dot.png', 'other.png') + address.search,
    `${address.pathname}?type=text/html`,
    address.pathname,
    address.pathname.replace(/\/files\/./, '/files/0') + address.search,
  ]
  for (const url of paths) assert.equal((await w.app.inject({ url })).statusCode, 404, url)
})

test('a part of a file is answered with 206, a part beyond it with 416', async () => {
  const address = revision.files[1].downloadURL.replace('http://octavo.test', '')
  const part = await w.app.inject({ url: address, headers: { range: 'bytes=6-10' } })
  assert.deepEqual(
    [part.statusCode, part.payload, part.headers['content-range']],
    [206, 'words', 'bytes 6-10/12'],
  )
  const rest = await w.app.inject({ url: address, headers: { range: 'bytes=6-' } })
  assert.deepEqual([rest.statusCode, rest.payload], [206, 'words\n'])
  const beyond = await w.app.inject({ url: address, headers: { range: 'bytes=100-' } })
  assert.deepEqual([beyond.statusCode, beyond.headers['content-range']], [416, 'bytes */12'])
  const end = await w.app.inject({ url: address, headers: { range: 'bytes=-6' } })
  assert.deepEqual(
    [end.statusCode, end.payload, end.headers['content-range'], end.headers['content-length']],
    [206, 'words\n', 'bytes 6-11/12', '6'],
  )
  const nothing = await w.app.inject({ url: address, headers: { range: 'bytes=-0' } })
  assert.deepEqual([nothing.statusCode, nothing.headers['content-range']], [416, 'bytes */12'])
  for (const range of ['bytes=5-1', 'bytes=-', 'lines=1-2', 'bytes=0-1,4-5']) {
    assert.equal((await w.app.inject({ url: address, headers: { range } })).statusCode, 200, range)
  }
})

test('a range is sent only if If-Range names the current bytes, and HEAD returns only the size', async () => {
  const address = revision.files[1].downloadURL.replace('http://octavo.test', '')
  const { etag } = (await w.app.inject({ url: address })).headers
  const partUnder = async (condition: string) =>
    (await w.app.inject({ url: address, headers: { range: 'bytes=-6', 'if-range': condition } })).statusCode
  assert.equal(await partUnder(String(etag)), 206)
  for (const other of [`W/${etag}`, '"other"', 'Wed, 21 Oct 2015 07:28:00 GMT'])
    assert.equal(await partUnder(other), 200, other)
  const head = await w.app.inject({ method: 'HEAD', url: address, headers: { range: 'bytes=-6' } })
  assert.deepEqual(
    [head.statusCode, head.headers['content-length'], head.headers['accept-ranges'], head.payload],
    [200, '12', 'bytes', ''],
  )
})

test('only the bytes of a file are kept for a year, and no answer without them', async () => {
  const id = await spaceWith(w, { 'README.md': '# Start\n', '.gitbook/assets/lost.txt': 'lost and found' })
  const [{ downloadURL }] = (await w.call('GET', `/spaces/${id}/content/files`)).body.items
  const url = downloadURL.replace('http://octavo.test', '')
  const ask = async (method: 'GET' | 'HEAD', headers = {}) => {
    const answer = await w.app.inject({ method, url, headers })
    return [answer.statusCode, answer.headers['cache-control']]
  }
  const kept = 'public, max-age=31536000, immutable'
  assert.deepEqual(
    [await ask('GET'), await ask('HEAD')],
    [
      [200, kept],
      [200, kept],
    ],
  )
  assert.deepEqual(await ask('GET', { range: 'bytes=100-' }), [416, undefined])
  await w.services.blobs.remove(url.split('/')[2] as string, new AbortController().signal)
  assert.deepEqual(
    [await ask('GET'), await ask('HEAD')],
    [
      [404, undefined],
      [404, undefined],
    ],
  )
})

test('markup that somebody uploads is saved and never shown as a page; SVG is shown and runs nothing', async () => {
  const html = '<script>alert(1)</script>'
  const files = ['a.html', 'a.xhtml', 'a.xml', 'a.svg'].map(name => `.gitbook/assets/${name}`)
  const id = await spaceWith(w, {
    'README.md': '# Start\n',
    ...Object.fromEntries(
      files.map(file => [file, Buffer.from(file.endsWith('svg') ? `<svg>${html}</svg>` : html)]),
    ),
  })
  const { body } = await w.call('GET', `/spaces/${id}/content/files`)
  assert.equal(body.count, files.length)
  for (const { name, downloadURL } of body.items) {
    const { headers } = await w.app.inject({ url: downloadURL.replace('http://octavo.test', '') })
    assert.match(String(headers['content-security-policy']), /^sandbox; default-src 'none';/, name)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    const how = name === 'a.svg' ? /^inline;/ : /^attachment;/
    assert.match(String(headers['content-disposition']), how, name)
  }
})

test('the links of a page say where they lead and whether anything is there', async () => {
  const { body } = await get(`/content/page/${start.id}/links`)
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire should have
  const said = body.items.map(({ status, targetReference: target }: any) => {
    const { kind, page, space, organization, internalLocation, url } = target
    return [
      status,
      { kind, page: page?.id, space: space?.id, organization: organization?.id, internalLocation, url },
    ]
  })
  const nowhere = { page: undefined, space: undefined, organization: undefined, internalLocation: undefined }
  assert.deepEqual(said, [
    [
      'ok',
      {
        kind: 'page',
        page: setup.id,
        space: id,
        organization: w.organizationId,
        internalLocation: { type: 'anchor', anchor: 'install' },
        url: undefined,
      },
    ],
    ['ok', { ...nowhere, kind: 'url', url: 'https://example.com' }],
    ['broken', { ...nowhere, kind: 'url', url: 'missing.md' }],
  ])
  assert.deepEqual(body.stats, { total: 3, broken: { total: 1 } })
  const broken = await get(`/content/page/${start.id}/links?status=broken`)
  assert.deepEqual([broken.body.count, broken.body.stats.total], [1, 3])
})

test('reusable contents are read by id, with their document', async () => {
  const [note] = revision.reusableContents
  assert.deepEqual((await get(`/content/reusable-contents/${note.id}`)).body, note)
  const { body } = await get(`/revisions/${revision.id}/reusable-contents/${note.id}/document`)
  assert.ok(JSON.stringify(body).includes('Reuse me.'))
})

test('expressions are refused where they would have to be evaluated, and only there', async () => {
  const space = await spaceWith(w, {
    'SUMMARY.md': '* [A](a.md)\n* [B](b.md)\n',
    'a.md': '# A\n\n<code class="expression">space.vars.x</code>\n',
    'b.md': '# B\n',
  })
  const { pages } = (await w.call('GET', `/spaces/${space}/content/pages`)).body
  const read = (index: number, evaluated: string) =>
    w.call('GET', `/spaces/${space}/content/page/${pages[index].id}?format=document&evaluated=${evaluated}`)
  assert.equal((await read(0, 'false')).status, 200)
  assert.equal((await read(0, 'true')).status, 400)
  assert.equal((await read(1, 'deterministic-only')).status, 200)
})

test('every revision stays readable, and the newest is first in the history', async () => {
  const space = await spaceWith(w, { 'SUMMARY.md': '* [A](a.md)\n', 'a.md': 'one\n' })
  const first = (await w.call('GET', `/spaces/${space}/content`)).body
  await publishFiles(w, space, { 'SUMMARY.md': '* [A](a.md)\n', 'a.md': 'two\n' })
  const { body: history } = await w.call('GET', `/spaces/${space}/revisions`)
  assert.equal(history.count, 3)
  assert.deepEqual(history.items[0].parents, [first.id])
  assert.equal(history.items[0].pages, undefined)
  const pageId = first.pages[0].id
  const textAt = async (path: string) =>
    (await w.call('GET', `/spaces/${space}${path}/page/${pageId}`)).body.markdown
  assert.deepEqual([await textAt(`/revisions/${first.id}`), await textAt('/content')], ['one\n', 'two\n'])
  for (const path of ['', '/pages', '/files', `/page/${pageId}/document`, '/path/a']) {
    assert.equal((await w.call('GET', `/spaces/${space}/revisions/${first.id}${path}`)).status, 200, path)
  }
})

test('the history says who made each revision', async () => {
  const space = await spaceWith(w, { 'a.md': 'one\n' })
  const page = { operation: 'insert_page', title: 'B', document: { markdown: 'two' } }
  await w.call('POST', `/spaces/${space}/content`, { as: 'edit', body: { changes: [page] } })
  const { body } = await w.call('GET', `/spaces/${space}/revisions`, { as: 'read' })
  assert.deepEqual(
    body.items.slice(0, 2).map((item: { createdBy: { id: string } }) => item.createdBy.id),
    [w.people.edit.id, w.people.admin.id],
  )
})

test('changedPage lists what changed a page itself, newest first, also from before it was removed', async () => {
  const summary = '* [A](a.md)\n* [B](b.md)\n'
  const space = await spaceWith(w, { 'SUMMARY.md': summary, 'a.md': 'one\n', 'b.md': 'one\n' })
  const [a, b] = (await w.call('GET', `/spaces/${space}/content`)).body.pages
  const change = async (...changes: object[]) =>
    (await w.call('POST', `/spaces/${space}/content`, { as: 'edit', body: { changes } })).body.revision
  const write = (page: string, markdown: string) =>
    change({ operation: 'update_page', page, document: { markdown } })
  const listOf = async (query: string) =>
    (await w.call('GET', `/spaces/${space}/revisions?${query}`, { as: 'read' })).body
  const idsOf = async (page: string) =>
    (await listOf(`changedPage=${page}`)).items.map((item: { id: string }) => item.id)
  const [imported] = await idsOf(a.id)
  const second = await write(a.id, 'two\n')
  await write(b.id, 'two\n')
  await change({ operation: 'move_page', page: a.id, position: { after: b.id } })
  const renamed = await change({ operation: 'update_page', page: a.id, title: 'Ah' })
  const ofA = [renamed, second, imported]
  assert.deepEqual(await idsOf(a.id), ofA)
  const first = await listOf(`changedPage=${a.id}&limit=1`)
  const [last] = first.items
  assert.deepEqual([last.id, last.createdBy.id, first.count], [renamed, w.people.edit.id, 3])
  const next = await listOf(`changedPage=${a.id}&limit=1&page=${first.next.page}`)
  assert.equal(next.items[0].id, second)
  assert.equal((await w.call('GET', `/spaces/${space}/revisions?page=${first.next.page}`)).status, 400)
  const removed = await change({ operation: 'delete_page', page: a.id })
  assert.deepEqual(await idsOf(a.id), [removed, ...ofA])
  assert.deepEqual(await idsOf('unknown'), [])
})

test('what a merge changed in a page is in its history, and what a change request did before it is not', async () => {
  const space = await spaceWith(w, { 'SUMMARY.md': '* [A](a.md)\n', 'a.md': 'one\n' })
  const [a] = (await w.call('GET', `/spaces/${space}/content`)).body.pages
  const requests = `/spaces/${space}/change-requests`
  const { body: request } = await w.call('POST', requests, { as: 'edit', body: { subject: 'Two' } })
  const changes = [{ operation: 'update_page', page: a.id, document: { markdown: 'two\n' } }]
  await w.call('POST', `${requests}/${request.id}/content`, { as: 'edit', body: { changes } })
  const listOfA = async () =>
    (await w.call('GET', `/spaces/${space}/revisions?changedPage=${a.id}`)).body.items
  assert.equal((await listOfA()).length, 1)
  const { body: merged } = await w.call('POST', `${requests}/${request.id}/merge`, { as: 'admin' })
  const [last] = await listOfA()
  assert.deepEqual([last.id, last.mergedFrom.createdBy.id], [merged.revision, w.people.edit.id])
})

test('a copy of a space does not tell who wrote the original', async () => {
  const space = await spaceWith(w, { 'SUMMARY.md': '* [A](a.md)\n', 'a.md': 'one\n' })
  const { body: copy } = await w.call('POST', `/spaces/${space}/duplicate`)
  const [a] = (await w.call('GET', `/spaces/${copy.id}/content`)).body.pages
  const { body } = await w.call('GET', `/spaces/${copy.id}/revisions?changedPage=${a.id}`)
  assert.deepEqual(body.items, [])
})

test('an answer keeps its ETag through commits that do not change it', async () => {
  const space = await spaceWith(w, {
    'SUMMARY.md': '* [A](a.md)\n* [B](b.md)\n',
    'a.md': 'a\n',
    'b.md': 'b\n',
  })
  const { pages } = (await w.call('GET', `/spaces/${space}/content/pages`)).body
  const etagOf = async (index: number) =>
    (await w.call('GET', `/spaces/${space}/content/page/${pages[index].id}`)).headers.etag
  const before = [await etagOf(0), await etagOf(1)]
  await publishFiles(w, space, {
    'SUMMARY.md': '* [A](a.md)\n* [B](b.md)\n',
    'a.md': 'a\n',
    'b.md': 'changed\n',
  })
  assert.equal(await etagOf(0), before[0])
  assert.notEqual(await etagOf(1), before[1])
})

test('unknown ids are 404, each with what is missing', async () => {
  for (const [path, noun] of [
    ['/content/page/unknown', 'page'],
    ['/content/files/unknown', 'file'],
    ['/content/reusable-contents/unknown', 'reusable content'],
    ['/revisions/unknown', 'revision'],
    ['/content/page/unknown/links', 'page'],
  ]) {
    const { status, body } = await get(path as string)
    assert.equal(status, 404)
    assert.match(body.error.message, new RegExp(`no such ${noun}`))
  }
})

test('a wrong format, flag or status is refused by name', async () => {
  for (const query of ['format=html', 'metadata=maybe', 'evaluated=sometimes']) {
    const { status, body } = await get(`/content/page/${start.id}?${query}`)
    assert.equal(status, 400)
    assert.match(body.error.message, new RegExp(`query\\.${query.split('=')[0]}`))
  }
})

test('the address of a file that one has is compared as every entity tag is', async () => {
  const url = revision.files[0].downloadURL.replace('http://octavo.test', '')
  const { headers } = await w.app.inject({ url })
  for (const tag of [`W/${headers.etag}`, `"other", ${headers.etag}`, '*']) {
    const { statusCode } = await w.app.inject({ url, headers: { 'if-none-match': tag } })
    assert.equal(statusCode, 304, tag)
  }
})

test('pages of a change request lead to its preview and its content to the workspace, those of the space to the space, also while both are equal', async () => {
  const { number } = (await w.call('POST', `/spaces/${id}/change-requests`, { body: {} })).body
  const preview = `http://octavo.test/s/${id}/~/changes/${number}`
  const changeRequest = (path: string) => get(`/change-requests/${number}/content${path}`)
  for (const [read, app] of [
    [get, `http://octavo.test/s/${id}`],
    [(path: string) => changeRequest(path.slice('/content'.length)), preview],
    [get, `http://octavo.test/s/${id}`],
  ] as const) {
    const whole = (await read('/content')).body
    const tree = (await read('/content/pages')).body
    const root = app === preview ? `http://octavo.test/w/s/${id}/c/${number}` : app
    assert.deepEqual([whole.urls.app, whole.pages[0].urls.app], [root, `${app}/readme`])
    assert.equal(tree.pages[1].pages[0].urls.app, `${app}/guides/setup`)
    for (const path of [`/content/page/${setup.id}`, '/content/path/guides/setup'])
      assert.equal((await read(path)).body.urls.app, `${app}/guides/setup`)
  }
})
