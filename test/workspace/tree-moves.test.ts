// Pages of a branch are moved in the tree: among each other, and by what takes one up and puts it down by keyboard.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipBrowser as skip } from '../support/browser.ts'
import { spaceWith } from '../support/pages.ts'
import { assertAccessible, openWorkspace, sideBarOf } from '../support/workspace.ts'
import { world } from '../support/world.ts'

const w = await world()

const FILES = {
  'SUMMARY.md': `* [Start](README.md)
* [Guides](guides/README.md)
  * [Parcels](guides/parcels.md)
    * [Freight](guides/freight.md)
  * [Letters](guides/letters.md)
  * [Returns](guides/returns.md)
`,
  'README.md': '# Start\n\nIt begins.\n',
  'guides/README.md': '# Guides\n\nAll of them.\n',
  'guides/parcels.md': '# Parcels\n\nOf all weights.\n',
  'guides/freight.md': '# Freight\n\nOver 30 kg.\n',
  'guides/letters.md': '# Letters\n\nUp to 50 g.\n',
  'guides/returns.md': '# Returns\n\nWithin 30 days.\n',
}

/** A draft of a new space whose branch of guides is open. */
async function openGuides(look: (page: Page, space: string) => Promise<void>): Promise<void> {
  const space = await spaceWith(w, FILES, { title: 'Handbook' })
  await w.call('POST', `/spaces/${space}/change-requests`, { as: 'edit', body: { subject: 'Order' } })
  await openWorkspace(w, 'edit', `/w/s/${space}/c/1/preview`, async page => {
    await sideBarOf(page)
    await row(page, 'Guides').getByRole('button', { name: 'More about Guides' }).waitFor()
    await row(page, 'Guides').focus()
    await page.keyboard.press('ArrowRight')
    await row(page, 'Returns').waitFor()
    await look(page, space)
  })
}

const row = (page: Page, name: string) =>
  page.getByRole('treegrid', { name: 'Pages' }).getByRole('row', { name })
const moved = (page: Page, name: string) =>
  page.getByRole('alertdialog').getByText(`Moved “⁨${name}⁩”`, { exact: true })

/** The page in hand, place by place, until it is at this one. */
async function carryUp(page: Page, to: string): Promise<void> {
  const place = await page.locator(':focus').getAttribute('aria-label')
  if (place === to) return
  await page.keyboard.press('ArrowUp')
  await page.waitForFunction(before => document.activeElement?.ariaLabel !== before, place)
  return carryUp(page, to)
}

async function guidesIn(space: string): Promise<string[]> {
  const { body } = await w.call('GET', `/spaces/${space}/change-requests/1/content/pages`)
  return body.pages.find(({ title }: { title: string }) => title === 'Guides').pages.map(titleOf)
}
const titleOf = ({ title }: { title: string }): string => title

test('pages of one branch are moved among each other', { skip }, async () => {
  await openGuides(async (page, space) => {
    await row(page, 'Returns').focus()
    await page.keyboard.press('Alt+Shift+ArrowUp')
    await moved(page, 'Returns').waitFor()
    assert.deepEqual(await guidesIn(space), ['Parcels', 'Returns', 'Letters'])
    await row(page, 'Parcels').focus()
    await page.keyboard.press('Alt+Shift+ArrowDown')
    await moved(page, 'Parcels').waitFor()
    assert.deepEqual(await guidesIn(space), ['Returns', 'Parcels', 'Letters'])
    await assertAccessible(page)
  })
})

test('a page is taken up by keyboard, carried through the places with Tab, and put down with Enter', {
  skip,
}, async () => {
  await openGuides(async (page, space) => {
    await row(page, 'Letters').focus()
    await row(page, 'Letters').getByRole('button', { name: 'Drag Letters' }).press('Enter')
    const places = page
      .getByRole('treegrid', { name: 'Pages' })
      .getByRole('button', { name: /^(Insert|Drop)/ })
    await places.and(page.locator(':focus')).waitFor()
    // All but the places is hidden from assistive technology meanwhile.
    await page.keyboard.press('Escape')
    await row(page, 'Letters').waitFor()
    assert.deepEqual(await guidesIn(space), ['Parcels', 'Letters', 'Returns'])

    await row(page, 'Letters').getByRole('button', { name: 'Drag Letters' }).press('Enter')
    await places.and(page.locator(':focus')).waitFor()
    await carryUp(page, 'Drop on Start')
    await page.keyboard.press('Enter')
    await moved(page, 'Letters').waitFor()
    assert.deepEqual(await guidesIn(space), ['Parcels', 'Returns'])
  })
})
