// A thousand comments, in the conversation of a change request and beside a page; and a thousand revisions: all of them
// asked for, portion after portion.
import type { Browser } from 'playwright-core'
import { round } from '../measure.ts'
import { type Sight, see } from './browser.ts'
import { COMMENTS, REVISIONS, type Scene } from './scene.ts'

const PORTIONS_MAX = 30
/** A portion of many threads takes seconds where the machine does other work. */
const PATIENCE = { timeout: 120_000 }

export async function measureTalk(browser: Browser, scene: Scene): Promise<Record<string, object>> {
  return {
    conversation: {
      comments: COMMENTS,
      ...(await see(browser, scene, { path: scene.conversation, content: '.timeline .thread' }, sight =>
        exhausted(sight, /^Show [0-9]+ earlier$/, '.timeline-item'),
      )),
    },
    margin: {
      comments: COMMENTS,
      ...(await see(browser, scene, { path: scene.margin, content: '.margin .thread' }, sight =>
        exhausted(sight, /^Show more$/, '.margin .thread'),
      )),
    },
    history: {
      revisions: REVISIONS,
      ...(await see(browser, scene, { path: scene.longHistory, content: '.history-entry' }, sight =>
        exhausted(sight, /^Show more$/, '.history-entry'),
      )),
    },
  }
}

async function exhausted(sight: Sight, name: RegExp, row: string) {
  const { page } = sight
  const first = { elements: await sight.countElements(), rows: await page.locator(row).count() }
  const more = page.getByRole('button', { name })
  let [portions, paintMs, portionMs] = [0, 0, 0]
  while ((await more.count()) > 0 && portions < PORTIONS_MAX) {
    const before = await page.locator(row).count()
    const began = performance.now()
    paintMs = Math.max(paintMs, (await sight.paintOf(() => more.click(PATIENCE))).paintMs)
    await page.waitForFunction(
      ([selector, count]) => document.querySelectorAll(selector).length !== count,
      [row, before] as const,
      PATIENCE,
    )
    portionMs = performance.now() - began
    portions += 1
  }
  const { taskMs } = await sight.costOf(() => page.keyboard.press('Tab'))
  return {
    shownMs: round(sight.shownMs),
    ...{ first, portions },
    rows: await page.locator(row).count(),
    elements: await sight.countElements(),
    heapMegabytes: round(await sight.heapMegabytes()),
    ...{ paintMs, lastPortionMs: round(portionMs), tabMs: round(taskMs) },
  }
}
