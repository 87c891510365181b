// The workspace in a real browser, as the people of a world see it.
import assert from 'node:assert/strict'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { bundleWeb } from '../../tools/web.ts'
import { bringAxe, RULES, violationsOf } from './axe.ts'
import { type Visit, visit, type Watch } from './browser.ts'
import { originOf, PUBLIC_URL } from './server.ts'
import { signedIn } from './sessions.ts'
import type { PersonName, World } from './world.ts'

// Before a server looks for it.
await bundleWeb()

/** `path` of the workspace for this person. A page fails that writes an error to the console or breaks the policy. */
export async function openWorkspace(
  w: World,
  person: PersonName,
  path: string,
  look: (page: Page, watch: Watch, context: BrowserContext) => Promise<void>,
  options: Visit = {},
): Promise<void> {
  const origin = await originOf(w)
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
    { locale: 'en', ...options },
  )
}

// A browser writes every refusal of the API to its console.
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/

/** Test servers listen elsewhere than at their public address, and take a write with a session from there alone. */
async function sendFromPublicAddress(route: Route): Promise<void> {
  const request = route.request()
  if (request.method() === 'GET') return route.continue()
  const headers = { ...(await request.allHeaders()), origin: PUBLIC_URL }
  await route.fulfill({ response: await route.fetch({ headers }) })
}

/** No rule of axe is broken by what the page shows now. */
export const assertAccessible = async (page: Page): Promise<void> =>
  assert.deepEqual(await violationsOf(page, RULES.all), [])
