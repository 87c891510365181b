// Two people at one page in two browsers, and the network between: what either of them wrote is there, or said to be kept.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipBrowser as skip } from '../support/browser.ts'
import { isNarrow } from '../support/circumstances.ts'
import { spaceWith } from '../support/pages.ts'
import { openWorkspace, sideBarOf } from '../support/workspace.ts'
import { world } from '../support/world.ts'

const w = await world()

const FIRST = 'The first paragraph.'
const LAST = 'The last paragraph.'
const FILES = {
  'SUMMARY.md': '* [Start](README.md)\n* [Parcels](parcels.md)\n',
  'README.md': '# Start\n\nIt begins.\n',
  'parcels.md': `# Parcels\n\n${FIRST}\n\nBetween.\n\n${LAST}\n`,
}

/** The page of parcels in a draft that both write: `edit` and `review` have it open. */
async function openTogether(
  look: (both: { mine: Page; theirs: Page; written: () => Promise<Written>; space: string }) => Promise<void>,
): Promise<void> {
  const space = await spaceWith(w, FILES, { title: 'Handbook' })
  await w.call('POST', `/spaces/${space}/change-requests`, { as: 'edit', body: { subject: 'Parcels' } })
  const api = `/spaces/${space}/change-requests/1/content`
  const { body } = await w.call('GET', `${api}/pages`)
  const { id } = body.pages.find(({ title }: Written) => title === 'Parcels')
  const written = async () => (await w.call('GET', `${api}/page/${id}`)).body
  const path = `/w/s/${space}/c/1/edit/${id}`
  await openWorkspace(w, 'edit', path, async mine => {
    await textOf(mine).getByText(LAST).waitFor()
    await openWorkspace(w, 'review', path, async (theirs, watch) => {
      await textOf(theirs).getByText(LAST).waitFor()
      await look({ mine, theirs, written, space })
      // What is cut is told by the browser, too.
      watch.errors.length = 0
    })
  })
}

type Written = { readonly title: string; readonly markdown: string; readonly path: string }

const textOf = (page: Page) => page.getByRole('textbox', { name: 'Text of the page' })
const row = (page: Page, name: string) =>
  page.getByRole('treegrid', { name: 'Pages' }).getByRole('row', { name })
const said = (page: Page, words: string) =>
  page.getByRole('main').getByRole('status').getByText(words, { exact: true })

async function write(page: Page, key: 'Control+Home' | 'Control+End', words: string): Promise<void> {
  await textOf(page).click()
  await page.keyboard.press(key)
  await page.keyboard.type(words)
}

async function save(page: Page): Promise<void> {
  await page.keyboard.press('Control+s')
  await said(page, 'Saved').waitFor()
}

test('two people write one page at once in two places: both have the words of both', { skip }, async () => {
  await openTogether(async ({ mine, theirs, written }) => {
    await write(mine, 'Control+Home', 'Mine. ')
    await write(theirs, 'Control+End', 'Theirs.')
    await save(mine)
    await save(theirs)
    await textOf(mine).getByText('Theirs.').waitFor()
    await textOf(theirs).getByText('Mine.').waitFor()
    const { markdown } = await written()
    assert.equal(markdown, `# Parcels\n\nMine. ${FIRST}\n\nBetween.\n\n${LAST}\nTheirs.`)
  })
})

test('two people write the same words at once: who saves last is shown both versions, and chooses', {
  skip,
}, async () => {
  await openTogether(async ({ mine, theirs, written }) => {
    await theirs.route('**/v1/stream*', route => route.abort())
    await theirs.reload()
    await textOf(theirs).getByText(LAST).waitFor()
    await write(theirs, 'Control+End', 'Theirs.')
    await write(mine, 'Control+End', 'Mine.')
    await save(mine)
    await theirs.keyboard.press('Control+s')
    const both = theirs.getByRole('region', { name: 'Others wrote in the same place' })
    await both.getByText('Mine.').waitFor()
    await both.getByRole('textbox', { name: 'Yours' }).getByText('Theirs.').waitFor()
    await theirs.getByRole('button', { name: 'Save yours', exact: true }).click()
    await said(theirs, 'Saved').waitFor()
    const isTheirs = async (page: Page) => {
      await textOf(page).getByText('Theirs.').waitFor()
      assert.equal(await textOf(page).getByText('Mine.').count(), 0)
    }
    await Promise.all([mine, theirs].map(isTheirs))
    const expected = `# Parcels\n\n${FIRST}\n\nBetween.\n\n${LAST}\nTheirs.`
    assert.equal((await written()).markdown, expected)
  })
})

