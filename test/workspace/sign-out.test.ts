// Signing out of the workspace, with and without something that was written and not sent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipBrowser as skip } from '../support/browser.ts'
import { spaceWith } from '../support/pages.ts'
import { signedIn } from '../support/sessions.ts'
import { assertAccessible, openWorkspace, sideBarOf } from '../support/workspace.ts'
import { world } from '../support/world.ts'

const w = await world()

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Sign out and drop what is not sent?' })

async function signOut(page: Page): Promise<void> {
  const bar = await sideBarOf(page)
  await bar.getByRole('button', { name: /Account$/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

/** Begins a comment in two new change requests, and returns the field on the second. */
async function write(page: Page) {
  const space = await spaceWith(w, { 'README.md': '# Start\n' })
  const field = page.getByRole('textbox', { name: 'Write a comment' })
  for (const subject of ['Say where', 'Say when']) {
    const { body } = await w.call('POST', `/spaces/${space}/change-requests`, {
      body: { subject },
      as: 'edit',
    })
    await page.goto(new URL(`/w/s/${space}/c/${body.number}`, page.url()).href)
    await field.fill('Half a sentence')
  }
  return field
}

const keptOn = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter(key => key.startsWith('octavo.draft.')).length)

test('signing out says how much is unsent and where, and keeps it if one goes on working', {
  skip,
}, async () => {
  await openWorkspace(w, 'review', '/w', async page => {
    const field = await write(page)
    await signOut(page)
    const dialog = dialogOf(page)
    await dialog.getByText(/^2 things that you wrote .* are not sent yet/).waitFor()
    assert.deepEqual(await dialog.getByRole('link').allTextContents(), ['Say when #2', 'Say where #1'])
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Keep working' }).click()
    await dialog.waitFor({ state: 'hidden' })
    assert.equal(await field.inputValue(), 'Half a sentence')
    await signOut(page)
    await dialog.getByRole('link', { name: 'Say where #1' }).click()
    await page.getByRole('heading', { name: 'Say where #1', level: 1 }).waitFor()
    assert.equal(await field.inputValue(), 'Half a sentence')
    assert.equal(await dialog.isVisible(), false)
    assert.equal(await keptOn(page), 2)
  })
})

test('who signs out all the same leaves nothing on the device', { skip }, async () => {
  await openWorkspace(w, 'review', '/w', async page => {
    await write(page)
    await signOut(page)
    await dialogOf(page).getByRole('button', { name: 'Sign out and drop' }).click()
    await page.waitForURL(url => !url.pathname.startsWith('/w'))
    assert.equal(await keptOn(page), 0)
  })
})

test('who signs out leaves no titles of pages, nor which branches were open', { skip }, async () => {
  const space = await spaceWith(w, {
    'SUMMARY.md': '* [Start](README.md)\n  * [Below](below.md)\n',
    'README.md': '# Start\n',
    'below.md': '# Below\n',
  })
  const { body } = await w.call('GET', `/spaces/${space}/content/pages`)
  await openWorkspace(w, 'review', `/w/s/${space}/p/${body.pages[0].pages[0].id}`, async page => {
    const kept = () =>
      page.evaluate(() =>
        Object.keys(localStorage)
          .filter(key => /^octavo\.(recent|tree)\./.test(key))
          .sort(),
      )
    await page.getByRole('heading', { name: 'Below', level: 1 }).waitFor()
    await page.waitForFunction(() => Object.keys(localStorage).some(key => key.startsWith('octavo.recent.')))
    assert.equal((await kept()).length, 2)
    await signOut(page)
    await page.waitForURL(url => !url.pathname.startsWith('/w'))
    assert.deepEqual(await kept(), [])
  })
})

test('with nothing unsent, and whatever others have written here, signing out asks nothing', {
  skip,
}, async () => {
  await openWorkspace(w, 'comment', '/w', async page => {
    const other = `octavo.draft.${w.people.edit.id}.comment.one`
    await page.evaluate(key => localStorage.setItem(key, '{"text":"Mine"}'), other)
    await signOut(page)
    await page.waitForURL(url => !url.pathname.startsWith('/w'))
    assert.equal(await keptOn(page), 1)
  })
})

test('a tab of somebody does not sign out who has signed in since, and says who that is', {
  skip,
}, async () => {
  await openWorkspace(w, 'comment', '/w', async (page, _watch, context) => {
    await (await sideBarOf(page)).getByRole('button', { name: /Account$/ }).click()
    const secret = await signedIn(w, 'read')
    // No other answer tells this tab first.
    await context.route('**/v1/**', () => {})
    await context.addCookies([{ name: 'octavo_session', value: secret, url: new URL('/', page.url()).href }])
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByText('Nobody was signed out').waitFor()
    await page.getByText(w.people.read.email).waitFor()
    await page.waitForLoadState()
    await assertAccessible(page)
    assert.notEqual(await w.services.principals.findSession(secret), undefined)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(url => url.pathname === '/')
    assert.equal(await w.services.principals.findSession(secret), undefined)
  })
})

test('the text of an open editor is not kept again after signing out', {
  skip,
}, async () => {
  await openWorkspace(w, 'edit', '/w', async (page, watch, context) => {
    const space = await spaceWith(w, { 'README.md': '# Start\n' })
    const { body } = await w.call('GET', `/spaces/${space}/content/pages`)
    await context.route('**/v1/spaces/*/change-requests', route => route.abort())
    await page.goto(new URL(`/w/s/${space}/edit/${body.pages[0].id}`, page.url()).href)
    await page.getByRole('textbox', { name: 'Text of the page' }).click()
    await page.keyboard.type('Words')
    await page.keyboard.press('Control+s')
    await page.getByRole('main').getByRole('status').getByText('Offline', { exact: false }).waitFor()
    await signOut(page)
    await dialogOf(page).getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(url => !url.pathname.startsWith('/w'))
    assert.equal(await keptOn(page), 0)
    watch.errors.length = 0
  })
})
