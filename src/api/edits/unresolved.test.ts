// What a text refers to and is not there yet.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EditTarget } from '../../../test/support/edits.ts'
import { changeRequestOn, edit, idAt, liveAt, readPage } from '../../../test/support/edits.ts'
import { PIXEL, spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'
import { UNRESOLVED_MAX, UNRESOLVED_PATH_CHARACTERS_MAX } from './batch/unresolved.ts'

const w = await world()

const site = async () => liveAt(await spaceWith(w, { 'README.md': '# Start\n' }))
const insert = (title: string, markdown: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown },
  ...more,
})

const TEXT = `[a page](./later.md), [a place](later.md#two) and ![a picture](.gitbook/assets/dot.gif)

{% content-ref url="later.md" %}
[later.md](later.md)
{% endcontent-ref %}

{% file src=".gitbook/assets/dot.gif" %}
The **caption** of it.
{% endfile %}

{% include ".gitbook/includes/note.md" %}

<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td>Card</td><td><a href="later.md">later.md</a></td></tr></tbody></table>
`

const LATER = [
  insert('Later', '## Two\n'),
  {
    operation: 'insert_files',
    files: [{ name: 'dot.gif', contentType: 'image/gif', base64: PIXEL.toString('base64') }],
  },
  { operation: 'insert_reusable_content', title: 'Note', document: { markdown: 'Words of it.\n' } },
]

const brokenIn = async ({ path }: EditTarget, page: string): Promise<number> =>
  (await w.call('GET', `${path}/content/page/${page}/links`)).body.stats.broken.total

test('links and blocks to what is not there stay as written, are named, and lead there once it comes', async () => {
  for (const at of [await site(), await changeRequestOn(w, (await site()).spaceId)]) {
    const { changes, unresolved } = await edit(w, at, insert('First', TEXT))
    const page = changes[0].page.id
    assert.deepEqual(unresolved, [
      { page, path: './later.md', kind: 'link' },
      { page, path: 'later.md#two', kind: 'link' },
      { page, path: '.gitbook/assets/dot.gif', kind: 'image' },
      { page, path: 'later.md', kind: 'content-ref' },
      { page, path: '.gitbook/assets/dot.gif', kind: 'file' },
      { page, path: '.gitbook/includes/note.md', kind: 'include' },
    ])
    assert.equal((await readPage(w, at, page)).markdown, TEXT)
    assert.ok((await brokenIn(at, page)) > 0)
    assert.deepEqual((await edit(w, at, ...LATER)).unresolved, [])
    assert.equal((await readPage(w, at, page)).markdown, TEXT)
    assert.equal(await brokenIn(at, page), 0)
    assert.deepEqual(
      (await edit(w, at, { operation: 'update_page', page, document: { markdown: TEXT } })).unresolved,
      [],
    )
  }
})

test('a document keeps the words and the path of what is not there, and so does writing it back', async () => {
  const at = await site()
  const page = (await edit(w, at, insert('First', TEXT))).changes[0].page.id
  const read = async () =>
    (await w.call('GET', `${at.path}/content/page/${page}?format=document`)).body.document
  const document = await read()
  const said = JSON.stringify(document)
  for (const words of [
    './later.md',
    '.gitbook/assets/dot.gif',
    'caption',
    '.gitbook/includes/note.md',
    'Card',
  ])
    assert.ok(said.includes(words), words)
  const changed = JSON.parse(said.replace('a page', 'one page').replace('caption', 'words'))
  const { unresolved } = await edit(w, at, {
    operation: 'update_page',
    page,
    document: { document: changed },
  })
  assert.equal(unresolved.length, 6)
  assert.equal(
    (await readPage(w, at, page)).markdown,
    TEXT.replace('a page', 'one page').replace('caption', 'words'),
  )
})

