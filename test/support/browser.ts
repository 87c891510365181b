// A real browser for a test file, or why there is none.
import { existsSync } from 'node:fs'
import { after } from 'node:test'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

export const CHROMIUM = '/usr/bin/chromium'

export const skipWithoutBrowser: string | false = existsSync(CHROMIUM)
  ? false
  : `there is no browser at ${CHROMIUM}`

let opening: Promise<Browser> | undefined

after(async () => (await opening)?.close())

/** One browser for a test file, closed after its last test. */
export function openBrowser(): Promise<Browser> {
  opening ??= chromium.launch({
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
  return opening
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
