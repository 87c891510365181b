// A page of the workspace in Chromium, and what it costs: script by the browser's own counters, and the time from what
// somebody does until something else is painted (https://w3c.github.io/event-timing/).
import type { Browser, CDPSession, Page } from 'playwright-core'
import { launchBrowser } from '../../test/support/browser.ts'
import type { Scene } from './scene.ts'

/** Of the processor, which other work on the machine does not change. */
export type Cost = {
  /** Milliseconds in which script ran. */
  readonly scriptMs: number
  /** With style, layout and everything else of the main thread. */
  readonly taskMs: number
}

export type Paint = { readonly paintMs: number } & Pick<Cost, 'taskMs'>

type Asked = {
  readonly path: string
  /** A selector of what somebody came for. */
  readonly content: string
  /** How many times slower than this machine. */
  readonly slowdown?: number
}

/** A browser that is closed at the end. */
export async function inBrowser<T>(run: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await launchBrowser()
  try {
    return await run(browser)
  } finally {
    await browser.close()
  }
}

/** Opens the page with nothing in the cache of the browser, as somebody who comes for the first time. */
export async function see<T>(
  browser: Browser,
  { server: { url }, session }: Pick<Scene, 'server' | 'session'>,
  { path, content, slowdown = 1 }: Asked,
  look: (sight: Sight) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en' })
  try {
    await context.addCookies([{ name: 'octavo_session', value: session, url }])
    const page = await context.newPage()
    const cdp = await context.newCDPSession(page)
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
    // Its counters begin anew with the first page of an origin.
    await page.goto(`${url}/healthz`)
    await page.addInitScript(watch, content)
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    const before = await costs(cdp)
    await page.goto(url + path, { waitUntil: 'commit' })
    const shown = await page.waitForFunction(() => (window as Watched).watched?.shownMs)
    const shownMs = (await shown.jsonValue()) ?? 0
    const loading = difference(await costs(cdp), before)
    await untilIdle(page)
    return await look(new Sight(page, cdp, { shownMs, loading }))
  } finally {
    await context.close()
  }
}

export class Sight {
  readonly page: Page
  /** Milliseconds from the beginning of the navigation to the first frame with the content. */
  readonly shownMs: number
  /** What loading took until then. */
  readonly loading: Cost
  readonly #cdp: CDPSession

  constructor(page: Page, cdp: CDPSession, first: { readonly shownMs: number; readonly loading: Cost }) {
    this.page = page
    this.shownMs = first.shownMs
    this.loading = first.loading
    this.#cdp = cdp
  }

  /** Until what it did is painted. */
  async costOf(act: () => Promise<unknown>): Promise<Cost> {
    const before = await costs(this.#cdp)
    await act()
    await nextFrame(this.page)
    return difference(await costs(this.#cdp), before)
  }

  /** Milliseconds until the next paint after what somebody does, the slowest event of it; 0 below 16. With its cost. */
  async paintOf(act: () => Promise<unknown>): Promise<Paint> {
    await this.page.evaluate(() => {
      const { watched } = window as Watched
      if (watched !== undefined) watched.paints = []
    })
    const { taskMs } = await this.costOf(act)
    await untilIdle(this.page)
    const paintMs = await this.page.evaluate(() =>
      Math.max(0, ...((window as Watched).watched?.paints ?? [])),
    )
    return { paintMs, taskMs }
  }

  countElements(): Promise<number> {
    return this.page.evaluate(() => document.querySelectorAll('*').length)
  }

  async heapMegabytes(): Promise<number> {
    await this.#cdp.send('HeapProfiler.collectGarbage')
    return ((await metricsOf(this.#cdp)).get('JSHeapUsedSize') ?? 0) / 2 ** 20
  }
}

type Watched = { watched?: { shownMs?: number; paints: number[] } }

/** Runs in the page, before its own script. */
function watch(content: string): void {
  const watched: NonNullable<Watched['watched']> = { paints: [] }
  ;(window as Watched).watched = watched
  const observer = new MutationObserver(() => {
    if (document.querySelector(content) === null) return
    observer.disconnect()
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port2.onmessage = () => {
        watched.shownMs = performance.now()
      }
      port1.postMessage(undefined)
    })
  })
  observer.observe(document, { childList: true, subtree: true, attributes: true })
  new PerformanceObserver(list => {
    for (const { duration } of list.getEntries()) watched.paints.push(duration)
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
}

const nextFrame = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )

// Entries of events come a little after the paint that they end with.
const ENTRIES_MS = 100

const untilIdle = async (page: Page): Promise<void> => {
  await nextFrame(page)
  await page.waitForTimeout(ENTRIES_MS)
  await nextFrame(page)
}

async function costs(cdp: CDPSession): Promise<Cost> {
  const metrics = await metricsOf(cdp)
  return {
    scriptMs: (metrics.get('ScriptDuration') ?? 0) * 1_000,
    taskMs: (metrics.get('TaskDuration') ?? 0) * 1_000,
  }
}

async function metricsOf(cdp: CDPSession): Promise<ReadonlyMap<string, number>> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return new Map(metrics.map(({ name, value }) => [name, value]))
}

const difference = (now: Cost, before: Cost): Cost => ({
  scriptMs: now.scriptMs - before.scriptMs,
  taskMs: now.taskMs - before.taskMs,
})
