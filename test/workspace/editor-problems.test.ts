// What is wrong in the text that somebody writes, where it is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipBrowser as skip } from '../support/browser.ts'
import { isNarrow } from '../support/circumstances.ts'
import { PIXEL, spaceWith } from '../support/pages.ts'
import { assertAccessible, openWorkspace } from '../support/workspace.ts'
import { world } from '../support/world.ts'

const w = await world()

const MARKDOWN =
  '---\nicon: rocket\n---\n\n# Guide\n\nA [link](gone.md).\n\n![](.gitbook/assets/dot.png)\n\n{% hint style="loud" %}\nWords.\n{% endhint %}\n'

async function opened(look: (page: Page) => Promise<void>, options = {}, markdown = MARKDOWN) {
  const space = await spaceWith(w, { 'README.md': markdown, '.gitbook/assets/dot.png': PIXEL })
  const { body } = await w.call('GET', `/spaces/${space}/content/pages`)
  await openWorkspace(
    w,
    'edit',
    `/w/s/${space}/edit/${body.pages[0].id}`,
    async (page, watch) => {
      await look(page)
      // Pictures have the public address of the server, which no test listens at.
      watch.errors.length = 0
      watch.foreign.length = 0
    },
    options,
  )
}

const textOf = (page: Page) => page.getByRole('textbox', { name: 'Text of the page' })
const problems = (page: Page, count: string) => page.getByRole('button', { name: count, exact: true })
const list = (page: Page) => page.getByRole('listbox', { name: 'Problems in the text' })

/** The words that are underlined. */
const marked = (page: Page) => page.locator('.cm-lintRange').allInnerTexts()

test('what is wrong is underlined and marked beside its line, and counted above the text', {
  skip,
}, async () => {
  await opened(async page => {
    await problems(page, '3 problems').waitFor()
    assert.deepEqual((await marked(page)).join(), '[link](gone.md),![](.gitbook/assets/dot.png),loud')
    assert.equal(await page.locator('.cm-lint-marker').count(), 3)
    await assertAccessible(page)
  })
})

test('the list of problems is opened by its count and by keys, and leads to each in the text', {
  skip,
}, async () => {
  await opened(async page => {
    await problems(page, '3 problems').click()
    const options = list(page).getByRole('option')
    assert.match(
      (await options.allInnerTexts()).join('\n'),
      /leads nowhere: \W*gone\.md\W*\n.*picture shows.*\n.*loud.* means nothing here\. It can be info, warning, danger,? or success\./,
    )
    await assertAccessible(page)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.type('info')
    await problems(page, '2 problems').waitFor()
    await page.keyboard.press('Control+Shift+M')
    await page.keyboard.press('Escape')
    await list(page).waitFor({ state: 'detached' })
    await page.keyboard.press('F8')
    await page.keyboard.type('[link](README.md)')
    await problems(page, '1 problem').waitFor()
  })
})

test('marks move with what is typed, and what is mended has none', { skip }, async () => {
  await opened(async page => {
    await problems(page, '3 problems').waitFor()
    // No answer for the text that is typed now comes.
    await page.route('**/content/preview', route => route.abort())
    await textOf(page).click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('One more line.\nAnd ')
    assert.equal((await marked(page)).join(), '[link](gone.md),![](.gitbook/assets/dot.png),loud')
  })
})

test('problems are told in German', { skip }, async () => {
  await opened(
    async page => {
      await problems(page, '3 Probleme').click()
      await page
        .getByRole('listbox', { name: 'Probleme im Text' })
        .getByText(/Dieser Link führt ins Leere/)
        .waitFor()
    },
    { locale: 'de' },
  )
})

test('where only the text or the preview is shown, problems are found all the same', { skip }, async () => {
  await opened(async page => {
    await page.getByRole('radio', { name: 'Preview', exact: true }).click()
    await problems(page, '3 problems').click()
    await list(page).waitFor()
    assert.equal(await page.getByRole('region', { name: 'Preview' }).isVisible(), !isNarrow)
  })
})

