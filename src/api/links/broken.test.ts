// What a broken link says, and which links are broken at all: none that works in the reader.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeRequestWith, proposeFiles } from '../../../test/support/change-requests.ts'
import { PIXEL, publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'

const w = await world()

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire should have
type Json = any

const linksAt = async (at: string, query = '', as: 'admin' | 'stranger' = 'admin'): Promise<Json> =>
  (await w.call('GET', `${at}/links?limit=100${query}`, { as })).body

/** Every link as `status where → what`, in the order of their words. */
const said = (items: Json[]): string[] =>
  items
    .map(({ status, targetReference: to, locationReferences: [from] }) => {
      const place = to.internalLocation === undefined ? '' : `#${to.internalLocation.anchor}`
      return `${status} ${nameOf(from)} → ${to.kind} ${nameOf(to)}${place}`
    })
    .sort()

const nameOf = ({ page, file, reusableContent, url }: Json): string =>
  page?.title ?? file?.name ?? reusableContent?.title ?? url

const pageCalled = async (space: string, title: string): Promise<string> => {
  const { body } = await w.call('GET', `/spaces/${space}/content/pages`)
  return body.pages.find((page: Json) => page.title === title).id
}

const files = {
  'SUMMARY.md': '* [Home](README.md)\n* [Guide](guide.md)\n  * [Deep](deep.md)\n',
  'README.md':
    '# Home\n\n[deep](deep.md#part) ![dot](.gitbook/assets/dot.png)\n\n{% include ".gitbook/includes/note.md" %}\n',
  'guide.md': '# Guide\n\n[home](README.md)\n',
  'deep.md': '# Deep\n\n## Part\n',
  '.gitbook/assets/dot.png': PIXEL,
  '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nA note.\n',
}
const HOME_ALONE = { 'SUMMARY.md': '* [Home](README.md)\n', 'README.md': files['README.md'] }

test('a link to what was deleted names it: a page with its path and the place on it, a file, a reusable content', async () => {
  const id = await spaceWith(w, files)
  const before = (await linksAt(`/spaces/${id}`)).items
  await publishFiles(w, id, HOME_ALONE)
  const { items, stats } = await linksAt(`/spaces/${id}`, '&status=broken')
  assert.deepEqual(said(items), [
    'broken Home → file dot.png',
    'broken Home → page Deep#part',
    'broken Home → reusable-content Note',
  ])
  assert.deepEqual(stats, { total: 3, broken: { total: 3 } })
  const idOf = ({ targetReference: { page, file, reusableContent } }: Json) =>
    (page ?? file ?? reusableContent)?.id
  const ids = (list: Json[]) => list.map(idOf).filter(Boolean).sort()
  assert.deepEqual(
    ids(items),
    ids(before.filter((item: Json) => nameOf(item.locationReferences[0]) === 'Home')),
  )
  const page = items.find((item: Json) => item.targetReference.kind === 'page').targetReference
  assert.equal(page.page.path, 'guide/deep')
  assert.equal(page.space.id, id)
  assert.equal(page.organization.id, w.organizationId)
})

test('a link to a path that a page was moved away from names the page as it is now', async () => {
  const id = await spaceWith(w, files)
  const deep = (await linksAt(`/spaces/${id}`)).items.find(
    (item: Json) => nameOf(item.targetReference) === 'Deep',
  )
  const { 'deep.md': _, ...others } = files
  await publishFiles(w, id, {
    ...others,
    'SUMMARY.md': '* [Home](README.md)\n* [Guide](guide.md)\n  * [Deeper](deeper.md)\n',
    'deeper.md': '# Deeper\n\n## Part\n',
  })
  const [broken] = (await linksAt(`/spaces/${id}`, '&status=broken')).items
  assert.equal(broken.targetReference.page.id, deep.targetReference.page.id)
  assert.equal(broken.targetReference.page.title, 'Deeper')
})

test('if a link could mean several paths, it meant the one that had content most recently', async () => {
  const both = { 'a.md': '[b](b)\n', 'b.md': '# File\n', 'b/README.md': '# Folder\n' }
  const id = await spaceWith(w, both)
  const meant = async () => said((await linksAt(`/spaces/${id}`)).items)
  assert.deepEqual(await meant(), ['ok A → page Folder'])
  await publishFiles(w, id, { 'a.md': both['a.md'], 'b.md': both['b.md'] })
  assert.deepEqual(await meant(), ['ok A → page File'])
  await publishFiles(w, id, { 'a.md': both['a.md'] })
  assert.deepEqual(await meant(), ['broken A → page File'])
  await publishFiles(w, id, both)
  assert.deepEqual(await meant(), ['ok A → page Folder'])
})

test('a duplicate knows what its broken links meant', async () => {
  const id = await spaceWith(w, files)
  await publishFiles(w, id, HOME_ALONE)
  const { body: copy } = await w.call('POST', `/spaces/${id}/duplicate`)
  await publishFiles(w, copy.id, { ...HOME_ALONE, 'new.md': '# New\n' })
  assert.ok(said((await linksAt(`/spaces/${copy.id}`)).items).includes('broken Home → page Deep#part'))
})

test('visitors do not learn what a space used to contain', async () => {
  const id = await spaceWith(w, files, { visibility: 'public' })
  await publishFiles(w, id, HOME_ALONE)
  const { items } = await linksAt(`/spaces/${id}`, '', 'stranger')
  assert.deepEqual(said(items), [
    'broken Home → url .gitbook/assets/dot.png',
    'broken Home → url .gitbook/includes/note.md',
    'broken Home → url deep.md#part',
  ])
})

test('a link to another space of this server says nothing of it, and is broken for whom nothing is there', async () => {
  const secret = await spaceWith(w, { 'README.md': '# Secret words\n' })
  const open = await spaceWith(
    w,
    {
      '.gitbook.yaml': 'redirects:\n  was: is.md\n',
      'SUMMARY.md': '* [Top](README.md)\n* [Is](is.md)\n',
      'README.md': '# Top\n',
      'is.md': '# Is\n',
    },
    { visibility: 'public' },
  )
  const at = (path: string) => `http://octavo.test/s/${path}`
  const paths = [
    ...[secret, `${secret}/gone`, 'nowhere', 'no%00where', open, `${open}/is?q=1#there`, `${open}/is.md`],
    ...[`${open}/was`, `${open}/gone`, `${open}/~/search`, `${open}/llms.txt`],
  ]
  const text = paths.map(path => `[l](${at(path)})`).join('\n\n')
  const id = await spaceWith(w, { 'a.md': `${text}\n` }, { visibility: 'public' })
  const BROKEN_FOR_ALL = [`${secret}/gone`, 'nowhere', 'no%00where', `${open}/gone`]
  for (const [as, broken] of [
    ['admin', BROKEN_FOR_ALL],
    ['stranger', [secret, ...BROKEN_FOR_ALL]],
  ] as const) {
    const { items, stats } = await linksAt(`/spaces/${id}`, '', as)
    assert.deepEqual(
      items.map(({ status, targetReference }: Json) => [status, targetReference]),
      paths.map(path => [broken.includes(path) ? 'broken' : 'in-app', { kind: 'url', url: at(path) }]),
    )
    assert.deepEqual(stats, { total: paths.length, broken: { total: broken.length } })
  }
})

test('a link to another space breaks and mends with its content', async () => {
  const other = await spaceWith(w, { 'a.md': '# A\n', 'b.md': '# B\n' })
  const id = await spaceWith(w, { 'a.md': `[b](http://octavo.test/s/${other}/b)\n` })
  const broken = async () => (await linksAt(`/spaces/${id}`)).stats.broken.total
  assert.equal(await broken(), 0)
  await publishFiles(w, other, { 'a.md': '# A\n' })
  assert.equal(await broken(), 1)
  await publishFiles(w, other, { 'a.md': '# A\n', 'b.md': '# B\n' })
  assert.equal(await broken(), 0)
  await w.call('DELETE', `/spaces/${other}`)
  assert.equal(await broken(), 1)
})

test('an address that no reader follows is broken, and one that nothing uses is no link', async () => {
  const id = await spaceWith(w, {
    'a.md': [
      '# A',
      '',
      '[1](javascript:alert(1)) [2](mailto:a@example.com) ![3](data:image/png;base64,AA) [4][used]',
      '',
      '<a href="vbscript:x">5</a>',
      '',
      '[used]: https://example.com',
      '[unused]: gone.md',
    ].join('\n'),
  })
  const { items, stats } = await linksAt(`/spaces/${id}`)
  assert.deepEqual(said(items), [
    'broken A → url data:image/png;base64,AA',
    'broken A → url javascript:alert(1)',
    'broken A → url vbscript:x',
    'ok A → url https://example.com',
    'ok A → url mailto:a@example.com',
  ])
  assert.deepEqual(stats, { total: 5, broken: { total: 3 } })
})

test('a link to a place that a page does not have is broken and names the page and the place', async () => {
  const id = await spaceWith(w, {
    'a.md': '# A\n\n[1](b.md#there) [2](b.md#gone) [3](#a) [4](#nowhere)\n',
    'b.md': '# B\n\n## There\n',
  })
  const { items, stats } = await linksAt(`/spaces/${id}`)
  assert.deepEqual(said(items), [
    'broken A → page A#nowhere',
    'broken A → page B#gone',
    'ok A → page A#a',
    'ok A → page B#there',
  ])
  assert.deepEqual(stats, { total: 4, broken: { total: 2 } })
  await publishFiles(w, id, { 'a.md': '# A\n\n[1](b.md#there) [2](b.md#gone)\n', 'b.md': '# B\n\n## Gone\n' })
  assert.deepEqual(said((await linksAt(`/spaces/${id}`)).items), [
    'broken A → page B#there',
    'ok A → page B#gone',
  ])
})

test('places are found in any case and spelling, on expandables, tabs, steps and whatever has an id', async () => {
  const page = [
    '# Page\n\n## Ünïcode & Co\n\n## 标题\n\n### CamelCase <a href="#CamelCase" id="CamelCase"></a>',
    '<details><summary>How so?</summary>\n\nSo.\n\n</details>',
    '{% tabs %}\n{% tab title="On Linux" %}\nx\n{% endtab %}\n{% endtabs %}',
    '{% stepper %}\n{% step %}\n### First of all\n{% endstep %}\n{% step title="Then" %}\nx\n{% endstep %}\n{% endstepper %}',
    '<p id="spot">x</p>\n',
  ].join('\n\n')
  const places =
    'Unicode-CO 标题 %E6%A0%87%E9%A2%98 camelcase CAMELCASE how-so On-Linux first-of-all then spot'
  const links = [...places.split(' '), 'top', '', ':~:text=x', 'fn:1'].map(place => `[x](page.md#${place})`)
  const id = await spaceWith(w, { 'page.md': page, 'links.md': `# Links\n\n${links.join(' ')}\n` })
  assert.deepEqual(said((await linksAt(`/spaces/${id}`, '&status=broken')).items), [])
})

test('a page that includes something has the places of what is included', async () => {
  const id = await spaceWith(w, {
    'a.md': '# A\n\n[1](b.md#inside) [2](b.md#inside-1) [3](b.md#outside) [4](c.md#inside)\n',
    'b.md': '# B\n\n{% include ".gitbook/includes/note.md" %}\n',
    'c.md': '# C\n',
    '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\n## Inside\n',
  })
  assert.deepEqual(said((await linksAt(`/spaces/${id}`, '&status=broken')).items), [
    'broken A → page B#outside',
    'broken A → page C#inside',
  ])
})

test('where the places of what is included are not known, none of them is missing', async () => {
  const id = await spaceWith(w, {
    'a.md': '# A\n\n[1](b.md#inside) [2](b.md#outside) [3](a.md#outside)\n',
    'b.md': '# B\n\n{% include ".gitbook/includes/note.md" %}\n',
    '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\n## Inside\n',
  })
  const { body } = await w.call('GET', `/spaces/${id}/content`)
  await w.services.db.deleteFrom('live_anchors').where('id', '=', body.reusableContents[0].id).execute()
  assert.deepEqual(said((await linksAt(`/spaces/${id}`, '&status=broken')).items), [
    'broken A → page A#outside',
  ])
})

test('what is there and cannot be shown as it is used is broken: a picture of a page, an include of a page', async () => {
  const id = await spaceWith(w, {
    'a.md':
      '# A\n\n![b](b.md) [note](.gitbook/includes/note.md) [ok](b.md)\n\n{% include "b.md" %}\n\n{% include ".gitbook/includes/note.md" %}\n',
    'b.md': '# B\n',
    '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nA note.\n',
  })
  assert.deepEqual(said((await linksAt(`/spaces/${id}`)).items), [
    'broken A → page B',
    'broken A → page B',
    'broken A → reusable-content Note',
    'ok A → page B',
    'ok A → reusable-content Note',
  ])
})

test('the name of an API specification is no path', async () => {
  const id = await spaceWith(w, {
    'a.md': '{% openapi-operation spec="petstore" path="/pets" method="get" %}\n{% endopenapi-operation %}\n',
  })
  assert.deepEqual(said((await linksAt(`/spaces/${id}`)).items), ['ok A → url petstore'])
})

test('links of reusable contents are listed, counted and known to what they lead to', async () => {
  const content = {
    'a.md': '# A\n',
    '.gitbook/includes/note.md':
      '---\ntitle: Note\n---\n\n[a](../../a.md) [gone](gone.md) [here](#somewhere)\n',
  }
  const id = await spaceWith(w, content)
  assert.deepEqual(said((await linksAt(`/spaces/${id}`)).items), [
    'broken Note → url gone.md',
    'ok Note → page A',
    'ok Note → reusable-content Note',
  ])
  const a = await pageCalled(id, 'A')
  const { body } = await w.call('GET', `/spaces/${id}/content/page/${a}/backlinks`)
  assert.deepEqual(body.items.map(nameOf), ['Note'])
  await publishFiles(w, id, { 'a.md': '# A\n' })
  assert.equal((await linksAt(`/spaces/${id}`)).count, 0)
})

test('a change request tells which links it breaks and what they meant, and which it mends', async () => {
  const id = await spaceWith(w, {
    ...files,
    'guide.md': '# Guide\n\n[gone](gone.md) [typo](nwe.md) [place](deep.md#nowhere) [lost](lost.md)\n',
  })
  const { 'deep.md': _, ...without } = files
  const changed = {
    ...without,
    'SUMMARY.md': '* [Home](README.md)\n* [Guide](guide.md)\n* [Gone](gone.md)\n',
    'guide.md': '# Guide\n\n[gone](gone.md) [new](gone.md) [lost](lost.md)\n',
    'gone.md': '# Gone\n',
  }
  const { id: changeRequest } = await changeRequestWith(w, id, changed)
  const at = `/spaces/${id}/change-requests/${changeRequest}`
  const context = async (name: string) => said((await linksAt(at, `&brokenContext=${name}`)).items)
  assert.deepEqual(await context('change-request'), ['broken Home → page Deep#part'])
  assert.deepEqual(await context('space'), ['broken Guide → url lost.md'])
  // One leads somewhere now, and two are not written any more.
  assert.deepEqual(await context('mended'), [
    'broken Guide → page Deep#nowhere',
    'broken Guide → url gone.md',
    'broken Guide → url nwe.md',
  ])
  const { stats } = await linksAt(at)
  assert.deepEqual(stats.broken, { total: 2, changeRequest: 1, mended: 3 })
  const summary = `${changed['SUMMARY.md']}* [Deep](deep.md)\n`
  await proposeFiles(w, changeRequest, {
    ...changed,
    'SUMMARY.md': summary,
    'deep.md': files['deep.md'],
  })
  assert.deepEqual((await linksAt(at)).stats.broken.changeRequest, 0)
})

test('a change request that takes a place away breaks the links to it, and one that brings it mends them', async () => {
  const content = {
    'a.md': '# A\n\n[1](b.md#one) [2](b.md#two)\n',
    'b.md': '# B\n\n## One\n',
  }
  const id = await spaceWith(w, content)
  const { id: changeRequest } = await changeRequestWith(w, id, { ...content, 'b.md': '# B\n\n## Two\n' })
  const at = `/spaces/${id}/change-requests/${changeRequest}`
  assert.deepEqual((await linksAt(at)).stats.broken, { total: 1, changeRequest: 1, mended: 1 })
  assert.deepEqual(said((await linksAt(at, '&brokenContext=change-request')).items), [
    'broken A → page B#one',
  ])
  assert.deepEqual(said((await linksAt(at, '&brokenContext=mended')).items), ['broken A → page B#two'])
})

test('a link that names a person is not broken in a space or in a change request, and a page of its path wins', async () => {
  const person = 'x1'
  const text = `[@Ada](/users/${person}) ![@Ada](/users/${person}) [@Ada](/users/a/b) [one](/users/one)`
  const id = await spaceWith(w, {
    'SUMMARY.md': '* [Home](README.md)\n* [One](users/one.md)\n',
    'README.md': `# Home\n\n${text}\n`,
    'users/one.md': '# One\n',
  })
  const { items, stats } = await linksAt(`/spaces/${id}`)
  assert.deepEqual(said(items), [
    'broken Home → url /users/a/b',
    `broken Home → url /users/${person}`,
    `ok Home → page One`,
    `ok Home → url /users/${person}`,
  ])
  assert.deepEqual(stats, { total: 4, broken: { total: 2 } })
  const { id: change } = await changeRequestWith(w, id, {
    'README.md': `# Home\n\n[@Bo](/users/${person})\n`,
  })
  const proposed = await linksAt(`/spaces/${id}/change-requests/${change}`, '&brokenContext=change-request')
  assert.deepEqual(proposed.items, [])
})
