import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeRequestWith, proposeFiles } from '../../../test/support/change-requests.ts'
import { PIXEL, publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'

const w = await world()

const files = {
  'SUMMARY.md': '* [Start](README.md)\n* [Setup](guides/setup.md)\n  * [Deeper](guides/deeper.md)\n',
  'README.md':
    '# Start\n\n[setup](guides/setup.md#install) [again](guides/setup.md) [out](https://example.com) [app](https://app.gitbook.com/s/x) [gone](gone.md)\n',
  'guides/setup.md': '# Setup\n\n## Install\n\n[here](#install) ![dot](../.gitbook/assets/dot.png)\n',
  'guides/deeper.md': '# Deeper\n\n[home](..) [setup](setup) ![dot](../.gitbook/assets/dot.png)\n',
  '.gitbook/assets/dot.png': PIXEL,
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire should have
type Json = any

async function pagesOf(at: string): Promise<Record<string, string>> {
  const { body } = await w.call('GET', `${at}/content/pages`)
  const flat = (pages: Json[]): Json[] => pages.flatMap(page => [page, ...flat(page.pages ?? [])])
  return Object.fromEntries(flat(body.pages).map(page => [page.title, page.id]))
}

/** Every item of a list, walked in pages of two; each page says the same count and stats. */
async function walk(path: string, query = ''): Promise<{ items: Json[]; stats: Json; count: number }> {
  const items: Json[] = []
  const first = (await w.call('GET', `${path}?limit=2${query}`)).body
  for (let page = first; ; ) {
    assert.equal(page.count, first.count)
    assert.deepEqual(page.stats, first.stats)
    items.push(...page.items)
    if (page.next === undefined) break
    page = (await w.call('GET', `${path}?limit=2${query}&page=${page.next.page}`)).body
  }
  assert.equal(items.length, first.count)
  return { items, stats: first.stats, count: first.count }
}

const said = (items: Json[], names: Record<string, string>): string[] => {
  const nameOf = (id: string) => Object.entries(names).find(([, other]) => other === id)?.[0] ?? id
  return items
    .map(({ status, targetReference: { kind, url, page, internalLocation }, locationReferences }) =>
      [nameOf(locationReferences[0].page.id), status, kind, page?.title, internalLocation?.anchor ?? url]
        .filter(word => word !== undefined)
        .join(' '),
    )
    .sort()
}

const linksTo = (items: Json[]): string[] => items.map(item => item.page.title).sort()

test('the links of a space are those of all its pages, with what they lead to', async () => {
  const id = await spaceWith(w, files)
  const pages = await pagesOf(`/spaces/${id}`)
  const { items, stats } = await walk(`/spaces/${id}/links`)
  assert.deepEqual(said(items, pages), [
    'Deeper ok file',
    'Deeper ok page Setup',
    'Deeper ok page Start',
    'Setup ok file',
    'Setup ok page Setup install',
    'Start broken url gone.md',
    'Start in-app url https://app.gitbook.com/s/x',
    'Start ok page Setup',
    'Start ok page Setup install',
    'Start ok url https://example.com',
  ])
  assert.deepEqual(stats, { total: 10, broken: { total: 1 } })
})

test('a status leaves the others away, and the stats are of all links', async () => {
  const id = await spaceWith(w, files)
  for (const [status, count] of [
    ['broken', 1],
    ['in-app', 1],
    ['ok', 8],
  ] as const) {
    const found = await walk(`/spaces/${id}/links`, `&status=${status}`)
    assert.deepEqual([found.count, found.stats.total], [count, 10])
    assert.ok(found.items.every(item => item.status === status))
  }
  const { status, body } = await w.call('GET', `/spaces/${id}/links?status=fine`)
  assert.equal(status, 400)
  assert.match(body.error.message, /query\.status/)
  const { body: list } = await w.call('GET', `/spaces/${id}/links?limit=2`)
  const foreign = await w.call('GET', `/spaces/${id}/links?status=ok&page=${list.next.page}`)
  assert.equal(foreign.status, 400, 'a token of another question')
})

test('a link that a publication breaks is broken in the very next answer, and one that it mends is not', async () => {
  const id = await spaceWith(w, files)
  const { 'guides/deeper.md': _, ...without } = files
  await publishFiles(w, id, {
    ...without,
    'SUMMARY.md': '* [Start](README.md)\n* [Setup](guides/setup.md)\n* [Gone](gone.md)\n',
    'gone.md': '# Gone\n\n[deeper](guides/deeper.md)\n',
  })
  const { items } = await walk(`/spaces/${id}/links`, '&status=broken')
  assert.deepEqual(said(items, await pagesOf(`/spaces/${id}`)), ['Gone broken page Deeper'])
})

test('a page links to another once, however often it does, and with everything around it', async () => {
  const id = await spaceWith(w, files)
  const pages = await pagesOf(`/spaces/${id}`)
  const { items } = await walk(`/spaces/${id}/content/page/${pages.Setup}/backlinks`)
  assert.deepEqual(linksTo(items), ['Deeper', 'Start'])
  const { body: space } = await w.call('GET', `/spaces/${id}`)
  const { body: organization } = await w.call('GET', `/orgs/${w.organizationId}`)
  const { body: revision } = await w.call('GET', `/spaces/${id}/content`)
  const { body: page } = await w.call('GET', `/spaces/${id}/content/page/${items[0].page.id}`)
  const { markdown: _text, textStart: _start, ...shown } = page
  assert.deepEqual(items[0], {
    kind: 'page',
    organization,
    space,
    page: { ...shown, pages: [] },
    versionContext: {
      type: 'revision',
      revision: { ...revision, pages: [], files: [], reusableContents: [], variables: {} },
    },
  })
  assert.equal((await walk(`/spaces/${id}/content/page/${pages.Deeper}/backlinks`)).count, 0)
})

test('a file knows the pages that show it', async () => {
  const id = await spaceWith(w, files)
  const { body } = await w.call('GET', `/spaces/${id}/content/files`)
  const { items } = await walk(`/spaces/${id}/content/files/${body.items[0].id}/backlinks`)
  assert.deepEqual(linksTo(items), ['Deeper', 'Setup'])
})

test('a path that means two things leads to the first that is there', async () => {
  const id = await spaceWith(w, {
    'a.md': '# A\n\n[b](b)\n',
    'b.md': '# B\n',
    'b/README.md': '# Inside\n',
  })
  const pages = await pagesOf(`/spaces/${id}`)
  assert.equal((await walk(`/spaces/${id}/content/page/${pages.Inside}/backlinks`)).count, 1)
  assert.equal((await walk(`/spaces/${id}/content/page/${pages.B}/backlinks`)).count, 0)
})

test('spaces with the same paths do not see each other', async () => {
  const first = await spaceWith(w, { 'README.md': '# R\n', 'a.md': '# A\n\n[r](README.md)\n' })
  const second = await spaceWith(w, { 'README.md': '# R\n' })
  const { R = '' } = await pagesOf(`/spaces/${second}`)
  assert.equal((await walk(`/spaces/${second}/links`)).count, 0)
  assert.equal((await walk(`/spaces/${second}/content/page/${R}/backlinks`)).count, 0)
  assert.equal((await w.call('GET', `/spaces/${first}/content/page/${R}/backlinks`)).status, 404)
})

test('a duplicate has links and backlinks from the start', async () => {
  const id = await spaceWith(w, files)
  const { body: copy } = await w.call('POST', `/spaces/${id}/duplicate`)
  const pages = await pagesOf(`/spaces/${copy.id}`)
  assert.equal((await walk(`/spaces/${copy.id}/links`)).count, 10)
  const { items } = await walk(`/spaces/${copy.id}/content/page/${pages.Setup}/backlinks`)
  assert.equal(items[0].space.id, copy.id)
})

const PROPOSED = {
  ...files,
  'SUMMARY.md': '* [Start](README.md)\n* [Setup](guides/setup.md)\n* [New](new.md)\n',
  'README.md': `${files['README.md']}\n[new](new.md) [typo](nwe.md)\n`,
  'new.md': '# New\n\n[setup](guides/setup.md) ![dot](.gitbook/assets/dot.png)\n',
}
const { 'guides/deeper.md': _deeper, ...WITHOUT_DEEPER } = PROPOSED

test('the links of a change request are those of the space with what it changes', async () => {
  const id = await spaceWith(w, {
    ...files,
    'guides/setup.md': `${files['guides/setup.md']}\n[d](deeper.md)\n`,
  })
  const changed = {
    ...WITHOUT_DEEPER,
    'guides/setup.md': `${files['guides/setup.md']}\n[d](deeper.md)\n`,
  }
  const { id: changeRequest } = await changeRequestWith(w, id, changed)
  const at = `/spaces/${id}/change-requests/${changeRequest}`
  const { items, stats } = await walk(`${at}/links`)
  assert.deepEqual(said(items, await pagesOf(at)), [
    'New ok file',
    'New ok page Setup',
    'Setup broken page Deeper',
    'Setup ok file',
    'Setup ok page Setup install',
    'Start broken url gone.md',
    'Start broken url nwe.md',
    'Start in-app url https://app.gitbook.com/s/x',
    'Start ok page New',
    'Start ok page Setup',
    'Start ok page Setup install',
    'Start ok url https://example.com',
  ])
  assert.deepEqual(stats, { total: 12, broken: { total: 3, changeRequest: 2, mended: 0 } })
  const broken = async (query: string) => said((await walk(`${at}/links`, query)).items, await pagesOf(at))
  assert.deepEqual(await broken('&brokenContext=change-request'), [
    'Setup broken page Deeper',
    'Start broken url nwe.md',
  ])
  assert.deepEqual(await broken('&brokenContext=space'), ['Start broken url gone.md'])
  assert.deepEqual(await broken('&status=ok&brokenContext=space'), [])
  const { status } = await w.call('GET', `${at}/links?brokenContext=both`)
  assert.equal(status, 400)
  assert.equal((await walk(`/spaces/${id}/links`)).count, 11, 'the space itself stays as it is')
})

test('what a change request broke is told from its start, wherever the space has gone since', async () => {
  const id = await spaceWith(w, files)
  const { id: changeRequest } = await changeRequestWith(w, id, WITHOUT_DEEPER)
  const at = `/spaces/${id}/change-requests/${changeRequest}`
  const linksNow = async () => {
    const { items, stats } = await walk(`${at}/links`)
    return { items: said(items, await pagesOf(at)), stats }
  }
  const before = await linksNow()
  // The space mends the link that was broken all along, and brings one of its own.
  await publishFiles(w, id, {
    ...files,
    'README.md': files['README.md'].replace('gone.md', 'README.md'),
    'guides/setup.md': `${files['guides/setup.md']}\n[nowhere](nowhere.md)\n`,
  })
  const after = await linksNow()
  assert.deepEqual(after, before)
  assert.deepEqual(after.stats.broken, { total: 2, changeRequest: 1, mended: 0 })
})

test('backlinks of a change request are those of its pages, and say whose they are', async () => {
  const id = await spaceWith(w, files)
  const { id: changeRequest } = await changeRequestWith(w, id, WITHOUT_DEEPER)
  const at = `/spaces/${id}/change-requests/${changeRequest}`
  const pages = await pagesOf(at)
  const { items } = await walk(`${at}/content/page/${pages.Setup}/backlinks`)
  assert.deepEqual(linksTo(items), ['New', 'Start'])
  const { body } = await w.call('GET', at)
  assert.deepEqual(items[0].versionContext, { type: 'changeRequest', changeRequest: body })
  const { body: listed } = await w.call('GET', `${at}/content/files`)
  const shown = await walk(`${at}/content/files/${listed.items[0].id}/backlinks`)
  assert.deepEqual(linksTo(shown.items), ['New', 'Setup'])
  // a page that only the change request has, asked of the space
  assert.equal((await w.call('GET', `/spaces/${id}/content/page/${pages.New}/backlinks`)).status, 404)
})

test('a page of a change request says which of its links the change request broke', async () => {
  const id = await spaceWith(w, files)
  const { id: changeRequest } = await changeRequestWith(w, id, WITHOUT_DEEPER)
  const at = `/spaces/${id}/change-requests/${changeRequest}`
  const pages = await pagesOf(at)
  const { items, stats } = await walk(`${at}/content/page/${pages.Start}/links`)
  assert.equal(items.length, 7)
  assert.deepEqual(stats, { total: 7, broken: { total: 2, changeRequest: 1, mended: 0 } })
  const summary = `${PROPOSED['SUMMARY.md']}* [N](nwe.md)\n`
  await proposeFiles(w, changeRequest, { ...PROPOSED, 'SUMMARY.md': summary, 'nwe.md': '# N\n' })
  const mended = await w.call('GET', `${at}/content/page/${pages.Start}/links`)
  assert.deepEqual(mended.body.stats, { total: 7, broken: { total: 1, changeRequest: 0, mended: 0 } })
})

const ODD = [
  '# Odd\n\n<a href=" https://app.gitbook.com/x">a</a> [b](<  README.md  >) [c](#) [d](README.md#a%20b) [e](README.md?x=1)',
  '[f](../out.md) [g](/README.md) [h](mailto:a@b.example) [i](broken-reference) [j](<A file.md>) [k](A%20file.md)',
  '![l](data:image/png;base64,AAAA) {% content-ref url="README.md" %}x{% endcontent-ref %} [m](HTTPS://APP.GITBOOK.COM)',
  '{% include ".gitbook/includes/note.md" %}\n\n[n][ref]\n\n[ref]: missing.md\n[unused]: README.md#x\n',
].join('\n\n')

test('the list of a whole content says of each page what the list of that page says', async () => {
  const odd = {
    ...files,
    'SUMMARY.md': `${files['SUMMARY.md']}* [Odd](odd.md)\n* [File](<A file.md>)\n`,
    'odd.md': ODD,
    'A file.md': '# File\n',
    '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nNote.\n',
  }
  const id = await spaceWith(w, odd)
  const { id: changeRequest } = await changeRequestWith(w, id, {
    ...odd,
    'odd.md': `${ODD}\n[o](nowhere.md)\n`,
  })
  for (const at of [`/spaces/${id}`, `/spaces/${id}/change-requests/${changeRequest}`]) {
    const { items } = await walk(`${at}/links`)
    for (const page of Object.values(await pagesOf(at))) {
      const { body } = await w.call('GET', `${at}/content/page/${page}/links`)
      assert.deepEqual(
        items.filter(item => item.locationReferences[0].page.id === page),
        body.items,
      )
    }
  }
})

test('a visitor of an open space sees its links, but neither its repository nor how it is kept', async () => {
  const id = await spaceWith(w, files, { visibility: 'public' })
  const pages = await pagesOf(`/spaces/${id}`)
  const kept = { emailDomains: ['docs.example'], defaultRole: 'read' }
  assert.equal((await w.call('PATCH', `/orgs/${w.organizationId}`, { body: kept })).status, 200)
  const as = 'stranger'
  assert.equal((await w.call('GET', `/spaces/${id}/links`, { as })).body.stats.total, 10)
  const { status, body } = await w.call('GET', `/spaces/${id}/content/page/${pages.Setup}/backlinks`, { as })
  assert.equal(status, 200)
  assert.equal(body.items[0].page.git, undefined)
  assert.deepEqual(body.items[0].organization.permissions.view, false)
  assert.equal(body.items[0].organization.title, 'A world')
  assert.deepEqual(body.items[0].organization.emailDomains, [])
  assert.equal(body.items[0].organization.defaultRole, null)
  const { id: changeRequest } = await changeRequestWith(w, id, PROPOSED)
  const proposed = await w.call('GET', `/spaces/${id}/change-requests/${changeRequest}/links`, { as })
  assert.equal(proposed.status, 404)
})

test('unknown pages and files are told by name', async () => {
  const id = await spaceWith(w, files)
  const { id: changeRequest } = await changeRequestWith(w, id, PROPOSED)
  for (const at of [`/spaces/${id}`, `/spaces/${id}/change-requests/${changeRequest}`]) {
    for (const [path, noun] of [
      ['page/unknown/links', 'page'],
      ['page/unknown/backlinks', 'page'],
      ['files/unknown/backlinks', 'file'],
    ]) {
      const { status, body } = await w.call('GET', `${at}/content/${path}`)
      assert.equal(status, 404)
      assert.match(body.error.message, new RegExp(`no such ${noun}`))
    }
  }
})

test('a card counts as one link, broken or not, although its Markdown repeats the destination', async () => {
  const card = (path: string) =>
    `{% content-ref url="${path}" %}\n[${path}](${path})\n{% endcontent-ref %}\n\n`
  const id = await spaceWith(w, {
    'README.md': `# Start\n\n${card('other.md')}${card('gone.md')}`,
    'other.md': '# Other\n',
  })
  const { body } = await w.call('GET', `/spaces/${id}/links`)
  assert.deepEqual([body.count, body.stats], [2, { total: 2, broken: { total: 1 } }])
})
