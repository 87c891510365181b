// An organization with more spaces than one answer of the API has: whatever lists them has only those in sight in the
// document, and keys lead to all.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { skipBrowser as skip } from '../support/browser.ts'
import { copySpace } from '../support/many-spaces.ts'
import { assertAccessible, openWorkspace, sideBarOf } from '../support/workspace.ts'
import { world } from '../support/world.ts'

const w = await world()
const SPACES = 1_005
/** More than a screen has room for, with what is drawn ahead. */
const ROWS_MAX = 100

const { id: first } = await w.createSpace({ title: 'Handbook' })
const { body: collection } = await w.call('POST', `/orgs/${w.organizationId}/collections`, {
  body: { title: 'Archive' },
})
await copySpace(w.services.db, first, { count: SPACES - 1, collectionId: collection.id })

/** Behind the emoji that every space has. */
const nameOf = (title: string) => new RegExp(` ${title}$`)

const focused = (page: Page) => page.locator(':focus')

/** Tab leads from what is before the list to its first link, and the other keys to the rest; few are in the document. */
async function walk(page: Page, before: Locator, list: Locator): Promise<void> {
  await before.focus()
  await page.keyboard.press('Tab')
  await focused(page).getByText('Handbook').waitFor()
  for (const title of ['Number 1', 'Number 3', 'Number 5']) {
    await page.keyboard.press('ArrowDown')
    await focused(page).getByText(nameOf(title)).waitFor()
  }
  await page.keyboard.press('End')
  await focused(page).getByText(nameOf('Number 1004')).waitFor()
  assert.equal(await focused(page).evaluate(it => it.getBoundingClientRect().bottom <= innerHeight), true)
  await page.keyboard.press('ArrowUp')
  await focused(page).getByText(nameOf('Number 1002')).waitFor()
  assert.ok((await list.getByRole('link').count()) <= ROWS_MAX)
  await page.keyboard.press('Home')
  await focused(page).getByText('Handbook').waitFor()
  assert.ok((await list.getByRole('link').count()) <= ROWS_MAX)
}

test('the side bar has the spaces in sight, and keys lead to the others', { skip }, async () => {
  await openWorkspace(w, 'read', '/w/c', async page => {
    const bar = await sideBarOf(page)
    const list = bar.getByRole('grid', { name: 'Spaces' })
    await list.getByRole('link', { name: 'Handbook' }).waitFor()
    await assertAccessible(page)
    await walk(page, bar.getByRole('link', { name: /^Notifications/ }), list)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Number 1', level: 1 }).waitFor()
  })
})

test('Home has the spaces in sight, and keys lead to the others', { skip }, async () => {
  await openWorkspace(w, 'read', '/w', async page => {
    const spaces = page.getByRole('region', { name: 'Spaces' })
    const list = spaces.getByRole('grid', { name: 'Spaces' })
    await list.getByRole('link', { name: 'Handbook' }).waitFor()
    await assertAccessible(page)
    await walk(page, spaces.getByRole('heading', { name: 'Spaces' }), list)
  })
})

test('the name of a space opens the others on that space, and keys lead from it to its neighbours', {
  skip,
}, async () => {
  await openWorkspace(w, 'read', `/w/s/${first}x700`, async page => {
    await (await sideBarOf(page)).getByRole('button', { name: 'Number 700' }).click()
    const menu = page.getByRole('menu')
    await focused(page)
      .and(menu.getByRole('menuitemradio', { name: 'Number 700', checked: true }))
      .waitFor()
    await assertAccessible(page)
    assert.ok((await menu.getByRole('menuitemradio').count()) <= ROWS_MAX)
    await page.keyboard.press('ArrowDown')
    await focused(page)
      .and(menu.getByRole('menuitemradio', { name: 'Number 702' }))
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Number 702', level: 1 }).waitFor()
  })
})
