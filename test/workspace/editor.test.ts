// Writing a page in the workspace: saved without a form, kept on the device, merged with what others write.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipBrowser as skip } from '../support/browser.ts'
import { isNarrow } from '../support/circumstances.ts'
import { spaceWith } from '../support/pages.ts'
import { assertAccessible, endSessions, openTool, openWorkspace } from '../support/workspace.ts'
import { type PersonName, world } from '../support/world.ts'

const w = await world()

const FIRST = 'The first paragraph.'
const LAST = 'The last paragraph.'
const MARKDOWN = `---\nicon: rocket\n---\n\n# Guide\n\n${FIRST}\n\nBetween.\n\n${LAST}\n`

async function newPage(markdown = MARKDOWN) {
  const space = await spaceWith(w, { 'README.md': markdown })
  const { body } = await w.call('GET', `/spaces/${space}/content/pages`)
  const [{ id }] = body.pages
  return { space, id, path: `/w/s/${space}/edit/${id}` }
}

const textOf = (page: Page) => page.getByRole('textbox', { name: 'Text of the page' })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const isSaid = (page: Page, words: string) =>
  page.getByRole('main').getByRole('status').getByText(words, { exact: true }).waitFor()

/** The page as it is written in the first change request of its space. */
async function written(space: string, id: string, number = 1): Promise<string> {
  const { body } = await w.call('GET', `/spaces/${space}/change-requests/${number}/content/page/${id}`)
  return body.markdown
}

