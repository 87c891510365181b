// The reference in Chromium: what the markup promises, seen in a browser under the real policy.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser, skipBrowser as skip } from '../../../test/support/browser.ts'
import { referenceServer } from '../../../test/support/reference-server.ts'
import { sampleDocument } from '../../api/rendering/openapi/sample.ts'

const app = referenceServer(sampleDocument, 'system')

let address = ''
let browser: Browser | undefined

before(async () => {
  if (skip !== false) return
  address = await app.listen({ port: 0, host: '127.0.0.1' })
  browser = await openBrowser()
})
after(async () => {
  await app.close()
})

/** Opens a page and fails the test on anything that the browser complains about: errors, refusals of the policy. */
async function open(
  path: string,
  options: BrowserContextOptions,
  look: (page: Page) => Promise<void>,
): Promise<void> {
  assert.ok(browser)
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', message => complaints.push(message.text()))
  page.on('pageerror', error => complaints.push(String(error)))
  await page.goto(address + path)
  await look(page)
  await context.close()
  assert.deepEqual(complaints, [])
}

const SIZES = { desk: { width: 1440, height: 900 }, phone: { width: 360, height: 740 } }

test('typing into the filter leaves the operations that match, and Enter opens the first', { skip }, () =>
  open('/docs', { viewport: SIZES.desk }, async page => {
    const filter = page.getByLabel('Filter operations')
    await filter.fill('spaces delete')
    assert.deepEqual(await page.locator('.ref-entry:visible').allInnerTexts(), ['Delete a space\nDELETE'])
    await filter.fill('zebra')
    assert.ok(await page.getByText('No operation matches.').isVisible())
    await filter.press('Escape')
    assert.equal(await page.locator('.ref-entry:visible').count(), 6)
    await filter.fill('create')
    await filter.press('Enter')
    await page.waitForURL('**/docs/operations/createSpace')
  }),
)

test('without scripts everything reads, opens and is found', { skip }, () =>
  open('/docs', { viewport: SIZES.desk, javaScriptEnabled: false }, async page => {
    assert.equal(await page.getByLabel('Filter operations').isVisible(), false)
    await page.getByLabel('Search API reference').fill('create space')
    await page.keyboard.press('Enter')
    await page.locator('.hit-page').first().click()
    const nested = page.locator('.ref-nested:not([open])').first()
    const words = await nested.locator('.ref-name').first().textContent()
    await nested.locator('summary').first().click()
    assert.ok(words !== null)
    assert.ok(await page.locator('.ref-nested[open] .ref-name', { hasText: words }).first().isVisible())
  }),
)

test('no page is wider than a phone', { skip }, () =>
  open('/docs', { viewport: SIZES.phone }, async page => {
    for (const path of [
      '/docs',
      '/docs/operations/createSpace',
      '/docs/schemas/MergeRules',
      '/docs?q=space',
    ]) {
      await page.goto(address + path)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, path)
    }
  }),
)
