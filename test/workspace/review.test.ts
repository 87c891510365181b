// A review in the workspace, by the names of its controls.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { skipBrowser as skip } from '../support/browser.ts'
import { changeRequestWith, proposeFiles } from '../support/change-requests.ts'
import { isNarrow } from '../support/circumstances.ts'
import { type Files, spaceWith } from '../support/pages.ts'
import { isWhole } from '../support/slice.ts'
import { assertAccessible, openWorkspace } from '../support/workspace.ts'
import { world } from '../support/world.ts'

const w = await world()

const BEFORE = `# Start

Send your first parcel in five minutes.

One command installs the client.

Stays as it is, once.

Stays as it is, twice.

Stays as it is, thrice.

Stays as it is, four times.

## Keys

A key lasts a year.

Weigh the parcel with its packaging.
`
const AFTER = BEFORE.replace('in five minutes', 'in three minutes')
  .replace('One command installs the client.\n\n', '')
  .replace('## Keys\n', '## Keys\n\nOne command installs the client.\n')
  .replace('Weigh the parcel with its packaging.', 'Test keys print no labels.')

type Opened = { readonly space: string; readonly id: string; readonly api: string; readonly path: string }

async function open(before: Files, after: Files): Promise<Opened> {
  const space = await spaceWith(w, before, { title: 'Guide' })
  const { id, number } = await changeRequestWith(w, space, after, { subject: 'Test keys' })
  const api = `/spaces/${space}/change-requests/${id}`
  await w.call('PATCH', api, { body: { status: 'open' } })
  return { space, id, api, path: `/w/s/${space}/c/${number}/changes` }
}

const start = () =>
  open(
    { 'README.md': BEFORE, 'old.md': '# Old rates\n\nOf last year.\n' },
    { 'README.md': AFTER, 'keys.md': '# Test keys\n\nThey print nothing.\n' },
  )

const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
const row = (page: Page, name: string) =>
  page.getByRole('grid', { name: 'Changes', exact: true }).getByRole('row', { name })
const firstPageOf = async (api: string): Promise<string> =>
  (await w.call('GET', `${api}/content/pages`)).body.pages[0].id
/** What a thread is about, while it is pointed at. */
const markedWords = (page: Page) =>
  page.evaluate(() => [...(CSS.highlights.get('quote') ?? [])].map(range => String(range)))
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })

for (const colorScheme of ['light', 'dark'] as const)
  test(`every page that changed is listed with what happened to it, and shown block by block: ${colorScheme}`, {
    skip,
  }, async () => {
    const { path } = await start()
    await openWorkspace(
      w,
      'review',
      path,
      async page => {
        await page.getByRole('link', { name: 'Changes', exact: true }).waitFor()
        await row(page, 'Start').waitFor()
        assert.match(await row(page, 'Start').innerText(), /Edited · \d blocks/)
        assert.match(await row(page, 'Test keys').innerText(), /New/)
        assert.match(await row(page, 'Old rates').innerText(), /Deleted/)
        const changed = group(page, 'Changed')
        await changed.waitFor()
        assert.equal(await changed.getByRole('deletion').innerText(), 'five')
        assert.equal(await changed.getByRole('insertion').innerText(), 'three')
        await group(page, 'Moved here, unchanged').getByText('One command installs').waitFor()
        await group(page, 'Removed').getByText('Weigh the parcel').waitFor()
        await group(page, 'Added').getByText('Test keys print no labels').waitFor()
        // The title stands above the text, and not again in it.
        assert.equal(await page.getByRole('article').getByRole('heading', { name: 'Start' }).count(), 1)
        await assertAccessible(page)

        assert.equal(await page.getByText('Stays as it is, twice.').count(), 0)
        await button(page, '3 unchanged blocks').click()
        await page.getByText('Stays as it is, twice.').waitFor()

        if (!isNarrow) {
          await page.getByRole('radio', { name: 'Side by side' }).click()
          await changed.getByText('Send your first parcel in five minutes.').waitFor()
          await changed.getByText('Send your first parcel in three minutes.').waitFor()
          await assertAccessible(page)
        }
        await row(page, 'Old rates').click()
        await group(page, 'Removed').getByText('Of last year').waitFor()
      },
      { colorScheme },
    )
  })

