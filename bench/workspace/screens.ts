// What a browser loads for each screen until its content is shown, with nothing in its cache.
import type { Browser } from 'playwright-core'
import { round } from '../measure.ts'
import { type Sight, see } from './browser.ts'
import type { Scene } from './scene.ts'

const KIB = 1024
const ROUNDS = 3

/** By their selectors of what somebody came for. */
const SCREENS = {
  home: '.link-row .rows-row',
  space: '.page .content',
  page: '.page .content',
  list: '.list-item',
  changeRequest: '.timeline .thread',
  review: '.review-block',
  conflicts: '.versions .content',
  history: '.history-entry',
} as const
type Screen = keyof typeof SCREENS

const addressOf = ({ small }: Scene, screen: Screen): string => {
  if (screen === 'home') return '/w'
  if (screen === 'review') return `${small.changeRequest}/changes`
  return small[screen]
}

export async function measureScreens(browser: Browser, scene: Scene): Promise<Record<string, object>> {
  const result: Record<string, object> = {}
  for (const [screen, content] of Object.entries(SCREENS) as [Screen, string][]) {
    const seen: Loaded[] = []
    for (let turn = 0; turn < ROUNDS; turn += 1)
      seen.push(await see(browser, scene, { path: addressOf(scene, screen), content }, loadedBy))
    const [first] = seen
    const least = (what: 'shownMs' | 'scriptMs' | 'taskMs') => round(Math.min(...seen.map(one => one[what])))
    result[screen] = {
      ...first,
      ...{ shownMs: least('shownMs'), scriptMs: least('scriptMs'), taskMs: least('taskMs') },
    }
  }
  return result
}

type Loaded = Awaited<ReturnType<typeof loadedBy>>

/** Of files and calls, those that were asked for before the content was shown. Sizes are those that were sent. */
async function loadedBy({ page, shownMs, loading }: Sight) {
  const entries = await page.evaluate(until => {
    const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    return resources
      .filter(({ startTime }) => startTime < until)
      .map(({ name, encodedBodySize }) => ({ path: new URL(name).pathname, bytes: encodedBodySize }))
  }, shownMs)
  const sizeOf = (pattern: RegExp) =>
    round(entries.reduce((sum, { path, bytes }) => sum + (pattern.test(path) ? bytes : 0), 0) / KIB)
  const calls = entries.filter(({ path }) => path.startsWith('/v1/')).length
  return {
    scriptKib: sizeOf(/\.js$/),
    styleKib: sizeOf(/\.css$/),
    fontKib: sizeOf(/\.woff2$/),
    // With the shell.
    files: 1 + entries.length - calls,
    calls,
    shownMs,
    ...loading,
  }
}
