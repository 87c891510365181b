// The reader as the first space shows it: with scripts and without, by keyboard, and with the landmarks and names that
// somebody who does not see it needs.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipBrowser, visit } from '../support/browser.ts'
import { startedHome } from '../support/home.ts'
import { type Server, serve } from '../support/process.ts'

describe('the reader of a new installation', { skip: skipBrowser }, () => {
  let server: Server
  let space = ''
  let places: string[] = []

  before(async () => {
    server = await serve(await startedHome())
    const { body: organizations } = await server.call('GET', '/orgs')
    const { body: spaces } = await server.call('GET', `/orgs/${organizations.items[0].id}/spaces`)
    space = `/s/${spaces.items[0].id}`
    places = ['/', space, `${space}/~/search?q=token`, `${space}/nowhere`, '/sign-in', '/docs']
  })

  test('with scripts, no place has an error in the console or asks another host for anything; each has its landmarks, one first heading, a language, and a name for everything that is operated', () =>
    visit(server.url, async (page, watch) => {
      for (const place of places) {
        await page.goto(server.url + place, { waitUntil: 'load' })
        assert.deepEqual(await page.evaluate(FIND_FAULTS), [], place)
        // The browser itself reports the status of a page that is not there.
        const errors = watch.errors
          .splice(0)
          .filter(error => !place.endsWith('/nowhere') || !/of 404/.test(error))
        assert.deepEqual([errors, watch.foreign], [[], []], place)
      }
    }))

  test('every page of the docs is without errors too', () =>
    visit(server.url, async (page, watch) => {
      await page.goto(server.url + space)
      const all = await page
        .locator('nav a.tree-link')
        .evaluateAll(links =>
          links.map(link => link.getAttribute('href') ?? '').filter(href => href.startsWith('/s/')),
        )
      assert.ok(all.length > 5)
      for (let at = 0; at < all.length; at += 10)
        for (const [path, headings] of await openInFrames(page, server.url, all.slice(at, at + 10)))
          assert.equal(headings, 1, path)
      assert.deepEqual([watch.errors, watch.foreign], [[], []])
    }))

  test('without scripts: from the home page through the tree, by search, to a hit, and tabs change', () =>
    visit(
      server.url,
      async page => {
        await page.goto(server.url)
        await page.locator(`main a[href="${space}"]`).first().click()
        await page.locator('nav a.tree-link', { hasText: 'Configuration' }).click()
        assert.equal(await page.locator('h1').textContent(), 'Configuration')
        await page.locator('a[rel=next]').click()
        await page.locator('a[rel=prev]').click()
        assert.equal(await page.locator('h1').textContent(), 'Configuration')
        const search = page.getByRole('searchbox')
        await search.fill('token')
        await search.press('Enter')
        assert.match(page.url(), /\/~\/search\?q=token$/)
        await page.locator('.hit a').first().click()
        assert.equal(await page.locator('h1').count(), 1)

        await page.goto(`${server.url}${space}/learn/blocks`)
        const tabs = page.locator('main .tabs').first()
        const shown = () =>
          tabs.locator('.tab-panel').evaluateAll(panels => panels.map(panel => panel.checkVisibility()))
        assert.deepEqual(await shown(), [true, false])
        await tabs.getByText('JavaScript', { exact: true }).click()
        assert.deepEqual(await shown(), [false, true])
      },
      { javaScriptEnabled: false },
    ))

  test('the keyboard reaches the content first, then search, and everything it reaches is seen', () =>
    visit(server.url, async page => {
      await page.goto(server.url + space)
      await page.keyboard.press('Tab')
      assert.equal(await focused(page), 'a Skip to content')
      await page.keyboard.press('Enter')
      assert.equal(await page.evaluate('document.activeElement.localName'), 'main')
      await page.goto(server.url + space)
      const reached: string[] = []
      for (let presses = 0; presses < 8 && !reached.at(-1)?.startsWith('input'); presses += 1) {
        await page.keyboard.press('Tab')
        reached.push(await focused(page))
        assert.equal(
          await page.evaluate(IS_SEEN),
          true,
          `${reached.at(-1)} has the focus and does not show it`,
        )
      }
      assert.match(reached.at(-1) ?? '', /^input Search/, reached.join(', '))
      await page.keyboard.type('token')
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/~\/search\?q=token/)
    }))
})

