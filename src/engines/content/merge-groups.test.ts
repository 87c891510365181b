import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Group, joinAlike } from './merge-groups.ts'

const group = (base: string, ours: string, theirs: string): Group => ({
  base: [...base],
  ours: [...ours],
  theirs: [...theirs],
})
const kept = (lines: string): Group => group(lines, lines, lines)

it('takes for one what both made alike of lines that each matched otherwise', () => {
  // Of "a b" both made " x y": the blank line between is the first of two to one side, and the second to the other.
  assert.deepEqual(
    joinAlike([kept('k'), group('a', ' x', ''), kept(' '), group('b', 'y', 'x y'), kept('k')]),
    [kept('k'), group('a b', ' x y', ' x y'), kept('k')],
  )
})

it('leaves apart what they made otherwise, and what only one of them did', () => {
  for (const groups of [
    [group('a', 'x', 'y'), kept(' '), group('b', 'y', 'x')],
    [group('a', 'x', 'a'), kept(' '), group('b', 'b', 'y')],
  ])
    assert.deepEqual(joinAlike(groups), groups)
})
