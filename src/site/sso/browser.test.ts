// A real browser decides by itself which cookies it sends along with the form of an identity provider.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { launchBrowser, skipBrowser } from '../../../test/support/browser.ts'
import { identityProvider } from '../../../test/support/identity-provider.ts'
import { originOf } from '../../../test/support/server.ts'
import { world } from '../../../test/support/world.ts'

const w = await world()
const idp = await identityProvider({ email: w.people.read.email })

test('a browser comes back from another site and is signed in', { skip: skipBrowser }, async () => {
  const { body: provider } = await w.call('POST', `/orgs/${w.organizationId}/saml`, {
    body: { label: 'Staff', entityID: idp.entityId, ssoURL: idp.ssoUrl, certificate: idp.key.certificate },
  })
  const space = await w.createSpace({ title: 'Only for members' })
  const { startURL, entityID } = provider.service
  idp.trust((await w.app.inject({ url: new URL(entityID).pathname })).payload)
  const { port } = new URL(await originOf(w))
  const browser = await launchBrowser(`MAP octavo.test:80 127.0.0.1:${port}`)
  after(() => browser.close())
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${startURL}?next=/s/${space.id}`)
  assert.equal(new URL(page.url()).origin, new URL(idp.entityId).origin)
  await page.getByRole('button').click()
  await page.waitForURL(`http://octavo.test/s/${space.id}`)
  assert.match((await page.textContent('body')) ?? '', /Only for members/)
  const names = (await context.cookies('http://octavo.test')).map(({ name }) => name)
  assert.ok(names.includes('octavo_session'), names.join())

  // the answer of this browser in another one
  const other = await (await browser.newContext()).newPage()
  await page.goto(startURL)
  const form = await page.content()
  await other.setContent(form)
  await other.getByRole('button').click()
  await other.waitForURL(/\/sso\/finish/)
  assert.match((await other.textContent('body')) ?? '', /begun in another browser/)
})