/** Opens pages all at once, and answers how many first headings each has. */
async function openInFrames(page: Page, origin: string, paths: readonly string[]) {
  await page.route(`${origin}/frames`, route =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Frames</title>' }),
  )
  await page.goto(`${origin}/frames`)
  // While anything is routed, every request makes a detour through this process.
  await page.unroute(`${origin}/frames`)
  return await page.evaluate<(readonly [path: string, headings: number])[]>(
    `Promise.all(${JSON.stringify(paths)}.map(path => new Promise(resolve => {
      const frame = document.createElement('iframe')
      frame.onload = () => resolve([path, frame.contentDocument.querySelectorAll('h1').length])
      frame.src = path
      document.body.append(frame)
    })))`,
  )
}

const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
    const { localName, ariaLabel, textContent } = document.activeElement
    return localName + ' ' + (ariaLabel ?? textContent.trim())
  })()`)

// An outline, a ring of shadow, or a background: some sign that was not there before.
const IS_SEEN = `(() => {
  const node = document.activeElement
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(node)
  const around = getComputedStyle(node.parentElement)
  const box = node.getBoundingClientRect()
  const hasRing = (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none' ||
    around.boxShadow !== 'none' || (around.outlineStyle !== 'none' && parseFloat(around.outlineWidth) > 0)
  return hasRing && box.width > 0 && box.bottom > 0 && box.top < innerHeight
})()`

// What https://www.w3.org/TR/WCAG22/ asks of every page and a machine can see: 1.1.1, 1.3.1, 2.4.2, 3.1.1, 4.1.2.
const FIND_FAULTS = `(() => {
  const faults = []
  const all = selector => [...document.querySelectorAll(selector)]
  const isShown = node => node.checkVisibility({ visibilityProperty: true }) && node.closest('[aria-hidden=true]') === null
  const nameOf = node =>
    (node.getAttribute('aria-label') ||
      (node.getAttribute('aria-labelledby') ?? '').split(' ').map(id => document.getElementById(id)?.textContent ?? '').join(' ').trim() ||
      [...(node.labels ?? [])].map(label => label.textContent).join(' ').trim() ||
      node.textContent.trim() || node.title || [...node.querySelectorAll('img')].map(img => img.alt).join(' ')).trim()
  const count = (selector, wanted) => {
    const found = all(selector).filter(isShown).length
    if (found !== wanted) faults.push(found + ' of ' + selector)
  }
  count('h1', 1)
  count('main', 1)
  count('body > header, [role=banner]', 1)
  if (document.documentElement.lang === '') faults.push('no language')
  if (document.title.trim() === '') faults.push('no title')
  const navigations = all('nav').filter(isShown)
  if (navigations.length > 1)
    for (const node of navigations) if (nameOf(node) === '' || !(node.ariaLabel || node.getAttribute('aria-labelledby'))) faults.push('a navigation without a name')
  for (const node of all('a[href], button, input:not([type=hidden]), select, textarea, summary, iframe, [tabindex="0"]').filter(isShown))
    if (nameOf(node) === '') faults.push('no name: ' + node.outerHTML.slice(0, 120))
  for (const node of all('img:not([alt])')) faults.push('no alternative: ' + node.outerHTML.slice(0, 120))
  const ids = all('[id]').map(node => node.id)
  for (const id of new Set(ids.filter((id, at) => ids.indexOf(id) !== at))) faults.push('twice the id ' + id)
  let level = 0
  for (const node of all('h1, h2, h3, h4, h5, h6').filter(isShown)) {
    const next = Number(node.localName[1])
    if (level > 0 && next > level + 1) faults.push('from h' + level + ' to h' + next + ': ' + node.textContent.trim())
    level = next
  }
  for (const node of all('[aria-controls], [aria-describedby], [for], [popovertarget]'))
    for (const id of (node.getAttribute('aria-controls') ?? node.getAttribute('aria-describedby') ?? node.getAttribute('for') ?? node.getAttribute('popovertarget')).split(' '))
      if (document.getElementById(id) === null) faults.push('nothing has the id ' + id)
  return faults
})()`
