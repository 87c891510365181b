// What the editor inserts: blocks, links, people, files, and what comes from elsewhere.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { RULES, violationsOf } from '../support/axe.ts'
import { skipBrowser as skip, type Watch } from '../support/browser.ts'
import { PIXEL, spaceWith } from '../support/pages.ts'
import { openWorkspace } from '../support/workspace.ts'
import { world } from '../support/world.ts'

const w = await world()

const FILES = {
  'SUMMARY.md': '* [Start](README.md)\n* [Setup](guides/setup.md)\n* [Deeper](guides/deeper.md)\n',
  'README.md': '# Start\n\nWords.\n',
  'guides/setup.md': '# Setup\n\nWords.\n',
  'guides/deeper.md': '# Deeper\n\n## First steps\n\nWords.\n',
}

async function openedAt(
  title: string,
  look: (page: Page, written: () => Promise<string>, watch: Watch) => Promise<void>,
) {
  const space = await spaceWith(w, FILES)
  const { body } = await w.call('GET', `/spaces/${space}/content/pages`)
  const { id } = body.pages.find((one: { title: string }) => one.title === title)
  const written = async () => {
    const { body: page } = await w.call('GET', `/spaces/${space}/change-requests/1/content/page/${id}`)
    return page.markdown.slice(page.textStart)
  }
  await openWorkspace(w, 'edit', `/w/s/${space}/edit/${id}`, async (page, watch) => {
    await textOf(page).click()
    await page.keyboard.press('Control+End')
    await look(page, written, watch)
  })
}

const textOf = (page: Page) => page.getByRole('textbox', { name: 'Text of the page' })
const offered = (page: Page, name: string) =>
  page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option', { name, exact: true })

/** Types it, and takes the suggestion of this name, which has to be the first. */
async function take(page: Page, typed: string, name: string): Promise<void> {
  await page.keyboard.type(typed)
  await offered(page, name).and(page.locator('[aria-selected]')).waitFor()
  await page.waitForTimeout(TAKEN_AFTER_MS)
  await page.keyboard.press('Enter')
}

/** A suggestion is taken by a key only when it has been there this long, so that nobody takes it by chance. */
const TAKEN_AFTER_MS = 100

/** It is measured above the screen first. */
const isOnScreen = (page: Page) =>
  page.waitForFunction(() => {
    const list = document.querySelector('.cm-tooltip-autocomplete')?.getBoundingClientRect()
    return list !== undefined && list.top > 0 && list.bottom <= innerHeight
  })

async function save(page: Page): Promise<void> {
  await page.keyboard.press('Control+s')
  await page.getByRole('main').getByRole('status').getByText('Saved', { exact: true }).waitFor()
}

test('/ lists blocks, finds them by typing, and inserts one with the caret where one types on', {
  skip,
}, async () => {
  await openedAt('Setup', async (page, written) => {
    await page.keyboard.type('/')
    await offered(page, 'Hint Words set apart: info, success, warning or danger').waitFor()
    await isOnScreen(page)
    // The text keeps the focus, and its arrows move through the list.
    assert.deepEqual(await violationsOf(page, RULES.all, ['scrollable-region-focusable']), [])
    await page.keyboard.press('Escape')
    await page.getByRole('listbox').waitFor({ state: 'hidden' })
    await page.keyboard.press('Backspace')
    await take(page, '/hin', 'Hint Words set apart: info, success, warning or danger')
    await page.keyboard.type('Mind this.')
    await page.keyboard.press('Tab')
    await page.keyboard.type('warning')
    await save(page)
    assert.equal(await written(), 'Words.\n\n{% hint style="warning" %}\nMind this.\n{% endhint %}')
  })
})

test('/ at the end of a page that is longer than the window lists blocks within the window', {
  skip,
}, async () => {
  await openedAt('Setup', async page => {
    await page.keyboard.insertText('\n\nMore words.'.repeat(80))
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.keyboard.type('/')
    await offered(page, 'Hint Words set apart: info, success, warning or danger').waitFor()
    await isOnScreen(page)
  })
})

