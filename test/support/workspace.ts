// The workspace in a real browser, as the people of a world see it.
import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'
import { bundleWeb } from '../../tools/web.ts'
import { bringAxe, RULES, violationsOf } from './axe.ts'
import { type Visit, visit, type Watch } from './browser.ts'
import { originOf } from './server.ts'
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
      await page.goto(origin + path)
      await look(page, watch, context)
      assert.deepEqual([watch.errors, watch.foreign], [[], []])
    },
    { locale: 'en', ...options },
  )
}

/** No rule of axe is broken by what the page shows now. */
export const assertAccessible = async (page: Page): Promise<void> =>
  assert.deepEqual(await violationsOf(page, RULES.all), [])
