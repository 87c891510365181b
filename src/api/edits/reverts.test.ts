// Going back: a page as a whole, or single blocks of it, to what a revision had.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  changeRequestOn,
  type EditTarget,
  edit,
  headOf,
  idAt,
  liveAt,
  pagesOf,
  readPage,
  refused,
} from '../../../test/support/edits.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'
import { blocks } from '../../engines/markdown/page/page.ts'

const w = await world()

const TEXT = '# Setup\n\nThe first paragraph of it.\n\nThe second one is longer than that.\n\n*  a   list\n'
const SITE = {
  'README.md': '# Start\n',
  'guides/README.md': '# Guides\n',
  'guides/a.md': '# A\n',
  'guides/setup.md': TEXT,
  'guides/setup/deep.md': '# Deep\n',
  'guides/z.md': '# Z\n',
}

const site = async (): Promise<EditTarget> => changeRequestOn(w, await spaceWith(w, SITE))
const textOf = async (at: EditTarget, id: string): Promise<string> => (await readPage(w, at, id)).markdown
const revert = (page: string, more: object = {}) => ({ operation: 'revert_page', page, ...more })

test('a page that was added goes, with what was added below it', async () => {
  const at = await site()
  const { changes } = await edit(
    w,
    at,
    { operation: 'insert_page', title: 'New', document: {}, ref: 'new' },
    { operation: 'insert_page', title: 'Below', document: {}, into: 'new' },
  )
  const [page, below] = changes.map((change: { page: { id: string } }) => change.page.id)
  const reverted = await edit(w, at, revert(page))
  assert.deepEqual(reverted.changes, [
    { object: 'deleted_page', page },
    { object: 'deleted_page', page: below },
  ])
})

test('an added page with an older page below it is not removed', async () => {
  const at = await site()
  const deep = await idAt(w, at, 'guides/setup/deep')
  const { changes } = await edit(
    w,
    at,
    { operation: 'insert_page', title: 'New', document: {}, ref: 'new' },
    { operation: 'update_page', page: deep, into: 'new' },
  )
  const message = await refused(w, at, [revert(changes[0].page.id)])
  assert.match(message, new RegExp(`^body\\.changes\\.0\\.page: the page ${deep} was there before`))
})

test('a page that was deleted comes back to its place, with those below it, as it was', async () => {
  const at = await site()
  const setup = await idAt(w, at, 'guides/setup')
  const before = await pagesOf(w, at)
  await edit(w, at, { operation: 'delete_page', page: setup })
  const { changes } = await edit(w, at, revert(setup))
  assert.deepEqual(
    changes.map(({ object }: { object: string }) => object),
    ['created_page', 'created_page'],
  )
  const paths = [...(await pagesOf(w, at))].map(([path, { id }]) => [path, id])
  assert.deepEqual(
    paths,
    [...before].map(([path, { id }]) => [path, id]),
  )
  assert.equal(await textOf(at, setup), TEXT)
})

test('a page below that was moved away before is left where it is', async () => {
  const at = await site()
  const setup = await idAt(w, at, 'guides/setup')
  const deep = await idAt(w, at, 'guides/setup/deep')
  await edit(
    w,
    at,
    { operation: 'update_page', page: deep, into: null },
    { operation: 'delete_page', page: setup },
    revert(setup),
  )
  assert.equal((await readPage(w, at, deep)).path, 'deep')
  assert.deepEqual((await readPage(w, at, setup)).pages, [])
})

test('changed, deleted and reverted in one request, a page is as if nothing had been, its file included', async () => {
  const at = await site()
  const setup = await idAt(w, at, 'guides/setup')
  const { updatedAt: _, createdAt: __, ...before } = await readPage(w, at, setup)
  assert.equal(before.git.path, 'guides/setup.md')
  await edit(
    w,
    at,
    { operation: 'update_page', page: setup, document: { markdown: '# Other\n' }, title: 'Other' },
    { operation: 'delete_page', page: setup },
    revert(setup),
  )
  const { updatedAt: ___, createdAt: ____, ...after } = await readPage(w, at, setup)
  assert.deepEqual(after, before)
})

test('a page comes back where the page above it is, and not where its slug was given away', async () => {
  const at = await site()
  const guides = await idAt(w, at, 'guides')
  const setup = await idAt(w, at, 'guides/setup')
  await edit(w, at, { operation: 'delete_page', page: guides })
  assert.match(
    await refused(w, at, [revert(setup)]),
    new RegExp(`^body\\.changes\\.0\\.page: the page ${guides} above it is not there`),
  )
  await edit(w, at, revert(guides))
  await edit(
    w,
    at,
    { operation: 'delete_page', page: setup },
    { operation: 'insert_page', title: 'Setup', document: {}, into: guides },
  )
  assert.match(await refused(w, at, [revert(setup)]), /^body\.changes\.0\.slug: .* has the slug "setup"/)
})

