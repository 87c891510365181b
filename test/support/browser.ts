// A real browser for test files, or why there is none.
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core'
import { whenDone } from './lane.ts'
import { isWhole } from './slice.ts'

// The shell is the same browser without windows, and takes a third of the processor for a visit.
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const BROWSER = BROWSERS.find(path => existsSync(path))

/** Why a test in a browser does not run, if it does not. What a browser asks the server for, others ask on every engine. */
export const skipBrowser: string | false =
  BROWSER === undefined
    ? `there is no browser at ${BROWSERS.join(' or ')}`
    : process.env.OCTAVO_TEST_DATABASE !== undefined &&
      !isWhole &&
      'a browser is shown the same by every engine'

const SWITCHES = [
  '--no-sandbox',
  '--disable-gpu',
  // What draws without one needs no process of its own.
  '--in-process-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const THIS_MACHINE_ALONE = 'MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'

/** A browser that the caller closes. `hosts` says where it finds whom, as rules of its `--host-resolver-rules`. */
export const launchBrowser = (hosts = THIS_MACHINE_ALONE): Promise<Browser> =>
  chromium.launch({ executablePath: BROWSER ?? '', args: [...SWITCHES, `--host-resolver-rules=${hosts}`] })

// A browser dies at its start once in a few hundred, of a fault of its own.
const LAUNCHES_MAX = 3

let opening: Promise<Browser> | undefined

/** The one browser of the lane. Each visit has a profile of its own. */
export async function openBrowser(): Promise<Browser> {
  opening ??= launchShared()
  return opening
}

async function launchShared(launches = 1): Promise<Browser> {
  const browser = await launchBrowser().catch(error => {
    if (launches === LAUNCHES_MAX) throw error
  })
  if (browser === undefined) return launchShared(launches + 1)
  whenDone(() => browser.close())
  return browser
}

// What the policy of a page forbids is not even tried.
const BLOCKED_BY_POLICY = 'csp'

export type Visit = NonNullable<Parameters<Browser['newContext']>[0]>

/** What a page did that it should not have. */
export interface Watch {
  /** What was asked of other origins, as `script https://other.example/x.js`. None of it left this machine. */
  readonly foreign: string[]
  /** Errors in the console, exceptions, dialogs, and answers that only a bug gives. */
  readonly errors: string[]
}

/** A fresh profile that is meant to reach nothing but `origin`. */
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
    // Looked at and not routed: each request that is routed makes a detour through this process.
    const note = (request: Request) => {
      const url = new URL(request.url())
      const isForeign = url.origin !== origin && /^https?:$/.test(url.protocol)
      if (isForeign && request.failure()?.errorText !== BLOCKED_BY_POLICY)
        watch.foreign.push(`${request.resourceType()} ${url}`)
    }
    context.on('requestfailed', note)
    context.on('requestfinished', note)
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
    // A request that is still on its way has nobody left to answer, which is no error.
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  }
}
