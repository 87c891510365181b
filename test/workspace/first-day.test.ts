// What meets somebody on their first day: where to begin, and an editor that goes on where others do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipBrowser as skip } from '../support/browser.ts'
import { spaceWith } from '../support/pages.ts'
import { assertAccessible, openWorkspace, showState, sideBarOf, stateOf } from '../support/workspace.ts'
import { world } from '../support/world.ts'

const w = await world()

const textOf = (page: Page) => page.getByRole('textbox', { name: 'Text of the page' })

test('an organization without documentation says on Home how it begins; one that has some does not', {
  skip,
}, async () => {
  await openWorkspace(w, 'admin', '/w', async page => {
    const steps = page.getByRole('region', { name: 'First steps' })
    await steps.getByRole('link', { name: /^Invite people/ }).waitFor()
    await assertAccessible(page)
    await spaceWith(w, { 'README.md': '# One\n' }, { title: 'One' })
    await spaceWith(w, { 'README.md': '# Two\n' }, { title: 'Two' })
    await steps.waitFor({ state: 'detached' })
  })
})

test('a page is begun by keyboard alone: its title, Enter, its text; and Propose asks for the subject first', {
  skip,
}, async () => {
  const space = await spaceWith(w, { 'README.md': '# Start\n\nIt begins.\n' }, { title: 'Handbook' })
  await openWorkspace(w, 'edit', `/w/s/${space}`, async page => {
    await (await sideBarOf(page)).getByRole('button', { name: 'New page' }).click()
    await page.getByRole('textbox', { name: 'Title' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Returns')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Within 30 days.')
    await textOf(page).getByText('Within 30 days.').waitFor()
    await page.getByRole('button', { name: 'Propose', exact: true }).click()
    const subject = page.getByRole('dialog', { name: 'Propose' }).getByRole('textbox', { name: 'Subject' })
    await page.getByRole('dialog', { name: 'Propose' }).getByRole('option').first().waitFor()
    await subject.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Say how returns work')
    assert.equal(await subject.inputValue(), 'Say how returns work')
    await page.getByRole('dialog', { name: 'Propose' }).getByRole('button', { name: 'Propose' }).click()
    await page.getByRole('heading', { name: 'Say how returns work #1', level: 1 }).waitFor()
    await showState(page)
    await stateOf(page)
      .getByText(/needs the role/)
      .waitFor()
    await assertAccessible(page)
  })
})

test('Tab leads through the cells of a table, and begins a row below the last', { skip }, async () => {
  const table = '# Start\n\n| Day | What |\n| --- | --- |\n| Monday | a \\| b |\n\nAfter.\n'
  const space = await spaceWith(w, { 'README.md': table }, { title: 'Handbook' })
  const { body } = await w.call('GET', `/spaces/${space}/content/pages`)
  const [{ id }] = body.pages
  await openWorkspace(w, 'edit', `/w/s/${space}/edit/${id}`, async page => {
    await textOf(page).click()
    await page.keyboard.press('Control+End')
    // Keys of tables come with the suggestions, a moment after the text.
    await page.keyboard.type('/')
    await page.getByRole('listbox', { name: 'Suggestions' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Backspace')
    await textOf(page).getByText('Monday').click()
    await page.keyboard.press('Home')
    for (let key = 0; key < '| Mon'.length; key += 1) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Tuesday')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Keys')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.type('Friday')
    await page.keyboard.press('Control+s')
    await page.getByRole('main').getByRole('status').getByText('Saved', { exact: true }).waitFor()
  })
  const written = await w.call('GET', `/spaces/${space}/change-requests/1/content/page/${id}`)
  assert.equal(written.body.markdown, table.replace('\n\nAfter', '\n| Friday | Keys |\n\nAfter'))
})
