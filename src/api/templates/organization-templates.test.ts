// An organization's own templates, made from spaces and pages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PIXEL, publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { type PersonName, world } from '../../../test/support/world.ts'

const w = await world()
const templates = `/orgs/${w.organizationId}/templates`

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire should have
type Json = any

const FILES = {
  'README.md':
    '---\nicon: rocket\ndescription: Where to begin.\n---\n\n# Start\n\n![dot](.gitbook/assets/dot.png) See [setup](guides/setup.md#first) and [Octavo](https://example.com).\n\n{% include ".gitbook/includes/note.md" %}\n\nAsk [support](content-ref:support).\n\nThe end.\n',
  'SUMMARY.md':
    '* [Start](README.md)\n\n## Guides\n\n* [Setup](guides/setup.md)\n  * [Deep](guides/deep.md)\n* [Forum](https://example.com/forum)\n',
  'guides/setup.md': '# Setup\n\n## First\n\nBack to the [start](../README.md), on to the [deep](deep.md).\n',
  'guides/deep.md': '# Deep\n\nUp to [setup](setup.md), out to the [start](../README.md).\n',
  '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nA note, and [deep](../../guides/deep.md).\n',
  '.gitbook/assets/dot.png': PIXEL,
  '.gitbook/assets/unused.txt': 'shown nowhere',
}
const origin = await spaceWith(w, FILES, { title: 'Origin' })
const { body: content } = await w.call('GET', `/spaces/${origin}/content`)

const make = async (body: object, as: PersonName = 'admin') =>
  w.call('POST', templates, { body: { title: 'Ours', space: origin, ...body }, as })
const apply = (space: string, body: object, as: PersonName = 'admin') =>
  w.call('POST', `/spaces/${space}/content/template`, { body, as })
const markdownAt = async (space: string, path: string): Promise<string> =>
  (await w.call('GET', `/spaces/${space}/content/path/${path}`)).body.markdown
const support = { support: { kind: 'url', url: 'https://example.com/help' } }

test('a template of a space adds its pages, files and texts to another one, whatever happens to the first', async () => {
  const first = await spaceWith(w, FILES)
  const { status, body: template, headers } = await make({ space: first, description: 'What we begin with.' })
  assert.equal(status, 201)
  assert.equal(headers.location, template.urls.location)
  assert.deepEqual(
    [template.title, template.description, template.pages, template.contentRefs, template.space],
    ['Ours', 'What we begin with.', 5, ['support'], first],
  )
  await publishFiles(w, first, { 'README.md': '# Nothing left\n' })
  await w.call('DELETE', `/spaces/${first}`)

  const { id: space } = await w.createSpace()
  assert.equal((await apply(space, { id: template.id, params: { contentRefs: support } })).status, 201)
  const { body: pages } = await w.call('GET', `/spaces/${space}/content/pages`)
  const shape = (page: Json): Json => [page.type, page.title, ...(page.pages ?? []).map(shape)]
  assert.deepEqual(pages.pages.map(shape), [
    ['document', 'Start'],
    ['group', 'Guides', ['document', 'Setup', ['document', 'Deep']], ['link', 'Forum']],
  ])
  assert.deepEqual([pages.pages[0].icon, pages.pages[0].description], ['rocket', 'Where to begin.'])
  const { body: links } = await w.call('GET', `/spaces/${space}/links?limit=1000`)
  assert.equal(links.stats.broken.total, 0, JSON.stringify(links.items))
  const start = await markdownAt(space, 'start')
  assert.match(
    start,
    /!\[dot\]\(.*assets\/dot\.png\) See \[setup\]\(.*setup\.md#first\) and \[Octavo\]\(https:\/\/example\.com\)/,
  )
  assert.match(start, /\{% include ".*note\.md" %\}/)
  assert.match(start, /Ask \[support\]\(https:\/\/example\.com\/help\)/)
  const { body: files } = await w.call('GET', `/spaces/${space}/content/files`)
  assert.deepEqual(
    files.items.map(({ name, dimensions }: Json) => [name, dimensions]),
    [['dot.png', { width: 1, height: 1 }]],
  )
  const { rawPayload } = await w.app.inject({
    url: files.items[0].downloadURL.replace('http://octavo.test', ''),
  })
  assert.deepEqual(rawPayload, PIXEL)
})

test('a template of a page has the pages below it, and links to other pages by their addresses', async () => {
  const setup = content.pages[1].pages[0]
  const { body: template } = await make({ page: setup.id })
  assert.deepEqual([template.pages, template.contentRefs], [2, []])
  const { body: changeRequest } = await w.call('POST', `/spaces/${origin}/change-requests`)
  const applied = await apply(origin, { id: template.id, changeRequestId: changeRequest.id })
  assert.equal(applied.status, 201, applied.text)
  const at = `/spaces/${origin}/change-requests/${changeRequest.id}`
  const { body: page } = await w.call('GET', `${at}/content/path/setup`)
  assert.match(
    page.markdown,
    new RegExp(`Back to the \\[start\\]\\(http://octavo.test/s/${origin}/readme\\)`),
  )
  const { body: deep } = await w.call('GET', `${at}/content/path/setup/deep`)
  const { body: links } = await w.call('GET', `${at}/content/page/${deep.id}/links`)
  assert.equal(links.items[0].targetReference.page.id, page.id, 'its links lead to the copies')
})

test('a line whose link is not given is left out of an own template too', async () => {
  const { body: template } = await make({})
  const { id: space } = await w.createSpace()
  await apply(space, { id: template.id })
  const start = await markdownAt(space, 'start')
  assert.doesNotMatch(start, /Ask|content-ref/)
  assert.match(start, /%\}\n\nThe end\.\n$/)
  const { body: file } = await w.call('GET', `/spaces/${origin}/content/files`)
  const missing = await apply(space, {
    id: template.id,
    params: { contentRefs: { support: { kind: 'file', file: file.items[0].id } } },
  })
  assert.equal(missing.status, 400, 'a file of another space is none of this one')
})