test('j and k go from change to change, and on to the next page', { skip }, async () => {
  const { path } = await start()
  await openWorkspace(w, 'review', path, async page => {
    await group(page, 'Changed').waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    const seen: unknown[] = []
    for (let step = 0; step < 4; step += 1) {
      await page.keyboard.press('j')
      seen.push(await focused())
    }
    assert.deepEqual(seen, ['Changed', 'Moved here, unchanged', 'Removed', 'Added'])
    await page.keyboard.press('k')
    assert.equal(await focused(), 'Removed')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: 'Test keys', exact: true }).waitFor()
    await page.getByText('They print nothing.').waitFor()
    assert.match(page.url(), /item=page/)
  })
})

test('Viewed is kept, goes on to the next page, and falls back when the page changes', { skip }, async () => {
  const { path, id } = await start()
  await openWorkspace(w, 'review', path, async page => {
    const viewed = page.getByRole('checkbox', { name: 'Viewed' })
    await viewed.waitFor()
    await page.getByText('0 of 3 pages viewed').waitFor()
    await page.keyboard.press('v')
    await page.getByText('1 of 3 pages viewed').waitFor()
    await page.getByRole('heading', { name: 'Test keys', exact: true }).waitFor()
    await row(page, 'Start').getByRole('img', { name: 'Viewed' }).waitFor()
    await viewed.click({ force: true })
    await page.getByText('2 of 3 pages viewed').waitFor()
    await assertAccessible(page)
    // A box that has the focus takes no single keys.
    await viewed.focus()
    await page.keyboard.press('k')
    await page.getByRole('heading', { name: 'Start', exact: true, level: 2 }).waitFor()
    await page.reload()
    await page.getByText('2 of 3 pages viewed').waitFor()
    await proposeFiles(w, id, { 'README.md': AFTER, 'keys.md': '# Test keys\n\nThey print a little.\n' })
    await page.reload()
    await page.getByText('1 of 3 pages viewed').waitFor()
    await row(page, 'Start').getByRole('img', { name: 'Viewed' }).waitFor()
    assert.equal(await row(page, 'Test keys').getByRole('img', { name: 'Viewed' }).count(), 0)
  })
})

test('c comments on the block in focus; the thread stays at it, is answered there, and the page as a whole has its own', {
  skip,
}, async () => {
  const { path, api } = await start()
  await openWorkspace(w, 'review', path, async page => {
    await group(page, 'Changed').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('c')
    await page.getByRole('textbox', { name: 'Write a comment' }).fill('Is it really three?')
    await page.keyboard.press('Control+Enter')
    const thread = page.getByRole('article', { name: /Thread by/ })
    await thread.getByText('Is it really three?').waitFor()
    await assertAccessible(page)
    const { body } = await w.call('GET', `${api}/comments`)
    const [{ target }] = body.items
    assert.equal(await group(page, 'Changed').getAttribute('data-key'), target.node.id)
    await page.reload()
    await thread.getByText('Is it really three?').waitFor()

    await page.locator('body').press('c')
    await page.getByRole('textbox', { name: 'Write a comment' }).fill('All of it.')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await thread.getByText('All of it.').waitFor()
    const { body: all } = await w.call('GET', `${api}/comments?order=desc`)
    assert.equal(all.items[0].target.node, undefined)
    assert.ok(all.items[0].target.page)
  })
})

test('what is said about an unchanged block shows that block, about the title stands below it, and about a removed block at the end', {
  skip,
}, async () => {
  const { path, api, id } = await start()
  const { body: changes } = await w.call('GET', `${api}/changes`)
  const pageId = changes.changes.find(({ page }: { page: { title: string } }) => page.title === 'Start').page
    .id
  const { body: compared } = await w.call('GET', `${api}/changes/page/${pageId}/html`)
  const keyOf = (words: string) =>
    compared.blocks.find(({ after }: { after?: { html: string } }) => after?.html.includes(words)).after.key
  const say = (words: string, markdown: string) =>
    w.call('POST', `${api}/comments`, { body: { page: pageId, node: keyOf(words), body: { markdown } } })
  await say('Start', 'On the title.')
  await say('it is, thrice', 'On what stays.')
  await say('print no labels', 'On what goes.')
  await proposeFiles(w, id, {
    'README.md': AFTER.replace('Test keys print no labels.\n', ''),
    'keys.md': '# Test keys\n\nThey print nothing.\n',
  })
  await openWorkspace(w, 'review', path, async page => {
    await page.getByText('On what stays.').waitFor()
    await page.getByText('Stays as it is, thrice.').waitFor()
    await page.getByText('On the title.').waitFor()
    const gone = page.getByRole('region', { name: 'On text that is no longer there' })
    await gone.getByText('On what goes.').waitFor()
    for (const here of ['On what stays.', 'On the title.'])
      assert.equal(await gone.getByText(here).count(), 0)
    await assertAccessible(page)
  })
})

