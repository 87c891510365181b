// Files that are sent while another screen is shown: how far they are and how to stop them is shown in a corner, and what
// fails is said there until somebody looks at it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipBrowser as skip } from '../support/browser.ts'
import { spaceWith } from '../support/pages.ts'
import { assertAccessible, openWorkspace } from '../support/workspace.ts'
import { world } from '../support/world.ts'

const w = await world()

/** Longer than a message is shown that goes by itself. */
const LOOKING_AWAY_MS = 60_000

const corner = (page: Page) => page.getByRole('region', { name: 'Being uploaded' })
const toHome = (page: Page) => page.locator('a[href="/w"]').filter({ visible: true }).first().click()

async function upload(page: Page, ...names: readonly string[]): Promise<void> {
  const asks = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload' }).click()
  await (await asks).setFiles(
    names.map(name => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`Words of ${name}`) })),
  )
}

test('a file is stopped in the corner of another screen, and the next one is sent; what fails there is said until it is looked at, and sent again', {
  skip,
}, async () => {
  const space = await spaceWith(w, { 'README.md': '# Start\n' }, { title: 'Handbook' })
  await w.call('POST', `/spaces/${space}/change-requests`, { body: { subject: 'Files' } })
  const names = async () => {
    const { body } = await w.call('GET', `/spaces/${space}/change-requests/1/content/files`)
    return body.items.map(({ name }: { name: string }) => name).sort()
  }
  await openWorkspace(w, 'admin', `/w/s/${space}/c/1/files`, async (page, watch) => {
    await page.clock.install()
    const refused = Promise.withResolvers<void>()
    const stopped = Promise.withResolvers<void>()
    await page.route(/\/uploads\//, async route => {
      const words = route.request().postData() ?? ''
      if (words.includes('long')) await stopped.promise
      if (!words.includes('full')) return route.fallback().catch(() => {})
      await refused.promise
      const error = { code: 507, message: 'The disk is full.' }
      return route.fulfill({ status: 507, json: { error } })
    })
    await upload(page, 'long name, 日本語.txt', 'next.txt', 'full.txt')
    await page.getByRole('region', { name: 'Uploads' }).getByRole('progressbar').waitFor()
    assert.equal(await corner(page).count(), 0)
    await toHome(page)
    await corner(page).getByRole('progressbar', { name: 'Upload of long name' }).waitFor()
    await assertAccessible(page)
    await corner(page)
      .getByRole('button', { name: /^Cancel long name/ })
      .click()
    stopped.resolve()
    await corner(page).getByRole('progressbar', { name: 'Upload of full.txt' }).waitFor()
    assert.deepEqual(await names(), ['next.txt'])
    refused.resolve()
    const failed = page.getByRole('alertdialog').filter({ hasText: /was not uploaded/ })
    await failed.waitFor()
    await page.clock.fastForward(LOOKING_AWAY_MS)
    await corner(page).waitFor({ state: 'detached' })
    await assertAccessible(page)
    await failed.getByRole('button', { name: 'Show' }).click()
    const sending = page.getByRole('region', { name: 'Uploads' }).getByRole('listitem')
    await sending.filter({ hasText: 'full.txt' }).waitFor()
    await page.unroute(/\/uploads\//)
    await sending.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('row', { name: 'full.txt' }).waitFor()
    watch.errors.length = 0
  })
  assert.deepEqual(await names(), ['full.txt', 'next.txt'])
})
