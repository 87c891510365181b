// What somebody sets for themself.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { issueToken } from '../../src/api/accounts/actions.ts'
import { skipBrowser as skip } from '../support/browser.ts'
import { allowed } from '../support/programs.ts'
import { givePassword, signedIn } from '../support/sessions.ts'
import { assertAccessible, endSessions, openWorkspace, sideBarOf } from '../support/workspace.ts'
import { type PersonName, world } from '../support/world.ts'

const w = await world()
const PASSWORD = 'eleven parcels by noon'
await givePassword(w, w.people.review.id, PASSWORD)

const idsOf = async (what: 'tokens' | 'sessions', as: PersonName): Promise<string[]> => {
  const { body } = await w.call('GET', `/user/${what}`, { as })
  return body.items.map(({ id }: { id: string }) => id)
}
const confirm = async (page: Page) => {
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
}

test('the menu of the account leads to a screen on which the name is changed for everybody', {
  skip,
}, async () => {
  await openWorkspace(w, 'edit', '/w', async page => {
    const bar = await sideBarOf(page)
    await bar.getByRole('button', { name: /Account$/ }).click()
    await page.getByRole('menuitem', { name: 'Your account' }).click()
    await page.getByRole('heading', { name: 'Your account', level: 1 }).waitFor()
    await page.getByLabel('Name', { exact: true }).fill('  Maya Okafor ')
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Save name' }).click()
    await page.getByText('Your name is changed.').waitFor()
    const { body } = await w.call('GET', '/user', { as: 'edit' })
    assert.equal(body.displayName, 'Maya Okafor')
    await (await sideBarOf(page)).getByRole('button', { name: /^Maya Okafor/ }).waitFor()
  })
})

