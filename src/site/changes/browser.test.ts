// Change requests in a real browser, without a script: from the list of changes to what differs, to the page as it would
// be, and back.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipBrowser as skip, visit } from '../../../test/support/browser.ts'
import { changeRequestWith } from '../../../test/support/change-requests.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { originOf } from '../../../test/support/server.ts'
import { signedIn } from '../../../test/support/sessions.ts'
import { world } from '../../../test/support/world.ts'

const w = await world()
let origin = ''
let path = ''

before(async () => {
  if (skip !== false) return
  origin = await originOf(w)
  const space = await spaceWith(w, { 'setup.md': '# Setup\n\nStay.\n\nRun it twice.\n\nLeave.\n' })
  const proposed = { 'setup.md': '# Setup\n\nStay.\n\nRun it once.\n\n## Added part\n' }
  await changeRequestWith(w, space, proposed, { subject: 'Only once' })
  path = `/s/${space}/~/changes/1`
})

/** As a member with the role to read; a browser without scripts. */
const look = (see: (page: Page, errors: readonly string[]) => Promise<void>) =>
  visit(
    origin,
    async (page, watch, context) => {
      await context.addCookies([{ name: 'octavo_session', value: await signedIn(w, 'read'), url: origin }])
      await page.goto(origin + path)
      await see(page, watch.errors)
      assert.deepEqual([watch.errors, watch.foreign], [[], []])
    },
    { javaScriptEnabled: false },
  )

test('from the change request to what differs, to the page as it would be, and back', { skip }, () =>
  look(async page => {
    assert.equal(await page.locator('h1').textContent(), 'Only once')
    await page.getByRole('link', { name: 'What differs in Setup' }).click()
    assert.equal(await page.locator('h1').textContent(), 'Setup')
    await page.getByRole('link', { name: 'Preview this page' }).click()
    assert.match((await page.getByRole('complementary', { name: 'Preview' }).textContent()) ?? '', /unmerged/)
    assert.equal(await page.getByText('Run it once.').isVisible(), true)
    await page.getByRole('link', { name: /change request #1/ }).click()
    assert.equal(new URL(page.url()).pathname, path)
  }),
)

test('added and removed text is marked by label, stroke and line, not by colour alone', { skip }, () =>
  look(async page => {
    await page.getByRole('link', { name: 'What differs in Setup' }).click()
    const labels = await page.locator('.difference-label').allTextContents()
    assert.deepEqual(labels, ['Changed', 'Removed', 'Added'])
    const styleOf = (selector: string, name: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${name}`)
    assert.match(await styleOf('ins', 'textDecorationLine'), /underline/)
    assert.match(await styleOf('del', 'textDecorationLine'), /line-through/)
    const strokes = ['.difference-inserted', '.difference-removed'].map(one =>
      styleOf(one, 'borderInlineStartStyle'),
    )
    assert.equal(new Set(await Promise.all(strokes)).size, 2)
  }),
)

test('what stays is folded away, and opens', { skip }, () =>
  look(async page => {
    await page.getByRole('link', { name: 'What differs in Setup' }).click()
    const stays = page.getByText('Stay.')
    assert.equal(await stays.isVisible(), false)
    await page.getByText(/unchanged block/).click()
    assert.equal(await stays.isVisible(), true)
  }),
)
