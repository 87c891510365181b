// Setting up an app and passkeys, and signing in with them, in a real browser with an authenticator of its own.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import '../../../test/support/web-bundle.ts'
import { bringAxe } from '../../../test/support/axe.ts'
import { skipBrowser as skip, visit } from '../../../test/support/browser.ts'
import { freePorts } from '../../../test/support/ports.ts'
import { codeOf, letTimePass, PASSWORD, SETTINGS } from '../../../test/support/second-factor.ts'
import { givePassword } from '../../../test/support/sessions.ts'
import { assertAccessible } from '../../../test/support/workspace.ts'
import { world } from '../../../test/support/world.ts'

const [port = 0] = await freePorts(1)
// Browsers make passkeys for a name, and not for an address of a network.
const origin = `http://localhost:${port}`
const w = await world({ OCTAVO_PUBLIC_URL: origin })

before(async () => {
  if (skip !== false) return
  await w.app.listen({ host: '127.0.0.1', port })
  for (const { id } of [w.people.read, w.people.edit]) await givePassword(w, id, PASSWORD)
})

const look = (see: (page: Page, context: BrowserContext) => Promise<void>) =>
  visit(origin, async (page, watch, context) => {
    await bringAxe(context)
    await see(page, context)
    assert.deepEqual(watch.foreign, [])
    assert.deepEqual(
      watch.errors.filter(error => !/status of (403|404)/.test(error)),
      [],
    )
  })

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(`${origin}/sign-in?next=${SETTINGS}`)
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('somebody sets up an app, keeps the codes, and signs in with the next code', { skip }, () =>
  look(async (page, context) => {
    await signIn(page, w.people.read.email)
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    await page.getByRole('img', { name: 'QR code with the key' }).waitFor()
    await assertAccessible(page)
    const key = String(await page.locator('.factor-key').textContent())
    await page.getByLabel('Code of your authenticator app').fill(codeOf(key))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    assert.equal(await page.locator('.factor-codes li').count(), 10)
    await assertAccessible(page)
    await page.getByRole('link', { name: 'I have kept them' }).click()
    await page.getByText('An authenticator app is set up.').waitFor()

    await context.clearCookies()
    await letTimePass(w, 'read')
    await signIn(page, w.people.read.email)
    await page.getByRole('heading', { name: 'Second step' }).waitFor()
    await assertAccessible(page)
    await page.getByLabel('Code of your authenticator app').fill('000000')
    await page.keyboard.press('Enter')
    assert.match(String(await page.getByRole('alert').textContent()), /not the current code/)
    await page.getByLabel('Code of your authenticator app').fill(codeOf(key))
    await page.keyboard.press('Enter')
    await page.waitForURL(`${origin}${SETTINGS}`)
  }),
)

test(
  'somebody adds a passkey, uses it as the second step, signs in with it alone, and removes it',
  {
    skip,
  },
  () =>
    look(async (page, context) => {
      const cdp = await context.newCDPSession(page)
      await cdp.send('WebAuthn.enable')
      await cdp.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      })
      await signIn(page, w.people.edit.email)
      await page.getByLabel('Name of the new passkey').fill('Laptop')
      assert.equal(await page.getByText('No passkey was made').isVisible(), false)
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByRole('link', { name: 'I have kept them' }).click()
      await page.getByRole('button', { name: 'Remove Laptop' }).waitFor()
      await assertAccessible(page)

      await context.clearCookies()
      await signIn(page, w.people.edit.email)
      await page.getByRole('button', { name: 'Use a passkey' }).click()
      await page.waitForURL(`${origin}${SETTINGS}`)

      await context.clearCookies()
      await page.goto(`${origin}/sign-in?next=${SETTINGS}`)
      await assertAccessible(page)
      const failed = page.getByText('No passkey was shown')
      assert.equal(await failed.isVisible(), false)
      await page.evaluate('window.asked = navigator.credentials.get.bind(navigator.credentials)')
      await page.evaluate('navigator.credentials.get = () => Promise.reject(new Error())')
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await failed.waitFor()
      await page.evaluate('navigator.credentials.get = window.asked')
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.waitForURL(`${origin}${SETTINGS}`)
      await page.getByText('last used').waitFor()
      await page.getByRole('button', { name: 'Remove Laptop' }).click()
      await page.getByText('The passkey is removed.').waitFor()
      await page.getByText('Off: your password alone signs you in').waitFor()
    }),
)