test('a token is made by a sentence and an end, asks who is there, shows its secret once, and is revoked', {
  skip,
}, async () => {
  await openWorkspace(w, 'review', '/w/me', async page => {
    const section = page.getByRole('region', { name: 'Tokens' })
    await section.getByRole('button', { name: 'Create token' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create token' })
    await dialog.getByLabel('Name').fill('Nightly import')
    await dialog.getByRole('button', { name: 'It may: Open change requests' }).click()
    await page.getByRole('menuitemradio', { name: 'Read and comment' }).click()
    await dialog.getByRole('button', { name: 'Ends: After 90 days' }).click()
    await page.getByRole('menuitemradio', { name: 'After 30 days' }).click()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await confirm(page)
    const shown = page.getByRole('dialog', { name: 'Token created' })
    const token = await shown.getByLabel('Token', { exact: true }).inputValue()
    await assertAccessible(page)
    const { body } = await w.call('GET', '/user', { as: { token } })
    assert.equal(body.id, w.people.review.id)
    await shown.getByRole('button', { name: 'Done' }).click()
    await shown.waitFor({ state: 'hidden' })
    const row = section.getByRole('row', { name: 'Nightly import' })
    await row.getByText(/ends in (4 weeks|1 month)|ends next month/).waitFor()
    assert.equal(await page.getByText(token).count(), 0)
    await row.getByRole('button', { name: 'Revoke: Nightly import' }).click()
    const question = page.getByRole('dialog', { name: /Nightly import/ })
    await question.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('The token is revoked.').waitFor()
    await row.waitFor({ state: 'detached' })
    assert.equal((await w.call('GET', '/user', { as: { token } })).status, 401)
  })
})

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15'

test('a program that somebody allowed stands among their programs, and ends there', { skip }, async () => {
  const { access } = await allowed(w, 'comment')
  await openWorkspace(w, 'comment', '/w/me', async page => {
    const section = page.getByRole('region', { name: 'Connected programs' })
    const row = section.getByRole('row', { name: 'Assistant' })
    await row.getByText('at assistant.test').waitFor()
    await row.getByRole('button', { name: 'End: Assistant' }).click()
    const question = page.getByRole('dialog', { name: /Assistant/ })
    await assertAccessible(page)
    await question.getByRole('button', { name: 'End', exact: true }).click()
    await section.getByText('You have allowed no programs.').waitFor()
    assert.equal((await w.call('GET', '/user', { as: { token: access } })).status, 401)
  })
})

test('another browser is signed out, then all others, and this one stays', { skip }, async () => {
  await endSessions(w, 'comment')
  await openWorkspace(w, 'comment', '/w/me', async page => {
    for (const userAgent of ['Lynx on a tram', FIREFOX, SAFARI]) await signedIn(w, 'comment', { userAgent })
    await page.reload()
    const section = page.getByRole('region', { name: 'Where you are signed in' })
    await section.getByText('This browser').waitFor()
    await section.getByRole('button', { name: 'Sign out: Lynx on a tram' }).click()
    await section.getByRole('row', { name: 'Lynx on a tram' }).waitFor({ state: 'detached' })
    assert.equal((await idsOf('sessions', 'comment')).length, 3)
    assert.equal(await section.getByRole('button', { name: 'Sign out: a test' }).count(), 0)
    await section.getByRole('row', { name: 'Firefox on Linux' }).waitFor()
    await section.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await section.getByRole('row', { name: 'Safari on macOS' }).waitFor({ state: 'detached' })
    await assertAccessible(page)
    assert.equal((await idsOf('sessions', 'comment')).length, 1)
    await page.reload()
    await section.getByText('This browser').waitFor()
  })
})

test('of many tokens only those in sight are in the document', { skip }, async () => {
  await w.services.transaction(async trx => {
    for (let count = 0; count < 120; count += 1)
      await issueToken(trx, { userId: w.people.create.id, label: `Robot ${count}` })
  })
  await openWorkspace(w, 'create', '/w/me', async page => {
    const list = page.getByRole('grid', { name: 'Tokens' })
    await list.getByRole('row').first().waitFor()
    assert.ok((await list.getByRole('row').count()) < 40)
  })
})

test('look, language and keys are chosen there, and stay', { skip }, async () => {
  await openWorkspace(w, 'edit', '/w/me', async page => {
    const section = page.getByRole('region', { name: 'Look, language and keys' })
    await section.getByRole('button', { name: 'Look: As this device' }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await section.getByRole('button', { name: 'Look: Dark' }).waitFor()
    await section.getByRole('switch', { name: 'Single letters as shortcuts' }).press('Space')
    await assertAccessible(page)
    await section.getByRole('button', { name: 'Language: English' }).click()
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { name: 'Ihr Konto', level: 1 }).waitFor()
    assert.equal(await page.getByRole('switch', { name: 'Einzelne Buchstaben' }).isChecked(), false)
    await page.getByRole('button', { name: 'Aussehen: Dunkel' }).waitFor()
    await assertAccessible(page)
  })
})

test('who is signed in with a narrowed token is told why there are no sessions and tokens to manage', {
  skip,
}, async () => {
  const { row } = await w.services.transaction(trx =>
    issueToken(trx, {
      userId: w.people.read.id,
      label: 'narrow',
      scopes: ['user:read', 'organization:read', 'space:read'],
    }),
  )
  await openWorkspace(w, 'read', '/w/me', async (page, _watch, context) => {
    const value = await signedIn(w, 'read', { method: 'token', tokenId: row.id })
    await context.addCookies([{ name: 'octavo_session', value, url: new URL(page.url()).origin }])
    await page.reload()
    const section = page.getByRole('region', { name: 'Tokens' })
    await section.getByText(/less than all of your rights/).waitFor()
    await section.getByRole('button').waitFor({ state: 'detached' })
    let answer = () => {}
    const isAnswered = new Promise<void>(resolve => {
      answer = resolve
    })
    await page.route('**/v1/user/tokens?**', async route => {
      await isAnswered
      await route.fallback()
    })
    const asked = page.waitForRequest('**/v1/user/tokens?**')
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await asked
    assert.ok(await section.getByText(/less than all of your rights/).isVisible())
    assert.equal(await section.getByRole('button').count(), 0)
    answer()
  })
})

test('what was typed for a token stays while the network is cut and while the session has ended', {
  skip,
}, async () => {
  await openWorkspace(w, 'create', '/w/me', async (page, watch, context) => {
    await page.getByRole('region', { name: 'Tokens' }).getByRole('button', { name: 'Create token' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create token' })
    const field = dialog.getByLabel('Name')
    await field.fill('Nightly import')
    await context.route('**/v1/user/tokens', route => route.abort())
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await dialog.getByRole('alert').waitFor()
    await context.unroute('**/v1/user/tokens')
    await endSessions(w, 'create')
    // The stream may say it first, and then nothing below the dialog can be pressed.
    await dialog.getByRole('button', { name: 'Create', exact: true }).dispatchEvent('click')
    const ended = page.getByRole('dialog', { name: 'Your session has ended' })
    await ended.waitFor()
    assert.equal(await field.inputValue(), 'Nightly import')
    const secret = await signedIn(w, 'create', { confirmedAt: new Date() })
    await context.addCookies([{ name: 'octavo_session', value: secret, url: new URL('/', page.url()).href }])
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await ended.waitFor({ state: 'hidden' })
    assert.equal(await field.inputValue(), 'Nightly import')
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('dialog', { name: 'Token created' }).waitFor()
    const { body } = await w.call('GET', '/user/tokens', { as: 'create' })
    const made = body.items.filter(({ label }: { label: string }) => label === 'Nightly import')
    assert.equal(made.length, 1)
    watch.errors.length = 0
  })
})

test('somebody downloads their data, and ends their account by typing its address', { skip }, async () => {
  const { id, email } = w.people.comment
  await givePassword(w, id, PASSWORD)
  await openWorkspace(w, 'comment', '/w/me', async page => {
    const section = page.getByRole('region', { name: 'Your data' })
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      (async () => {
        await section.getByRole('button', { name: 'Download' }).click()
        await confirm(page)
      })(),
    ])
    assert.equal(download.suggestedFilename(), `octavo-${id}.json`)
    const file = JSON.parse(await readFile(await download.path(), 'utf8'))
    assert.equal(file.account.email, email)
    await section.getByRole('button', { name: 'Delete your account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
    const verb = dialog.getByRole('button', { name: 'Delete your account' })
    assert.ok(await verb.isDisabled(), 'not before the address is typed')
    await assertAccessible(page)
    await dialog.getByLabel(`To be sure, type ${email}`).fill(email)
    await verb.click()
    await page.waitForURL(url => !url.pathname.startsWith('/w'))
    assert.equal((await w.call('GET', '/user', { as: 'comment' })).status, 401)
  })
})
