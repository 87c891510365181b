// A person signs in through each provider that the guide has steps for, by what that provider says of people.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../../test/support/web-bundle.ts'
import { lyingProvider, serverWith } from '../../../test/support/openid-provider.ts'
import { PasserBy } from '../../../test/support/passer-by.ts'
import { OPENID_SHAPES, type Person, SAML_SHAPES } from '../../../test/support/recorded-providers.ts'
import { assertionOf, responseAround, sign, toForm } from '../../../test/support/saml-responses.ts'
import { serverBeside } from '../../../test/support/server.ts'
import { worldOn } from '../../../test/support/world.ts'
import { makeSigningKey } from '../../api/sso/saml/signing-key.ts'
import { newId } from '../../base/ids.ts'

const w = await worldOn(await serverBeside({ OCTAVO_EMAIL_DOMAINS: '*' }))
const domain = `${newId().toLowerCase()}.test`
await w.call('PATCH', `/orgs/${w.organizationId}`, { body: { emailDomains: [domain], defaultRole: 'read' } })

const newPerson = (): Person => ({
  email: `grace.${newId().toLowerCase()}@${domain}`,
  first: 'Grace',
  last: 'Hopper',
})

const personOf = async (browser: PasserBy) =>
  (await w.services.principals.findSession(browser.cookies.get('octavo_session') ?? ''))?.user

for (const { name, signs, attributes, says } of SAML_SHAPES)
  test(`a person signed in through ${name} by SAML has their address and name`, async () => {
    const key = makeSigningKey()
    const issuer = `https://${newId().toLowerCase()}.idp.test/entity`
    const { body: provider } = await w.call('POST', `/orgs/${w.organizationId}/saml`, {
      body: {
        ...{ label: 'Staff', entityID: issuer, ssoURL: 'https://idp.test/sso', certificate: key.certificate },
        ...(attributes === undefined ? {} : { attributes }),
      },
    })
    const { acsURL, entityID, startURL } = provider.service
    const person = newPerson()
    const browser = new PasserBy(w)
    const begun = await browser.step(startURL.replace(/^https?:\/\/[^/]+/, ''))
    const requestId = new URL(begun.headers.location ?? '').searchParams.get('RelayState') ?? ''
    const told = { acsURL, audience: entityID, issuer, requestId }
    const odd = says(person)
    const xml = sign(responseAround(told, assertionOf(told, odd), odd), key, signs)
    const form = { RelayState: requestId, SAMLResponse: toForm(xml) }
    const answered = await browser.step(new URL(acsURL).pathname, form, true)
    assert.equal(answered.status, 303, answered.text)
    assert.equal((await browser.step(answered.headers.location ?? '')).status, 303)
    const user = await personOf(browser)
    assert.deepEqual([user?.email, user?.display_name], [person.email, 'Grace Hopper'])
  })

for (const { name, emailClaim = 'email', trustsEmails = false, token, userinfo } of OPENID_SHAPES)
  test(`a person signed in through ${name} by OpenID Connect has their address`, async () => {
    const provider = await lyingProvider({})
    const person = newPerson()
    provider.lie = { claims: token(person) }
    provider.userinfo = userinfo?.(person)
    const server = serverWith(w.services, provider.issuer, {}, { emailClaim, trustsEmails })
    const browser = new PasserBy(server)
    const seen = await browser.visit('/sso/oidc/start')
    assert.equal(seen.status, 200, seen.text)
    const user = await personOf(browser)
    assert.equal(user?.email, person.email)
    const said = { ...userinfo?.(person), ...token(person) }
    if (said.name !== undefined) assert.equal(user?.display_name, 'Grace Hopper')
  })
