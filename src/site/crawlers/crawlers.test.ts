import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copySpace } from '../../../test/support/many-spaces.ts'
import { PIXEL, publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { keepSpecification, shopSummary } from '../../../test/support/specifications.ts'
import { shareLinkOf } from '../../../test/support/visitors.ts'
import { world } from '../../../test/support/world.ts'
import { contentOf } from '../../engines/content/content.ts'
import type { PageRecord } from '../../engines/content/records.ts'
import { renderSitemap } from './sitemaps.ts'

// A database of its own: what other tests publish is in the same index.
const w = await world({ OCTAVO_PUBLIC_URL: 'https://docs.example' })

async function get(url: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await w.app.inject({ url, headers: { host: 'docs.example', ...headers } })
  return { status: answer.statusCode, text: answer.payload, headers: answer.headers }
}

const addressesIn = (xml: string) =>
  [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address = '']) => address)
const pathOf = (address: string) => address.replace('https://docs.example', '')

async function pagesOf(spaceId: string): Promise<string[]> {
  const { status, text } = await get(`/sitemap-${spaceId}.xml`)
  assert.equal(status, 200)
  return addressesIn(text).map(address => pathOf(address).replace(`/s/${spaceId}`, ''))
}

test('without a public space robots.txt names no sitemap, and there is none', async () => {
  await spaceWith(w, { 'README.md': '# Start\n' })
  await w.createSpace({ visibility: 'public' })
  const { status, text, headers } = await get('/robots.txt')
  assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8'])
  assert.doesNotMatch(text, /Sitemap:/)
  const others = await world({})
  assert.equal((await others.app.inject({ url: '/sitemap.xml' })).statusCode, 404)
})

test('robots.txt names an index of one sitemap for each public space, and no other space has one', async () => {
  const files = { 'README.md': '# Start\n', 'a.md': '# A\n' }
  const shown = [
    await spaceWith(w, files, { visibility: 'public' }),
    await spaceWith(w, files, { visibility: 'public' }),
  ]
  const kept = await Promise.all(
    ['unlisted', 'share-link', 'visitor-auth', 'private'].map(visibility =>
      spaceWith(w, files, { visibility }),
    ),
  )
  const deleted = await spaceWith(w, files, { visibility: 'public' })
  await w.call('DELETE', `/spaces/${deleted}`)
  const [, index = ''] = /^Sitemap: (.*)$/m.exec((await get('/robots.txt')).text) ?? []
  assert.equal(index, 'https://docs.example/sitemap.xml')
  const { text, headers } = await get(pathOf(index))
  assert.equal(headers['content-type'], 'application/xml; charset=utf-8')
  const named = addressesIn(text)
  for (const id of shown) assert.ok(named.includes(`https://docs.example/sitemap-${id}.xml`))
  for (const id of [...kept, deleted]) assert.ok(!text.includes(id))
  for (const address of named) assert.equal((await get(pathOf(address))).status, 200)
  const { key } = await shareLinkOf(w, kept[1] as string)
  const cookie = `octavo_share_${kept[1]}=${key}; __Secure-octavo_share_${kept[1]}=${key}`
  for (const id of [...kept, deleted, 'nothing', 'no%00thing'])
    assert.equal((await get(`/sitemap-${id}.xml`, { cookie })).status, 404, id)
  assert.equal((await get(`/s/${kept[1]}`, { cookie })).status, 200)
})

test('a sitemap has the pages that a crawler may index, at their canonical addresses, with their last change', async () => {
  const id = await spaceWith(
    w,
    {
      'SUMMARY.md': `* [Start](README.md)
* [Straße & “Wege”](straße.md)
* [Hidden](hidden.md)
  * [Below](below.md)
* [Quiet](quiet.md)
* [Robots](robots.md)

## Group

* [In a group](in-group.md)
* [Elsewhere](https://example.com)
`,
      'README.md': '# Start\n',
      'straße.md': '# Straße\n',
      'hidden.md': '---\nhidden: true\n---\n\n# Hidden\n',
      'below.md': '# Below\n',
      'quiet.md': '---\nnoIndex: true\n---\n\n# Quiet\n',
      'robots.md': '---\nrobots: noindex\n---\n\n# Robots\n',
      'in-group.md': '# In a group\n',
    },
    { visibility: 'public' },
  )
  assert.deepEqual(await pagesOf(id), ['/readme', `/${encodeURIComponent('straße')}`, '/group/in-group'])
  const { text } = await get(`/sitemap-${id}.xml`)
  const seen: string[] = []
  for (const [entry, address = '', changed = ''] of text.matchAll(
    /<url><loc>(.*?)<\/loc><lastmod>(.*?)<\/lastmod><\/url>/g,
  )) {
    seen.push(address)
    const page = await get(pathOf(address))
    assert.equal(page.status, 200, entry)
    assert.ok(page.text.includes(`<link rel="canonical" href="${address}">`))
    assert.ok(Math.abs(Date.parse(changed) - Date.now()) < 3_600_000, changed)
    assert.equal(page.headers['x-robots-tag'], undefined)
    assert.doesNotMatch(page.text, /name="robots"/)
  }
  assert.equal(seen.length, 3, 'each page has a date, also after an import')
  for (const path of ['/quiet', '/robots'])
    assert.match((await get(`/s/${id}${path}`)).text, /<meta name="robots" content="noindex">/)
})

