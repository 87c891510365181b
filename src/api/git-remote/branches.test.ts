import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBranchName, isFree, nameBranches } from './branches.ts'

test('a branch gets a name that Git accepts and that has no other meaning', () => {
  for (const name of ['fix', 'ada/fix-typo', 'v1.2', 'ümlaut', 'a/b/c'])
    assert.equal(isBranchName(name), true, name)
  for (const name of [
    ...[
      '',
      'a b',
      'a..b',
      'a//b',
      '/a',
      'a/',
      '.a',
      'a/.b',
      'a.lock',
      'a.lock/b',
      'a.',
      'a~1',
      'a^',
      'a:b',
      'a?',
    ],
    ...['a*', 'a[', 'a\\b', '@', 'a@{1}', '-a', 'a\u0000', 'a\nb', 'half \ufffd', 'HEAD', 'x'.repeat(201)],
    ...['change-requests', 'change-requests/7', 'change-requests/new'],
  ])
    assert.equal(isBranchName(name), false, JSON.stringify(name))
})

test('no branch is a folder of another', () => {
  const taken = ['main', 'ada/fix']
  assert.deepEqual(
    ['main', 'main/a', 'ada', 'ada/fix', 'ada/fix/b', 'ada/fix-b', 'adam'].map(name => isFree(name, taken)),
    [false, false, false, false, false, true, true],
  )
})

test('of change requests that want one name the newest has it, and the others their numbers', () => {
  const names = nameBranches([
    { number: 1, wanted: null },
    { number: 2, wanted: 'fix' },
    { number: 3, wanted: 'fix' },
    { number: 4, wanted: 'ada/a' },
    { number: 5, wanted: 'ada' },
    { number: 6, wanted: 'main/a' },
    { number: 7, wanted: 'ada/b/c' },
  ])
  assert.deepEqual(
    [...names].toSorted(([one], [other]) => one - other).map(([, name]) => name),
    [
      ...['change-requests/1', 'change-requests/2', 'fix', 'ada/a', 'change-requests/5'],
      ...['change-requests/6', 'ada/b/c'],
    ],
  )
})
