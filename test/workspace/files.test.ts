// The files of a space in the workspace: finding them, where they are used, uploading, replacing, renaming and deleting
// them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipBrowser as skip } from '../support/browser.ts'
import { PIXEL, spaceWith } from '../support/pages.ts'
import { assertAccessible, openWorkspace, sendUnanswered } from '../support/workspace.ts'
import { world } from '../support/world.ts'

const w = await world()

const FILES = {
  'README.md': '# Start\n\n![A dot](.gitbook/assets/dot.png)\n',
  '.gitbook/assets/dot.png': PIXEL,
  '.gitbook/assets/notes.txt': 'Nobody leads here.',
}

type File = { readonly name: string; readonly contentType: string; readonly size: number }

async function filesIn(space: string, number?: number): Promise<readonly File[]> {
  const at = number === undefined ? '' : `/change-requests/${number}`
  return (await w.call('GET', `/spaces/${space}${at}/content/files`)).body.items
}
const namesIn = async (space: string, number?: number): Promise<string[]> =>
  (await filesIn(space, number)).map(({ name }) => name).sort()

const filesOf = (page: Page) => page.getByRole('grid', { name: 'Files' })
const rowOf = (page: Page, name: string) => filesOf(page).getByRole('row', { name })
const said = (page: Page, text: string) => page.getByRole('alertdialog').filter({ hasText: text }).last()

async function open(page: Page, name: string) {
  await rowOf(page, name).focus()
  await page.keyboard.press('Enter')
  return page.getByRole('dialog', { name })
}

async function choose(page: Page, press: () => Promise<void>, files: readonly [string, Buffer][]) {
  const asks = page.waitForEvent('filechooser')
  await press()
  await (await asks).setFiles(
    files.map(([name, buffer]) => ({ name, mimeType: 'application/octet-stream', buffer })),
  )
}
const upload = (page: Page, ...files: readonly [string, Buffer][]) =>
  choose(page, () => page.getByRole('button', { name: 'Upload' }).click(), files)

test('files are shown with their pictures; one says where it is used, is deleted in a draft, and is there again', {
  skip,
}, async () => {
  const space = await spaceWith(w, FILES, { title: 'Handbook' })
  await openWorkspace(w, 'edit', `/w/s/${space}/files`, async page => {
    await rowOf(page, 'notes.txt').waitFor()
    await assertAccessible(page)
    const dialog = await open(page, 'dot.png')
    await dialog
      .getByText('1 page or block uses it. If you delete it, a picture or link there breaks.')
      .waitFor()
    await dialog.getByRole('link', { name: 'Start' }).waitFor()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL(/\/c\/1\/files$/)
    const message = said(page, 'In draft #1 · Deleted “⁨dot.png⁩”')
    await message.waitFor()
    await rowOf(page, 'dot.png').waitFor({ state: 'detached' })
    assert.deepEqual(await namesIn(space, 1), ['notes.txt'])
    await message.getByRole('button', { name: 'Undo' }).click()
    await rowOf(page, 'dot.png').waitFor()
  })
  assert.deepEqual(await namesIn(space, 1), ['dot.png', 'notes.txt'])
  assert.deepEqual(await namesIn(space), ['dot.png', 'notes.txt'])
})

test('files are uploaded into the last draft, which is shown from then on; undoing takes all of them away', {
  skip,
}, async () => {
  const space = await spaceWith(w, FILES, { title: 'Handbook' })
  await openWorkspace(w, 'edit', `/w/s/${space}/files`, async page => {
    await rowOf(page, 'dot.png').waitFor()
    await upload(page, ['one <b>.txt', Buffer.from('One')], ['two.png', PIXEL])
    await page.waitForURL(/\/c\/1\/files$/)
    const message = said(page, 'In draft #1 · Uploaded 2 files')
    await rowOf(page, 'two.png').waitFor()
    await assertAccessible(page)
    assert.equal((await namesIn(space, 1)).length, 4)
    await message.getByRole('button', { name: 'Undo' }).click()
    await rowOf(page, 'two.png').waitFor({ state: 'detached' })
  })
  assert.deepEqual(await namesIn(space, 1), ['dot.png', 'notes.txt'])
})

