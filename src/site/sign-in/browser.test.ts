// Signing in as people do: by keyboard, in a real browser, without a script.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import '../../../test/support/web-bundle.ts'
import { skipBrowser as skip, visit } from '../../../test/support/browser.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { originOf } from '../../../test/support/server.ts'
import { givePassword } from '../../../test/support/sessions.ts'
import { world } from '../../../test/support/world.ts'
import { createPasswordLink } from '../../api/sessions/password-links.ts'

const w = await world()
const PASSWORD = 'rain on a tin roof'
const { read, edit } = w.people
let origin = ''
let space = ''

before(async () => {
  if (skip !== false) return
  origin = await originOf(w)
  space = await spaceWith(w, { 'README.md': '# Only for members\n' })
  await givePassword(w, read.id, PASSWORD)
})

const look = (see: (page: Page, context: BrowserContext) => Promise<void>) =>
  visit(
    origin,
    async (page, watch, context) => {
      await see(page, context)
      assert.deepEqual(watch.foreign, [])
      // the console shows refusals as well
      assert.deepEqual(
        watch.errors.filter(error => !/status of (403|404)/.test(error)),
        [],
      )
    },
    { javaScriptEnabled: false },
  )

test(
  'from a page that is hidden to the form, past a wrong password, to the page, and out again',
  { skip },
  () =>
    look(async (page, context) => {
      await page.goto(`${origin}/s/${space}`)
      await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
      assert.ok(
        await page.getByLabel('Email address').evaluate(field => field.matches(':focus')),
        'one types at once',
      )
      await page.keyboard.type(read.email)
      await page.keyboard.press('Tab')
      await page.keyboard.type('not that one')
      await page.keyboard.press('Enter')
      assert.match(String(await page.getByRole('alert').textContent()), /wrong/)
      assert.equal(await page.getByLabel('Email address').inputValue(), read.email)
      assert.equal(
        await page.getByLabel('Password').getAttribute('aria-describedby'),
        'reader:problem-password',
      )
      assert.ok(await page.getByLabel('Password').evaluate(field => field.matches(':focus')))
      await page.keyboard.type(PASSWORD)
      await page.keyboard.press('Enter')
      await page.waitForURL(`${origin}/s/${space}`)
      assert.equal(await page.locator('h1').textContent(), 'Only for members')
      const [cookie] = (await context.cookies()).filter(({ name }) => name === 'octavo_session')
      assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, 'Lax'])
      await page.locator('.visitor summary').click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.goto(`${origin}/s/${space}`)
      assert.match(String(await page.locator('h1').textContent()), /not found/i)
    }),
)

test(
  'a user chooses a password by link, signs in with it, and changes it on the page of the password',
  { skip },
  () =>
    look(async page => {
      const path = await w.services.transaction(trx => createPasswordLink(trx, edit.id, { isMailed: true }))
      await page.goto(origin + path)
      await page.getByLabel('New password').fill(PASSWORD)
      await page.getByLabel('Confirm password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Save password' }).click()
      await page.waitForURL(`${origin}/w`)
      await page.goto(`${origin}/account/password`)
      await page.getByLabel('Current password').fill(PASSWORD)
      await page.getByLabel('New password').fill('snow upon the old roof')
      await page.getByLabel('Confirm password').fill('snow upon the old roof')
      await page.getByRole('button', { name: 'Change password' }).click()
      assert.match(String(await page.getByRole('status').textContent()), /was changed/)
    }),
)
