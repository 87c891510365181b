// The workspace in a real browser, as the people of a world see it.
import assert from 'node:assert/strict'
import type { BrowserContext, Locator, Page, Route } from 'playwright-core'
import { bringAxe, RULES, violationsOf } from './axe.ts'
import './web-bundle.ts'
import { type Visit, visit, type Watch } from './browser.ts'
import { isNarrow, screen } from './circumstances.ts'
import { originOf, PUBLIC_URL } from './server.ts'
import { signedIn } from './sessions.ts'
import type { PersonName, World } from './world.ts'

type Opened = Visit & {
  /** Of something between the browser and the server. */
  readonly origin?: string
}

/** `path` of the workspace for this person. A page fails that writes an error to the console or breaks the policy. */
export async function openWorkspace(
  w: World,
  person: PersonName,
  path: string,
  look: (page: Page, watch: Watch, context: BrowserContext) => Promise<void>,
  { origin: between, ...options }: Opened = {},
): Promise<void> {
  const origin = between ?? (await originOf(w))
  await visit(
    origin,
    async (page, watch, context) => {
      await context.addCookies([{ name: 'octavo_session', value: await signedIn(w, person), url: origin }])
      await bringAxe(context)
      await context.route(`${origin}/v1/**`, sendFromPublicAddress)
      await page.goto(origin + path)
      await look(page, watch, context)
      const errors = watch.errors.filter(error => !REFUSED.test(error))
      assert.deepEqual([errors, watch.foreign], [[], []])
    },
    { locale: 'en', ...screen, ...options },
  )
}

// A browser writes every refusal of the API to its console.
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/

/** Test servers listen elsewhere than at their public address, and take a write with a session from there alone. */
async function sendFromPublicAddress(route: Route): Promise<void> {
  const request = route.request()
  if (request.method() === 'GET') return route.continue()
  const headers = { ...(await request.allHeaders()), origin: PUBLIC_URL }
  const response = await route.fetch({ headers }).catch(() => undefined)
  // The page that asked may be gone by now, with all that it waited for.
  await (response === undefined ? route.abort() : route.fulfill({ response })).catch(() => undefined)
}

/** The server carries it out, and the browser gets no answer once the route is aborted. */
export async function sendUnanswered(route: Route): Promise<void> {
  await route.fetch({ headers: { ...(await route.request().allHeaders()), origin: PUBLIC_URL } })
}

/** No rule of axe is broken by what the page shows now. */
export async function assertAccessible(page: Page): Promise<void> {
  // Of what is half under the bar at the top, axe takes the other half for its size.
  const isScrolled = await page.evaluate(() => scrollY > 0)
  assert.deepEqual(await violationsOf(page, RULES.all, isScrolled ? ['target-size'] : []), [])
}

/** Ends every session of this person, wherever it is. */
export async function endSessions(w: World, person: PersonName): Promise<void> {
  const { body } = await w.call('GET', '/user/sessions', { as: person })
  for (const { id } of body.items) await w.call('DELETE', `/user/sessions/${id}`, { as: person })
}

/** The side bar: beside the screen, or opened over it where there is no room. */
export async function sideBarOf(page: Page): Promise<Locator> {
  if (!isNarrow) return page.getByRole('navigation', { name: 'Navigation' })
  const drawer = page.getByRole('dialog', { name: 'Navigation' })
  if (!(await drawer.isVisible())) await page.getByRole('button', { name: 'Open navigation' }).click()
  return drawer
}

/** Where a change request stands, beside its conversation. */
export const stateOf = (page: Page): Locator =>
  page.getByRole('complementary', { name: 'State of the change request' })

/** Where there is no room for it, it is one line above the conversation, which opens. */
export async function showState(page: Page): Promise<void> {
  if (isNarrow) await stateOf(page).getByRole('button', { expanded: false }).click()
}

/** Opens a tool of the editor: a button in its bar, or an entry of a menu where there is no room. */
export async function openTool(page: Page, name: string): Promise<void> {
  if (isNarrow) await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole(isNarrow ? 'menuitem' : 'button', { name, exact: true }).click()
}
