// The second factor where it meets the workspace: an organization demands it, an admin resets it, and a passkey
// confirms what reaches far. In a real browser, which has an authenticator of its own.
import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import '../support/web-bundle.ts'
import { bringAxe } from '../support/axe.ts'
import { skipBrowser as skip, visit } from '../support/browser.ts'
import { screen } from '../support/circumstances.ts'
import { spaceWith } from '../support/pages.ts'
import { freePorts } from '../support/ports.ts'
import { codeOf, letTimePass, PASSWORD, SETTINGS } from '../support/second-factor.ts'
import { givePassword } from '../support/sessions.ts'
import { assertAccessible } from '../support/workspace.ts'
import { type PersonName, world } from '../support/world.ts'

const [port = 0] = await freePorts(1)
// Browsers make passkeys for a name, and not for an address of a network.
const origin = `http://localhost:${port}`
const w = await world({ OCTAVO_PUBLIC_URL: origin })
const org = `/orgs/${w.organizationId}`
const space = await spaceWith(w, { 'README.md': '# Tides\n' }, { title: 'Handbook' })
const NAMES = { admin: 'Ada', edit: 'Edith', review: 'Ruth', read: 'Reed' } as const

before(async () => {
  for (const [person, display_name] of Object.entries(NAMES)) {
    const { id } = w.people[person as PersonName]
    await givePassword(w, id, PASSWORD)
    await w.services.db.updateTable('users').set({ display_name }).where('id', '=', id).execute()
  }
  if (skip === false) await w.app.listen({ host: '127.0.0.1', port })
})

const demand = (secondFactor: boolean) => w.call('PATCH', org, { body: { secondFactor } })
beforeEach(() => demand(false))

const look = (see: (page: Page, context: BrowserContext) => Promise<void>) =>
  visit(
    origin,
    async (page, watch, context) => {
      await bringAxe(context)
      await see(page, context)
      const errors = watch.errors.filter(error => !/status of 4\d\d/.test(error))
      assert.deepEqual([errors, watch.foreign], [[], []])
    },
    { locale: 'en', ...screen },
  )

async function signIn(page: Page, person: PersonName, next: string): Promise<void> {
  await page.goto(`${origin}/sign-in?next=${encodeURIComponent(next)}`)
  await page.getByLabel('Email address').fill(w.people[person].email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** On its page; the key of the app. */
async function setUpApp(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  const key = String(await page.locator('.factor-key').textContent())
  await page.getByLabel('Code of your authenticator app').fill(codeOf(key))
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'I have kept them' }).click()
  return key
}

/** An authenticator for this page alone, which has verified its person. */
async function authenticatorIn(page: Page): Promise<{ readonly cdp: CDPSession; readonly id: string }> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  return { cdp, id: authenticatorId }
}

const memberOf = async (person: PersonName) =>
  (await w.call('GET', `${org}/members/${w.people[person].id}`)).body
const rowOf = (page: Page, name: string) =>
  page.getByRole('grid', { name: 'People' }).getByRole('row', { name })
const confirmIn = async (page: Page) => {
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
}
/** Sessions were begun, and confirmed, a while ago. */
const letConfirmationsPass = () =>
  w.services.transaction(trx => trx.updateTable('sessions').set({ confirmed_at: null }).execute())

test(
  'an admin without a second factor is told to set one up; with one they demand it of everybody',
  { skip },
  () =>
    look(async page => {
      await signIn(page, 'admin', '/w/org')
      const rule = page.getByRole('switch', { name: 'Demand two-step sign-in.' })
      await rule.focus()
      await page.keyboard.press('Space')
      await page.getByText('Set up a second step in your account first.').waitFor()
      assert.equal(await rule.isChecked(), false)
      await page.goto(`${origin}${SETTINGS}?next=/w/org`)
      await setUpApp(page)
      await page.waitForURL(`${origin}/w/org`)
      await rule.focus()
      await page.keyboard.press('Space')
      await page.getByRole('switch', { name: 'Demand two-step sign-in.', checked: true }).waitFor()
      assert.equal((await w.call('GET', org)).body.secondFactor, true)
      await assertAccessible(page)
    }),
)

test(
  'the rule meets a member at work → they set a second factor up and are back where they were',
  { skip },
  () =>
    look(async page => {
      const path = `/w/s/${space}`
      await signIn(page, 'read', path)
      await page.getByRole('heading', { name: 'Tides' }).waitFor()
      await demand(true)
      // The page that is open may lead there by itself first, which ends this navigation.
      await page.goto(`${origin}${path}`).catch(() => undefined)
      await page.getByText('A world: a second step is demanded here.').waitFor()
      await assertAccessible(page)
      await letConfirmationsPass()
      await page.reload()
      await page.getByRole('link', { name: 'Confirm who you are' }).click()
      await page.getByLabel('Your password').fill(PASSWORD)
      await page.keyboard.press('Enter')
      await setUpApp(page)
      await page.waitForURL(`${origin}${path}`)
      await page.getByRole('heading', { name: 'Tides' }).waitFor()
    }),
)

test(
  'signing in where it is demanded → the page of the second factor first, then where they wanted',
  { skip },
  () =>
    look(async page => {
      await demand(true)
      const path = `/w/s/${space}`
      await signIn(page, 'edit', path)
      await page.waitForURL(`${origin}${SETTINGS}?**`)
      const key = await setUpApp(page)
      await page.waitForURL(`${origin}${path}`)
      await page.getByRole('heading', { name: 'Tides' }).waitFor()

      await page.context().clearCookies()
      await letTimePass(w, 'edit')
      await signIn(page, 'edit', path)
      await page.getByLabel('Code of your authenticator app').fill(codeOf(key))
      await page.keyboard.press('Enter')
      await page.waitForURL(`${origin}${path}`)
    }),
)

