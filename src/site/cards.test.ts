// The cards of a page in a real browser.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser, skipBrowser as skip } from '../../test/support/browser.ts'
import { toHtml } from '../engines/markdown/html/html.ts'
import { parseMarkdown } from '../engines/markdown/syntax/syntax.ts'

const STYLES = readFileSync(new URL('./assets/content.css', import.meta.url), 'utf8')

let browser: Browser
before(async () => {
  if (skip === false) browser = await openBrowser()
})

async function cardsOf(count: number, size: string): Promise<string> {
  const rows = Array.from({ length: count }, (_, at) => `<tr><td>Card ${at + 1}</td></tr>`).join('')
  const table = `<table data-view="cards" data-card-size="${size}"><thead><tr><th></th></tr></thead><tbody>${rows}</tbody></table>`
  const { html } = await toHtml(parseMarkdown(table), {
    resolveLink: href => ({ href, isExternal: false, isBroken: false }),
    resolveImage: () => undefined,
  })
  return html
}

/** The number of cards in each row, and how much of the width the first row leaves empty. */
async function rowsAt(width: number, size: string) {
  const page = await browser.newPage({ viewport: { width, height: 900 } })
  const all = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(count => cardsOf(count, size)))
  await page.setContent(
    `<style>body { margin: 0 } ul { padding: 0; list-style: none } ${STYLES}</style><div class="content">${all.join('')}</div>`,
  )
  const rows = await page.locator('.cards').evaluateAll(lists =>
    lists.map(list => {
      const boxes = [...list.children].map(card => card.getBoundingClientRect())
      const tops = [...new Set(boxes.map(({ top }) => top))]
      const first = boxes.filter(({ top }) => top === tops[0])
      return {
        counts: tops.map(top => boxes.filter(box => box.top === top).length),
        isFilled: list.getBoundingClientRect().right - Math.max(...first.map(({ right }) => right)) < 2,
      }
    }),
  )
  await page.close()
  return rows
}

const ONE_BELOW_ANOTHER = [1, 2, 3, 4, 5, 6, 7, 8].map(count => Array.from({ length: count }, () => 1))
const IN_TWOS = [[1], [2], [2, 1], [2, 2], [2, 2, 1], [2, 2, 2], [2, 2, 2, 1], [2, 2, 2, 2]]
const IN_THREES = [[1], [2], [3], [2, 2], [3, 2], [3, 3], [3, 3, 1], [3, 3, 2]]

for (const [width, size, expected] of [
  [320, 'medium', ONE_BELOW_ANOTHER],
  [520, 'medium', IN_TWOS],
  [720, 'medium', IN_THREES],
  [960, 'medium', IN_THREES],
  [1441, 'medium', IN_THREES],
  [520, 'large', ONE_BELOW_ANOTHER],
  [720, 'large', IN_TWOS],
  [1441, 'LARGE', IN_TWOS],
] as const)
  test(`1 to 8 ${size} cards fill the columns of a page of ${width} pixels, without one that is empty`, {
    skip,
  }, async () => {
    const rows = await rowsAt(width, size)
    assert.deepEqual(
      rows.map(({ counts }) => counts),
      expected,
    )
    assert.ok(rows.slice(1).every(({ isFilled }) => isFilled))
  })
