import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeByFunction } from './profile.ts'

const frame = (functionName: string, url = '', lineNumber = 0) => ({ functionName, url, lineNumber })

test('the time of a profile is summed by function, the longest first, without idling', () => {
  const profile = {
    nodes: [
      { id: 1, callFrame: frame('(idle)') },
      { id: 2, callFrame: frame('read', 'file:///home/a/octavo/src/base/a.ts', 8) },
      { id: 3, callFrame: frame('', 'node:fs', 1) },
      { id: 4, callFrame: frame('read', 'file:///home/a/octavo/src/base/a.ts', 8) },
    ],
    samples: [1, 2, 3, 4],
    timeDeltas: [9_000, 1_000, 3_000, 4_000],
  }
  assert.deepEqual(timeByFunction(profile), [
    { name: 'read src/base/a.ts:9', ms: 5 },
    { name: '(anonymous) node:fs:2', ms: 3 },
  ])
})