test('a browser that begins with a token is led to signing in where it is demanded', { skip }, () =>
  look(async page => {
    await demand(true)
    await page.goto(`${origin}/sign-in?next=/w`)
    await page.getByText('Use a token instead').click()
    await page.getByLabel('Token').fill(w.people.comment.token)
    await page.keyboard.press('Enter')
    await page.getByText('You are signed in with a token.').waitFor()
    await assertAccessible(page)
    await page.getByRole('link', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`${origin}/sign-in?next=%2Fw`)
  }),
)

test('an admin sees who lacks a second factor, and resets that of somebody who has lost it', { skip }, () =>
  look(async page => {
    await w.services.transaction(trx =>
      trx
        .insertInto('totp_secrets')
        .values({ user_id: w.people.review.id, secret: Buffer.alloc(48), confirmed_at: new Date() })
        .execute(),
    )
    await w.services.db.deleteFrom('totp_secrets').where('user_id', '=', w.people.admin.id).execute()
    await signIn(page, 'admin', '/w/people')
    await rowOf(page, 'Ruth').getByText('two-step sign-in', { exact: true }).waitFor()
    await rowOf(page, 'Ada').getByText('no two-step sign-in').waitFor()
    await page.getByRole('button', { name: 'Show: Everybody' }).click()
    await page.getByRole('menuitemradio', { name: 'Without two-step sign-in' }).click()
    await rowOf(page, 'Ruth').waitFor({ state: 'detached' })
    await rowOf(page, 'Ada').waitFor()
    await page.getByRole('button', { name: 'Show: Without two-step sign-in' }).click()
    await page.getByRole('menuitemradio', { name: 'With two-step sign-in' }).click()
    await rowOf(page, 'Ada').waitFor({ state: 'detached' })
    await assertAccessible(page)

    await letConfirmationsPass()
    await rowOf(page, 'Ruth')
      .getByRole('button', { name: /^More about/ })
      .click()
    await page.getByRole('menuitem', { name: 'Reset two-step sign-in' }).click()
    const question = page.getByRole('dialog', { name: /^Reset the two-step sign-in of .*Ruth/ })
    await question.getByText(/Their password alone signs them in then/).waitFor()
    await assertAccessible(page)
    await question.getByRole('button', { name: 'Reset two-step sign-in' }).click()
    await confirmIn(page)
    await page.getByText(/The two-step sign-in of .*Ruth.* is reset/).waitFor()
    await rowOf(page, 'Ruth').waitFor({ state: 'detached' })
    assert.equal((await memberOf('review')).secondFactor, false)
  }),
)

test('somebody of another organization too is not reset, and the question says who can', { skip }, () =>
  look(async page => {
    await w.call('POST', '/orgs', { as: 'edit', body: { title: 'Elsewhere' } })
    await signIn(page, 'admin', '/w/people')
    await rowOf(page, 'Edith')
      .getByRole('button', { name: /^More about/ })
      .click()
    await page.getByRole('menuitem', { name: 'Reset two-step sign-in' }).click()
    const question = page.getByRole('dialog', { name: /^Reset the two-step sign-in of .*Edith/ })
    await question.getByRole('button', { name: 'Reset two-step sign-in' }).click()
    await question.getByText(/only the operator can reset their second step/).waitFor()
    assert.equal((await memberOf('edit')).secondFactor, true)
  }),
)

test(
  'a session that a passkey began → the passkey confirms what reaches far, in a window that closes',
  { skip },
  () =>
    look(async (page, context) => {
      const { cdp, id } = await authenticatorIn(page)
      await signIn(page, 'admin', SETTINGS)
      await page.getByLabel('Name of the new passkey').fill('Laptop')
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByRole('link', { name: 'I have kept them' }).click()
      await context.clearCookies()
      await page.goto(`${origin}/sign-in?next=/w/s/${space}`)
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.waitForURL(`${origin}/w/s/${space}`)
      await letConfirmationsPass()

      await page.getByRole('button', { name: 'Share' }).click()
      const share = page.getByRole('dialog', { name: 'Share' })
      await share.getByRole('button', { name: 'Who may read it: Members' }).click()
      await page.getByRole('menuitemradio', { name: 'Anyone', exact: true }).click()
      const asks = page.getByRole('dialog', { name: 'Confirm that it is you' })
      await asks.getByText(/Show your passkey once more/).waitFor()
      await assertAccessible(page)
      const opened = context.waitForEvent('page')
      await asks.getByRole('button', { name: 'Show passkey' }).click()
      const popup = await opened
      const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId: id })
      const there = await authenticatorIn(popup)
      for (const credential of credentials)
        await there.cdp.send('WebAuthn.addCredential', { authenticatorId: there.id, credential })
      const closed = popup.waitForEvent('close')
      await popup.getByRole('button', { name: 'Confirm with a passkey' }).click()
      await closed
      // As a browser with windows says when the one in front closes.
      await page.evaluate("dispatchEvent(new Event('focus'))")
      await share.getByRole('button', { name: 'Who may read it: Anyone' }).waitFor()
      assert.equal((await w.call('GET', `/spaces/${space}`)).body.visibility, 'public')
    }),
)
