// A review in the workspace, by the names of its controls.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipBrowser as skip } from '../support/browser.ts'
import { changeRequestWith, proposeFiles } from '../support/change-requests.ts'
import { type Files, spaceWith } from '../support/pages.ts'
import { assertAccessible, openWorkspace } from '../support/workspace.ts'
import { world } from '../support/world.ts'

const w = await world()

const BEFORE = `# Start

Send your first parcel in five minutes.

One command installs the client.

Stays as it is, once.

Stays as it is, twice.

Stays as it is, thrice.

Stays as it is, four times.

## Keys

A key lasts a year.

Weigh the parcel with its packaging.
`
const AFTER = BEFORE.replace('in five minutes', 'in three minutes')
  .replace('One command installs the client.\n\n', '')
  .replace('## Keys\n', '## Keys\n\nOne command installs the client.\n')
  .replace('Weigh the parcel with its packaging.', 'Test keys print no labels.')

type Opened = { readonly space: string; readonly id: string; readonly api: string; readonly path: string }

async function open(before: Files, after: Files): Promise<Opened> {
  const space = await spaceWith(w, before, { title: 'Guide' })
  const { id, number } = await changeRequestWith(w, space, after, { subject: 'Test keys' })
  const api = `/spaces/${space}/change-requests/${id}`
  await w.call('PATCH', api, { body: { status: 'open' } })
  return { space, id, api, path: `/w/s/${space}/c/${number}/changes` }
}

const start = () =>
  open(
    { 'README.md': BEFORE, 'old.md': '# Old rates\n\nOf last year.\n' },
    { 'README.md': AFTER, 'keys.md': '# Test keys\n\nThey print nothing.\n' },
  )

const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
const row = (page: Page, name: string) =>
  page.getByRole('grid', { name: 'Changes', exact: true }).getByRole('row', { name })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })

for (const colorScheme of ['light', 'dark'] as const)
  test(`every page that changed is listed with what happened to it, and shown block by block: ${colorScheme}`, {
    skip,
  }, async () => {
    const { path } = await start()
    await openWorkspace(
      w,
      'review',
      path,
      async page => {
        await page.getByRole('link', { name: 'Changes', exact: true }).waitFor()
        await row(page, 'Start').waitFor()
        assert.match(await row(page, 'Start').innerText(), /Edited · \d blocks/)
        assert.match(await row(page, 'Test keys').innerText(), /New/)
        assert.match(await row(page, 'Old rates').innerText(), /Deleted/)
        const changed = group(page, 'Changed')
        await changed.waitFor()
        assert.equal(await changed.getByRole('deletion').innerText(), 'five')
        assert.equal(await changed.getByRole('insertion').innerText(), 'three')
        await group(page, 'Moved here, unchanged').getByText('One command installs').waitFor()
        await group(page, 'Removed').getByText('Weigh the parcel').waitFor()
        await group(page, 'Added').getByText('Test keys print no labels').waitFor()
        await assertAccessible(page)

        assert.equal(await page.getByText('Stays as it is, twice.').count(), 0)
        await button(page, '3 unchanged blocks').click()
        await page.getByText('Stays as it is, twice.').waitFor()

        await page.getByRole('radio', { name: 'Side by side' }).click()
        await changed.getByText('Send your first parcel in five minutes.').waitFor()
        await changed.getByText('Send your first parcel in three minutes.').waitFor()
        await assertAccessible(page)
        await row(page, 'Old rates').click()
        await group(page, 'Removed').getByText('Of last year').waitFor()
      },
      { colorScheme },
    )
  })

test('j and k go from change to change, and on to the next page', { skip }, async () => {
  const { path } = await start()
  await openWorkspace(w, 'review', path, async page => {
    await group(page, 'Changed').waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    const seen: unknown[] = []
    for (let step = 0; step < 4; step += 1) {
      await page.keyboard.press('j')
      seen.push(await focused())
    }
    assert.deepEqual(seen, ['Changed', 'Moved here, unchanged', 'Removed', 'Added'])
    await page.keyboard.press('k')
    assert.equal(await focused(), 'Removed')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: 'Test keys', exact: true }).waitFor()
    await page.getByText('They print nothing.').waitFor()
    assert.match(page.url(), /item=page/)
  })
})

test('Viewed is kept, goes on to the next page, and falls back when the page changes', { skip }, async () => {
  const { path, id } = await start()
  await openWorkspace(w, 'review', path, async page => {
    const viewed = page.getByRole('checkbox', { name: 'Viewed' })
    await viewed.waitFor()
    await page.getByText('0 of 3 pages viewed').waitFor()
    await page.keyboard.press('v')
    await page.getByText('1 of 3 pages viewed').waitFor()
    await page.getByRole('heading', { name: 'Test keys', exact: true }).waitFor()
    await row(page, 'Start').getByRole('img', { name: 'Viewed' }).waitFor()
    await viewed.check({ force: true })
    await page.getByText('2 of 3 pages viewed').waitFor()
    await assertAccessible(page)
    await page.reload()
    await page.getByText('2 of 3 pages viewed').waitFor()
    await proposeFiles(w, id, { 'README.md': AFTER, 'keys.md': '# Test keys\n\nThey print a little.\n' })
    await page.reload()
    await page.getByText('1 of 3 pages viewed').waitFor()
    await row(page, 'Start').getByRole('img', { name: 'Viewed' }).waitFor()
    assert.equal(await row(page, 'Test keys').getByRole('img', { name: 'Viewed' }).count(), 0)
  })
})
