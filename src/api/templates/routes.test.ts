import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PIXEL, spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'
import { TEMPLATE_IDS } from './library.ts'

const w = await world()

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire should have
type Json = any

const apply = (space: string, body: unknown, as: 'admin' | 'edit' = 'admin') =>
  w.call('POST', `/spaces/${space}/content/template`, { body, as })

const pagesOf = async (at: string): Promise<Json[]> => (await w.call('GET', `${at}/content/pages`)).body.pages
const paths = (pages: Json[]): string[] => pages.flatMap(page => [page.path, ...paths(page.pages ?? [])])
const markdownOf = async (at: string, path: string): Promise<string> =>
  (await w.call('GET', `${at}/content/path/${path}`)).body.markdown

test('every template adds pages that link to one another, as one revision', async () => {
  for (const id of TEMPLATE_IDS) {
    const { id: space } = await w.createSpace()
    const { status, text, headers } = await apply(space, { id })
    assert.deepEqual([status, text, headers.location], [201, '', undefined])
    const { body } = await w.call('GET', `/spaces/${space}/links?limit=1000`)
    assert.equal(body.stats.broken.total, 0, JSON.stringify(body.items))
    if (id !== 'blank') assert.ok(body.stats.total > 10)
    assert.equal((await w.call('GET', `/spaces/${space}/revisions`)).body.count, 2)
    assert.doesNotMatch(JSON.stringify(body), /content-ref/)
  }
})

test('groups, subpages, icons and descriptions are those of the template', async () => {
  const { id: space } = await w.createSpace()
  await apply(space, { id: 'product-docs', params: { contentRefs: {} } })
  const pages = await pagesOf(`/spaces/${space}`)
  assert.deepEqual(
    pages.map(page => [page.type, page.title]),
    [
      ['document', 'Welcome'],
      ['document', 'Quickstart'],
      ['document', 'Core concepts'],
      ['group', 'Guides'],
      ['group', 'Reference'],
      ['group', 'Help'],
    ],
  )
  assert.deepEqual([pages[1].icon, pages[1].path], ['rocket', 'quickstart'])
  assert.match(pages[1].description, /five minutes/)
  assert.equal(pages[3].pages[2].pages[0].path, 'guides/work-as-a-team/roles-and-permissions')
})

test('existing pages stay, and pages of the same name get another', async () => {
  const space = await spaceWith(w, {
    'quickstart.md': '# Quickstart\n\nMine.\n',
    'welcome.md': '# Welcome\n',
  })
  await apply(space, { id: 'product-docs' })
  await apply(space, { id: 'product-docs' })
  const all = paths(await pagesOf(`/spaces/${space}`))
  for (const path of ['quickstart', 'quickstart-1', 'quickstart-2', 'core-concepts-1', 'guides-1/install'])
    assert.ok(all.includes(path), path)
  assert.equal(await markdownOf(`/spaces/${space}`, 'quickstart'), '# Quickstart\n\nMine.\n')
  const { body } = await w.call('GET', `/spaces/${space}/links`)
  assert.equal(body.stats.broken.total, 0)
  const second = await w.call('GET', `/spaces/${space}/content/path/quickstart-2`)
  const { body: links } = await w.call('GET', `/spaces/${space}/content/page/${second.body.id}/links`)
  const leadsTo = links.items[0].targetReference.page.id
  const { body: target } = await w.call('GET', `/spaces/${space}/content/page/${leadsTo}`)
  assert.equal(target.path, 'core-concepts-1', 'each copy links within itself')
})

test('given references are linked, and lines with others are left out', async () => {
  const space = await spaceWith(w, {
    'help.md': '# Help\n\n## Mail\n\n![dot](.gitbook/assets/dot.png)\n',
    '.gitbook/assets/dot.png': PIXEL,
  })
  const { body: content } = await w.call('GET', `/spaces/${space}/content`)
  const [file] = content.files
  const contentRefs = {
    cover: { kind: 'file', file: file.id },
    support: { kind: 'anchor', page: content.pages[0].id, anchor: 'mail' },
    unused: { kind: 'url', url: 'https://example.com' },
  }
  await apply(space, { id: 'product-docs', params: { contentRefs } })
  const welcome = await w.call('GET', `/spaces/${space}/content/path/welcome`)
  assert.match(welcome.body.markdown, /!\[\]\(\.gitbook\/assets\/dot\.png\)/)
  const { body: links } = await w.call('GET', `/spaces/${space}/content/page/${welcome.body.id}/links`)
  const targets = links.items.map((item: Json) => item.targetReference)
  assert.ok(targets.some((target: Json) => target.file?.id === file.id))
  assert.ok(
    targets.some(
      (target: Json) => target.page?.id === content.pages[0].id && target.internalLocation?.anchor === 'mail',
    ),
  )

  const { id: without } = await w.createSpace()
  await apply(without, { id: 'product-docs', params: {} })
  const plain = await markdownOf(`/spaces/${without}`, 'welcome')
  assert.doesNotMatch(plain, /content-ref:|ask us|!\[\]|\n\n\n/)
  for (const [kind, target, shown] of [
    ['url', { kind: 'url', url: 'https://example.com/help' }, 'https://example.com/help'],
    ['space', { kind: 'space', space }, `http://octavo.test/s/${space}`],
  ] as const) {
    const { id } = await w.createSpace()
    const answer = await apply(id, { id: 'help-center', params: { contentRefs: { contact: target } } })
    assert.equal(answer.status, 201, answer.text)
    assert.ok((await markdownOf(`/spaces/${id}`, 'problems/contact-us')).includes(`(${shown})`), kind)
  }
})