test('a block that is inserted in words stands apart from them; in an item of a list it stays in it', {
  skip,
}, async () => {
  await openedAt('Setup', async (page, written) => {
    await page.keyboard.type('Before /')
    await take(page, 'quote', 'Quote Words of others')
    await page.keyboard.type('Theirs.')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.keyboard.type('\n* ')
    await take(page, '/code with', 'Code with title Code with the name of its file')
    await page.keyboard.type('a()')
    await save(page)
    assert.match(
      await written(),
      /Before \n\n> Theirs\.\n[\s\S]*\* \{% code title="" %\}\n {2}```\n {2}a\(\)\n {2}```\n {2}\{% endcode %\}$/,
    )
  })
})

test('[[ links a page by its path, and a heading of it after #', { skip }, async () => {
  await openedAt('Setup', async (page, written) => {
    await take(page, '[[sta', 'Start')
    await page.keyboard.type(' and ')
    await take(page, '[[deep#fir', 'First steps Deeper')
    await save(page)
    assert.equal(await written(), 'Words.\n[Start](../README.md) and [First steps](deeper.md#first-steps)')
  })
})

test('@ mentions people by a link to them', { skip }, async () => {
  const { name, id } = await w.call('GET', '/user', { as: 'review' }).then(({ body }) => ({
    name: body.displayName as string,
    id: body.id as string,
  }))
  await openedAt('Setup', async (page, written) => {
    await take(page, `Ask @${name.slice(0, 4)}`, name)
    await page.keyboard.type('first.')
    await save(page)
    assert.equal(await written(), `Words.\nAsk [@${name}](/users/${id}) first.`)
  })
})

/** Drops files of these names and bytes on the text, or pastes them. */
const give = (
  page: Page,
  how: 'drop' | 'paste',
  ...files: readonly [name: string, type: string, bytes: number[]][]
) =>
  textOf(page).evaluate(
    (element, [kind, given]) => {
      const data = new DataTransfer()
      for (const [name, type, bytes] of given)
        data.items.add(new File([new Uint8Array(bytes)], name, { type }))
      const box = element.getBoundingClientRect()
      const place = { clientX: box.left + 2, clientY: box.top + 2 }
      const init = { bubbles: true, cancelable: true }
      element.dispatchEvent(
        kind === 'drop'
          ? new DragEvent('drop', { ...init, ...place, dataTransfer: data })
          : new ClipboardEvent('paste', { ...init, clipboardData: data }),
      )
    },
    [how, files] as const,
  )

/** Pictures have the public address of the server, which no test listens at. */
function forget({ errors, foreign }: Watch): void {
  errors.length = 0
  foreign.length = 0
}

test('files that are pasted are sent, and become a picture and a file where the caret was', {
  skip,
}, async () => {
  await openedAt('Setup', async (page, written, watch) => {
    await give(page, 'paste', ['a dot.png', 'image/png', [...PIXEL]], ['notes.txt', 'text/plain', [65, 66]])
    await textOf(page).getByText('{% file src="../.gitbook/assets/notes.txt" %}').waitFor()
    await save(page)
    assert.equal(
      await written(),
      'Words.\n![a dot](<../.gitbook/assets/a dot.png>)\n\n{% file src="../.gitbook/assets/notes.txt" %}\n',
    )
    forget(watch)
  })
})

test('a file that is dropped is sent from where it lands; what is typed meanwhile moves it along', {
  skip,
}, async () => {
  await openedAt('Setup', async (page, written, watch) => {
    let go = () => {}
    const gone = new Promise<void>(resolve => {
      go = resolve
    })
    await page.route('**/uploads/*', async route => {
      await gone
      await route.fallback()
    })
    await give(page, 'drop', ['dot.png', 'image/png', [...PIXEL]])
    await page.getByRole('progressbar', { name: 'Sending dot.png' }).waitFor()
    assert.deepEqual(await violationsOf(page, RULES.all), [])
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('First. ')
    go()
    await textOf(page).getByText('![dot](../.gitbook/assets/dot.png)').waitFor()
    await save(page)
    assert.match(await written(), /^First\. !\[dot\]\(\.\.\/\.gitbook\/assets\/dot\.png\)Words\./)
    forget(watch)
  })
})

