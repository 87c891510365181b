// Conflicts between a space and a change request are settled in the workspace, by the names of its controls; what is
// written is what was chosen.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipBrowser as skip } from '../support/browser.ts'
import { proposeFiles } from '../support/change-requests.ts'
import { type Files, publishFiles, spaceWith } from '../support/pages.ts'
import { assertAccessible, openWorkspace } from '../support/workspace.ts'
import { world } from '../support/world.ts'

const w = await world()

type At = { readonly space: string; readonly api: string; readonly path: string }

/** A change request that proposes one thing, and a space that has published another since. */
async function conflicting(base: Files, proposed: Files, published: Files): Promise<At> {
  const space = await spaceWith(w, base, { title: 'Handbook' })
  const { body } = await w.call('POST', `/spaces/${space}/change-requests`, {
    as: 'edit',
    body: { subject: 'Say when' },
  })
  await proposeFiles(w, body.id, proposed, 'edit')
  await publishFiles(w, space, published)
  return {
    space,
    api: `/spaces/${space}/change-requests/${body.id}`,
    path: `/w/s/${space}/c/${body.number}`,
  }
}

const WORDS = '# Start\n\nRun the command once.\n\nIn between.\n\nPay on Monday.\n'
const withWords = (...changes: readonly (readonly [string, string])[]): Files => ({
  'README.md': changes.reduce((text, [from, to]) => text.replace(from, to), WORDS),
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const textAt = async ({ space }: At, path = 'readme') =>
  (await w.call('GET', `/spaces/${space}/content/path/${path}`)).body.markdown

test('two paragraphs changed on both sides: one is kept, the other written, and Finish publishes exactly that', {
  skip,
}, async () => {
  const at = await conflicting(
    withWords(),
    withWords(['once', 'twice'], ['Monday', 'Tuesday']),
    withWords(['once', 'as root'], ['Monday', 'Friday']),
  )
  await openWorkspace(w, 'review', `${at.path}/conflicts?for=merge`, async page => {
    await page.getByRole('heading', { name: 'Changed on both sides' }).waitFor()
    await page.getByText('0 of 2 settled').waitFor()
    assert.equal(await button(page, 'Finish').isDisabled(), true)
    const ours = page.getByRole('region', { name: 'The space', exact: true })
    await ours.getByRole('insertion').getByText('as root').waitFor()
    assert.deepEqual(await ours.getByRole('deletion').allTextContents(), ['once'])
    await assertAccessible(page)
    await button(page, 'Keep the change request’s').click()
    await page.getByText('2 of 2', { exact: true }).waitFor()
    await button(page, 'Write it').click()
    const field = page.getByRole('textbox', { name: 'Your text' })
    assert.equal(await field.inputValue(), 'Pay on Tuesday.')
    await field.fill('Pay on *Wednesday*.')
    await page.getByRole('region', { name: 'Preview' }).getByRole('emphasis').getByText('Wednesday').waitFor()
    await assertAccessible(page)
    await button(page, 'Use this').click()
    await page.getByText('2 of 2 settled').waitFor()
    await assertAccessible(page)
    await button(page, 'Finish').click()
    await page.getByText('Published', { exact: true }).first().waitFor()
    assert.equal(new URL(page.url()).pathname, at.path)
  })
  assert.equal(await textAt(at), '# Start\n\nRun the command twice.\n\nIn between.\n\nPay on *Wednesday*.\n')
  assert.equal((await w.call('GET', at.api)).body.status, 'merged')
})
