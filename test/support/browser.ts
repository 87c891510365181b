// A real browser for test files, or why there is none.
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { whenDone } from './lane.ts'

export const CHROMIUM = '/usr/bin/chromium'

/** Why a test in a browser does not run, if it does not. */
export const skipBrowser: string | false = !existsSync(CHROMIUM)
  ? `there is no browser at ${CHROMIUM}`
  : process.env.OCTAVO_TEST_DATABASE !== undefined && 'a browser gets the same pages from every engine'

let opening: Promise<Browser> | undefined

/** The one browser of the lane. Each visit has a profile of its own. */
export async function openBrowser(): Promise<Browser> {
  opening ??= launch()
  // Awaited here: who awaits, at the top of a file, a promise that another file made is taken for that file.
  return await opening
}

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  whenDone(() => browser.close())
  return browser
}

export type Visit = NonNullable<Parameters<Browser['newContext']>[0]>

/** What a page did that it should not have. */
export interface Watch {
  /** What was asked of other hosts, as `script https://other.example/x.js`. None of it was sent. */
  readonly foreign: readonly string[]
  /** Errors in the console, exceptions, dialogs, and answers that only a bug gives. */
  readonly errors: string[]
}

/** A fresh profile that reaches nothing but `origin`. */
export async function visit<T>(
  origin: string,
  look: (page: Page, watch: Watch, context: BrowserContext) => Promise<T>,
  options: Visit = {},
): Promise<T> {
  const context = await (await openBrowser()).newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  })
  const watch = { foreign: [] as string[], errors: [] as string[] }
  try {
    await context.route(
      url => url.origin !== origin && /^(https?|wss?):$/.test(url.protocol),
      route => {
        watch.foreign.push(`${route.request().resourceType()} ${route.request().url()}`)
        return route.abort()
      },
    )
    context.on('response', response => {
      if (response.status() >= 500) watch.errors.push(`answered ${response.status()}: ${response.url()}`)
    })
    const page = await context.newPage()
    page.on('console', message => {
      if (message.type() === 'error') watch.errors.push(message.text())
    })
    page.on('pageerror', error => watch.errors.push(String(error)))
    page.on('dialog', dialog => {
      watch.errors.push(`dialog: ${dialog.message()}`)
      return dialog.dismiss()
    })
    return await look(page, watch, context)
  } finally {
    await context.close()
  }
}