test('a file that cannot be sent says why and can be tried again; the text stays as it is', {
  skip,
}, async () => {
  await openedAt('Setup', async (page, written, watch) => {
    await page.route('**/uploads/*', route =>
      route.request().headers()['content-type'] === 'application/zip'
        ? route.fulfill({ status: 413, json: { error: { code: 413, message: 'too large' } } })
        : route.fulfill({ status: 500, json: { error: { code: 500, message: 'no' } } }),
    )
    await give(page, 'paste', ['notes.txt', 'text/plain', [65]], ['large.zip', 'application/zip', [66]])
    const mark = page.getByRole('group', { name: 'notes.txt' })
    await mark.getByText(/^notes\.txt was not sent: /).waitFor()
    assert.deepEqual(await violationsOf(page, RULES.all), [])
    const large = page.getByRole('group', { name: 'large.zip' })
    await large.getByText(/^large\.zip was not sent: It is larger than/).waitFor()
    await large.getByRole('button', { name: 'Remove' }).click()
    await page.unroute('**/uploads/*')
    await mark.getByRole('button', { name: 'Try again' }).click()
    await textOf(page).getByText('{% file src="../.gitbook/assets/notes.txt" %}').waitFor()
    await save(page)
    assert.equal(await written(), 'Words.\n{% file src="../.gitbook/assets/notes.txt" %}')
    forget(watch)
  })
})

/** Pastes what another program copied. */
const pasteHtml = (page: Page, html: string, text: string) =>
  textOf(page).evaluate(
    (element, [copied, words]) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/html', copied)
      clipboardData.setData('text/plain', words)
      element.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }))
    },
    [html, text] as const,
  )

test('HTML is pasted as Markdown, of browsers, Google Docs and Word; nothing of it runs or is loaded', {
  skip,
}, async () => {
  const browser =
    '<meta charset="utf-8"><h2>Head</h2><p>See <a href="https://example.com/a">this</a>, <em>now</em>.</p>' +
    '<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>' +
    '<script>alert(1)</script><img src="x" onerror="alert(1)" alt="kept words"><a href="javascript:alert(1)">no</a>'
  const docs =
    '<b style="font-weight:normal" id="docs-internal-guid-1"><p><span style="font-weight:700">Bold</span><span style="font-weight:400"> and plain</span></p></b>'
  const word =
    '<p class="MsoListParagraph" style="mso-list:l0 level1 lfo1"><span style="mso-list:Ignore">·  </span>One</p>' +
    '<p class="MsoListParagraph" style="mso-list:l0 level2 lfo1"><span style="mso-list:Ignore">o  </span>Within</p>' +
    '<p class="MsoListParagraph" style="mso-list:l0 level1 lfo1"><span style="mso-list:Ignore">·  </span>Two</p>'
  const code =
    '<div style="font-family: Consolas"><div><span style="color: #f00">let</span> a_b = 1</div></div>'
  await openedAt('Setup', async (page, written) => {
    for (const [html, text, last] of [
      [browser, '', 'kept words'],
      [docs, '', 'and plain'],
      [word, '', 'Two'],
      [code, 'let a_b = 1', 'let a_b = 1'],
    ] as const) {
      await page.keyboard.press('Enter')
      await page.keyboard.press('Enter')
      await pasteHtml(page, html, text)
      await textOf(page).getByText(last).first().waitFor()
    }
    await save(page)
    const markdown = await written()
    assert.match(
      markdown,
      /## Head\n\nSee \[this\]\(https:\/\/example\.com\/a\), \*now\*\.\n\n\| A +\| B +\|\n\| -+ \| -+ \|\n\| 1 +\| 2 +\|/,
    )
    assert.match(markdown, /kept words *no/)
    assert.doesNotMatch(markdown, /alert|javascript/)
    assert.match(markdown, /\n\*\*Bold\*\* and plain\n/)
    assert.match(markdown, /\n\* One\n {2}\* Within\n\* Two/)
    assert.match(markdown, /\nlet a_b = 1$/)
  })
})

test('five megabytes of pasted text stay usable, and are saved with what is typed after them', {
  skip,
}, async () => {
  await openedAt('Setup', async (page, written) => {
    const line = `${'word '.repeat(40)}\n`
    const lines = Math.ceil(5_000_000 / line.length)
    await textOf(page).evaluate(
      (element, [one, lines]) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', one.repeat(lines))
        element.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }))
      },
      [line, lines] as const,
    )
    await page.keyboard.type('After it.')
    await textOf(page).getByText('After it.').waitFor()
    await save(page)
    assert.ok((await written()).endsWith(`${line.repeat(lines)}After it.`))
  })
})
