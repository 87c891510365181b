import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serverWith } from '../../test/support/server.ts'
import { world } from '../../test/support/world.ts'

const w = await world()

test('a token counts for its address until it was found, then for itself, and for its address again once it is revoked', async () => {
  const { id, token } = (await w.call('POST', '/user/tokens', { body: { label: 'counted' } })).body
  const app = serverWith(w, { requestsPerMinute: 100 })
  const left = async (secret: string) => {
    const answer = await app.inject({ url: '/v1/user', headers: { authorization: `Bearer ${secret}` } })
    return [answer.statusCode, answer.headers['x-ratelimit-remaining']]
  }
  assert.deepEqual(await left('octv_invented'), [401, '99'])
  assert.deepEqual(await left(token), [200, '98'])
  assert.deepEqual(await left(token), [200, '99'])
  assert.deepEqual(await left(token), [200, '98'])
  await w.call('DELETE', `/user/tokens/${id}`)
  assert.deepEqual(await left(token), [401, '97'])
  assert.deepEqual(await left(token), [401, '97'])
  await app.close()
})