test('the text of a page that was changed is what it was; its place and its address stay', async () => {
  const at = await site()
  const setup = await idAt(w, at, 'guides/setup')
  await edit(w, at, {
    ...{ operation: 'update_page', page: setup, into: null, slug: 'begin', description: 'How' },
    document: { markdown: '# Setup\n\nAll new.\n' },
  })
  await edit(w, at, revert(setup))
  const page = await readPage(w, at, setup)
  assert.deepEqual([page.markdown, page.path, page.description], [TEXT, 'begin', undefined])
})

test('a renamed page has its old title again, whatever of its text says it', async () => {
  const at = await site()
  const setup = await idAt(w, at, 'guides/setup')
  await edit(w, at, { operation: 'update_page', page: setup, title: 'Other' })
  assert.match(await textOf(at, setup), /^# Other\n/)
  await edit(w, at, revert(setup))
  const page = await readPage(w, at, setup)
  assert.deepEqual([page.title, page.markdown], ['Setup', TEXT])
})

test('a group and a link have their old title and fields again; their place stays', async () => {
  const { spaceId } = await site()
  const live = liveAt(spaceId)
  const { changes } = await edit(
    w,
    live,
    { operation: 'insert_page', type: 'group', title: 'Reference', icon: 'book' },
    { operation: 'insert_page', type: 'link', title: 'Web', target: { kind: 'url', url: 'https://a.test/' } },
  )
  const [group, link] = changes.map((change: { page: { id: string } }) => change.page.id)
  const revision = await headOf(w, live)
  const guides = await idAt(w, live, 'guides')
  await edit(
    w,
    live,
    { operation: 'update_page', page: group, title: 'Other', slug: 'other', icon: 'globe', emoji: '📘' },
    { operation: 'update_page', page: link, title: 'Other', hidden: true, into: guides },
  )
  await edit(w, live, revert(group, { revision }), revert(link, { revision }))
  const { title, icon, emoji, path } = await readPage(w, live, group)
  assert.deepEqual([title, icon, emoji, path], ['Reference', 'book', undefined, 'other'])
  const after = await readPage(w, live, link)
  assert.deepEqual([after.title, after.hidden ?? false], ['Web', false])
  assert.ok((await readPage(w, live, guides)).pages.some(({ id }: { id: string }) => id === link))
})

test('only the named blocks are undone: inserted, removed and modified ones', async () => {
  const at = await site()
  const setup = await idAt(w, at, 'guides/setup')
  const text =
    '# Setup\n\nThe second one is longer than that, and more.\n\nInserted here.\n\nAnother one inserted.\n\n*  a   list\n'
  await edit(w, at, { operation: 'update_page', page: setup, document: { markdown: text }, hidden: true })
  const stored = await textOf(at, setup)
  const keyOf = (source: string, start: string): string => {
    const block = blocks(source).find(({ start: from, end }) => source.slice(from, end).startsWith(start))
    assert.ok(block !== undefined)
    return block.key
  }
  const inserted = keyOf(stored, 'Inserted here.')
  await edit(w, at, revert(setup, { block: [inserted] }))
  assert.doesNotMatch(await textOf(at, setup), /Inserted here/)
  const removed = keyOf(TEXT, 'The first paragraph')
  const modified = keyOf(stored, 'The second one')
  await edit(w, at, revert(setup, { block: [removed, modified] }))
  const page = await readPage(w, at, setup)
  assert.equal(
    page.markdown,
    `---\nhidden: true\n---\n\n${TEXT.replace('\n*  a', '\nAnother one inserted.\n\n*  a')}`,
  )
  assert.equal(page.hidden, true, 'metadata is untouched')
  assert.match(
    await refused(w, at, [revert(setup, { block: ['nothing'] })]),
    /^body\.changes\.0\.block: no changed block of this page has the key "nothing"/,
  )
})

test('another revision can be named, and on a space it has to be', async () => {
  const { spaceId } = await site()
  const at = liveAt(spaceId)
  const setup = await idAt(w, at, 'guides/setup')
  const first = await headOf(w, at)
  await edit(w, at, { operation: 'update_page', page: setup, document: { markdown: '# Second\n' } })
  const second = await headOf(w, at)
  await edit(w, at, { operation: 'update_page', page: setup, document: { markdown: '# Third\n' } })
  assert.match(await refused(w, at, [revert(setup)]), /^body\.changes\.0\.revision: this is required here/)
  assert.match(
    await refused(w, at, [revert(setup, { revision: 'nowhere' })]),
    /^body\.changes\.0\.revision: the space has no revision nowhere/,
  )
  await edit(w, at, revert(setup, { revision: second }))
  assert.equal(await textOf(at, setup), '# Second\n')
  await edit(w, at, revert(setup, { revision: first }))
  assert.equal(await textOf(at, setup), TEXT)
})

test('a revision of another space is none of this one', async () => {
  const other = await w.createSpace()
  const at = await site()
  const page = await idAt(w, at, 'guides/setup')
  assert.match(await refused(w, at, [revert(page, { revision: other.revision })]), /has no revision/)
})