test('the date of a page is that of its last change, and moving another one does not change it', async () => {
  const id = await spaceWith(w, { 'README.md': '# Start\n', 'a.md': '# A\n' }, { visibility: 'public' })
  const datesOf = async () =>
    [...(await get(`/sitemap-${id}.xml`)).text.matchAll(/<lastmod>(.*?)<\/lastmod>/g)].map(([, date]) => date)
  const before = await datesOf()
  await publishFiles(w, id, { 'README.md': '# Start\n', 'a.md': '# A\n\nMore.\n' })
  const after = await datesOf()
  assert.equal(after[0], before[0])
  assert.ok(String(after[1]) > String(before[1]), `${after[1]} > ${before[1]}`)
  assert.equal((await metaOf(`/s/${id}/a`))['article:modified_time'], after[1])
})

test('pages of an OpenAPI specification are in the sitemap', async () => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: { '/pets': { get: { tags: ['Pets'], responses: { 200: { description: 'ok' } } } } },
  }
  const id = await spaceWith(
    w,
    { 'README.md': '# Start\n', 'SUMMARY.md': shopSummary() },
    { visibility: 'public' },
  )
  await keepSpecification(w, 'shop', JSON.stringify(document))
  const pages = await pagesOf(id)
  assert.ok(pages.length > 1, String(pages))
  for (const path of pages) assert.equal((await get(`/s/${id}${path}`)).status, 200, path)
})

test('a sitemap and the index are answered 304 until a page or who may read it changes', async () => {
  const files = { 'README.md': '# Start\n' }
  const id = await spaceWith(w, files, { visibility: 'public' })
  for (const url of ['/robots.txt', '/sitemap.xml', `/sitemap-${id}.xml`]) {
    const { headers } = await get(url)
    assert.equal(headers['cache-control'], 'no-cache')
    const again = await get(url, { 'if-none-match': String(headers.etag) })
    assert.deepEqual([again.status, again.text], [304, ''], url)
    const head = await w.app.inject({ method: 'HEAD', url, headers: { host: 'docs.example' } })
    assert.deepEqual([head.statusCode, head.payload, head.headers.etag], [200, '', headers.etag])
  }
  const [index, pages] = [await get('/sitemap.xml'), await get(`/sitemap-${id}.xml`)]
  await publishFiles(w, id, { ...files, 'b.md': '# B\n' })
  const changed = await get('/sitemap.xml', { 'if-none-match': String(index.headers.etag) })
  assert.equal(changed.status, 200)
  assert.equal((await get(`/sitemap-${id}.xml`, { 'if-none-match': String(pages.headers.etag) })).status, 200)
  await w.call('PATCH', `/spaces/${id}`, { body: { visibility: 'private' } })
  const closed = await get('/sitemap.xml', { 'if-none-match': String(changed.headers.etag) })
  assert.deepEqual([closed.status, closed.text.includes(id)], [200, false])
  assert.equal((await get(`/sitemap-${id}.xml`, { 'if-none-match': String(pages.headers.etag) })).status, 404)
})

test('the index names every public space, however many there are', async () => {
  const id = await spaceWith(w, { 'README.md': '# Start\n' }, { visibility: 'public' })
  const { body: collection } = await w.call('POST', `/orgs/${w.organizationId}/collections`, {
    body: { title: 'Many' },
  })
  await copySpace(w.services.db, id, { count: 2500, collectionId: collection.id })
  const named = addressesIn((await get('/sitemap.xml')).text)
  assert.equal(named.filter(address => address.includes(id)).length, 2501)
  assert.equal(new Set(named).size, named.length)
  await w.services.db.deleteFrom('spaces').where('id', 'like', `${id}x%`).execute()
})

const CLOSED_PATHS = [
  ...[
    '/w',
    '/w/s/x/c/1',
    '/v1/spaces/x',
    '/mcp',
    '/scim/v2/x/Users',
    '/sign-in',
    '/sign-in?next=%2F',
    '/account/password',
  ],
  ...['/s/x/~/search?q=a', '/s/x/~/print', '/s/x/~/pdf', '/s/x/~/changes/1/a', '/print/a/b/1/c'],
  ...['/sso/oidc/start', '/oauth/authorize', '/invitations/a/b', '/password/secret', '/git/x/info/refs'],
]
const OPEN_PATHS = [
  ...['/', '/s/x', '/s/x/w/v1', '/s/x/sign-in', '/s/x/a.md', '/s/x/llms.txt', '/files/a/b/c.png'],
  ...['/assets/reader.css', '/docs', '/sitemap.xml', '/sitemap-x.xml', '/openapi/x.json'],
]

