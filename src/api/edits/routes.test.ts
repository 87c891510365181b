import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Change,
  type EditTarget,
  edit as editIn,
  headOf as headIn,
  idAt as idIn,
  liveAt,
  changeRequestOn as openChangeRequest,
  pagesOf as pagesIn,
  readPage,
  refused as refusedIn,
  write as writeIn,
} from '../../../test/support/edits.ts'
import { assertLiveRows } from '../../../test/support/live-rows.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { type Call, world } from '../../../test/support/world.ts'

const w = await world()

const SITE = {
  'README.md': '# Start\n\nHello.\n',
  'guides/README.md': '# Guides\n\nAll of them.\n',
  'guides/setup.md': '# Setup\n\nSet it up.\n',
  'guides/next.md': '# Next\n\nAnd then.\n',
}

const edit = (at: EditTarget, ...changes: Change[]) => editIn(w, at, ...changes)
const write = (at: EditTarget, changes: readonly Change[], call?: Call) => writeIn(w, at, changes, call)
const refused = (at: EditTarget, changes: readonly Change[], status?: number) =>
  refusedIn(w, at, changes, status)
const headOf = (at: EditTarget) => headIn(w, at)
const pagesOf = (at: EditTarget) => pagesIn(w, at)
const idAt = (at: EditTarget, path: string) => idIn(w, at, path)
const page = (at: EditTarget, id: string) => readPage(w, at, id)
const changeRequestOn = (spaceId: string) => openChangeRequest(w, spaceId)
const textOf = async (at: EditTarget, id: string): Promise<string> => (await page(at, id)).markdown

