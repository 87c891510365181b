// A space in the workspace: its tree, a page as readers see it, what people say about it, where to write and share.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { flushLinkUses } from '../../src/api/visitors/jobs.ts'
import { skipBrowser as skip } from '../support/browser.ts'
import { isNarrow } from '../support/circumstances.ts'
import { spaceWith } from '../support/pages.ts'
import { givePassword } from '../support/sessions.ts'
import { shareLinkOf } from '../support/visitors.ts'
import { assertAccessible, openWorkspace, sideBarOf } from '../support/workspace.ts'
import { world } from '../support/world.ts'

const w = await world()
const PASSWORD = 'eleven parcels by noon'

const FILES = {
  'SUMMARY.md': `* [Start](README.md)
* [Guides](guides/README.md)
  * [Parcels](guides/parcels.md)
`,
  'README.md': `# Start

The first paragraph, which leads to [parcels](guides/parcels.md#weights).

The second paragraph.
`,
  'guides/README.md': '# Guides\n\nAll of them.\n',
  'guides/parcels.md': `# Parcels

## Weights

{% tabs %}
{% tab title="Kilograms" %}
Two of them.
{% endtab %}
{% tab title="Pounds" %}
Four and a half.
{% endtab %}
{% endtabs %}
`,
}

const newSpace = () => spaceWith(w, FILES, { title: 'Handbook' })

const treeOf = async (page: Page) => (await sideBarOf(page)).getByRole('treegrid', { name: 'Pages' })

test('a space opens on its first page; the tree leads to the others by pointer and by keys, and stays open', {
  skip,
}, async () => {
  const id = await newSpace()
  await openWorkspace(w, 'read', `/w/s/${id}`, async page => {
    await page.getByRole('heading', { name: 'Start', level: 1 }).waitFor()
    await page.getByText('The second paragraph.').waitFor()
    let tree = await treeOf(page)
    assert.equal(await tree.getByRole('link', { name: 'Start' }).getAttribute('aria-current'), 'page')
    await assertAccessible(page)
    await tree.getByRole('link', { name: 'Guides' }).click()
    await page.getByRole('heading', { name: 'Guides', level: 1 }).waitFor()
    await page.locator('h1:focus').waitFor()
    tree = await treeOf(page)
    await tree.getByRole('link', { name: 'Guides' }).focus()
    await page.keyboard.press('ArrowRight')
    await tree.getByRole('link', { name: 'Parcels' }).waitFor()
    await page.reload()
    tree = await treeOf(page)
    await tree.getByRole('link', { name: 'Parcels' }).click()
    await page.getByRole('heading', { name: 'Parcels', level: 1 }).waitFor()
    assert.match(page.url(), /\/w\/s\/\w+\/p\/\w+$/)
    await page
      .getByRole('navigation', { name: 'Breadcrumbs' })
      .getByRole('link', { name: 'Guides' })
      .waitFor()
  })
})