test('robots.txt keeps crawlers from the workspace, the API, signing in, print and search, and from nothing that readers see', async () => {
  const { text } = await get('/robots.txt')
  // RFC 9309 §2.2.2 and §2.2.3: prefixes, in which a star stands for anything.
  const rules = [...text.matchAll(/^Disallow: (.*)$/gm)].map(
    ([, path = '']) => new RegExp(`^${path.replaceAll('*', '.*')}`),
  )
  const isClosed = (path: string) => rules.some(rule => rule.test(path))
  assert.deepEqual(
    CLOSED_PATHS.filter(path => !isClosed(path)),
    [],
  )
  assert.deepEqual(OPEN_PATHS.filter(isClosed), [])
})

const page = (slug: string, parent: string | null, children: readonly string[] = []): PageRecord => ({
  ...{ type: 'document', title: 'A page', slug, parent, children, document: null },
})

async function sitemapOf(pages: Readonly<Record<string, PageRecord>>, bytesMax?: number): Promise<string> {
  const roots = Object.entries(pages).flatMap(([id, { parent }]) => (parent === null ? [id] : []))
  const content = contentOf([
    ['tree', { children: roots }],
    ...Object.entries(pages).map(([id, record]) => [`page/${id}`, record] as const),
  ])
  const pieces: string[] = []
  const listed = { spaceId: 's', content }
  for await (const piece of renderSitemap(w.services, listed, bytesMax)) pieces.push(piece)
  return pieces.join('')
}

test('a sitemap keeps within the bytes of the protocol, and leaves out addresses that are too long for it', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`p${index}`, page(`s${index}`, null)]),
  )
  assert.equal(addressesIn(await sitemapOf(many)).length, 100)
  const bounded = await sitemapOf(many, 2000)
  assert.ok(bounded.length <= 2000 && bounded.length > 1900, String(bounded.length))
  assert.ok(bounded.endsWith('</url>\n</urlset>\n'))
  const ids = Array.from({ length: 30 }, (_, index) => `d${index}`)
  const deep = Object.fromEntries(
    ids.map((id, index) => [
      id,
      page('x'.repeat(100), ids[index - 1] ?? null, ids.slice(index + 1, index + 2)),
    ]),
  )
  const addresses = addressesIn(await sitemapOf(deep))
  assert.equal(addresses.length, 20)
  assert.ok(addresses.every(address => address.length < 2048))
})

const COVER = 'cover: .gitbook/assets/pixel.png\n'

async function metaOf(url: string): Promise<Readonly<Record<string, string>>> {
  const { text } = await get(url)
  return Object.fromEntries(
    [...text.matchAll(/<meta (?:property|name)="((?:og|twitter|article):\w+)" content="(.*?)">/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  )
}

test('a page says what other sites show of a link to it', async () => {
  const id = await spaceWith(
    w,
    {
      'README.md': `---\ndescription: Say "hello" & <b>go</b>.\n${COVER}---\n\n# Use **bold** & "quotes" with \`code\`\n`,
      'rtl.md': '# مرحبا بالعالم (v2)\n',
      'hero.md': '---\ncover: https://example.com/a.png?b=1&c=2\n---\n\n# Hero\n',
      'without.md': `---\n${COVER}layout:\n  cover:\n    visible: false\n---\n\n# Without\n`,
      'odd.md': '---\ncover: "data:image/png;base64,AAAA"\n---\n\n# Odd\n',
      '.gitbook/assets/pixel.png': PIXEL,
    },
    { visibility: 'public', title: 'Acme "Handbook"' },
  )
  const { 'og:image': image = '', ...first } = await metaOf(`/s/${id}`)
  assert.deepEqual(first, {
    'og:type': 'article',
    'og:title': 'Use bold &amp; &quot;quotes&quot; with code',
    'og:description': 'Say &quot;hello&quot; &amp; &lt;b&gt;go&lt;/b&gt;.',
    'og:url': `https://docs.example/s/${id}/readme`,
    'og:site_name': 'Acme &quot;Handbook&quot;',
    'twitter:card': 'summary_large_image',
  })
  assert.match(image, /^https:\/\/docs\.example\/files\//)
  assert.equal((await get(pathOf(image).replaceAll('&amp;', '&'))).status, 200)
  const rtl = await metaOf(`/s/${id}/rtl`)
  assert.deepEqual(
    [rtl['og:title'], rtl['twitter:card'], rtl['og:image'], rtl['og:description']],
    ['مرحبا بالعالم (v2)', 'summary', undefined, undefined],
  )
  assert.equal((await metaOf(`/s/${id}/hero`))['og:image'], 'https://example.com/a.png?b=1&amp;c=2')
  assert.equal((await metaOf(`/s/${id}/without`))['og:image'], undefined)
  assert.equal((await metaOf(`/s/${id}/odd`))['og:image'], undefined)
  assert.deepEqual(await metaOf(`/s/${id}/~/search?q=hero`), {}, 'what is not a page says nothing')
})
