// The packages that send requests are loaded with the first one: the installed program finds them too.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startedHome } from '../support/home.ts'
import { serve } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'

test('the command sends an event to the receiver of a webhook', async () => {
  const receiver = await startReceiver()
  const server = await serve(await startedHome(), { env: { OCTAVO_ALLOW_PRIVATE_HOSTS: '127.0.0.1' } })
  const { body: organizations } = await server.call('GET', '/orgs')
  const organization = `/orgs/${organizations.items[0].id}`
  const { status, body: webhook } = await server.call('POST', `${organization}/webhooks`, {
    body: { url: receiver.url, types: ['space.changed'] },
  })
  assert.equal(status, 201)
  const { body: spaces } = await server.call('GET', `${organization}/spaces`)
  await server.call('PATCH', `/spaces/${spaces.items[0].id}`, { body: { title: 'Handbook' } })
  const [received] = await receiver.has(1)
  assert.equal(received?.body.type, 'space.changed')
  assert.equal(received?.headers['x-octavo-webhook'], webhook.id)
})