test('a link to a page of a space stays in the workspace and finds its place; tabs, outline and backlinks work there', {
  skip,
}, async () => {
  const id = await newSpace()
  await openWorkspace(w, 'read', `/w/s/${id}`, async page => {
    await page.getByRole('article').getByRole('link', { name: 'parcels' }).click()
    await page.getByRole('heading', { name: 'Parcels', level: 1 }).waitFor()
    assert.match(page.url(), /\/p\/\w+#weights$/)
    await page.getByText('Pounds').click()
    await page.getByText('Four and a half.').waitFor()
    if (isNarrow) await page.getByRole('button', { name: 'Outline' }).click()
    await page.getByRole('navigation', { name: 'Outline' }).getByRole('link', { name: 'Weights' }).waitFor()
    await assertAccessible(page)
    if (isNarrow) await page.keyboard.press('Escape')
    await page.getByRole('region', { name: 'Linked from' }).getByRole('link', { name: 'Start' }).click()
    await page.getByRole('heading', { name: 'Start', level: 1 }).waitFor()
  })
})

test('places of a page are found by their names, and none takes the name of a part of the screen', {
  skip,
}, async () => {
  const words = 'Words.\n\n'.repeat(80)
  const id = await spaceWith(w, {
    'README.md': '# Start\n\nGo to the [end](far.md#the-end).\n',
    'far.md': `# Far\n\n## Main {#workspace:main}\n\n[Down](#the-end)\n\n${words}## The end\n\nHere.\n`,
  })
  await openWorkspace(w, 'read', `/w/s/${id}`, async page => {
    const end = page.getByRole('heading', { name: 'The end' })
    const isInSight = (it: Element) => it.getBoundingClientRect().bottom <= innerHeight
    const comesInSight = async () => page.waitForFunction(isInSight, await end.elementHandle())
    await page.getByRole('article').getByRole('link', { name: 'end' }).click()
    await end.waitFor()
    await comesInSight()
    assert.match(page.url(), /#the-end$/)
    await page.reload()
    await end.waitFor()
    await comesInSight()
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    assert.equal(await end.evaluate(isInSight), false)
    const down = page.getByRole('link', { name: 'Down' })
    const goUp = () => page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    // The second time the address names it already.
    for (const _ of ['first', 'second']) {
      await goUp()
      await down.click()
      await comesInSight()
      assert.match(page.url(), /#the-end$/)
    }
    await goUp()
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox', { name: 'Search or run an action' }).fill('The end')
    const hit = page.getByRole('group', { name: 'Sections' }).getByRole('option', { name: /The end/ })
    await hit.click()
    await comesInSight()
    const called = page.locator('[id="workspace:main"]')
    assert.deepEqual(await called.evaluateAll(all => all.map(({ tagName }) => tagName)), ['MAIN'])
  })
})

test('comments stand at their blocks: written by c, answered, reacted to, resolved and opened again', {
  skip,
}, async () => {
  const id = await newSpace()
  await openWorkspace(w, 'review', `/w/s/${id}`, async page => {
    await page.getByText('The second paragraph.').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('c')
    const field = page.getByRole('textbox', { name: 'Write a comment' })
    await field.fill('Is this *so*?')
    await assertAccessible(page)
    await page.keyboard.press('Control+Enter')
    const thread = page.getByRole('article', { name: /^Thread by/ })
    await thread.getByText('The second paragraph.').waitFor()
    const { body } = await w.call('GET', `/spaces/${id}/comments`)
    assert.equal(body.items[0].body.markdown, 'Is this *so*?')
    assert.ok(body.items[0].target.node.id)

    await thread.getByRole('button', { name: 'Reply' }).click()
    await thread.getByRole('textbox', { name: 'Reply' }).fill('It is.')
    await thread.getByRole('button', { name: 'Reply' }).click()
    await thread.getByText('It is.').waitFor()
    await thread.getByRole('button', { name: 'React' }).first().click()
    await page.getByRole('button', { name: '🎉' }).click()
    await thread.getByRole('button', { name: '🎉, 1 person' }).waitFor()
    await assertAccessible(page)

    await thread.getByRole('button', { name: 'Resolve' }).click()
    await thread.waitFor({ state: 'hidden' })
    await page.getByText('Resolved.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await thread.waitFor()
    await thread.getByRole('button', { name: 'Resolve' }).click()
    await thread.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Show resolved' }).click()
    await thread.getByText(/^Resolved by/).waitFor()
    await thread.getByRole('button', { name: 'Reopen' }).click()
    await thread.getByRole('button', { name: 'Resolve' }).waitFor()
    await page.getByRole('button', { name: 'Hide resolved' }).click()
    await thread.getByRole('button', { name: 'More actions' }).first().click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await thread.waitFor({ state: 'hidden' })
  })
})

test('a comment that is being written mentions people, and is there again after the page was left', {
  skip,
}, async () => {
  const id = await newSpace()
  const { body: person } = await w.call('GET', `/users/${w.people.edit.id}`)
  await openWorkspace(w, 'comment', `/w/s/${id}`, async page => {
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    const field = page.getByRole('textbox', { name: 'Write a comment' })
    await field.pressSequentially(`Ask @${person.displayName.slice(0, 6)}`)
    await page.getByRole('option', { name: person.displayName }).waitFor()
    await page.keyboard.press('Enter')
    assert.equal(await field.inputValue(), `Ask @${person.displayName} `)
    await page.reload()
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    assert.equal(await field.inputValue(), `Ask @${person.displayName} `)
    await page.keyboard.press('Control+Enter')
    await field.waitFor({ state: 'hidden' })
    await page.getByRole('article', { name: /^Thread by/ }).waitFor()
    const { body } = await w.call('GET', `/spaces/${id}/comments`)
    assert.equal(body.items[0].body.markdown.trim(), `Ask [@${person.displayName}](/users/${person.id})`)
  })
})

test('broken links and pictures are marked in the language of the workspace, and chosen icons are drawn', {
  skip,
}, async () => {
  const id = await spaceWith(w, {
    'README.md':
      '# Start\n\nSee the [price list](prices.md) <i class="fa-rocket">:rocket:</i>.\n\n![A map](maps/way.png)\n',
  })
  const said = {
    en: ['price list (The target of this link is missing)', 'A map Missing file: way.png'],
    de: ['price list (Das Ziel dieses Links fehlt)', 'A map Datei fehlt: way.png'],
  }
  for (const [locale, texts] of Object.entries(said))
    await openWorkspace(
      w,
      'read',
      `/w/s/${id}`,
      async page => {
        const article = page.getByRole('article')
        await article.getByText('price list').waitFor()
        const snapshot = (await article.ariaSnapshot()).replace(/\s+/g, ' ')
        for (const text of texts) assert.ok(snapshot.includes(text), snapshot)
        const style = await article
          .getByText('price list')
          .evaluate(one => getComputedStyle(one).textDecorationStyle)
        assert.equal(style, 'wavy')
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          await assertAccessible(page)
        }
        await page.waitForFunction(
          `getComputedStyle(document.querySelector('.fa-rocket')).maskImage.includes('data:image/svg')`,
        )
        const sheets = await page.evaluate<string[]>(
          `[...document.querySelectorAll('link[rel=stylesheet][href*="icons.css"]')].map(one => one.getAttribute('href'))`,
        )
        assert.deepEqual([sheets.length, /\?v=\w{12}&icons=rocket$/.test(sheets[0] ?? '')], [1, true])
      },
      { locale },
    )
})

test('on a narrow screen outline and comments open over the page', { skip }, async () => {
  const id = await newSpace()
  await openWorkspace(
    w,
    'comment',
    `/w/s/${id}`,
    async page => {
      await page.getByText('The second paragraph.').waitFor()
      await page.getByRole('button', { name: 'Comments' }).click()
      const drawer = page.getByRole('dialog', { name: 'Comments' })
      await drawer.getByText('Nobody has commented.').waitFor()
      await assertAccessible(page)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Comment', exact: true }).click()
      await drawer.getByRole('textbox', { name: 'Write a comment' }).fill('Fine.')
      await drawer.getByRole('button', { name: 'Comment' }).click()
      await drawer.getByRole('textbox').waitFor({ state: 'hidden' })
      await drawer.getByText('Fine.').waitFor()
    },
    { viewport: { width: 390, height: 844 } },
  )
})

test('a space without pages says so, and has New page below', { skip }, async () => {
  const { id } = await w.createSpace({ title: 'Empty' })
  await openWorkspace(w, 'edit', `/w/s/${id}`, async page => {
    const said = page.getByText('This space has no page yet.')
    await said.locator('..').getByRole('button', { name: 'New page' }).waitFor()
    await assertAccessible(page)
    await said.locator('..').getByRole('button', { name: 'New page' }).click()
    await page.getByRole('textbox', { name: 'Title' }).and(page.locator(':focus')).waitFor()
  })
})

test('who may not edit is offered neither Edit nor Comment', { skip }, async () => {
  const id = await newSpace()
  await openWorkspace(w, 'read', `/w/s/${id}`, async page => {
    await page.getByText('The second paragraph.').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Edit' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Comment', exact: true }).count(), 0)
  })
})

