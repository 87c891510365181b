// Allowing a program as people do: by keyboard, in a real browser, without a script of ours having to run.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { bringAxe, RULES, violationsOf } from '../../../test/support/axe.ts'
import { skipBrowser as skip, visit } from '../../../test/support/browser.ts'
import { authorizeUrl, exchange, register } from '../../../test/support/programs.ts'
import { originOf } from '../../../test/support/server.ts'
import { givePassword, signedIn } from '../../../test/support/sessions.ts'
import { type World, world } from '../../../test/support/world.ts'

const w = await world()
const PASSWORD = 'rain on a tin roof'

/** A program on the machine of the person, which shows this page at every address. */
async function programShowing(page: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(page)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function signIn(page: Page, there: World, origin: string): Promise<void> {
  const value = await signedIn(there, 'edit')
  await page.context().addCookies([{ name: 'octavo_session', value, url: origin }])
}

test('a person confirms who they are, allows a program, and the browser takes the code to it', {
  skip,
}, async () => {
  const origin = await originOf(w)
  await givePassword(w, w.people.edit.id, PASSWORD)
  const client = await register(w, { redirect_uris: ['http://127.0.0.1/callback'] })
  const program = await programShowing('<title>Back</title>')
  const redirect_uri = `${program}/callback`
  await visit(
    origin,
    async (page, watch, context) => {
      await bringAxe(context)
      await signIn(page, w, origin)
      await page.goto(`${origin}${authorizeUrl(client, { redirect_uri })}`)
      assert.equal(await page.getByRole('radio', { name: /open change requests/ }).isChecked(), true)
      assert.deepEqual(await violationsOf(page, RULES.all), [])
      await page.getByRole('radio', { name: 'Read what you may read' }).press('Space')
      await page.getByLabel('Your password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Allow', exact: true }).press('Enter')
      await page.waitForURL(`${redirect_uri}?*`)
      assert.deepEqual(watch.errors, [])
      const code = new URL(page.url()).searchParams.get('code') ?? ''
      const { status, body } = await exchange(w, client, code, { redirect_uri })
      assert.equal(status, 200)
      assert.ok(!body.scope.includes('write'))
    },
    { locale: 'en-GB' },
  )
})

test('a page of another site does not get the question into a frame', { skip }, async () => {
  const origin = await originOf(w)
  const client = await register(w)
  const site = await programShowing(
    `<iframe src="${origin}${authorizeUrl(client).replaceAll('&', '&amp;')}"></iframe>`,
  )
  await visit(origin, async (page, watch) => {
    await signIn(page, w, origin)
    await page.goto(site)
    const [, frame] = page.frames()
    assert.ok(!(await frame?.content())?.includes('Assistant'))
    assert.ok(watch.errors.some(error => error.includes('frame-ancestors')))
  })
})