test('page options and writing elsewhere are in a menu where there is no room, and the bar takes two rows', {
  skip,
}, async () => {
  await opened(
    async page => {
      await problems(page, '3 Probleme').waitFor()
      const box = await page.locator('.editor-bar').boundingBox()
      assert.ok(box !== null && box.height < 120, `${box?.height} pixels`)
      await page.getByRole('button', { name: 'Mehr' }).click()
      await page.getByRole('menuitem', { name: 'Seitenoptionen' }).click()
      await page.getByRole('dialog', { name: 'Seitenoptionen' }).waitFor()
    },
    { viewport: { width: 390, height: 844 }, locale: 'de' },
  )
})

test('a file is chosen by / and by a button, and leaving while it is sent asks first', {
  skip,
}, async () => {
  await opened(async page => {
    let go = () => {}
    const gone = new Promise<void>(resolve => {
      go = resolve
    })
    await page.route('**/uploads/*', async route => {
      await gone
      await route.fallback()
    })
    const dot = { name: 'shape.png', mimeType: 'image/png', buffer: PIXEL }
    await textOf(page).click()
    await page.keyboard.press('Control+End')
    const byKeys = page.waitForEvent('filechooser')
    await page.keyboard.type('/image')
    const option = page.getByRole('option', { name: 'Picture from this device Sent from here', exact: true })
    await option.and(page.locator('[aria-selected]')).waitFor()
    await page.waitForTimeout(100)
    await page.keyboard.press('Enter')
    await (await byKeys).setFiles(dot)
    await page.getByRole('progressbar', { name: 'Sending shape.png' }).waitFor()
    const isAsked = await page.evaluate(() => {
      const event = new Event('beforeunload', { cancelable: true })
      dispatchEvent(event)
      return event.defaultPrevented
    })
    assert.ok(isAsked)
    go()
    await textOf(page).getByText('![shape](.gitbook/assets/shape.png)').waitFor()
    const byButton = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Insert a file' }).click()
    await (await byButton).setFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('A') })
    await textOf(page).getByText('{% file src=".gitbook/assets/notes.txt" %}').waitFor()
  })
})

test('beside the text the preview scrolls along, and stays where it is while one types', {
  skip: skip || (isNarrow && 'the preview is beside the text where there is room'),
}, async () => {
  const parts = Array.from({ length: 60 }, (_, part) => `## Part ${part}\n\nWords.\n`).join('\n')
  await opened(
    async page => {
      const preview = page.getByRole('region', { name: 'Preview' })
      await preview.getByRole('heading', { name: 'Part 59' }).waitFor()
      await page.evaluate(() => scrollTo(0, 2000))
      // The bar above the text is as high.
      const found = await page.waitForFunction(() => {
        const lines = [...document.querySelectorAll('.cm-line')]
        const first = lines.find(one => one.getBoundingClientRect().top > 64 && /^## /.test(one.textContent))
        return first?.textContent.slice('## '.length)
      })
      const name = (await found.jsonValue()) ?? ''
      assert.match(name, /^Part [1-5]\d$/)
      const heading = preview.getByRole('heading', { name })
      const topOf = async (one: typeof heading) => (await one.boundingBox())?.y ?? -1
      while (!(await topOf(heading).then(top => top > 0 && top < 300))) await page.waitForTimeout(50)
      await page.locator('.cm-line').filter({ hasText: name }).click()
      const before = await topOf(heading)
      await page.keyboard.press('End')
      await page.keyboard.type(' and more')
      const changed = preview.getByRole('heading', { name: `${name} and more` })
      await changed.waitFor()
      assert.ok(Math.abs((await topOf(changed)) - before) < 2)
    },
    { viewport: { width: 1440, height: 900 } },
    `# Guide\n\n${parts}`,
  )
})
