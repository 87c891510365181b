// Clients that publish their metadata at the address that is their id.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authorizeUrl, tabOf } from '../../../test/support/programs.ts'
import { world } from '../../../test/support/world.ts'
import { unavailable } from '../../base/errors.ts'
import type { Outgoing, OutgoingRequest } from '../../platform/fetch.ts'
import { createClientDocuments } from './client-documents.ts'

const ID = 'https://assistant.test/oauth/client.json'
const DOCUMENT = {
  client_id: ID,
  client_name: 'Assistant',
  redirect_uris: ['https://assistant.test/callback'],
  token_endpoint_auth_method: 'none',
}

/** The internet, as far as one document: what is asked for, and what answers. */
function internetWith(body: unknown, status = 200) {
  const asked: { url: string; request: OutgoingRequest }[] = []
  const outgoing = {
    async fetch(url: string, request: OutgoingRequest) {
      asked.push({ url, request })
      if (body instanceof Error) throw body
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      return { status, headers: {}, body: Buffer.from(text), url }
    },
    // Documents are fetched by this method alone.
  } as unknown as Outgoing
  return { asked, documents: createClientDocuments(outgoing) }
}

test('a document that names its own address is a client, read once, without redirects and within bounds', async () => {
  const { asked, documents } = internetWith(DOCUMENT)
  const client = await documents.get(ID)
  assert.deepEqual(client, {
    ...{ id: ID, kind: 'document', name: 'Assistant' },
    redirectUris: ['https://assistant.test/callback'],
  })
  assert.deepEqual(await documents.get(ID), client)
  assert.equal(asked.length, 1)
  const { redirectsMax, bytesMax, deadlineMs } = asked[0]?.request ?? {}
  assert.equal(redirectsMax, 0)
  assert.ok(Number(bytesMax) <= 64 * 1024 && Number(deadlineMs) <= 10_000)
})

for (const [what, body, status] of [
  ['names another client', { ...DOCUMENT, client_id: `${ID}2` }, 200],
  ['names none', { ...DOCUMENT, client_id: undefined }, 200],
  ['has a secret', { ...DOCUMENT, client_secret: 'x' }, 200],
  ['wants to prove itself', { ...DOCUMENT, token_endpoint_auth_method: 'private_key_jwt' }, 200],
  ['has no addresses', { ...DOCUMENT, redirect_uris: [] }, 200],
  ['has an address that runs', { ...DOCUMENT, redirect_uris: ['javascript:alert(1)'] }, 200],
  ['is no JSON', '<html>', 200],
  ['is a list', '[]', 200],
  ['is not found', DOCUMENT, 404],
  ['redirects', DOCUMENT, 302],
  ['cannot be reached', unavailable('fetch_timeout', 'The other server did not answer in time.'), 200],
] as const)
  test(`a document that ${what} is no client, and says why`, async () => {
    const read = await internetWith(body, status).documents.get(ID)
    assert.ok('words' in read && read.words.length > 0)
  })

for (const address of [
  'https://assistant.test/',
  'https://assistant.test/a?b=c',
  'https://assistant.test/a#b',
  'https://user@assistant.test/a',
  'https://assistant.test/a/../b',
  'https://ASSISTANT.test/a',
  `https://assistant.test/${'x'.repeat(1000)}`,
])
  test(`nothing is asked at ${address.slice(0, 40)}, which is no address of a client`, async () => {
    const { asked, documents } = internetWith(DOCUMENT)
    assert.ok('words' in (await documents.get(address)))
    assert.equal(asked.length, 0)
  })

test('a document at a private address is not read', async () => {
  const w = await world()
  const tab = await tabOf(w, 'edit')
  for (const host of ['10.0.0.1', '169.254.169.254', '[fd00::1]']) {
    const { status, text } = await tab.get(authorizeUrl(`https://${host}/client.json`))
    assert.equal(status, 400)
    assert.match(text, /is on a private or reserved network/)
  }
})
