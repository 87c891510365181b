import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createImmutableCache } from './cache.ts'

const newCache = () => createImmutableCache<{ readonly load: number }>({ max: 2 })

test('a value is loaded once, also for callers at the same time', async () => {
  const cache = newCache()
  let loads = 0
  const load = async () => ({ load: ++loads })
  assert.equal(cache.peek('a'), undefined)
  const [first, second] = await Promise.all([cache.get('a', load), cache.get('a', load)])
  assert.deepEqual([first, second, await cache.get('a', load), cache.peek('a')], Array(4).fill({ load: 1 }))
  for (const key of ['b', 'c']) await cache.get(key, load)
  assert.deepEqual(await cache.get('a', load), { load: 4 }, 'the least recently used value goes')
})

test('a load that fails or finds nothing is tried again', async () => {
  const cache = newCache()
  const failing = () => Promise.reject(new Error('no'))
  await Promise.all([1, 2].map(() => assert.rejects(cache.get('a', failing))))
  assert.equal(await cache.get('a', async () => undefined), undefined)
  assert.deepEqual(await cache.get('a', async () => ({ load: 1 })), { load: 1 })
})
