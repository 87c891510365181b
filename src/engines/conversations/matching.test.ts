import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchGroups } from './matching.ts'

const of = (letters: string) => [...letters].map(letter => (letter === '-' ? null : letter))

test('a cluster that parts keeps its id with the larger part, and the other part is new', () => {
  const { ids, absorbed } = matchGroups(of('aaaaa'), [
    [0, 1],
    [2, 3, 4],
  ])
  assert.deepEqual(ids, [null, 'a'])
  assert.deepEqual([...absorbed], [])
})

test('when clusters merge, the larger one keeps its id and absorbs the other', () => {
  const { ids, absorbed } = matchGroups(of('aabbb-'), [[0, 1, 2, 3, 4, 5]])
  assert.deepEqual(ids, ['b'])
  assert.deepEqual([...absorbed], [['a', 0]])
})

test('a new group has no id, and a group whose members are in no group any more is not absorbed', () => {
  const { ids, absorbed } = matchGroups(of('a--b'), [[1, 2]])
  assert.deepEqual(ids, [null])
  assert.deepEqual([...absorbed], [])
})

test('the largest common part counts first: ids are not swapped', () => {
  const { ids } = matchGroups(of('aaabbb'), [
    [0, 1, 3],
    [2, 4, 5],
  ])
  assert.deepEqual(ids, ['a', 'b'])
})

test('the order of the groups makes no difference where parts are as large', () => {
  const groups = [
    [0, 1],
    [2, 3],
  ]
  assert.deepEqual(matchGroups(of('aaaa'), groups).ids, ['a', null])
  assert.deepEqual(matchGroups(of('ba'), [[0, 1]]).ids, ['a'])
})
