import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sha256 } from '../base/canonical.ts'
import { renderJson } from './sliced-json.ts'

const parsed = async (value: unknown) => JSON.parse((await renderJson(value)).toString())

function* listOf<T>(...items: T[]): Generator<T> {
  yield* items
}

test('lists that are computed while they are written are JSON like any other', async () => {
  const page = (title: string, ...pages: object[]) => ({ title, none: undefined, pages: listOf(...pages) })
  assert.deepEqual(await parsed({ pages: listOf(page('ä', page('b')), page('c')), next: null }), {
    pages: [
      { title: 'ä', pages: [{ title: 'b', pages: [] }] },
      { title: 'c', pages: [] },
    ],
    next: null,
  })
  assert.deepEqual(await parsed({ pages: listOf(), files: listOf<unknown>('a', 1, null) }), {
    pages: [],
    files: ['a', 1, null],
  })
  for (const plain of [null, 'a', 1, [1, [2]], {}, { a: { b: [] } }])
    assert.deepEqual(await parsed(plain), plain)
})

test('others run while a long list is worked out', async () => {
  let ticks = 0
  const timer = setInterval(() => {
    ticks += 1
  }, 1)
  function* slow() {
    for (let item = 0; item < 5; item += 1) yield sha256('a'.repeat(30_000_000))
  }
  await renderJson({ items: slow() })
  clearInterval(timer)
  assert.ok(ticks > 1, `${ticks} ticks`)
})
