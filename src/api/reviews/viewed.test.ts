import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeRequestWith, proposeFiles } from '../../../test/support/change-requests.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { type PersonName, world } from '../../../test/support/world.ts'
import { newId } from '../../base/ids.ts'

const w = await world()

const FILES = {
  'README.md': '# Start\n\nWords.\n',
  'old.md': '# Old\n\nRates of last year, kept for reference.\n',
}
const CHANGED = { 'README.md': '# Start\n\nOther words.\n', 'new.md': '# New\n\nWords.\n' }

type Opened = { readonly id: string; readonly path: string; readonly pages: Readonly<Record<string, string>> }

/** A change request that edits, adds and deletes a page; the pages are by their titles. */
async function open(): Promise<Opened> {
  const space = await spaceWith(w, FILES)
  const { id } = await changeRequestWith(w, space, CHANGED)
  const path = `/spaces/${space}/change-requests/${id}`
  const { body } = await w.call('GET', `${path}/changes`)
  const pages = body.changes.map(({ page }: { page: { title: string; id: string } }) => [page.title, page.id])
  return { id, path, pages: Object.fromEntries(pages) }
}

const mark = (at: Opened, body: object, as: PersonName = 'read') =>
  w.call('PUT', `${at.path}/viewed`, { as, body })
const viewed = (page: string | undefined, is = true) => ({ pages: [{ page, viewed: is }] })

async function listed(at: Opened, as: PersonName = 'read') {
  const { body } = await w.call('GET', `${at.path}/viewed`, { as })
  return Object.fromEntries(
    body.pages.map(({ page, current }: { page: string; current: boolean }) => [page, current]),
  )
}

test('pages that I viewed, edited, new and deleted ones → are listed to me alone, until I take it back', async () => {
  const at = await open()
  const { Start = '', New = '', Old = '' } = at.pages
  for (const page of [Start, New, Old]) assert.equal((await mark(at, viewed(page))).status, 200)
  assert.deepEqual(await listed(at), { [Start]: true, [New]: true, [Old]: true })
  assert.deepEqual(await listed(at, 'admin'), {})
  const { body } = await mark(at, viewed(Start, false))
  assert.deepEqual(
    body.pages.map(({ page }: { page: string }) => page),
    [Old, New],
  )
  assert.deepEqual(await listed(at), { [New]: true, [Old]: true })
})

test('a page that changes after I viewed it → is no longer current; others stay, and it is again when it changes back', async () => {
  const at = await open()
  const { Start = '', New = '', Old = '' } = at.pages
  await mark(at, { pages: [Start, New, Old].map(page => ({ page, viewed: true })) })
  await proposeFiles(w, at.id, { ...CHANGED, 'README.md': '# Start\n\nYet other words.\n' })
  assert.deepEqual(await listed(at), { [Start]: false, [New]: true, [Old]: true })
  await proposeFiles(w, at.id, CHANGED)
  assert.deepEqual(await listed(at), { [Start]: true, [New]: true, [Old]: true })
})

test('a new page below a page that I viewed → leaves it viewed; another title does not', async () => {
  const at = await open()
  const { New = '' } = at.pages
  await mark(at, viewed(New))
  const edit = (changes: object[]) => w.call('POST', `${at.path}/content`, { body: { changes } })
  const child = await edit([{ operation: 'insert_page', title: 'Child', document: {}, into: New }])
  assert.equal(child.status, 200, child.text)
  assert.deepEqual(await listed(at), { [New]: true })
  await edit([{ operation: 'update_page', page: New, title: 'Newer' }])
  assert.deepEqual(await listed(at), { [New]: false })
})

test('what changed while I read → is not counted as viewed: the revision that was read says what I saw', async () => {
  const at = await open()
  const { Start = '' } = at.pages
  const { body: before } = await w.call('GET', at.path)
  await proposeFiles(w, at.id, { ...CHANGED, 'README.md': '# Start\n\nYet other words.\n' })
  await mark(at, { ...viewed(Start), revision: before.revision })
  assert.deepEqual(await listed(at), { [Start]: false })
})

test('a page or a revision that is not there → 400 with its field, and nothing is marked', async () => {
  const at = await open()
  const { Start = '' } = at.pages
  const two = {
    pages: [
      { page: Start, viewed: true },
      { page: newId(), viewed: true },
    ],
  }
  const page = await mark(at, two)
  assert.equal(page.status, 400)
  assert.match(page.body.error.message, /body\.pages\[1\]\.page: there is no such page/)
  const revision = await mark(at, { ...viewed(Start), revision: newId() })
  assert.equal(revision.status, 400)
  assert.match(revision.body.error.message, /body\.revision: the space has no such revision/)
  assert.deepEqual(await listed(at), {})
  for (const pages of [[], Array.from({ length: 101 }, () => ({ page: Start, viewed: true }))])
    assert.equal((await mark(at, { pages })).status, 400)
})

test('somebody outside of the space → 404', async () => {
  const at = await open()
  assert.equal((await mark(at, viewed(at.pages.Start), 'stranger')).status, 404)
  assert.equal((await w.call('GET', `${at.path}/viewed`, { as: 'stranger' })).status, 404)
})
