// The rules of axe over a page in a browser: all of them, or those that the colours or the width of a page decide.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContext, Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export const RULES = {
  all: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  /** What the colours decide: the other rules see the same page, light or dark. */
  ofColours: ['color-contrast', 'link-in-text-block'],
  /** What the width decides about the same words: the other rules see on a phone what they see on a desk. */
  ofWidths: ['target-size', 'scrollable-region-focusable'],
}

/** Pages that are opened from now on have axe. */
export const bringAxe = (context: BrowserContext): Promise<unknown> => context.addInitScript({ content: AXE })

// What the components of the workspace have read out: named by an element that may be gone a moment later.
const ANNOUNCER = '[data-live-announcer]'

type Violation = { id: string; nodes: { html: string; failureSummary: string }[] }

/** What breaks some rules, but for those of them in `except`. */
export async function violationsOf(
  page: Page,
  rules: readonly string[],
  except: readonly string[] = [],
): Promise<string[]> {
  const disabled = Object.fromEntries(except.map(rule => [rule, { enabled: false }]))
  const options = { runOnly: rules, rules: disabled, resultTypes: ['violations'] }
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run({ include: document, exclude: ['${ANNOUNCER}'] }, ${JSON.stringify(options)})`,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 5).map(node => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary.slice(0, 200)}`),
  )
}

const THIN_OUT = `top => {
  const seen = new Map()
  const build = one => one.tagName + '.' + one.className + '[' + [...new Set([...one.children].map(build))] + ']'
  const thinOut = (one, place) => {
    for (const child of [...one.children]) {
      const kind = place + ' ' + build(child)
      seen.set(kind, (seen.get(kind) ?? 0) + 1)
      if (seen.get(kind) > 3 && child.matches('li, tr, code span')) child.remove()
      else thinOut(child, place + ' ' + child.tagName + '.' + child.className)
    }
  }
  thinOut(document.querySelector(top), '')
}`

/**
 * Leaves three of the rows, items and tokens that are built alike in the same place: they have the colours and
 * the size of all the others, and most of the time goes into looking at colours.
 */
export const thinOut = (page: Page, top = 'body'): Promise<unknown> =>
  page.evaluate(`(${THIN_OUT})(${JSON.stringify(top)})`)

// The script of a page sees a new size in the first frame that has it, after its requests.
const HAS_SETTLED = 'new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))'

export const hasSettled = (page: Page): Promise<unknown> => page.evaluate(HAS_SETTLED)

export async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  await hasSettled(page)
}
