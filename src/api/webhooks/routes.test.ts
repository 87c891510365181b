import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSigned, startReceiver } from '../../../test/support/receiver.ts'
import { type World, world } from '../../../test/support/world.ts'

const orgOf = ({ organizationId }: World) => `/orgs/${organizationId}`

/** A webhook of the organization, or of a space. */
async function hook(w: World, url: string, more: object = {}, of = orgOf(w)) {
  const { status, body, text } = await w.call('POST', `${of}/webhooks`, { body: { url, ...more } })
  assert.equal(status, 201, text)
  return { ...body, path: `${of}/webhooks/${body.id}` } as { id: string; secret: string; path: string }
}

test('an edit of a page reaches a receiver, signed, with who did what where and when', async () => {
  const w = await world()
  const receiver = await startReceiver()
  const space = await w.createSpace({ title: 'Told' })
  const { secret, path } = await hook(w, receiver.url, { types: ['space.published'] })
  const changes = [{ operation: 'insert_page', title: 'Rain', document: { markdown: 'It rains.\n' } }]
  const { body: made } = await w.call('POST', `/spaces/${space.id}/content`, { body: { changes } })
  const [sent] = await receiver.has(1)
  assert.ok(sent !== undefined)
  const { headers, body, text } = sent
  assert.equal(body.type, 'space.published')
  assert.deepEqual(
    [body.organizationId, body.spaceId, body.actor.id, body.payload.revision],
    [w.organizationId, space.id, w.people.admin.id, made.revision],
  )
  assert.ok(isSigned(secret, headers['x-octavo-signature'] as string, text))
  assert.ok(!isSigned(secret, headers['x-octavo-signature'] as string, `${text} `))
  assert.deepEqual(
    [headers['x-octavo-event'], headers['x-octavo-delivery'], headers['content-type']],
    ['space.published', body.eventId, 'application/json'],
  )
  const { body: feed } = await w.call('GET', `${orgOf(w)}/events?types=space.published`)
  assert.deepEqual(feed.items, [body])
  const { body: log } = await w.call('GET', `${path}/deliveries`)
  assert.equal(log.items[0].id, body.eventId)
})
