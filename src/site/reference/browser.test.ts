// The reference in Chromium: what the markup promises, seen in a browser under the real policy.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Fastify from 'fastify'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser, skipBrowser as skip } from '../../../test/support/browser.ts'
import { readAssets } from '../assets.ts'
import { serveReference } from './routes.ts'
import { sampleDocument } from './sample.ts'

const app = Fastify()
const assets = readAssets()
serveReference(app, {
  openApi: () => sampleDocument,
  shell: () => ({
    siteTitle: 'Octavo',
    homeHref: '/',
    theme: 'system',
    visitor: null,
    signInHref: '/sign-in',
    signOutAction: '/sign-out',
    assets: assets.paths,
  }),
})
app.get('/assets/*', (request, reply) => {
  const asset = assets.find(request.url)
  return asset === undefined ? reply.code(404).send() : reply.type(asset.contentType).send(asset.body)
})

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

// Runs in the page: elements with text of their own whose contrast is below 4.5 (WCAG 2.2, 1.4.3). A string, because
// the types of a browser are not those of this program.
const FIND_FAINT_WORDS = `(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const paint = colors => {
    canvas.clearRect(0, 0, 1, 1)
    for (const color of colors) {
      canvas.fillStyle = color
      canvas.fillRect(0, 0, 1, 1)
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
  }
  const luminance = rgb => {
    const [r, g, b] = rgb.map(channel => {
      const value = channel / 255
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const faint = []
  for (const element of document.querySelectorAll('main *')) {
    const hasWords = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim())
    if (!hasWords || !element.checkVisibility() || element.getAttribute('aria-hidden') === 'true') continue
    const grounds = []
    for (let at = element; at; at = at.parentElement) grounds.unshift(getComputedStyle(at).backgroundColor)
    const ground = luminance(paint(grounds))
    const ink = luminance(paint([...grounds, getComputedStyle(element).color]))
    const contrast = (Math.max(ground, ink) + 0.05) / (Math.min(ground, ink) + 0.05)
    if (contrast < 4.5) faint.push([element.className, element.textContent.slice(0, 20), contrast.toFixed(2)].join(' '))
  }
  return faint
})()`

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

test('no page is wider than a phone, in light and in dark', { skip }, async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const path of ['/docs', '/docs/operations/createSpace', '/docs/schemas/MergeRules', '/docs?q=space'])
      await open(path, { viewport: SIZES.phone, colorScheme }, async page => {
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        assert.equal(overflow, 0, path)
      })
  }
})

test('words stand out enough from their ground, in light and in dark', { skip }, async () => {
  for (const colorScheme of ['light', 'dark'] as const)
    await open('/docs/operations/createSpace', { viewport: SIZES.desk, colorScheme }, async page => {
      assert.deepEqual(await page.evaluate(FIND_FAINT_WORDS), [], colorScheme)
    })
})