test('one renames and moves the page in the tree while the other writes it: it has the name, the place and the words', {
  skip,
}, async () => {
  await openTogether(async ({ mine, theirs, written, space }) => {
    await write(mine, 'Control+Home', 'Mine. ')
    await save(mine)
    await write(theirs, 'Control+End', 'Theirs.')
    await sideBarOf(mine)
    await row(mine, 'Parcels').focus()
    await mine.keyboard.press('F2')
    await mine.keyboard.type('Freight')
    await mine.keyboard.press('Enter')
    await row(mine, 'Freight').and(mine.locator(':focus')).waitFor()
    await mine.keyboard.press('Alt+Shift+ArrowRight')
    await row(mine, 'Freight').and(mine.locator('[aria-level="2"]')).waitFor()
    // The drawer of a narrow screen is over the page.
    if (isNarrow) await mine.keyboard.press('Escape')
    await save(theirs)
    for (const page of [mine, theirs]) {
      await page.waitForFunction(() => document.querySelector('textarea')?.value === 'Freight')
      await textOf(page).getByText('Mine.').waitFor()
      await textOf(page).getByText('Theirs.').waitFor()
    }
    const { title, markdown } = await written()
    assert.equal(title, 'Freight')
    assert.match(markdown, /\n\nMine\. [\s\S]*\nTheirs\.$/)
    const { body } = await w.call('GET', `/spaces/${space}/change-requests/1/content/pages`)
    assert.deepEqual(
      body.pages.map(({ pages }: { pages: readonly Written[] }) => pages.map(page => page.title)),
      [['Freight']],
    )
    await sideBarOf(theirs)
    // Below it there is something now.
    await row(theirs, 'Start').and(theirs.locator('[aria-expanded]')).waitFor()
  })
})

test('one page is written in two tabs of a browser: both have the words of both', {
  skip,
}, async () => {
  await openTogether(async ({ mine, written }) => {
    const other = await mine.context().newPage()
    await other.goto(mine.url())
    await textOf(other).getByText(LAST).waitFor()
    await write(mine, 'Control+Home', 'One. ')
    await write(other, 'Control+End', 'Other.')
    await save(mine)
    await save(other)
    await textOf(mine).getByText('Other.').waitFor()
    await textOf(other).getByText('One.').waitFor()
    const { markdown } = await written()
    assert.equal(markdown, `# Parcels\n\nOne. ${FIRST}\n\nBetween.\n\n${LAST}\nOther.`)
    await other.close()
  })
})

test('one deletes the page in the tree while the other writes it: the words stay, and say that they are not saved', {
  skip,
}, async () => {
  await openTogether(async ({ mine, theirs }) => {
    await write(theirs, 'Control+End', 'Theirs.')
    await sideBarOf(mine)
    await row(mine, 'Parcels').focus()
    await mine.keyboard.press('Delete')
    await mine
      .getByRole('dialog', { name: /Delete/ })
      .getByRole('button', { name: 'Delete' })
      .click()
    await row(mine, 'Parcels').waitFor({ state: 'detached' })
    await theirs.keyboard.press('Control+s')
    await said(theirs, 'Not saved').waitFor()
    await textOf(theirs).getByText('Theirs.').waitFor()
    assert.match(await keptBy(theirs), /Theirs\./)
  })
})

test('a role is taken away while its owner writes: the words stay, and the device keeps them', {
  skip,
}, async () => {
  await openTogether(async ({ mine, written, space }) => {
    await write(mine, 'Control+End', 'Mine.')
    const { edit } = w.people
    await w.call('PATCH', `/spaces/${space}/permissions/users/${edit.id}`, { body: { role: 'read' } })
    await mine.keyboard.press('Control+s')
    await said(mine, 'Not saved').waitFor()
    await textOf(mine).getByText('Mine.').waitFor()
    assert.match(await keptBy(mine), /Mine\./)
    assert.match((await written()).markdown, /paragraph\.\n$/)
  })
})

/** What the device keeps of pages that are not saved. */
const keptBy = (page: Page): Promise<string> =>
  page.evaluate(() => JSON.stringify(Object.entries(localStorage).filter(([key]) => key.includes('edit/'))))