test('templates are listed, renamed and deleted, and spaces made with one stay', async () => {
  const { body: made } = await make({ title: 'Passing' })
  const t = `${templates}/${made.id}`
  const renamed = await w.call('PATCH', t, { body: { title: 'Lasting', description: 'Words.' } })
  assert.deepEqual([renamed.body.title, renamed.body.description], ['Lasting', 'Words.'])
  const { body: list } = await w.call('GET', `${templates}?limit=1`, { as: 'read' })
  assert.deepEqual(list.items, [renamed.body])
  assert.deepEqual((await w.call('GET', t, { as: 'read' })).body, renamed.body)
  const { id: space } = await w.createSpace()
  await apply(space, { id: made.id })
  for (const _ of [1, 2]) assert.equal((await w.call('DELETE', t)).status, 204)
  assert.equal((await w.call('GET', t)).status, 404)
  assert.equal((await w.call('PATCH', t, { body: { title: 'x' } })).status, 404)
  assert.equal((await apply(space, { id: made.id })).status, 404)
  assert.ok(await markdownAt(space, 'start'))
})

test('making a template needs to duplicate the space and create in the organization; only members use it', async () => {
  const { body: template } = await make({})
  assert.equal((await make({}, 'create')).status, 201)
  assert.equal((await make({}, 'edit')).status, 403)
  await w.call('PATCH', `/spaces/${origin}`, { body: { defaultLevel: 'read' } })
  const readable = await make({}, 'create')
  assert.deepEqual([readable.status, readable.body.error.message.slice(0, 20)], [403, 'To make a template o'])
  await w.call('PATCH', `/spaces/${origin}`, { body: { defaultLevel: null } })
  const hidden = await make({}, 'create')
  assert.deepEqual([hidden.status, hidden.body.error.message.slice(0, 11)], [400, 'body.space:'])
  await w.call('PATCH', `/spaces/${origin}`, { body: { defaultLevel: 'inherit' } })
  for (const page of ['nowhere', content.pages[1].id])
    assert.match((await make({ page })).body.error.message, /^body\.page: /)

  const other = await world()
  const { id: foreign } = await other.createSpace()
  assert.equal((await make({ space: foreign })).status, 400)
  const elsewhere = await other.call('POST', `/spaces/${foreign}/content/template`, {
    body: { id: template.id },
  })
  assert.equal(elsewhere.status, 404)

  const { id: shared } = await w.createSpace()
  const guest = { role: 'edit', users: [w.people.guest.id] }
  await w.call('POST', `/spaces/${shared}/permissions`, { body: guest })
  assert.equal((await apply(shared, { id: 'blank' }, 'guest')).status, 201)
  assert.equal((await apply(shared, { id: template.id }, 'guest')).status, 404)
  assert.equal((await apply(shared, { id: template.id }, 'edit')).status, 201)
})