test('a approves and r requests changes, sent by ⌘Enter; who reviewed is shown', { skip }, async () => {
  const { path, api } = await start()
  const reviews = async () =>
    (await w.call('GET', `${api}/reviews`)).body.items.map(({ status }: { status: string }) => status)
  await openWorkspace(w, 'review', path, async page => {
    await button(page, 'Approve').waitFor()
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: 'Request changes' })
    await dialog.getByRole('textbox', { name: 'What should change?' }).fill('Say why three.')
    await assertAccessible(page)
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor({ state: 'hidden' })
    const judges = page.getByRole('list', { name: 'Reviewers' })
    await judges.getByText('Requests changes').waitFor()
    assert.deepEqual(await reviews(), ['changes-requested'])
    await page.keyboard.press('a')
    await page.getByRole('dialog', { name: 'Approve' }).getByRole('button', { name: 'Approve' }).click()
    await judges.getByText('Approved').waitFor()
    assert.deepEqual(await reviews(), ['approved', 'changes-requested'])
  })
  await openWorkspace(w, 'read', path, async page => {
    await page.getByRole('list', { name: 'Reviewers' }).getByText('Approved').waitFor()
    assert.equal(await button(page, 'Approve').count(), 0)
    await page.keyboard.press('a')
    assert.equal(await page.getByRole('dialog').count(), 0)
  })
})

test('a text of 5,000 blocks, 2,500 of them changed, is in the page only as far as it was scrolled to', {
  skip,
}, async () => {
  const blocks = (word: string) =>
    Array.from({ length: 5000 }, (_, at) => `Zone ${at} ${at % 2 === 0 ? word : 'stays'}.`).join('\n\n')
  const { path } = await open({ 'README.md': blocks('was here') }, { 'README.md': blocks('is there') })
  await openWorkspace(w, 'review', path, async page => {
    await group(page, 'Changed').first().waitFor()
    const shown = () => page.locator('.review-block').count()
    const first = await shown()
    assert.ok(first <= 200, `${first} blocks are shown at first`)
    await page.locator('.review-rest').scrollIntoViewIfNeeded()
    await page.waitForFunction(before => document.querySelectorAll('.review-block').length > before, first)
    assert.ok((await shown()) <= 600, `${await shown()} blocks are shown`)
  })
})

test('selected words are commented on, with other words suggested; who may edit applies them with one click', {
  skip,
}, async () => {
  const { path, api } = await start()
  const openThread = (page: Page) => page.getByRole('article', { name: /Thread by/ })
  await openWorkspace(w, 'comment', path, async page => {
    await group(page, 'Changed').waitFor()
    await group(page, 'Changed').evaluate((element, words) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const at = node.textContent?.indexOf(words) ?? -1
        if (at !== -1) getSelection()?.setBaseAndExtent(node, at, node, at + words.length)
      }
    }, 'first parcel')
    await button(page, 'Comment on selection').click()
    await button(page, 'Suggest a change').click()
    await page.getByRole('textbox', { name: 'Suggested text' }).fill('first letter')
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    const suggestion = openThread(page).getByRole('group', { name: 'Suggestion' })
    await suggestion.getByText('first letter').waitFor()
    assert.equal(await suggestion.getByRole('button', { name: 'Apply' }).count(), 0)
    const { body } = await w.call('GET', `${api}/comments`)
    assert.deepEqual(body.items[0].target.range, {
      quote: 'first parcel',
      prefix: 'Send your ',
      suffix: ' in three minutes.',
    })
  })
  await openWorkspace(w, 'edit', path, async page => {
    const thread = openThread(page)
    await thread.getByText('first parcel', { exact: true }).first().waitFor()
    await thread.hover()
    assert.deepEqual(await markedWords(page), ['first parcel'])
    await page.getByRole('heading', { level: 1 }).hover()
    assert.deepEqual(await markedWords(page), [])
    await thread.getByRole('button', { name: 'Apply' }).click()
    await thread.getByText('Suggestion applied').waitFor()
    await group(page, 'Changed').getByText('letter').waitFor()
    await assertAccessible(page)
  })
})