test('a page of another space is linked to by its address, also by a space that begins with the template', async () => {
  const there = await spaceWith(w, { 'help.md': '# Help\n' })
  const [page] = (await w.call('GET', `/spaces/${there}/content`)).body.pages
  const reference = { kind: 'anchor', page: page.id, anchor: 'mail', space: there }
  const template = { id: 'help-center', params: { contentRefs: { contact: reference } } }
  const { id: space } = await w.createSpace()
  await apply(space, template)
  const { id: begun } = await w.createSpace({ template })
  for (const id of [space, begun])
    assert.ok(
      (await markdownOf(`/spaces/${id}`, 'problems/contact-us')).includes(
        `(http://octavo.test/s/${there}/help#mail)`,
      ),
    )
  await w.call('PATCH', `/spaces/${there}`, { body: { defaultLevel: null } })
  const { status, body } = await apply(space, template, 'edit')
  assert.deepEqual(
    [status, /contentRefs\.contact: there is no such page/.test(body.error.message)],
    [400, true],
  )
})

test('a reference that leads nowhere is refused by name, and nothing is written', async () => {
  const { id: space } = await w.createSpace()
  for (const reference of [
    { kind: 'file', file: 'unknown' },
    { kind: 'page', page: 'unknown' },
    { kind: 'anchor', page: 'unknown', anchor: 'x' },
    { kind: 'space', space: 'unknown' },
    { kind: 'url', url: 'javascript:alert(1)' },
    { kind: 'user', user: 'x' },
    'x',
  ]) {
    const { status, body } = await apply(space, {
      id: 'product-docs',
      params: { contentRefs: { support: reference } },
    })
    assert.equal(status, 400)
    assert.match(body.error.message, /^body\.params\.contentRefs\.support/, JSON.stringify(reference))
  }
  const many = Object.fromEntries(
    Array.from({ length: 21 }, (_, at) => [`r${at}`, { kind: 'url', url: 'x' }]),
  )
  assert.equal((await apply(space, { id: 'blank', params: { contentRefs: many } })).status, 400)
  assert.deepEqual(await pagesOf(`/spaces/${space}`), [])
})

test('a space that the caller may not see cannot be linked to', async () => {
  const { id: hidden } = await w.createSpace({ title: 'Hidden' })
  await w.call('PATCH', `/spaces/${hidden}`, { body: { defaultLevel: null } })
  const { id: space } = await w.createSpace()
  const body = { id: 'help-center', params: { contentRefs: { contact: { kind: 'space', space: hidden } } } }
  assert.equal((await apply(space, body, 'edit')).status, 400)
  assert.equal((await apply(space, body, 'admin')).status, 201)
})

test('an unknown template is 404 by name, a missing id 400', async () => {
  const { id: space } = await w.createSpace()
  for (const id of ['unheard-of', 'constructor', '../../library/blank']) {
    const { status, body } = await apply(space, { id })
    assert.equal(status, 404)
    assert.match(body.error.message, /no such template/)
  }
  assert.equal((await apply(space, {})).status, 400)
})

test('a template can be applied to a locked space', async () => {
  const { id: space } = await w.createSpace({ editMode: 'locked' })
  assert.equal((await apply(space, { id: 'blank' }, 'edit')).status, 201)
  assert.deepEqual(paths(await pagesOf(`/spaces/${space}`)), ['untitled'])
})

test('a change request gets the pages instead of the space, while it can be edited', async () => {
  const { id: space } = await w.createSpace()
  const { body: changeRequest } = await w.call('POST', `/spaces/${space}/change-requests`)
  for (const changeRequestId of [changeRequest.id, String(changeRequest.number)])
    assert.equal((await apply(space, { id: 'blank', changeRequestId })).status, 201)
  const at = `/spaces/${space}/change-requests/${changeRequest.id}`
  assert.deepEqual(paths(await pagesOf(at)), ['untitled', 'untitled-1'])
  assert.deepEqual(await pagesOf(`/spaces/${space}`), [])
  for (const changeRequestId of ['unknown', '99'])
    assert.equal((await apply(space, { id: 'blank', changeRequestId })).status, 404)
  const { id: other } = await w.createSpace()
  assert.equal((await apply(other, { id: 'blank', changeRequestId: changeRequest.id })).status, 404)
  await w.call('PATCH', at, { body: { status: 'archived' } })
  assert.equal((await apply(space, { id: 'blank', changeRequestId: changeRequest.id })).status, 409)
})

test('templates applied concurrently are all added', async () => {
  const { id: space } = await w.createSpace()
  const answers = await Promise.all(Array.from({ length: 8 }, () => apply(space, { id: 'blank' })))
  assert.ok(answers.every(({ status }) => status === 201))
  assert.equal((await pagesOf(`/spaces/${space}`)).length, 8)
})
