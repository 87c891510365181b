// What a key costs in collections that are long.
import type { Browser } from 'playwright-core'
import { median, round } from '../measure.ts'
import { type Cost, type Sight, see } from './browser.ts'
import { CHANGE_REQUESTS, FLAT_PAGES, type Scene } from './scene.ts'

const KEYS = 100
const SCROLL_MS = 50

export async function measureKeys(browser: Browser, scene: Scene): Promise<Record<string, object>> {
  const tree = { path: scene.flatTree, content: '.tree-row' }
  const list = { path: scene.longList, content: '.list-item' }
  return {
    tree: {
      pages: FLAT_PAGES,
      ...(await see(browser, scene, tree, async sight => {
        await sight.page.getByRole('treegrid').getByRole('link').first().focus()
        return pressed(sight)
      })),
    },
    list: {
      changeRequests: CHANGE_REQUESTS,
      ...(await see(browser, scene, list, async sight => {
        await loadAll(sight)
        return pressed(sight)
      })),
    },
  }
}

/** By scrolling to its end until nothing more comes; then the focus is on its first row. */
async function loadAll({ page }: Sight): Promise<void> {
  const grid = page.getByRole('grid')
  while ((await grid.getAttribute('aria-rowcount')) !== String(CHANGE_REQUESTS)) {
    await grid.evaluate(one => one.scrollTo(0, one.scrollHeight))
    await page.waitForTimeout(SCROLL_MS)
  }
  await grid.evaluate(one => one.scrollTo(0, 0))
  await grid.getByRole('row').first().focus()
}

/** Down and up again by the arrow keys; of the keys before, code was compiled. */
export async function pressed(sight: Sight) {
  const { page } = sight
  const costs: Cost[] = []
  for (const key of ['ArrowDown', 'ArrowUp', 'ArrowDown'])
    for (let n = 0; n < KEYS; n += 1) costs.push(await sight.costOf(() => page.keyboard.press(key)))
  const counted = costs.slice(KEYS)
  return {
    scriptMs: round(median(counted.map(({ scriptMs }) => scriptMs))),
    scriptMsMax: round(Math.max(...counted.map(({ scriptMs }) => scriptMs))),
    taskMs: round(median(counted.map(({ taskMs }) => taskMs))),
    elements: await sight.countElements(),
    heapMegabytes: round(await sight.heapMegabytes()),
  }
}
