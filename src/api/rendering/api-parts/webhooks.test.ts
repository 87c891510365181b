import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spaceWith } from '../../../../test/support/pages.ts'
import { keepSpecification, shopSummary } from '../../../../test/support/specifications.ts'
import { world } from '../../../../test/support/world.ts'

const w = await world()

const SHOP = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  tags: [{ name: 'orders' }],
  paths: { '/orders': { get: { tags: ['orders'], summary: 'List orders', responses: {} } } },
  webhooks: {
    orderPaid: {
      post: {
        tags: ['orders'],
        summary: 'An order was paid',
        requestBody: {
          content: { 'application/json': { schema: { properties: { paidAt: { type: 'string' } } } } },
        },
      },
    },
    ping: { post: { description: 'Sent now and then.' } },
    secret: { post: { 'x-internal': true } },
  },
}

test('webhooks are on the page of their tag, those without one on a page of their own', async () => {
  await keepSpecification(w, 'shop', JSON.stringify(SHOP))
  const space = await spaceWith(
    w,
    { 'SUMMARY.md': shopSummary(), 'README.md': '# Start\n' },
    { visibility: 'public' },
  )
  const shown = async (page: string): Promise<string> => {
    const { statusCode, payload } = await w.app.inject({ url: `/s/${space}/${page}` })
    assert.equal(statusCode, 200)
    return payload
  }
  const orders = await shown('orders')
  assert.match(orders, /aria-label="API operation List orders"/)
  assert.match(orders, /aria-label="Webhook An order was paid"/)
  assert.match(orders, /paidAt/)
  const others = await shown('webhooks')
  assert.match(others, /Sent now and then\./)
  assert.match(others, /aria-label="Webhook ping"/)
  assert.doesNotMatch(others, /secret/)
  assert.match(await shown('webhooks.md'), /^## ping\n\nSent now and then\.\n\n`POST ping`$/m)
})
