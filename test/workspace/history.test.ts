// The history of a space in the workspace: what each revision did, and undoing it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skipBrowser as skip } from '../support/browser.ts'
import { changeRequestWith } from '../support/change-requests.ts'
import { publishFiles, spaceWith } from '../support/pages.ts'
import { assertAccessible, openWorkspace } from '../support/workspace.ts'
import { world } from '../support/world.ts'

const w = await world()

const readme = (...words: string[]) => ({
  'README.md': `# Start\n\n${words.map(word => `${word} words.`).join('\n\n')}\n`,
})

async function writtenTwice() {
  const id = await spaceWith(w, readme('First', 'Second'), { title: 'Handbook' })
  await publishFiles(w, id, readme('Better', 'Second'))
  await publishFiles(w, id, readme('Better', 'Last'))
  return id
}

const textOf = async (id: string) => {
  const { body } = await w.call('GET', `/spaces/${id}/content/path/readme?format=markdown`)
  return body.markdown
}

test('each revision says who did what; undoing one keeps what came after it, and can be undone', {
  skip,
}, async () => {
  const id = await writtenTwice()
  await openWorkspace(w, 'review', `/w/s/${id}/history`, async page => {
    await page.getByRole('heading', { name: 'History', level: 1 }).waitFor()
    const entries = page.locator('main ol > li')
    const second = entries.nth(1)
    await second.getByRole('button', { name: 'Edited', exact: true }).click()
    const changed = second.getByRole('group', { name: 'Changed' })
    await changed.getByText('First').first().waitFor()
    await changed.getByText('Better').first().waitFor()
    await assertAccessible(page)
    await second.getByRole('button', { name: 'Undo: Edited' }).click()
    await assertAccessible(page)
    await page.getByRole('menuitem', { name: 'Undo now' }).click()
    await page.getByText('Undone.', { exact: true }).waitFor()
    assert.equal(await textOf(id), readme('First', 'Last')['README.md'])
    await entries.first().getByText('Undone').first().waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Undo' }).click()
    await entries.nth(5).waitFor()
    assert.equal(await textOf(id), readme('Better', 'Last')['README.md'])
  })
})

test('a page says who changed it last, and leads to its own history', { skip }, async () => {
  const files = { 'SUMMARY.md': '* [Start](README.md)\n* [Other](other.md)\n', 'other.md': '# Other\n' }
  const id = await spaceWith(w, { ...files, ...readme('First') }, { title: 'Handbook' })
  const { body } = await w.call('GET', `/spaces/${id}/content/pages`)
  const [start, other] = body.pages
  const write = (page: string, markdown: string, as: 'edit' | 'admin') =>
    w.call('POST', `/spaces/${id}/content`, {
      as,
      body: { changes: [{ operation: 'update_page', page, document: { markdown } }] },
    })
  await write(start.id, '# Start\n\nBetter words.\n', 'edit')
  await write(other.id, '# Other\n\nMore.\n', 'admin')
  const { displayName } = (await w.call('GET', '/user', { as: 'edit' })).body
  await openWorkspace(w, 'read', `/w/s/${id}/p/${start.id}`, async page => {
    await page.getByText(`Updated by ${displayName}`).waitFor()
    await assertAccessible(page)
    await page.getByRole('link', { name: 'History of this page' }).click()
    await page.getByRole('heading', { name: 'History', level: 1 }).waitFor()
    const entries = page.locator('main ol > li')
    await entries.nth(1).waitFor()
    assert.equal(await entries.count(), 2)
    await page.getByText('Changes of the page').getByRole('link', { name: 'Start' }).waitFor()
    await assertAccessible(page)
    await page.getByRole('link', { name: 'Whole space' }).click()
    await entries.nth(3).waitFor()
  })
})

test('who may edit and not merge undoes as a change request; what conflicts is not undone at once', {
  skip,
}, async () => {
  const id = await spaceWith(w, readme('First'), { title: 'Handbook' })
  await publishFiles(w, id, readme('Better'))
  await publishFiles(w, id, readme('Best'))
  await openWorkspace(w, 'review', `/w/s/${id}/history`, async page => {
    const second = page.locator('main ol > li').nth(1)
    await second.getByRole('button', { name: 'Undo: Edited' }).click()
    await page.getByRole('menuitem', { name: 'Undo now' }).click()
    const dialog = page.getByRole('dialog', { name: 'Later changes are in the same places' })
    await dialog.getByRole('listitem').first().waitFor()
    await assertAccessible(page)
    assert.equal(await textOf(id), readme('Best')['README.md'])
  })
  await openWorkspace(w, 'edit', `/w/s/${id}/history`, async page => {
    const first = page.locator('main ol > li').first()
    await first.getByRole('button', { name: 'Undo: Edited' }).click()
    assert.equal(await page.getByRole('menuitem', { name: 'Undo now' }).count(), 0)
    await page.getByRole('menuitem', { name: 'Undo as a change request' }).click()
    await page.getByRole('heading', { name: /Undo: Edited/, level: 1 }).waitFor()
    assert.match(page.url(), /\/c\/1$/)
  })
})

test('undoing what has a long subject as a change request → one with the beginning of it', {
  skip,
}, async () => {
  const id = await spaceWith(w, readme('First'))
  const subject = 'Long '.repeat(20).trim()
  const { number } = await changeRequestWith(w, id, readme('Better'), { subject })
  await w.call('POST', `/spaces/${id}/change-requests/${number}/merge`)
  await openWorkspace(w, 'edit', `/w/s/${id}/history`, async page => {
    await page.getByRole('button', { name: `Undo: ${subject}` }).click()
    await page.getByRole('menuitem', { name: 'Undo as a change request' }).click()
    await page.getByRole('heading', { name: /^Undo: Long .*…/, level: 1 }).waitFor()
  })
})
