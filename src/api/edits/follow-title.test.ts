// The slug and the file of a page that was begun without its title.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Change,
  changeRequestOn,
  type EditTarget,
  edit,
  idAt,
  liveAt,
  readPage,
} from '../../../test/support/edits.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'

const w = await world()

const FILES = { 'SUMMARY.md': '* [Start](README.md)\n', 'README.md': '# Start\n\nWords.\n' }

/** A change request with a page that was begun in it. */
async function begun(fields: Change = {}): Promise<{ readonly at: EditTarget; readonly page: string }> {
  const at = await changeRequestOn(w, await spaceWith(w, FILES))
  const change = {
    operation: 'insert_page',
    title: 'New page',
    document: { markdown: 'Words.\n' },
    ...fields,
  }
  const { changes } = await edit(w, at, change)
  return { at, page: changes[0].page.id }
}

const retitle = (at: EditTarget, page: string, title: string, more: Change = {}) =>
  edit(w, at, { operation: 'update_page', page, title, followTitle: true, ...more })

async function placeOf(at: EditTarget, page: string) {
  const { slug, git } = await readPage(w, at, page)
  return { slug, file: git.path }
}

test('slug and file follow the title of a page that only the change request has, and links lead to it', async () => {
  const { at, page } = await begun()
  const start = await idAt(w, at, 'readme')
  const markdown = '# Start\n\nTo [it](new-page.md#part).\n'
  await edit(w, at, { operation: 'update_page', page: start, document: { markdown } })
  await retitle(at, page, 'Returns', {
    document: { markdown: 'See [above](#part) and [start](README.md).\n' },
  })
  assert.deepEqual(await placeOf(at, page), { slug: 'returns', file: 'returns.md' })
  const { body } = await w.call('GET', `${at.path}/content/page/${start}?format=markdown`)
  assert.match(body.markdown, /\[it\]\(returns\.md#part\)/)
  await retitle(at, page, 'Start')
  assert.deepEqual(await placeOf(at, page), { slug: 'start', file: 'start.md' })
})

test('a name that a sibling has gets a number, which the next title loses', async () => {
  const { at, page } = await begun()
  await edit(w, at, { operation: 'insert_page', title: 'Returns', document: { markdown: 'Words.\n' } })
  await retitle(at, page, 'Returns')
  assert.deepEqual(await placeOf(at, page), { slug: 'returns-1', file: 'returns-1.md' })
  await retitle(at, page, 'Prices')
  assert.deepEqual(await placeOf(at, page), { slug: 'prices', file: 'prices.md' })
})

test('a slug that was chosen stays, and so do slug and file without followTitle', async () => {
  const { at, page } = await begun({ slug: 'chosen' })
  await retitle(at, page, 'Returns')
  assert.deepEqual(await placeOf(at, page), { slug: 'chosen', file: 'chosen.md' })
  const other = await begun()
  await edit(w, other.at, { operation: 'update_page', page: other.page, title: 'Returns' })
  assert.deepEqual(await placeOf(other.at, other.page), { slug: 'new-page', file: 'new-page.md' })
})

test('what the space has keeps its slug and its file, there and in a change request', async () => {
  const space = await spaceWith(w, FILES)
  const live = liveAt(space)
  const { changes } = await edit(w, live, {
    operation: 'insert_page',
    title: 'New page',
    document: { markdown: 'Words.\n' },
  })
  const page = changes[0].page.id
  const at = await changeRequestOn(w, space)
  for (const target of [live, at]) {
    await retitle(target, page, 'Returns')
    assert.deepEqual(await placeOf(target, page), { slug: 'new-page', file: 'new-page.md' })
  }
})

test('a page that was read before it was named is written where it is now', async () => {
  const { at, page } = await begun()
  const { headers } = await w.call('GET', `${at.path}/content/page/${page}`)
  const base = headers['octavo-revision']
  await retitle(at, page, 'Returns')
  await edit(w, at, { operation: 'update_page', page, base, document: { markdown: 'Words.\n' } })
  assert.deepEqual(await placeOf(at, page), { slug: 'returns', file: 'returns.md' })
  const { body } = await w.call('GET', `${at.path}/content/page/${page}?format=markdown`)
  assert.match(body.markdown, /Words\./)
})