test('a file is replaced, renamed and moved; pages that show it lead to it, and undoing gives back what it was', {
  skip,
}, async () => {
  const space = await spaceWith(w, FILES, { title: 'Handbook' })
  await openWorkspace(w, 'edit', `/w/s/${space}/files`, async page => {
    const dialog = await open(page, 'notes.txt')
    await choose(page, () => dialog.getByRole('button', { name: 'Replace' }).click(), [
      ['other.txt', Buffer.from('Other words')],
    ])
    await page.waitForURL(/\/c\/1\/files$/)
    const replaced = said(page, 'Replaced “⁨notes.txt⁩”')
    await replaced.waitFor()
    const sizeOf = async () => (await filesIn(space, 1)).find(({ name }) => name === 'notes.txt')?.size
    assert.equal(await sizeOf(), 11)
    await replaced.getByRole('button', { name: 'Undo' }).click()
    await said(page, 'Undone').waitFor()
    assert.equal(await sizeOf(), 18)
    const again = await open(page, 'dot.png')
    await again.getByRole('button', { name: 'Rename' }).click()
    const field = again.getByRole('textbox', { name: 'Name' })
    await field.fill('point')
    await again.getByText('A name needs an ending').waitFor()
    await field.fill('notes.txt')
    await again.getByRole('button', { name: 'Save' }).click()
    await again.getByText('Another file has this name.').waitFor()
    await field.fill('point.png')
    await assertAccessible(page)
    await again.getByRole('button', { name: 'Save' }).click()
    await rowOf(page, 'point.png').waitFor()
    const moved = await open(page, 'point.png')
    await moved.getByRole('button', { name: 'Move…' }).click()
    const folder = moved.getByRole('textbox', { name: 'Folder' })
    assert.equal(await folder.inputValue(), '.gitbook/assets')
    await folder.fill('.git')
    await moved.getByRole('button', { name: 'Save' }).click()
    await moved.getByText(/would not take point\.png/).waitFor()
    await folder.fill('guides/pictures')
    await assertAccessible(page)
    await moved.getByRole('button', { name: 'Save' }).click()
    await said(page, 'Moved “⁨point.png⁩” to ⁨guides/pictures⁩').waitFor()
  })
  const { body } = await w.call('GET', `/spaces/${space}/change-requests/1/content/pages`)
  const path = `/spaces/${space}/change-requests/1/content/page/${body.pages[0].id}?format=markdown`
  assert.match((await w.call('GET', path)).body.markdown, /\(guides\/pictures\/point\.png\)/)
})

test('files are moved from the menu of one and several at once, sorted by their last change, and say who sent them', {
  skip,
}, async () => {
  const space = await spaceWith(w, FILES, { title: 'Handbook' })
  await w.call('PATCH', `/users/${w.people.edit.id}`, { as: 'edit', body: { displayName: 'Edith' } })
  await openWorkspace(w, 'edit', `/w/s/${space}/files`, async page => {
    await upload(page, ['zebra.txt', Buffer.from('z')])
    await page.waitForURL(/\/c\/1\/files$/)
    await rowOf(page, 'zebra.txt').waitFor()
    const firstName = () => filesOf(page).getByRole('row').first().getAttribute('aria-label')
    const order = page.getByRole('radiogroup', { name: 'Order' })
    await order.getByRole('radio', { name: 'Last changed' }).click()
    await page.waitForFunction(
      () => document.querySelector('.files [role=row]')?.getAttribute('aria-label') === 'zebra.txt',
    )
    await order.getByRole('radio', { name: 'Name' }).click()
    const dialog = await open(page, 'zebra.txt')
    await dialog.getByText('Edith').waitFor()
    await dialog.getByText('Last changed').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    for (const [view, folder] of [
      ['Grid', '.gitbook/assets/first'],
      ['List', '.gitbook/assets/second'],
    ] as const) {
      await page.getByRole('radio', { name: view }).click()
      await rowOf(page, 'zebra.txt').hover()
      await rowOf(page, 'zebra.txt').getByRole('button', { name: 'More for' }).click()
      await page.getByRole('menuitem', { name: 'Move…' }).click()
      const moving = page.getByRole('dialog', { name: 'Move “⁨zebra.txt⁩”' })
      const field = moving.getByRole('textbox', { name: 'Folder' })
      assert.match(await field.inputValue(), /^\.gitbook\/assets/)
      await field.fill(folder)
      await assertAccessible(page)
      await moving.getByRole('button', { name: 'Save' }).click()
      await said(page, `Moved “⁨zebra.txt⁩” to ⁨${folder}⁩`).waitFor()
    }
    await assertAccessible(page)
    for (const name of ['dot.png', 'zebra.txt'])
      await rowOf(page, name)
        .getByRole('checkbox')
        .focus()
        .then(() => page.keyboard.press('Space'))
    await page.getByRole('button', { name: 'Move…', exact: true }).click()
    const moving = page.getByRole('dialog', { name: 'Move 2 files' })
    await moving.getByRole('textbox', { name: 'Folder' }).fill('.gitbook/assets/all')
    await moving.getByRole('button', { name: 'Save' }).click()
    await said(page, 'Moved 2 files to ⁨.gitbook/assets/all⁩').waitFor()
    assert.equal(await firstName(), 'dot.png')
  })
  const { body } = await w.call('GET', `/spaces/${space}/change-requests/1/content/files`)
  assert.deepEqual(
    body.items.map(({ path }: { path: string }) => path),
    ['all/dot.png', 'notes.txt', 'all/zebra.txt'].map(path => `.gitbook/assets/${path}`),
  )
})

