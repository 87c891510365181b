import assert from 'node:assert/strict'
import { test } from 'node:test'
import { identityProvider } from '../../../test/support/identity-provider.ts'
import { PasserBy } from '../../../test/support/passer-by.ts'
import { world } from '../../../test/support/world.ts'
import { makeSigningKey } from '../../api/sso/saml/signing-key.ts'

const w = await world()
const idp = await identityProvider({ email: 'ada@people.test', name: 'Ada Lovelace' })
const path = `/orgs/${w.organizationId}`
const space = await w.createSpace({ title: 'Only for members' })
const { body: team } = await w.call('PUT', `${path}/teams`, { body: { title: 'Newcomers' } })
const { body: provider } = await w.call('POST', `${path}/saml`, {
  body: {
    ...{ label: 'Staff', entityID: idp.entityId, ssoURL: idp.ssoUrl, certificate: idp.key.certificate },
    ...{ defaultRole: 'edit', defaultTeam: team.id },
  },
})
const start = new URL(provider.service.startURL).pathname
const metadata = await w.app.inject({ url: new URL(provider.service.entityID).pathname })
idp.trust(metadata.payload)

const principalOf = (browser: PasserBy) =>
  w.services.principals.findSession(browser.cookies.get('octavo_session') ?? '')

test('somebody new signs in, becomes a member with the default role and team, and lands where they wanted', async () => {
  idp.person = { email: 'ada@people.test', name: 'Ada Lovelace' }
  const browser = new PasserBy(w)
  const landed = await browser.visit(`${start}?next=/s/${space.id}`)
  assert.equal(landed.url, `http://octavo.test/s/${space.id}`, landed.text)
  assert.match(landed.text, /Only for members/)
  const principal = await principalOf(browser)
  assert.equal(principal?.user.email, 'ada@people.test')
  assert.equal(principal?.user.display_name, 'Ada Lovelace')
  const { body: member } = await w.call('GET', `${path}/members/${principal?.user.id}`)
  assert.deepEqual([member.role, member.sso, member.teams], ['edit', true, 1])
})