test('a space with a template is created in one step, or not at all', async () => {
  const { body: template } = await make({})
  const create = (body: object, as: PersonName = 'admin') =>
    w.call('POST', `/orgs/${w.organizationId}/spaces`, { body: { title: 'Begun', ...body }, as })
  const countSpaces = async () => (await w.call('GET', `/orgs/${w.organizationId}/spaces`)).body.count
  const {
    status,
    body: space,
    headers,
  } = await create({
    template: { id: template.id, params: { contentRefs: support } },
    editMode: 'locked',
  })
  assert.deepEqual([status, space.title, headers.location], [201, 'Begun', space.urls.location])
  assert.match(await markdownAt(space.id, 'start'), /Ask \[support\]\(https:\/\/example\.com\/help\)/)
  const { body: revisions } = await w.call('GET', `/spaces/${space.id}/revisions`)
  assert.deepEqual([revisions.count, revisions.items[0].id], [2, space.revision])
  const { body: links } = await w.call('GET', `/spaces/${space.id}/links?limit=1000`)
  assert.equal(links.stats.broken.total, 0)
  assert.equal((await create({ template: { id: 'help-center' } })).status, 201)

  const before = await countSpaces()
  const nowhere = { support: { kind: 'page', page: 'nowhere' } }
  for (const [body, refusal] of [
    [{ template: { id: 'unheard-of' } }, 404],
    [{ template: { id: template.id, params: { contentRefs: nowhere } } }, 400],
    [{ template: { id: 'blank' }, empty: true }, 400],
    [{ template: { id: 'blank' }, parent: 'nowhere' }, 400],
  ] as const)
    assert.equal((await create(body)).status, refusal, JSON.stringify(body))
  assert.equal((await create({ template: { id: 'blank' } }, 'edit')).status, 403)
  assert.equal(await countSpaces(), before)
})

test('a change request begins with a template, and merges it', async () => {
  const { body: template } = await make({})
  const { id: space } = await w.createSpace()
  const open = (body: object) => w.call('POST', `/spaces/${space}/change-requests`, { body })
  const { status, body: request } = await open({ subject: 'Begin', template: { id: template.id } })
  assert.equal(status, 201)
  assert.deepEqual((await w.call('GET', `/spaces/${space}/content/pages`)).body.pages, [])
  const at = `/spaces/${space}/change-requests/${request.id}`
  assert.equal((await w.call('GET', `${at}/content/pages`)).body.pages.length, 2)
  assert.equal((await w.call('POST', `${at}/merge`)).status, 200)
  assert.ok(await markdownAt(space, 'start'))
  assert.equal((await open({ template: { id: 'unheard-of' } })).status, 404)
  assert.equal((await w.call('GET', `/spaces/${space}/change-requests?status=draft`)).body.count, 0)
})

test('content beyond the limits of a template is refused, with advice', async () => {
  const large = await spaceWith(w, { 'README.md': `# Large\n\n${'x'.repeat(2_200_000)}\n` })
  const { status, body } = await make({ space: large })
  assert.equal(status, 413)
  assert.match(body.error.message, /at most 2097152 bytes of text\. Make one from a page/)
  const { id: empty } = await w.createSpace()
  const { body: nothing } = await make({ space: empty })
  assert.equal(nothing.pages, 0)
  assert.equal((await apply(empty, { id: nothing.id })).status, 201)
})