test('pages that are sent one by one, each before what it links to, all lead to one another in the end', async () => {
  // As a client reads them from a repository: a page with subpages is the README of its folder.
  const pages = [
    { slug: 'guides', above: null, text: '[one](one.md), [two](two/), [top](../start.md), [x](two/x.md#y)' },
    { slug: 'one', above: 'guides', text: '[up](README.md), [up too](./), [two](two/README.md)' },
    { slug: 'two', above: 'guides', text: '[one](../one.md), [x](x.md), [up](../)' },
    { slug: 'x', above: 'two', text: '[up](README.md), [one](../one.md), [top](../../start)\n\n## Y' },
    { slug: 'start', above: null, text: '[g](guides/), [g](guides/README.md), [one](guides/one.md)' },
  ]
  const { body: space } = await w.call('POST', `/orgs/${w.organizationId}/spaces`, {
    body: { title: 'Sent', empty: true },
  })
  const at = liveAt(space.id)
  const ids = new Map<string | null, string>()
  for (const { slug, above, text } of pages) {
    const into = above === null ? {} : { into: ids.get(above) }
    const { changes, unresolved } = await edit(w, at, insert(slug, text, { slug, ...into }))
    assert.ok(unresolved.length > 0 || slug === 'start', slug)
    ids.set(slug, changes[0].page.id)
  }
  const { body } = await w.call('GET', `${at.path}/links`)
  assert.deepEqual(body.stats, { total: 16, broken: { total: 0 } })
  for (const [slug, id] of ids) {
    const { body } = await w.call('GET', `${at.path}/content/page/${id}?format=document`)
    assert.ok(!JSON.stringify(body.document).includes('"kind":"url"'), `${slug} refers to pages alone`)
  }
})

test('references of a rich document to what is not there are named by its id', async () => {
  const at = await site()
  const paragraph = (ref: object) => ({
    object: 'block',
    type: 'paragraph',
    isVoid: false,
    data: {},
    nodes: [
      {
        object: 'inline',
        type: 'link',
        isVoid: false,
        data: { ref },
        nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'words', marks: [] }] }],
      },
    ],
  })
  const file = { object: 'block', type: 'file', isVoid: true, data: { ref: { kind: 'file', file: 'gone' } } }
  const nodes = [
    paragraph({ kind: 'page', page: 'gone' }),
    paragraph({ kind: 'url', url: 'no/one.md' }),
    file,
  ]
  const document = { object: 'document', data: {}, nodes }
  const { changes, unresolved } = await edit(w, at, {
    operation: 'insert_page',
    title: 'New',
    document: { document },
  })
  const page = changes[0].page.id
  assert.deepEqual(unresolved, [
    { page, path: '/files/gone', kind: 'file' },
    { page, path: '/pages/gone', kind: 'link' },
    { page, path: 'no/one.md', kind: 'link' },
  ])
  assert.equal((await readPage(w, at, page)).markdown, '# New\n\nwords\n\n[words](no/one.md)\n')
})

test('a reusable content names what it lacks, addresses nobody is sent to are named, and the list has its bounds', async () => {
  const at = await site()
  const many = Array.from({ length: UNRESOLVED_MAX + 5 }, (_, nth) => `[x](no/${nth}.md)`).join('\n')
  const { changes, unresolved } = await edit(
    w,
    at,
    { operation: 'insert_reusable_content', title: 'Note', document: { markdown: '[x](no.md)\n' } },
    insert('Data', `![a dot](data:image/gif;base64,${'A'.repeat(1000)}) and [run](javascript:alert)\n`),
    insert('Many', many),
  )
  const [data, , note] = changes
  assert.deepEqual(unresolved.slice(0, 3), [
    { reusableContent: note.reusableContent.id, path: 'no.md', kind: 'link' },
    {
      page: data.page.id,
      path: `data:image/gif;base64,${'A'.repeat(1000)}`.slice(0, UNRESOLVED_PATH_CHARACTERS_MAX),
      kind: 'image',
    },
    { page: data.page.id, path: 'javascript:alert', kind: 'link' },
  ])
  assert.equal(unresolved.length, UNRESOLVED_MAX)
  assert.equal((await readPage(w, at, data.page.id)).markdown, 'a dot and run\n')
  assert.equal((await readPage(w, at, await idAt(w, at, 'many'))).markdown, many)
})

test('a person who is named in a text is not missing', async () => {
  const text = `[@Ada](/users/${w.people.edit.id}) and [gone](/users/a/b)`
  const { unresolved } = await edit(w, await site(), insert('Named', text))
  assert.deepEqual(
    unresolved.map(({ path }: { path: string }) => path),
    ['/users/a/b'],
  )
})