for (const kind of ['change request', 'space'] as const) {
  const site = async (files = SITE): Promise<EditTarget> => {
    const spaceId = await spaceWith(w, files)
    return kind === 'space' ? liveAt(spaceId) : changeRequestOn(spaceId)
  }

  test(`${kind}: a new page is where it was put, under its title, byte for byte`, async () => {
    const at = await site()
    const markdown = '\ufeff# A  new\tpage\r\n\r\nText  with   spaces.   \r\n'
    const { changes } = await edit(at, {
      operation: 'insert_page',
      document: { markdown },
      into: await idAt(at, 'guides'),
      at: 0,
      ref: 'new',
    })
    const [{ object, page: made, ref }] = changes
    assert.deepEqual([object, ref, changes.length], ['created_page', 'new', 1])
    assert.equal(made.urls.location, `http://octavo.test/v1${at.path}/content/page/${made.id}`)
    const found = await page(at, made.id)
    assert.equal(found.markdown, markdown)
    assert.deepEqual([found.title, found.slug, found.path], ['A new page', 'a-new-page', 'guides/a-new-page'])
    assert.ok(found.createdAt && found.createdAt === found.updatedAt)
    const guides = (await pagesOf(at)).get('guides')
    assert.deepEqual(
      guides?.pages?.map(({ title }) => title),
      ['A new page', 'Next', 'Setup'],
    )
  })

  test(`${kind}: a request makes exactly one revision, and one that changes nothing makes none`, async () => {
    const at = await site()
    const first = await headOf(at)
    const id = await idAt(at, 'guides/setup')
    await edit(
      at,
      { operation: 'update_page', page: id, document: { markdown: '# Setup\n\nOnce.\n' } },
      { operation: 'update_page', page: id, document: { markdown: '# Setup\n\nTwice.\n' } },
      { operation: 'insert_page', document: {}, title: 'Empty' },
    )
    const second = await headOf(at)
    assert.notEqual(second, first)
    const { body } = await w.call('GET', `/spaces/${at.spaceId}/revisions/${second}`)
    assert.deepEqual([body.type, body.parents], ['edits', [first]])
    const again = { operation: 'update_page', page: id, document: { markdown: '# Setup\n\nTwice.\n' } }
    await edit(at, again, { operation: 'update_page', page: id, title: 'Setup' })
    assert.equal(await headOf(at), second)
    assert.equal((await page(at, id)).markdown, '# Setup\n\nTwice.\n')
  })

  test(`${kind}: moving, renaming and deleting`, async () => {
    const at = await site()
    const setup = await idAt(at, 'guides/setup')
    const next = await idAt(at, 'guides/next')
    const guides = await idAt(at, 'guides')
    await edit(at, { operation: 'update_page', page: setup, into: null, at: 0, slug: 'begin' })
    assert.deepEqual([...(await pagesOf(at)).keys()], ['begin', 'readme', 'guides', 'guides/next'])
    // The title does not change the slug, nor the slug the title.
    await edit(at, { operation: 'update_page', page: setup, title: 'Begin here' })
    const found = await page(at, setup)
    assert.deepEqual([found.title, found.slug], ['Begin here', 'begin'])
    assert.match(found.markdown, /^# Begin here\n/, 'the heading that was the title follows it')
    await edit(at, { operation: 'update_page', page: setup, title: 'Readme', slug: null })
    assert.equal((await page(at, setup)).slug, 'readme-1', 'one made from the title is none of a sibling')
    await edit(at, { operation: 'update_page', page: setup, title: 'Begin', slug: null })
    await edit(at, { operation: 'update_page', page: setup, slug: null })
    assert.equal((await page(at, setup)).slug, 'begin', 'its own is free')
    await edit(at, { operation: 'update_page', page: setup, at: 2 })
    assert.deepEqual([...(await pagesOf(at)).keys()], ['readme', 'guides', 'guides/next', 'begin'])
    const { changes } = await edit(at, { operation: 'delete_page', page: guides })
    assert.deepEqual(changes, [
      { object: 'deleted_page', page: guides },
      { object: 'deleted_page', page: next },
    ])
    assert.deepEqual([...(await pagesOf(at)).keys()], ['readme', 'begin'])
  })

  test(`${kind}: groups, links, layouts, covers and variables`, async () => {
    const at = await site()
    const setup = await idAt(at, 'guides/setup')
    const { changes } = await edit(
      at,
      { operation: 'insert_page', type: 'group', title: 'Reference', ref: 'reference' },
      { operation: 'insert_page', document: { markdown: '# API\n' }, into: 'reference' },
      {
        operation: 'insert_page',
        type: 'link',
        title: 'Web',
        target: { kind: 'url', url: 'https://a.test/' },
        icon: 'globe',
      },
      { operation: 'insert_page', type: 'link', title: 'There', target: { kind: 'page', page: 'later' } },
      { operation: 'insert_page', title: 'Later', document: {}, ref: 'later' },
      {
        ...{ operation: 'update_page', page: setup, layout: { outline: false, width: 'wide' } },
        ...{ cover: { ref: { kind: 'url', url: 'https://a.test/c.png' }, yPos: -10, height: 300 } },
        ...{ variables: { version: 2, stable: true, name: 'Octavo' } },
      },
    )
    const ids = changes.map(({ page }: { page: { id: string } }) => page.id)
    const [group, api, web, there, later] = await Promise.all(ids.map((id: string) => page(at, id)))
    assert.deepEqual([group.type, group.path, api.path], ['group', 'reference', 'reference/api'])
    assert.deepEqual(
      [web.target, web.icon, web.slug],
      [{ kind: 'url', url: 'https://a.test/' }, 'globe', undefined],
    )
    assert.deepEqual(there.target, { kind: 'page', page: later.id })
    const found = await page(at, setup)
    assert.deepEqual([found.layout.outline, found.layout.width, found.layout.title], [false, 'wide', true])
    assert.deepEqual(found.cover, {
      ref: { kind: 'url', url: 'https://a.test/c.png' },
      yPos: -10,
      height: 300,
    })
    assert.deepEqual(found.variables, { version: 2, stable: true, name: 'Octavo' })
    await edit(at, {
      ...{ operation: 'update_page', page: setup, layout: null, cover: null },
      variables: { version: null, stable: null, name: null },
    })
    assert.equal(await textOf(at, setup), '# Setup\n\nSet it up.\n', 'nothing is left in the text')
  })

  test(`${kind}: reusable contents and variables of the whole`, async () => {
    const at = await site()
    const { changes } = await edit(
      at,
      { operation: 'insert_page', document: { markdown: '# P\n\n{% include "./note.md" %}\n' } },
      {
        operation: 'insert_reusable_content',
        title: 'A note',
        document: { markdown: 'Mind this.\n' },
        ref: 'note',
      },
      { operation: 'update_variables', variables: { product: 'Octavo', year: 2030, beta: false } },
    )
    const [made, note] = changes
    assert.deepEqual([note.object, note.ref], ['created_reusable_content', 'note'])
    assert.equal(await textOf(at, made.page.id), '# P\n\n{% include ".gitbook/includes/a-note.md" %}\n')
    const { body } = await w.call('GET', `${at.path}/content`)
    assert.deepEqual(body.variables, { product: 'Octavo', year: 2030, beta: false })
    assert.equal(body.reusableContents[0].title, 'A note')
    const id = note.reusableContent.id
    await edit(
      at,
      { operation: 'update_reusable_content', reusableContent: id, title: 'Another' },
      { operation: 'update_variables', variables: { year: null, product: 'O' } },
    )
    const { body: after } = await w.call('GET', `${at.path}/content`)
    assert.deepEqual(
      [after.variables, after.reusableContents[0].title],
      [{ product: 'O', beta: false }, 'Another'],
    )
    const gone = await edit(at, { operation: 'delete_reusable_content', reusableContent: id })
    assert.deepEqual(gone.changes, [{ object: 'deleted_reusable_content', reusableContent: id }])
  })

  test(`${kind}: an outcome for each page once, in the order of first touch`, async () => {
    const at = await site()
    const setup = await idAt(at, 'guides/setup')
    const next = await idAt(at, 'guides/next')
    const { changes } = await edit(
      at,
      { operation: 'update_page', page: next, title: 'Then' },
      { operation: 'insert_page', title: 'Short', document: {}, ref: 'short' },
      { operation: 'insert_page', title: 'Long', document: {}, ref: 'long' },
      { operation: 'update_page', page: setup, hidden: true },
      { operation: 'update_page', page: 'long', icon: 'bolt' },
      { operation: 'delete_page', page: next },
      { operation: 'delete_page', page: 'short' },
    )
    assert.deepEqual(
      changes.map(({ object, ref }: Change) => [object, ref]),
      [
        ['deleted_page', undefined],
        ['created_page', 'long'],
        ['updated_page', undefined],
      ],
    )
  })

  test(`${kind}: If-Match writes on the named revision only`, async () => {
    const at = await site()
    const seen = await headOf(at)
    const change = (title: string) => [{ operation: 'insert_page', title, document: {} }]
    const match = (revision: string) => ({ headers: { 'if-match': `"${revision}"` } })
    assert.equal((await write(at, change('One'), match(seen))).status, 200)
    const { status, body } = await write(at, change('Two'), match(seen))
    assert.equal(status, 412)
    assert.match(body.error.message, new RegExp(await headOf(at)))
    assert.equal((await write(at, change('Two'), match(await headOf(at)))).status, 200)
    assert.equal((await write(at, change('Three'), { headers: { 'if-match': '*' } })).status, 200)
  })
}

test('with compat, the default, the response is the change request itself', async () => {
  const at = await changeRequestOn(await spaceWith(w, SITE))
  const changes = [{ operation: 'insert_page', title: 'New', document: {} }]
  for (const query of ['', '?compat=true']) {
    const { status, body } = await w.call('POST', `${at.path}/content${query}`, { body: { changes } })
    assert.deepEqual([status, body.object, body.id], [200, 'change-request', at.id])
    assert.equal(body.revision, await headOf(at))
  }
  const { changeRequest } = await edit(at, ...changes)
  assert.deepEqual([changeRequest.id, changeRequest.revision], [at.id, await headOf(at)])
})

test('a change request is edited without touching its space', async () => {
  const spaceId = await spaceWith(w, SITE)
  const at = await changeRequestOn(spaceId)
  await edit(at, { operation: 'delete_page', page: await idAt(at, 'guides') })
  assert.equal((await pagesOf(liveAt(spaceId))).size, 4)
  assert.equal((await pagesOf(at)).size, 1)
})

test('a merged change request takes no edits, an archived one once it is reopened', async () => {
  const at = await changeRequestOn(await spaceWith(w, SITE))
  const change = [{ operation: 'insert_page', title: 'New', document: {} }]
  await w.call('PATCH', at.path, { body: { status: 'archived' } })
  assert.match(await refused(at, [{ operation: 'delete_page', page: 'nowhere' }], 409), /[Rr]eopen/)
  await w.call('PATCH', at.path, { body: { status: 'open' } })
  await edit(at, ...change)
  await w.services.db
    .updateTable('change_requests')
    .set({ status: 'merged' })
    .where('id', '=', at.id)
    .execute()
  w.services.changes.touch()
  assert.match(await refused(at, change, 409), /was merged/)
})

test('a locked space takes no direct edits and says what to do', async () => {
  const at = liveAt(await spaceWith(w, SITE))
  await w.call('PATCH', at.path, { body: { editMode: 'locked' } })
  // Whatever the changes are: nothing of them is looked at.
  const message = await refused(at, [{ operation: 'delete_page', page: 'nowhere' }], 409)
  assert.match(message, /change request/)
  assert.match(message, /editMode/)
})

test('live edits are found by search and listed in the history at once', async () => {
  const at = liveAt(await spaceWith(w, SITE))
  await edit(at, { operation: 'insert_page', document: { markdown: '# Zebra\n\nStripes everywhere.\n' } })
  await edit(at, { operation: 'delete_page', page: await idAt(at, 'guides/setup') })
  const { body } = await w.call('GET', `${at.path}/search?query=stripes`)
  assert.equal(body.items[0].title, 'Zebra')
  const { body: history } = await w.call('GET', `${at.path}/revisions`)
  assert.equal(history.items[0].type, 'edits')
  await assertLiveRows(w.services, at.spaceId)
})

test('titles come from the frontmatter, the heading, the field or nowhere, in this order', async () => {
  const at = liveAt(await spaceWith(w, SITE))
  const titleOf = async (change: Change): Promise<string> => {
    const { changes } = await edit(at, { operation: 'insert_page', ...change })
    return (await page(at, changes[0].page.id)).title
  }
  const markdown = '---\ntitle: Front\n---\n\n# Head\n'
  assert.equal(await titleOf({ title: 'Field', document: { markdown } }), 'Front')
  assert.equal(await titleOf({ title: 'Field', document: { markdown: '# Head\n' } }), 'Head')
  assert.equal(await titleOf({ title: 'Field', document: { markdown: 'Words\n\n## Part\n' } }), 'Field')
  assert.equal(await titleOf({ document: { markdown: 'Words\n\n## Part\n' } }), 'Part')
  assert.equal(await titleOf({ document: {} }), 'Untitled')
  assert.ok((await pagesOf(at)).has('untitled'))
  assert.equal(await titleOf({ document: {} }), 'Untitled')
  assert.ok((await pagesOf(at)).has('untitled-1'), 'a derived slug gets a number')
})

const INVALID: readonly [name: string, changes: (at: EditTarget) => Promise<Change[]>, message: RegExp][] = [
  [
    'an unknown page',
    async () => [{ operation: 'update_page', page: 'nowhere', title: 'x' }],
    /^body\.changes\.0\.page: there is no page nowhere .*content\/pages/,
  ],
  [
    'an unknown parent',
    async () => [{ operation: 'insert_page', title: 'x', document: {}, into: 'nowhere' }],
    /^body\.changes\.0\.into: there is no page nowhere/,
  ],
  [
    'a second operation that is wrong after a first that is right',
    async () => [
      { operation: 'insert_page', title: 'x', document: {} },
      { operation: 'delete_page', page: 'nowhere' },
    ],
    /^body\.changes\.1\.page:/,
  ],
  [
    'a page below itself',
    async at => [
      { operation: 'update_page', page: await idAt(at, 'guides'), into: await idAt(at, 'guides') },
    ],
    /^body\.changes\.0\.into: a page cannot be moved below itself/,
  ],
  [
    'a page below its own subpage',
    async at => [
      { operation: 'update_page', page: await idAt(at, 'guides'), into: await idAt(at, 'guides/setup') },
    ],
    /^body\.changes\.0\.into: a page cannot be moved below itself/,
  ],
  [
    'a slug that a sibling has',
    async at => [
      { operation: 'insert_page', title: 'x', document: {}, slug: 'setup', into: await idAt(at, 'guides') },
    ],
    /^body\.changes\.0\.slug: the page \w+ beside it has the slug "setup"\. Send another/,
  ],
  [
    'a slug that a sibling has where the page is moved to',
    async at => [
      { operation: 'insert_page', title: 'Setup', document: {}, ref: 'x' },
      { operation: 'update_page', page: 'x', into: await idAt(at, 'guides') },
    ],
    /^body\.changes\.1\.slug: .* "setup"/,
  ],
  [
    'a slug with a slash',
    async () => [{ operation: 'insert_page', title: 'x', document: {}, slug: 'a/b' }],
    /^body\.changes\.0\.slug: .*"a-b" would do/,
  ],
  [
    'a ref twice',
    async () => [
      { operation: 'insert_page', title: 'x', document: {}, ref: 'same' },
      { operation: 'insert_page', title: 'y', document: {}, ref: 'same' },
    ],
    /^body\.changes\.1\.ref: "same" is already used/,
  ],
  [
    'a ref that is the path of a page',
    async () => [{ operation: 'insert_page', title: 'x', document: {}, ref: 'guides' }],
    /^body\.changes\.0\.ref: "guides" is a page of this content already/,
  ],
  [
    'a parent that is inserted further down',
    async () => [
      { operation: 'insert_page', title: 'x', document: {}, into: 'later' },
      { operation: 'insert_page', title: 'y', document: {}, ref: 'later' },
    ],
    /^body\.changes\.0\.into: "later" is inserted further down/,
  ],
  [
    'a group below a page',
    async at => [{ operation: 'insert_page', type: 'group', title: 'g', into: await idAt(at, 'guides') }],
    /^body\.changes\.0\.into: a group can only be at the root/,
  ],
  [
    'a page below a link',
    async () => [
      {
        operation: 'insert_page',
        type: 'link',
        title: 'l',
        target: { kind: 'url', url: 'https://a.test' },
        ref: 'l',
      },
      { operation: 'insert_page', title: 'x', document: {}, into: 'l' },
    ],
    /^body\.changes\.1\.into: .* is of the type link and cannot have subpages/,
  ],
  [
    'a link that would run something',
    async () => [
      {
        operation: 'insert_page',
        type: 'link',
        title: 'l',
        target: { kind: 'url', url: 'javascript:alert(1)' },
      },
    ],
    /^body\.changes\.0\.target: /,
  ],
  [
    'a link to a page that is not there',
    async () => [
      { operation: 'insert_page', type: 'link', title: 'l', target: { kind: 'page', page: 'nowhere' } },
    ],
    /^body\.changes\.0\.target: /,
  ],
  [
    'a group without a title',
    async () => [{ operation: 'insert_page', type: 'group' }],
    /^body\.changes\.0\.title: a group needs one/,
  ],
  [
    'a field that a group has not',
    async () => [{ operation: 'insert_page', type: 'group', title: 'g', description: 'x' }],
    /^body\.changes\.0\.description: a page of the type group has none/,
  ],
  [
    'a page without a document',
    async () => [{ operation: 'insert_page', title: 'x' }],
    /^body\.changes\.0\.document: this is required/,
  ],
  [
    'two documents in one',
    async () => [
      {
        operation: 'insert_page',
        document: { markdown: 'x', document: { object: 'document', data: {}, nodes: [] } },
      },
    ],
    /^body\.changes\.0\.document: .* not both/,
  ],
  [
    'half a character',
    async () => [{ operation: 'insert_page', document: { markdown: 'half \ud83d of it' } }],
    /^body\.changes\.0\.document\.markdown: .*surrogate/,
  ],
  [
    'a text of more than 10 MB',
    async () => [{ operation: 'insert_page', document: { markdown: 'x'.repeat(10 * 1024 * 1024 + 1) } }],
    /^body\.changes\.0\.document\.markdown: a page holds at most 10485760 bytes/,
  ],
  [
    'frontmatter that cannot be read',
    async () => [{ operation: 'insert_page', document: { markdown: '---\ntitle: [a\n---\n' } }],
    /^body\.changes\.0\.document\.markdown: the frontmatter of this page cannot be read: line \d+: .*\. Correct/,
  ],
  [
    'a title of nothing but spaces',
    async at => [{ operation: 'update_page', page: await idAt(at, 'guides'), title: ' \u0000 ' }],
    /^body\.changes\.0\.title: a title has at least one character/,
  ],
  ['no changes', async () => [], /^body\.changes: must not have fewer than 1 items/],
  [
    '51 changes',
    async () => Array.from({ length: 51 }, () => ({ operation: 'insert_page', title: 'x', document: {} })),
    /^body\.changes: must not have more than 50 items/,
  ],
  [
    'an operation that there is not',
    async () => [{ operation: 'rename_page', page: 'x' }],
    /^body\.changes\.0\.operation: must be one of insert_page, update_page, delete_page/,
  ],
  [
    'a wrong field of the operation that is meant',
    async () => [
      { operation: 'insert_page', title: 'x', document: {} },
      { operation: 'update_page', page: 'x', at: 'first' },
    ],
    /^body\.changes\.1\.at: must be integer/,
  ],
  [
    'an unknown file, reusable content or variable name',
    async () => [{ operation: 'delete_file', file: 'nowhere' }],
    /^body\.changes\.0\.file: there is no file nowhere/,
  ],
  [
    'an unknown reusable content',
    async () => [{ operation: 'update_reusable_content', reusableContent: 'nowhere', title: 'x' }],
    /^body\.changes\.0\.reusableContent: there is no reusable content nowhere/,
  ],
  [
    'a variable that is too long',
    async () => [{ operation: 'update_variables', variables: { a: 'x'.repeat(257) } }],
    /^body\.changes\.0\.variables\.a: /,
  ],
]

test('what is wrong is refused as a whole, naming the change, the field and the way out', async t => {
  const at = await changeRequestOn(await spaceWith(w, SITE))
  for (const [name, changes, message] of INVALID) {
    await t.test(name, async () => assert.match(await refused(at, await changes(at)), message))
  }
})

test('a tree that would be too deep is the fault of the change that makes it so', async () => {
  const at = liveAt((await w.createSpace()).id)
  let into: string | null = null
  for (let depth = 1; depth <= 32; depth += 16) {
    const { changes } = await edit(
      at,
      ...Array.from({ length: 16 }, (_, i) => ({
        ...{ operation: 'insert_page', title: `Level ${depth + i}`, document: {}, ref: `r${i}` },
        into: i === 0 ? into : `r${i - 1}`,
      })),
    )
    into = changes.at(-1).page.id
  }
  assert.match(
    await refused(at, [{ operation: 'insert_page', title: 'x', document: {}, into }]),
    /^body\.changes\.0\.into: pages nest at most 32 deep/,
  )
  const first = [...(await pagesOf(at)).values()][0]?.id
  assert.match(
    await refused(at, [
      { operation: 'insert_page', title: 'x', document: {}, ref: 'above' },
      { operation: 'update_page', page: first, into: 'above' },
    ]),
    /^body\.changes\.1\.into: .* deeper than 32 levels/,
  )
})

test('a caller who may not edit is refused before the body is read', async () => {
  const at = await changeRequestOn(await spaceWith(w, SITE))
  for (const place of [at, liveAt(at.spaceId)]) {
    assert.equal((await write(place, [], { as: 'comment' })).status, 403)
    assert.equal((await write(place, [], { as: 'stranger' })).status, 404)
    const changes = [{ operation: 'insert_page', title: 'By an editor', document: {} }]
    assert.equal((await write(place, changes, { as: 'edit' })).status, 200)
  }
})

test('JSON of any depth is refused or read, never a failure of the server', async () => {
  const at = await changeRequestOn(await spaceWith(w, SITE))
  const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)
  const payloads = [
    `{"changes":${nested('[', ']', 100_000)}}`,
    `{"changes":[{"operation":"insert_page","document":{"document":{"object":"document","data":{},"nodes":[${nested(
      '{"object":"block","type":"blockquote","data":{},"nodes":[',
      ']}',
      5_000,
    )}]}}}]}`,
    '{"changes":[{"operation":"insert_page","__proto__":{"document":{}}}]}',
    `{"changes":[{"operation":"insert_page","document":{"markdown":"x"},"ref":${JSON.stringify('../'.repeat(30))}}]}`,
  ]
  for (const payload of payloads) {
    const { status } = await w.call('POST', `${at.path}/content`, { payload })
    assert.equal(status, 400, payload.slice(0, 80))
  }
})

test('a text may hold what a database cannot, as an import of it may', async () => {
  const at = liveAt(await spaceWith(w, SITE))
  const markdown = '# A\u0000B\n\n\u0000 [\u0000](\u0000.md) \ufffe\n'
  const { changes } = await edit(at, {
    ...{ operation: 'insert_page', document: { markdown }, description: 'a\u0000b', icon: 'x\u0000' },
    variables: { a: '\u0007' },
  })
  const found = await page(at, changes[0].page.id)
  assert.equal(found.title, 'A B')
  assert.deepEqual([found.description, found.icon, found.variables], ['a b', 'x', { a: '' }])
  assert.ok(found.markdown.endsWith(`\n\n${markdown}`), JSON.stringify(found.markdown))
  await assertLiveRows(w.services, at.spaceId)
})

test('a body of more than 32 MB is refused before it is read', async () => {
  const at = await changeRequestOn(await spaceWith(w, SITE))
  const payload = `{"changes":[${' '.repeat(32 * 1024 * 1024)}]}`
  assert.equal((await w.call('POST', `${at.path}/content`, { payload })).status, 413)
})
