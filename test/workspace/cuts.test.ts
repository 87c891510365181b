// The network is cut in the middle of what somebody does, before the request arrives and after it did: nothing that was
// typed is lost, and nothing is done twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipBrowser as skip } from '../support/browser.ts'
import { spaceWith } from '../support/pages.ts'
import { PUBLIC_URL } from '../support/server.ts'
import { openWorkspace, showState, sideBarOf } from '../support/workspace.ts'
import { world } from '../support/world.ts'

const w = await world()

/** The next writes to such an address: the first does not arrive, the answer of the second does not. */
async function cut(page: Page, address: RegExp): Promise<void> {
  let writes = 0
  await page.route(address, async route => {
    const request = route.request()
    if (request.method() === 'GET' || writes === 2) return route.fallback()
    writes += 1
    if (writes === 2) await route.fetch({ headers: { ...(await request.allHeaders()), origin: PUBLIC_URL } })
    return route.abort('connectionreset')
  })
}

const CONTENT = /\/change-requests\/\d+\/content(?:\?.*)?$/
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const failed = (page: Page) =>
  page.getByRole('alertdialog').filter({ has: page.getByRole('button', { name: 'Close' }) })

test('a page is begun, written, proposed and merged while the network is cut in each step: all of it is there, once', {
  skip,
}, async () => {
  const space = await spaceWith(w, { 'README.md': '# Start\n' }, { title: 'Handbook' })
  await openWorkspace(w, 'admin', `/w/s/${space}`, async (page, watch) => {
    const begin = (await sideBarOf(page)).getByRole('button', { name: 'New page' })
    await cut(page, CONTENT)
    for (const count of [1, 2]) {
      await begin.click()
      await failed(page)
        .nth(count - 1)
        .waitFor()
    }
    await begin.click()
    await page.waitForURL(/\/c\/1\/edit\/\w+$/)
    await page.unroute(CONTENT)

    await cut(page, CONTENT)
    const title = page.getByRole('textbox', { name: 'Title' })
    await title.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Returns')
    await page.getByRole('textbox', { name: 'Text of the page' }).click()
    await page.keyboard.type('Of all parcels.')
    for (let time = 0; time < 2; time += 1) {
      const isCut = page.waitForEvent('requestfailed', request => CONTENT.test(request.url()))
      await page.keyboard.press('Control+s')
      await isCut
      await page
        .getByText(/kept on this device/i)
        .first()
        .waitFor()
    }
    assert.match(await page.evaluate(() => JSON.stringify({ ...localStorage })), /Of all parcels\./)
    await page.keyboard.press('Control+s')
    await page.getByRole('main').getByText('Saved', { exact: true }).waitFor()
    await page.unroute(CONTENT)

    const CHANGE_REQUEST = /\/change-requests\/\d+$/
    await cut(page, CHANGE_REQUEST)
    await button(page, 'Propose').click()
    const dialog = page.getByRole('dialog', { name: 'Propose' })
    const subject = dialog.getByRole('textbox', { name: 'Subject' })
    await subject.fill('How to send things back')
    for (let time = 0; time < 2; time += 1) {
      const isCut = page.waitForEvent('requestfailed', request => CHANGE_REQUEST.test(request.url()))
      await dialog.getByRole('button', { name: 'Propose' }).click()
      await isCut
      await dialog.getByRole('alert').waitFor()
      assert.equal(await subject.inputValue(), 'How to send things back')
    }
    await dialog.getByRole('button', { name: 'Propose' }).click()
    await page.waitForURL(/\/c\/1$/)
    await page.unroute(CHANGE_REQUEST)

    const MERGE = /\/merge$/
    await cut(page, MERGE)
    await showState(page)
    await button(page, 'Merge').click()
    await failed(page).last().waitFor()
    assert.equal((await w.call('GET', `/spaces/${space}/change-requests/1`)).body.status, 'open')
    await button(page, 'Merge').click()
    // What its answer did not say, the stream says, or reading it again.
    await page.getByRole('heading', { name: 'Published' }).waitFor()
    watch.errors.length = 0
  })
  const { body } = await w.call('GET', `/spaces/${space}/content/pages`)
  assert.deepEqual(
    body.pages.map(({ title }: { title: string }) => title),
    ['Start', 'Returns'],
  )
  const returns = body.pages[1]
  assert.deepEqual([returns.path, returns.git.path], ['returns', 'returns.md'])
  const { body: written } = await w.call('GET', `/spaces/${space}/content/page/${returns.id}?format=markdown`)
  assert.match(written.markdown, /Of all parcels\./)
  const { body: requests } = await w.call('GET', `/spaces/${space}/change-requests?status=merged`)
  assert.deepEqual(
    requests.items.map((one: { subject: string }) => one.subject),
    ['How to send things back'],
  )
})