test('Source shows the Markdown line by line, in one column or two, within the policy of the page', {
  skip,
}, async () => {
  const { path, api } = await start()
  await w.call('POST', `${api}/comments`, {
    body: { page: await firstPageOf(api), body: { markdown: 'Why?' } },
  })
  await openWorkspace(w, 'review', path, async page => {
    await button(page, 'Source').click()
    const unified = page.getByLabel('Markdown with its changes')
    await unified.getByText('three').first().waitFor()
    await unified.getByText('five').first().waitFor()
    await assertAccessible(page)
    if (!isNarrow) {
      await page.getByRole('radio', { name: 'Side by side' }).click()
      await page.getByLabel('Markdown before').getByText('five').first().waitFor()
      await page.getByLabel('Markdown after').getByText('three').first().waitFor()
      await assertAccessible(page)
    }
    await page.getByText('1 comment stands beside the rendered text.').waitFor()
    await button(page, 'Show them').click()
    await group(page, 'Changed').waitFor()
    await page.getByText('Why?').waitFor()
  })
})

test('without room for two columns there is one, and no choice; with room, what was chosen', {
  skip,
}, async () => {
  const { path } = await start()
  const wide = { width: 1440, height: 900 }
  const look = async (page: Page) => {
    const sideBySide = page.getByRole('radio', { name: 'Side by side' })
    await sideBySide.click()
    await button(page, 'Source').click()
    await page.getByLabel('Markdown before').waitFor()
    await page.setViewportSize({ ...wide, width: 390 })
    await page.getByLabel('Markdown with its changes').waitFor()
    assert.equal(await sideBySide.count(), 0)
    await assertAccessible(page)
    await page.setViewportSize(wide)
    await page.getByLabel('Markdown before').waitFor()
    assert.ok(await sideBySide.isChecked())
  }
  await openWorkspace(w, 'review', path, look, { viewport: wide })
})

test('a word that a cell of a table began with is struck in that cell', { skip }, async () => {
  const table = (price: string) => `# Rates\n\n| Zone | Price |\n| --- | --- |\n| Europe | ${price} euros |\n`
  const { path } = await open({ 'README.md': table('nine') }, { 'README.md': table('ten') })
  await openWorkspace(w, 'read', path, async page => {
    const cell = group(page, 'Changed').getByRole('cell').filter({ hasText: 'euros' })
    await cell.getByRole('deletion').getByText('nine').waitFor()
    await cell.getByRole('insertion').getByText('ten').waitFor()
    assert.equal(await group(page, 'Changed').getByRole('deletion').count(), 1)
  })
})

test('of a thousand comments on a page the last are shown, and earlier ones when they are asked for; keys go on', {
  skip: isWhole ? skip : 'a thousand threads cost too much: node test/torture.ts web',
}, async () => {
  const { path, api, space } = await start()
  const { body: changes } = await w.call('GET', `${api}/changes`)
  const pageId = changes.changes.find(({ page }: { page: { title: string } }) => page.title === 'Start').page
    .id
  await w.call('POST', `${api}/comments`, { body: { page: pageId, body: { markdown: 'Number 0' } } })
  await sql`insert into comments (id, space_id, change_request_id, revision_id, page_id, body, posted_by, posted_at)
    select id || 'x' || count, space_id, change_request_id, revision_id, page_id, 'Number ' || count, posted_by,
      posted_at + count * interval '1 millisecond'
    from comments, generate_series(1, 999) as count where space_id = ${space}`.execute(w.services.db)
  await openWorkspace(w, 'review', path, async page => {
    const threads = page.getByRole('article', { name: /Thread by/ })
    await page.getByText('Number 999', { exact: true }).waitFor()
    assert.equal(await threads.count(), 20)
    await button(page, 'Show 980 earlier').click()
    await page.getByText('Number 960', { exact: true }).waitFor()
    assert.equal(await threads.count(), 40)
    await page.keyboard.press('j')
    await page.getByRole('group', { name: 'Changed' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('c')
    await page.getByRole('textbox', { name: 'Write a comment' }).fill('One more.')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('article').getByText('One more.').waitFor()
  })
})
