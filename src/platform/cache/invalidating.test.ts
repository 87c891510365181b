import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { LocalChanges } from '../db/changes.ts'
import { createInvalidatingCache, type InvalidatingCache } from './cache.ts'

type Value = { readonly version: number; readonly ids: readonly string[] }

const BYTES_MAX = 10_000

let changes: LocalChanges
let cache: InvalidatingCache<Value>
let loads = 0
beforeEach(() => {
  changes = new LocalChanges()
  cache = createInvalidatingCache<Value>(changes, BYTES_MAX)
  loads = 0
})

const get = (key: string, ...ids: string[]) =>
  cache.get(
    key,
    async () => ({ version: ++loads, ids }),
    value => value.ids,
  )

test('a value is kept until one of the rows it is made of changes', async () => {
  for (const key of ['a', 'b']) await get(key, key, 'both')
  changes.touch(new Set(['other']))
  assert.deepEqual([(await get('a'))?.version, (await get('b'))?.version], [1, 2])
  changes.touch(new Set(['a', 'other']))
  assert.deepEqual([(await get('a', 'a', 'both'))?.version, (await get('b'))?.version], [3, 2])
  changes.touch(new Set(['both']))
  assert.deepEqual([(await get('a'))?.version, (await get('b'))?.version], [4, 5])
  changes.touch()
  assert.deepEqual([(await get('a'))?.version, (await get('b'))?.version], [6, 7])
})

test('a value is not kept if what it is made of changes while it loads', async () => {
  const { promise, resolve } = Promise.withResolvers<Value>()
  const loading = cache.get(
    'a',
    () => promise,
    value => value.ids,
  )
  changes.touch(new Set(['row']))
  resolve({ version: 0, ids: ['row'] })
  assert.equal((await loading)?.version, 0)
  assert.equal((await get('a', 'row'))?.version, 1)
  const other = Promise.withResolvers<Value>()
  const loadingOther = cache.get(
    'b',
    () => other.promise,
    value => value.ids,
  )
  changes.touch(new Set(['row']))
  other.resolve({ version: 0, ids: ['another row'] })
  await loadingOther
  assert.equal((await get('b'))?.version, 0)
})

test('callers at the same time share a load, but for one that started before a change', async () => {
  const { promise, resolve } = Promise.withResolvers<Value>()
  const load = () => promise.finally(() => ++loads)
  const first = cache.get('a', load, value => value.ids)
  const second = cache.get('a', load, value => value.ids)
  changes.touch(new Set(['row']))
  const third = get('a', 'row')
  resolve({ version: 0, ids: ['row'] })
  assert.deepEqual([(await first)?.version, (await second)?.version, (await third)?.version], [0, 0, 1])
  assert.equal(loads, 2)
})

test('who joins a load that finds nothing loads once more: it may have started before an insert', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const first = cache.get<Value>(
    'a',
    () => promise,
    value => value.ids,
  )
  const second = get('a', 'row')
  resolve(undefined)
  assert.deepEqual([await first, (await second)?.version, (await get('a'))?.version], [undefined, 1, 1])
})

test('a load that fails is tried again', async () => {
  await assert.rejects(
    cache.get(
      'a',
      () => Promise.reject(new Error('no')),
      () => [],
    ),
  )
  assert.equal((await get('a'))?.version, 1)
})

test('what changed so long ago that it is forgotten drops older values', async () => {
  await get('a', 'row')
  await get('b', 'other row')
  changes.touch(new Set(['row']))
  for (let id = 0; id < 30_000; id += 1) changes.touch(new Set([`${id}`]))
  assert.equal((await get('a', 'row'))?.version, 3)
  assert.equal((await get('a'))?.version, 3)
})

test('nothing is kept or shared while changes of other processes are not received', async () => {
  const signal = Object.assign(new LocalChanges(), { isReceiving: false })
  const down = createInvalidatingCache<Value>(signal, BYTES_MAX)
  const load = async () => ({ version: ++loads, ids: [] })
  const both = await Promise.all([1, 2].map(() => down.get('a', load, () => [])))
  assert.deepEqual(
    both.map(value => value?.version),
    [1, 2],
  )
  assert.equal((await down.get('a', load, () => []))?.version, 3)
})

test('values are kept up to so many bytes, and the least recently used goes first', async () => {
  const texts = createInvalidatingCache<{ readonly text: string }>(changes, BYTES_MAX)
  const getText = (key: string, length: number) =>
    texts.get(
      key,
      async () => {
        loads += 1
        return { text: 'x'.repeat(length) }
      },
      () => [],
    )
  for (let key = 0; key < 20; key += 1) await getText(`${key}`, 10)
  for (let key = 0; key < 20; key += 1) await getText(`${key}`, 10)
  assert.equal(loads, 20)
  await getText('long', 4_000)
  await getText('19', 10)
  assert.equal(loads, 21)
  await getText('0', 10)
  assert.equal(loads, 22)
})