/** In the tree of a draft, with the row of `title` in focus. */
async function focusRow(page: Page, title: string): Promise<void> {
  await sideBarOf(page)
  const row = page.getByRole('treegrid', { name: 'Pages' }).getByRole('row', { name: title })
  await row.getByRole('button', { name: `More about ${title}` }).waitFor()
  await row.focus()
}

const TREE = {
  'a page is moved by keys': {
    begin: (page: Page) => page.keyboard.press('Alt+Shift+ArrowUp'),
    done: 'Moved “⁨Ends⁩”',
    expected: ['Ends', 'Start'],
  },
  'a page is hidden in the navigation': {
    async begin(page: Page) {
      await button(page, 'More about Ends').click()
      await page.getByRole('menuitem', { name: 'Hide in the navigation', exact: true }).click()
    },
    done: /^Changed/,
    expected: ['Start', 'Ends (hidden)'],
  },
  'a page is deleted': {
    async begin(page: Page) {
      await page.keyboard.press('Delete')
      await page
        .getByRole('dialog', { name: /Delete/ })
        .getByRole('button', { name: 'Delete' })
        .click()
    },
    done: /^Deleted/,
    expected: ['Start'],
  },
} as const

for (const [what, { begin, done, expected }] of Object.entries(TREE))
  test(`the network is cut while ${what} → the screen says so, and Try again does it once`, {
    skip,
  }, async () => {
    const files = { 'README.md': '# Start\n', 'ends.md': '# Ends\n' }
    const space = await spaceWith(w, files, { title: 'Handbook' })
    await w.call('POST', `/spaces/${space}/change-requests`, { body: { subject: 'Order' } })
    const content = `/spaces/${space}/change-requests/1/content/pages`
    const titles = async () =>
      (await w.call('GET', content)).body.pages.map(
        ({ title, hidden }: { title: string; hidden?: boolean }) => (hidden ? `${title} (hidden)` : title),
      )
    await openWorkspace(w, 'admin', `/w/s/${space}/c/1/preview`, async (page, watch) => {
      await focusRow(page, 'Ends')
      await page.route(CONTENT, route => route.abort('connectionreset'), { times: 1 })
      await begin(page)
      const said = page.getByRole('alertdialog').filter({ hasText: 'The server cannot be reached' })
      await said.waitFor()
      // It stays while it is pointed at.
      await said.hover()
      assert.deepEqual(await titles(), ['Start', 'Ends'])
      await said.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('alertdialog').getByText(done).waitFor()
      watch.errors.length = 0
    })
    assert.deepEqual(await titles(), expected)
  })

test('the network is cut while a role is changed → the screen says so, the role stays, and a second try changes it', {
  skip,
}, async () => {
  const { id } = w.people.edit
  const roleOf = async () => (await w.call('GET', `/orgs/${w.organizationId}/members/${id}`)).body.role
  await w.services.db.updateTable('users').set({ display_name: 'Edith' }).where('id', '=', id).execute()
  await openWorkspace(w, 'admin', '/w/people', async (page, watch) => {
    const person = page.getByRole('grid', { name: 'People' }).getByRole('row', { name: 'Edith' })
    const choose = async () => {
      await person.getByRole('button', { name: /Can write, not merge$/ }).click()
      await page.getByRole('menuitemradio', { name: 'Can read and comment' }).click()
    }
    await page.route(/\/members\/\w+$/, route => route.abort('connectionreset'), { times: 1 })
    await choose()
    await failed(page).getByText('The server cannot be reached').waitFor()
    assert.equal(await roleOf(), 'edit')
    await choose()
    await person.getByRole('button', { name: /Can read and comment$/ }).waitFor()
    watch.errors.length = 0
  })
  assert.equal(await roleOf(), 'comment')
})