test('Share gives the link of the reader, and admins make links for others once they confirm who they are', {
  skip,
}, async () => {
  const id = await newSpace()
  await givePassword(w, w.people.admin.id, PASSWORD)
  await openWorkspace(w, 'admin', `/w/s/${id}`, async page => {
    await page.getByRole('button', { name: 'Share' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share' })
    assert.match(await dialog.getByRole('textbox', { name: 'Address' }).inputValue(), new RegExp(`/s/${id}`))
    await dialog.getByRole('textbox', { name: 'Whom is it for?' }).fill('Auditors')
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const asks = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await asks.getByLabel('Password').fill(PASSWORD)
    await asks.getByRole('button', { name: 'Confirm' }).click()
    await dialog.getByRole('textbox', { name: 'Link Auditors' }).waitFor()
    assert.match(await dialog.getByRole('textbox', { name: 'Link Auditors' }).inputValue(), /shareKey=/)
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Turn off' }).click()
    await dialog.getByRole('button', { name: 'Turn on' }).waitFor()
    assert.equal(await dialog.getByRole('textbox', { name: 'Link Auditors' }).count(), 0)
    const { body } = await w.call('GET', `/spaces/${id}/share-links`)
    assert.deepEqual([body.items[0].name, body.items[0].active], ['Auditors', false])
    await dialog.getByRole('button', { name: 'Rename Auditors' }).click()
    await dialog.getByLabel('New name').fill('Partners')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('button', { name: 'Delete Partners' }).click()
    const question = page.getByRole('dialog', { name: 'Delete Partners' })
    await question.getByText('for anybody who has it').waitFor()
    await assertAccessible(page)
    await question.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText('There is none yet.').waitFor()
    assert.deepEqual((await w.call('GET', `/spaces/${id}/share-links`)).body.items, [])
  })
})

test('Share shows the links for others to an admin who confirms who they are, asks nothing before, and says when each was used', {
  skip,
}, async () => {
  const id = await newSpace()
  await w.call('PATCH', `/spaces/${id}`, { body: { visibility: 'share-link' } })
  const { key } = await shareLinkOf(w, id, 'Auditors')
  await shareLinkOf(w, id, 'Nobody')
  await w.call('GET', `/spaces/${id}/content/pages?shareKey=${key}`, { as: null })
  await flushLinkUses(w.services)
  await givePassword(w, w.people.admin.id, PASSWORD)
  await openWorkspace(w, 'admin', `/w/s/${id}`, async page => {
    await page.getByRole('button', { name: 'Share' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share' })
    const asks = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.getByRole('button', { name: 'Show links' }).click()
    await asks.getByRole('button', { name: 'Cancel' }).click()
    await asks.waitFor({ state: 'hidden' })
    assert.equal(await dialog.getByRole('textbox', { name: 'Link Auditors' }).count(), 0)
    await dialog.getByRole('button', { name: 'Show links' }).click()
    await asks.getByLabel('Password').fill(PASSWORD)
    await asks.getByRole('button', { name: 'Confirm' }).click()
    await dialog.getByRole('textbox', { name: 'Link Auditors' }).waitFor()
    const link = (name: string) => dialog.getByRole('listitem').filter({ hasText: name })
    await link('Auditors')
      .getByText(/Last used (?:\d+ minutes? ago|now)/)
      .waitFor()
    await link('Nobody').getByText('Not used yet').waitFor()
    await assertAccessible(page)
  })
})

test('the keys [ and ] hide the side bar and what is beside the page, and bring them back', {
  skip,
}, async () => {
  const id = await newSpace()
  const look = async (page: Page) => {
    await page.getByText('The second paragraph.').waitFor()
    const tree = page.getByRole('treegrid', { name: 'Pages' })
    await tree.waitFor()
    await page.keyboard.press('[')
    await tree.waitFor({ state: 'hidden' })
    await page.reload()
    await page.getByText('The second paragraph.').waitFor()
    await tree.waitFor({ state: 'hidden' })
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Open navigation' }).click()
    await page.getByRole('dialog', { name: 'Navigation' }).getByRole('treegrid', { name: 'Pages' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('[')
    await tree.waitFor()
    const beside = page.getByRole('complementary', { name: 'Beside the page' })
    await beside.waitFor()
    await page.keyboard.press(']')
    await beside.waitFor({ state: 'hidden' })
    await page.keyboard.press(']')
    await beside.waitFor()
  }
  await openWorkspace(w, 'read', `/w/s/${id}`, look, { viewport: { width: 1280, height: 800 } })
})

const BLOCKS = `# Blocks

A [link](https://example.com), \`code\`, <mark style="color:red;">red</mark> and <mark style="background-color:green;">green</mark>.

> A quote with <kbd>Ctrl</kbd>.

${['info', 'success', 'warning', 'danger'].map(style => `{% hint style="${style}" %}\nSome \`code\`.\n{% endhint %}`).join('\n\n')}

{% code title="hello.js" lineNumbers="true" %}
\`\`\`js
// Says hello.
const hello = name => \`Hello, \${name}\`
\`\`\`
{% endcode %}

| Name | Meaning |
| --- | --- |
| one | the first |

{% stepper %}
{% step %}
## Write
Words.
{% endstep %}
{% endstepper %}

<details>

<summary>More</summary>

Of it.

</details>

* [x] done
* [ ] not yet
`

for (const colorScheme of ['light', 'dark'] as const)
  test(`what is written can be read, in ${colorScheme} colours`, { skip }, async () => {
    const id = await spaceWith(w, { 'README.md': BLOCKS }, { title: 'Handbook' })
    await openWorkspace(
      w,
      'comment',
      `/w/s/${id}`,
      async page => {
        await page.getByText('Says hello.').waitFor()
        await assertAccessible(page)
        // The classes of the workspace mean nothing in what is written.
        const margin = `getComputedStyle(document.querySelector('.content figure.code')).marginInlineStart`
        assert.equal(await page.evaluate(margin), '0px')
        await page.getByRole('button', { name: 'Copy code' }).first().waitFor()
      },
      { colorScheme, permissions: ['clipboard-read', 'clipboard-write'] },
    )
  })

const PAGES = 2_000
// Those in sight, and some before and after.
const ROWS_MAX = 80

test('a tree of 2,000 pages has the rows in sight in the page, whichever row the keys reach', {
  skip,
}, async () => {
  const files = Object.fromEntries(
    Array.from({ length: PAGES }, (_, at) => [`p${at}.md`, `# Page ${at}\n\nText ${at}.\n`]),
  )
  const id = await spaceWith(w, { 'README.md': '# Start\n', ...files }, { title: 'Large' })
  await openWorkspace(w, 'read', `/w/s/${id}`, async page => {
    const tree = await treeOf(page)
    const rows = () => tree.getByRole('row').count()
    await tree.getByRole('link', { name: 'Start' }).focus()
    assert.ok((await rows()) <= ROWS_MAX)
    for (let press = 0; press < 60; press += 1) await page.keyboard.press('ArrowDown')
    assert.ok((await rows()) <= ROWS_MAX)
    await page.keyboard.press('End')
    await tree.locator(`[role="row"][aria-posinset="${PAGES + 1}"]:focus-within`).waitFor()
    const { body } = await w.call('GET', `/spaces/${id}/content/pages`)
    await tree.getByRole('link', { name: body.pages.at(-1).title, exact: true }).waitFor()
    assert.ok((await rows()) <= ROWS_MAX)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: body.pages.at(-1).title, level: 1 }).waitFor()
  })
})

test('a device that has no room left: pages are read, the tree opens, and what is chosen counts in this tab', {
  skip,
}, async () => {
  const space = await spaceWith(w, { 'README.md': '# Start\n\nHere.\n', 'more.md': '# More\n\nThere.\n' })
  await openWorkspace(w, 'read', '/w', async page => {
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    await page.evaluate(FILL_STORAGE)
    await page.goto(`${new URL(page.url()).origin}/w/s/${space}`)
    await page.getByText('Here.').waitFor()
    const tree = await treeOf(page)
    await tree.getByRole('link', { name: 'More' }).click()
    await page.getByText('There.').waitFor()
    await page.keyboard.press('[')
    await page.getByRole('treegrid', { name: 'Pages' }).waitFor({ state: 'hidden' })
    await page.keyboard.press('[')
    const bar = await sideBarOf(page)
    await bar.getByRole('button', { name: /Account$/ }).click()
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
    await page.locator('html[lang="de"]').getByRole('heading', { name: 'More', level: 1 }).waitFor()
  })
})

const FILL_STORAGE = `for (let size = 2 ** 22; size >= 1; size /= 2)
  try { for (let at = 0; ; at += 1) localStorage.setItem('full.' + size + '.' + at, 'x'.repeat(size)) } catch {}`

test('a space that somebody may no longer see says so above what they were reading and writing', {
  skip,
}, async () => {
  const space = await spaceWith(w, { 'README.md': '# Start\n\nRead this.\n' })
  await openWorkspace(w, 'comment', `/w/s/${space}`, async page => {
    await page.getByText('Read this.').waitFor()
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    const field = page.getByRole('textbox', { name: 'Write a comment' })
    await field.fill('Half a sentence')
    await w.call('PATCH', `/spaces/${space}`, { body: { defaultLevel: null } })
    await page.getByRole('alert').getByText('you may no longer see it').waitFor()
    assert.equal(await field.inputValue(), 'Half a sentence')
    await assertAccessible(page)
  })
})

test('a link to the id of the first heading of a page leads to its top, in the reader and in the workspace', {
  skip,
}, async () => {
  const long = 'Words on a line of their own.\n\n'.repeat(120)
  const id = await spaceWith(
    w,
    {
      'SUMMARY.md': '* [Start](README.md)\n* [Terms](terms.md)\n* [Plain](plain.md)\n',
      'README.md': `# Start\n\n${long}[The terms](terms.md#all-terms) [The plain ones](plain.md#plain)\n`,
      'terms.md': `# Terms {#all-terms}\n\n${long}[Up](#all-terms)\n`,
      'plain.md': `# Plain\n\n${long}[Up](#plain)\n`,
    },
    { title: 'Handbook' },
  )
  await openWorkspace(w, 'read', `/w/s/${id}`, async page => {
    const isAtTop = () => page.waitForFunction(() => scrollY === 0)
    const goUp = async () => {
      await page.getByRole('link', { name: 'Up', exact: true }).scrollIntoViewIfNeeded()
      await page.waitForFunction(() => scrollY > 500)
      await page.getByRole('link', { name: 'Up', exact: true }).click()
      await isAtTop()
    }
    for (const home of [`/w/s/${id}`, `/s/${id}`])
      for (const [link, title] of [
        ['The terms', 'Terms'],
        ['The plain ones', 'Plain'],
      ] as const) {
        await page.goto(new URL(home, page.url()).href)
        await page.getByRole('link', { name: link }).click()
        await page.getByRole('heading', { name: title, level: 1 }).waitFor()
        await page.getByRole('link', { name: 'Up', exact: true }).waitFor()
        await isAtTop()
        await goUp()
      }
  })
})
