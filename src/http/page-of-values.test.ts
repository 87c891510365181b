import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOfValues } from './page-of-values.ts'

type Value = readonly [name: string, id: string]
const VALUES: readonly Value[] = [
  ['a', '1'],
  ['a', '2'],
  ['a', '3'],
  ['b', '0'],
]

const pageOf = (values: readonly Value[], limit: number, page?: string) =>
  pageOfValues(values, { question: 'values', keyOf: value => value, page, limit })

test('values of one name are all listed, wherever a page ends', () => {
  for (const limit of [1, 2, 3, 4]) {
    const listed: Value[] = []
    let page: string | undefined
    do {
      const { items, count, next } = pageOf(VALUES, limit, page)
      assert.equal(count, 4)
      listed.push(...items)
      page = next
    } while (page !== undefined)
    assert.deepEqual(listed, VALUES, String(limit))
  }
})

test('a list keeps its place when values come and go between two pages', () => {
  const { next } = pageOf(VALUES, 2)
  const [, , third, fourth] = VALUES
  assert.deepEqual(pageOf([['a', '0'], ['a', '1'], ...VALUES.slice(2)], 2, next).items, [third, fourth])
})
