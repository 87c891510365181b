// Blocks that ask for the full width, and code that is shown in part, in a real browser.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openBrowser, skipBrowser as skip } from '../../test/support/browser.ts'
import { pageView } from '../../test/support/page-view.ts'
import { toHtml } from '../engines/markdown/html/html.ts'
import { parseMarkdown } from '../engines/markdown/syntax/syntax.ts'
import { readAssets } from './assets.ts'
import { renderPage } from './pages/page.ts'

const SITE = 'http://reader.test'
const assets = readAssets()

let browser: Browser
before(async () => {
  if (skip === false) browser = await openBrowser()
})

async function pageOf(markdown: string): Promise<string> {
  const { html, outline } = await toHtml(parseMarkdown(markdown), {
    resolveLink: href => ({ href, isExternal: false, isBroken: false }),
    resolveImage: () => ({ src: '/wide.png', width: 2000, height: 200 }),
  })
  return renderPage({
    shell: { theme: 'system', visitor: null, signInHref: '/sign-in', assets: assets.paths },
    space: { id: 's', title: 'Guide', href: '/s', emoji: null, language: null, searchAction: '/search' },
    tree: [
      { id: 'p1', kind: 'document', title: 'The page', href: '/p', emoji: null, icon: null, children: [] },
    ],
    page: pageView({ title: 'The page', html, outline }),
  })
}

async function look<T>(markdown: string, width: number, see: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: { width, height: 900 } })
  const shown = await pageOf(markdown)
  await context.route('**/*', route => {
    const asset = assets.find(new URL(route.request().url()).pathname)
    return route.fulfill(
      asset === undefined
        ? { contentType: 'text/html; charset=utf-8', body: shown }
        : { contentType: asset.contentType, body: Buffer.from(asset.body) },
    )
  })
  try {
    const page = await context.newPage()
    await page.goto(SITE)
    return await see(page)
  } finally {
    await context.close()
  }
}

const LINES = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`).join('\n')
const TABLE = '<thead><tr><th>Head</th></tr></thead><tbody><tr><td>Cell</td></tr></tbody>'

const BLOCKS = [
  '## First',
  'Words',
  `<table data-full-width="true">${TABLE}</table>`,
  `<table data-view="cards" data-full-width="true">${TABLE}</table>`,
  '{% code title="a.txt" fullWidth="true" %}\n```\ncode\n```\n{% endcode %}',
  '<div data-full-width="true"><figure><img src="a.png" alt=""></figure></div>',
  '<div data-full-width="true"><figure><img src="a.png" alt=""></figure><figure><img src="b.png" alt=""></figure></div>',
  '## Second',
  `<table>${TABLE}</table>`,
]

/** The boxes of the blocks of a page, and how far the page scrolls aside. */
const boxesOf = (page: Page) =>
  page.evaluate(() => ({
    boxes: [...document.querySelectorAll('[data-content] > :not(h2)')].map(block => {
      const { left, right } = block.getBoundingClientRect()
      return { left, right }
    }),
    room: document.querySelector('main')?.getBoundingClientRect().toJSON() as { left: number; right: number },
    aside: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  }))

for (const width of [390, 1000, 1440, 1920])
  test(`blocks of full width take the column between the tree and the outline at ${width} pixels`, {
    skip,
  }, async () => {
    const { boxes, room, aside } = await look(BLOCKS.join('\n\n'), width, boxesOf)
    assert.equal(aside, 0)
    const [words, ...others] = boxes
    const last = others.pop()
    assert.ok(words !== undefined && last !== undefined)
    assert.deepEqual(last, words)
    assert.equal(others.length, 5)
    for (const box of others) {
      assert.ok(Math.abs(box.left - room.left - (room.right - box.right)) < 1, 'in the middle')
      if (width < 1440) assert.deepEqual(box, words)
      else assert.ok(box.left < words.left - 40 && box.right > words.right + 40, JSON.stringify([box, words]))
      assert.ok(box.left > room.left + 12 && box.right < room.right - 12)
    }
  })

test('code that is expandable shows as many lines as it asks for, and half of the next', {
  skip,
}, async () => {
  for (const [asked, seen] of [
    ['', 12],
    ['collapsedLineCount="3"', 3],
    ['collapsedLineCount="11"', 12],
    ['collapsedLineCount="1000"', 40],
  ] as const) {
    const code = `{% code expandable="true" ${asked} %}\n\`\`\`\n${LINES}\n\`\`\`\n{% endcode %}`
    const lines = await look(code, 1440, page =>
      page.locator('.code pre').evaluate(pre => {
        const style = getComputedStyle(pre)
        return (
          (pre.clientHeight - Number.parseFloat(style.paddingBlockStart)) /
          Number.parseFloat(style.lineHeight)
        )
      }),
    )
    const expected = seen === 40 ? 40 : seen + 0.5
    assert.ok(Math.abs(lines - expected) < 1, `${asked}: ${lines}`)
  }
})