test('several files are found, selected and deleted at once, after what breaks is said', {
  skip,
}, async () => {
  const space = await spaceWith(w, FILES, { title: 'Handbook' })
  await openWorkspace(w, 'edit', `/w/s/${space}/files`, async page => {
    await page.getByRole('radio', { name: 'Pictures' }).click()
    await rowOf(page, 'notes.txt').waitFor({ state: 'detached' })
    await page.getByRole('searchbox', { name: 'Find by name' }).fill('zebra')
    await page.getByText('No file matches.').waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByRole('radio', { name: 'List', exact: true }).click()
    await page.reload()
    await page.getByRole('radio', { name: 'List', exact: true, checked: true }).waitFor()
    for (const name of ['dot.png', 'notes.txt']) {
      await rowOf(page, name).focus()
      await page.keyboard.press('Space')
    }
    await page.getByText('2 selected').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete 2 files?' })
    await dialog.getByRole('link', { name: 'Start' }).waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await said(page, 'Deleted 2 files').waitFor()
    await page.getByText('There is no file yet.').waitFor()
  })
  assert.deepEqual(await namesIn(space, 1), [])
})

test('a file that cannot be taken says why, beside those that are; what fails is sent again, and what is stopped is not', {
  skip,
}, async () => {
  const space = await spaceWith(w, FILES, { title: 'Handbook' })
  await openWorkspace(w, 'edit', `/w/s/${space}/files`, async (page, watch) => {
    await rowOf(page, 'dot.png').waitFor()
    let isRefused = true
    let stopped: (() => void) | undefined
    await page.route(/\/uploads\//, async route => {
      if ((route.request().postData() ?? '').includes('slow'))
        await new Promise<void>(resolve => (stopped = resolve))
      else if (isRefused) return route.fulfill({ status: 500, json: { error: { code: 500, message: 'no' } } })
      return route.fallback().catch(() => {})
    })
    await upload(page, ['noending', Buffer.from('x')], ['refused.txt', Buffer.from('refused')])
    const sending = page.getByRole('region', { name: 'Uploads' }).getByRole('listitem')
    const none = sending.filter({ hasText: 'noending' })
    await none.getByText('A name needs an ending').waitFor()
    const again = sending.filter({ hasText: 'refused.txt' }).getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await assertAccessible(page)
    isRefused = false
    await again.click()
    await page.waitForURL(/\/c\/1\/files$/)
    await rowOf(page, 'refused.txt').waitFor()
    await none.getByRole('button', { name: 'Remove' }).click()
    await upload(page, ['slow.txt', Buffer.from('slow')])
    await sending.filter({ hasText: 'slow.txt' }).getByRole('progressbar').waitFor()
    await sending.getByRole('button', { name: 'Cancel' }).click()
    await sending.first().waitFor({ state: 'detached' })
    stopped?.()
    // The browser writes to its console what the network refused.
    watch.errors.length = 0
  })
  assert.deepEqual(await namesIn(space, 1), ['dot.png', 'notes.txt', 'refused.txt'])
})

test('files that the network breaks off are sent again by themselves, and each is there once whatever answer was lost', {
  skip,
}, async () => {
  const space = await spaceWith(w, FILES, { title: 'Handbook' })
  await openWorkspace(w, 'edit', `/w/s/${space}/files`, async (page, watch) => {
    await rowOf(page, 'dot.png').waitFor()
    const lost: string[] = []
    await page.route(/\/uploads\/|\/content(?:\?.*)?$/, async route => {
      const request = route.request()
      const what = request.method() === 'GET' ? undefined : (/uploads/.exec(request.url())?.[0] ?? 'insert')
      if (what === undefined || lost.includes(what)) return route.fallback()
      lost.push(what)
      if (what === 'insert') await sendUnanswered(route)
      return route.abort('connectionreset')
    })
    await upload(page, ['one.txt', Buffer.from('one')], ['two.txt', Buffer.from('two')])
    await page.getByText('The connection was lost. It is sent again by itself.').first().waitFor()
    await page.waitForURL(/\/c\/1\/files$/)
    await rowOf(page, 'two.txt').waitFor()
    assert.deepEqual(lost, ['uploads', 'insert'])
    watch.errors.length = 0
  })
  assert.deepEqual(await namesIn(space, 1), ['dot.png', 'notes.txt', 'one.txt', 'two.txt'])
})

test('who may not edit sees the files, and nothing that changes them', { skip }, async () => {
  const space = await spaceWith(w, FILES, { title: 'Handbook' })
  await openWorkspace(w, 'read', `/w/s/${space}/files`, async page => {
    const dialog = await open(page, 'notes.txt')
    await dialog.getByText('No page uses it.').waitFor()
    assert.equal(await page.getByRole('button', { name: /Upload|Delete|Replace|Rename/ }).count(), 0)
    assert.equal(await page.getByRole('checkbox').count(), 0)
  })
})