async function typeAtEnd(page: Page, words: string): Promise<void> {
  await textOf(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(words)
}

async function save(page: Page): Promise<void> {
  await page.keyboard.press('Control+s')
  await isSaid(page, 'Saved')
}

/** What somebody else does to the page in the change request. */
async function rewrite(space: string, id: string, from: string, to: string, by: PersonName): Promise<void> {
  const markdown = (await written(space, id)).replace(from, to)
  const { status } = await w.call('POST', `/spaces/${space}/change-requests/1/content`, {
    as: by,
    body: { changes: [{ operation: 'update_page', page: id, document: { markdown } }] },
  })
  assert.equal(status, 200)
}

test('Edit opens the page; what is typed is previewed, and saved into a draft without a form', {
  skip,
}, async () => {
  const { space, id } = await newPage()
  await openWorkspace(w, 'edit', `/w/s/${space}`, async page => {
    await page.getByText(LAST).waitFor()
    await page.keyboard.press('e')
    await textOf(page).waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Title' }).inputValue(), 'Guide')
    await assertAccessible(page)
    await typeAtEnd(page, 'Some **new** words.')
    if (isNarrow) await page.getByRole('radio', { name: 'Preview', exact: true }).click()
    await page.getByRole('region', { name: 'Preview' }).getByText('new', { exact: true }).waitFor()
    await save(page)
    assert.match(page.url(), /\/c\/1\/edit\/\w+$/)
    await assertAccessible(page)
  })
  assert.equal(await written(space, id), `${MARKDOWN}Some **new** words.`)
  const { body } = await w.call('GET', `/spaces/${space}/change-requests/1`)
  assert.deepEqual([body.status, body.subject], ['draft', 'Edit Guide'])
})

test('a page that is only looked at in the editor begins no draft', { skip }, async () => {
  const { space, path } = await newPage()
  await openWorkspace(w, 'edit', path, async page => {
    await typeAtEnd(page, 'x')
    await page.keyboard.press('Backspace')
    await isSaid(page, 'Saved')
    await button(page, 'Done').click()
    await page.getByRole('heading', { name: 'Guide', level: 1 }).waitFor()
  })
  const { body } = await w.call('GET', `/spaces/${space}/change-requests?status=draft`)
  assert.equal(body.items.length, 0)
})

test('title, description and page options are saved beside the text, and every other byte stays', {
  skip,
}, async () => {
  const { space, id, path } = await newPage()
  await openWorkspace(w, 'edit', path, async page => {
    await page.getByRole('textbox', { name: 'Title' }).fill('Handbook')
    await page.getByRole('textbox', { name: 'Description' }).fill('How it works')
    await openTool(page, 'Page options')
    const options = page.getByRole('dialog', { name: 'Page options' })
    await assertAccessible(page)
    await options.getByText('Not in search').click()
    await options.getByRole('button', { name: 'Close' }).click()
    await save(page)
    await page.getByRole('textbox', { name: 'Title' }).fill('')
    await page.getByRole('alert').getByText('A page needs a title.').waitFor()
  })
  const { body } = await w.call('GET', `/spaces/${space}/change-requests/1/content/page/${id}`)
  assert.deepEqual(
    [body.title, body.description, body.noIndex, body.icon],
    ['Handbook', 'How it works', true, 'rocket'],
  )
  assert.equal(body.markdown.slice(body.textStart), `${FIRST}\n\nBetween.\n\n${LAST}\n`)
})

test('Propose saves, takes a subject and reviewers, and leads to the change request', { skip }, async () => {
  const { space, path } = await newPage()
  await openWorkspace(w, 'edit', path, async page => {
    await typeAtEnd(page, 'More.')
    await button(page, 'Propose').click()
    const dialog = page.getByRole('dialog', { name: 'Propose' })
    await dialog.getByRole('textbox', { name: 'Subject' }).fill('Say more')
    await dialog.getByRole('option').first().click()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Propose' }).click()
    await page.getByRole('heading', { name: /^Say more/, level: 1 }).waitFor()
  })
  const { body } = await w.call('GET', `/spaces/${space}/change-requests/1`)
  assert.deepEqual([body.status, body.subject], ['open', 'Say more'])
})

test('reviewers that are known while the subject is typed take no focus; what could not be saved is said in the dialog', {
  skip,
}, async () => {
  const { space, path } = await newPage()
  const known = Promise.withResolvers<void>()
  await openWorkspace(w, 'edit', path, async (page, watch, context) => {
    await context.route('**/permissions/aggregate*', async route => {
      await known.promise
      await route.fallback()
    })
    await context.route('**/v1/spaces/*/change-requests', route => route.abort())
    await typeAtEnd(page, 'More.')
    await button(page, 'Propose').click()
    const dialog = page.getByRole('dialog', { name: 'Propose' })
    const subject = dialog.getByRole('textbox', { name: 'Subject' })
    await subject.selectText()
    await page.keyboard.type('Say')
    known.resolve()
    await dialog.getByRole('option').first().waitFor()
    await page.keyboard.type(' more')
    await dialog.getByRole('option').first().click()
    await dialog.getByRole('button', { name: 'Propose' }).click()
    await dialog.getByRole('alert').getByText('What you wrote could not be saved yet.').waitFor()
    await context.unroute('**/v1/spaces/*/change-requests')
    await dialog.getByRole('button', { name: 'Propose' }).click()
    await page.getByRole('heading', { name: /^Say more/, level: 1 }).waitFor()
    watch.errors.length = 0
  })
  const { body } = await w.call('GET', `/spaces/${space}/change-requests/1/requested-reviewers`)
  assert.equal(body.items.length, 1)
})

test('in a space that takes edits, Publish saves and publishes', { skip }, async () => {
  const { space, id, path } = await newPage()
  await openWorkspace(w, 'review', path, async page => {
    await typeAtEnd(page, 'More.')
    await button(page, 'Publish').click()
    await page.waitForURL(`**/w/s/${space}/p/${id}`)
    await page.getByText(`${LAST} More.`).waitFor()
  })
  const { body } = await w.call('GET', `/spaces/${space}/content/page/${id}`)
  assert.equal(body.markdown, `${MARKDOWN}More.`)
})

test('without a network what is typed stays on the device, also when the page is loaded again, and is saved later', {
  skip,
}, async () => {
  const { space, id, path } = await newPage()
  await openWorkspace(w, 'edit', path, async (page, watch, context) => {
    await typeAtEnd(page, 'Kept.')
    await context.route('**/v1/spaces/*/change-requests', route => route.abort())
    await page.keyboard.press('Control+s')
    await isSaid(page, 'Offline, kept on this device')
    await page.reload()
    await page.getByText('Kept.').first().waitFor()
    await context.unroute('**/v1/spaces/*/change-requests')
    await save(page)
    watch.errors.length = 0
  })
  assert.equal(await written(space, id), `${MARKDOWN}Kept.`)
})

test('a session that ends while somebody types: the words stay, and are saved after signing in', {
  skip,
}, async () => {
  const { space, id, path } = await newPage()
  await openWorkspace(w, 'edit', path, async (page, watch, context) => {
    await typeAtEnd(page, 'Before.')
    await save(page)
    const cookies = await context.cookies()
    await typeAtEnd(page, ' After.')
    await context.clearCookies()
    await page.keyboard.press('Control+s')
    const asks = page.getByRole('dialog', { name: 'Your session has ended' })
    await asks.waitFor()
    await context.addCookies(cookies)
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await asks.waitFor({ state: 'hidden' })
    await save(page)
    watch.errors.length = 0
  })
  assert.equal(await written(space, id), `${MARKDOWN}Before. After.`)
  await endSessions(w, 'edit')
})

test('what others write in another place comes in beside what is typed; nobody’s words are lost', {
  skip,
}, async () => {
  const { space, id, path } = await newPage()
  await openWorkspace(w, 'edit', path, async page => {
    await typeAtEnd(page, 'Mine.')
    await save(page)
    await rewrite(space, id, FIRST, 'The first paragraph of others.', 'review')
    await page.getByText('The first paragraph of others.').first().waitFor()
    await page.keyboard.type(' And more.')
    await save(page)
  })
  const text = await written(space, id)
  assert.match(text, /The first paragraph of others\./)
  assert.match(text, /Mine\. And more\.$/)
})

test('where others wrote the same words, both versions are shown and the writer chooses', {
  skip,
}, async () => {
  const { space, id, path } = await newPage()
  await openWorkspace(w, 'edit', path, async (page, watch, context) => {
    await typeAtEnd(page, 'Mine.')
    await save(page)
    // The page does not hear of it before it saves.
    await context.route('**/v1/stream*', route => route.abort())
    await page.reload()
    await textOf(page).waitFor()
    await rewrite(space, id, 'Mine.', 'Theirs.', 'review')
    await rewrite(space, id, FIRST, 'The first paragraph of others.', 'review')
    await typeAtEnd(page, ' And more.')
    await page.keyboard.press('Control+s')
    const both = page.getByRole('region', { name: 'Others wrote in the same place' })
    await both.waitFor()
    await both.getByText('Theirs.').waitFor()
    await assertAccessible(page)
    const mine = both.getByRole('textbox', { name: 'Yours' })
    await mine.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Theirs too.')
    await button(page, 'Save yours').click()
    await isSaid(page, 'Saved')
    watch.errors.length = 0
  })
  const text = await written(space, id)
  assert.match(text, /The first paragraph of others\./)
  assert.match(text, /Mine\. And more\. Theirs too\.$/)
})

test('where others changed the title too, the writer chooses one', { skip }, async () => {
  const { space, id, path } = await newPage()
  await openWorkspace(w, 'edit', path, async (page, watch, context) => {
    await typeAtEnd(page, 'Mine.')
    await save(page)
    await context.route('**/v1/stream*', route => route.abort())
    await page.reload()
    const title = page.getByRole('textbox', { name: 'Title' })
    await title.fill('Mine')
    await w.call('POST', `/spaces/${space}/change-requests/1/content`, {
      as: 'review',
      body: { changes: [{ operation: 'update_page', page: id, title: 'Theirs' }] },
    })
    await page.keyboard.press('Control+s')
    const titles = page.getByRole('group', { name: 'Title' })
    await titles.getByRole('radio', { name: 'Yours Mine' }).and(page.locator(':checked')).waitFor()
    await titles.getByRole('radio', { name: 'The page as it is now Theirs' }).check()
    assert.equal(await page.getByRole('textbox', { name: 'Yours' }).isVisible(), false)
    await assertAccessible(page)
    await button(page, 'Save yours').click()
    await isSaid(page, 'Saved')
    assert.equal(await title.inputValue(), 'Theirs')
    watch.errors.length = 0
  })
})

test('Done with what was not saved yet leads to the page as it is in the draft', { skip }, async () => {
  const { space, id, path } = await newPage()
  await openWorkspace(w, 'edit', path, async page => {
    await typeAtEnd(page, 'Mine.')
    await button(page, 'Done').click()
    await page.waitForURL(`**/w/s/${space}/c/1/preview/${id}`)
    await page.getByText(`${LAST} Mine.`).waitFor()
  })
})

test('a page that is deleted under its writer: the words stay on the screen, and on the device after it', {
  skip,
}, async () => {
  const { space, id, path } = await newPage()
  await openWorkspace(w, 'edit', path, async (page, watch) => {
    await typeAtEnd(page, 'Kept.')
    await save(page)
    const { status } = await w.call('POST', `/spaces/${space}/change-requests/1/content`, {
      as: 'review',
      body: { changes: [{ operation: 'delete_page', page: id }] },
    })
    assert.equal(status, 200)
    await page.keyboard.type(' Later.')
    await page.keyboard.press('Control+s')
    await isSaid(page, 'Not saved')
    await textOf(page).getByText('Kept. Later.').waitFor()
    await page.reload()
    const kept = page.getByRole('region', { name: 'What you wrote here is on this device' })
    await kept.waitFor()
    assert.match(await textOf(page).inputValue(), /Kept\. Later\.$/)
    await assertAccessible(page)
    watch.errors.length = 0
  })
})

test('a draft that is merged while its author types: the words stay, and go on in a new draft', {
  skip,
}, async () => {
  const { space, id, path } = await newPage()
  await openWorkspace(w, 'edit', path, async page => {
    await typeAtEnd(page, 'Merged.')
    await save(page)
    await w.call('POST', `/spaces/${space}/change-requests/1/merge`, { as: 'review', body: {} })
    await page.keyboard.type(' Later.')
    await page.keyboard.press('Control+s')
    await button(page, 'Go on in a new draft').click()
    await isSaid(page, 'Saved')
    assert.match(page.url(), /\/c\/2\/edit\//)
  })
  assert.match(await written(space, id, 2), /Merged\. Later\.$/)
})
