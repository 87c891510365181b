// The rotation of the key that signs requests to identity providers.
import assert from 'node:assert/strict'
import { createVerify } from 'node:crypto'
import { after, mock, test } from 'node:test'
import { newTestDatabase } from '../../../../test/support/database.ts'
import { serverOn } from '../../../../test/support/server.ts'
import { worldOn } from '../../../../test/support/world.ts'
import { readServiceKeys, replaceServiceKey, rotateServiceKey } from './service-keys.ts'
import { makeSigningKey } from './signing-key.ts'

const DAY_MS = 86_400_000
const database = await newTestDatabase()
const server = await serverOn(database)
const w = await worldOn(server)
after(async () => {
  mock.timers.reset()
  await server.close()
  await database.close()
})

const { body: provider } = await w.call('POST', `/orgs/${w.organizationId}/saml`, {
  body: {
    label: 'Provider',
    entityID: 'https://idp.test',
    ssoURL: 'https://idp.test/sso',
    certificate: makeSigningKey().certificate,
  },
})

const certificatesOf = (xml: string): string[] =>
  [...xml.matchAll(/<ds:X509Certificate>([^<]+)</g)].map(([, text = '']) => text.replaceAll(/\s/g, ''))

const published = async () =>
  certificatesOf((await w.app.inject({ url: new URL(provider.service.entityID).pathname })).payload)

/** Which of the published certificates verifies a request that is begun now (SAML bindings §3.4.4.1). */
async function signer(): Promise<number> {
  const { headers } = await w.app.inject({ url: new URL(provider.service.startURL).pathname })
  const parameters = new URL(String(headers.location)).search.slice(1).split('&')
  const signed = parameters.filter(one => /^(?:SAMLRequest|RelayState|SigAlg)=/.test(one)).join('&')
  const signature = new URLSearchParams(parameters.join('&')).get('Signature') ?? ''
  return (await published()).findIndex(certificate => {
    const pem = `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`
    return createVerify('RSA-SHA256').update(signed).verify(pem, signature, 'base64')
  })
}

test('a new key is in the metadata beside the old one, which signs until the overlap ends', async () => {
  const [old] = await published()
  assert.equal(await signer(), 0)
  const signsFrom = await rotateServiceKey(w.services, 30)
  const both = await published()
  assert.deepEqual([both.length, both[0], await signer()], [2, old, 0])
  await assert.rejects(rotateServiceKey(w.services, 30), {
    code: 'saml_key_pending',
    message: new RegExp(signsFrom.toISOString()),
  })
  mock.timers.enable({ apis: ['Date'], now: Date.now() + 31 * DAY_MS })
  const { certificates } = await readServiceKeys(w.services)
  mock.timers.reset()
  assert.deepEqual(
    certificates.map(certificate => certificate.replaceAll(/-----[^-]+-----|\s/g, '')),
    both.slice(1),
  )
})

test('a key that signs at once is alone in the metadata', async () => {
  const before = await published()
  await replaceServiceKey(w.services)
  const [only, ...others] = await published()
  assert.ok(only !== undefined && !before.includes(only))
  assert.deepEqual([others, await signer()], [[], 0])
})
