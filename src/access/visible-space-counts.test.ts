import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rankOf } from './roles.ts'
import { NO_GRANTS, toVisibilitySnapshot } from './visibility-snapshot.ts'
import { countVisibleSpaces } from './visible-space-counts.ts'

test('a role granted to a person takes precedence over roles of their teams, also on contents of a collection', () => {
  const snapshot = toVisibilitySnapshot(
    [
      { id: 'outer', parent: null, level: null },
      { id: 'inner', parent: 'outer', level: null },
    ],
    [{ parent: 'inner', level: null, visibility: 'private', spaces: 5 }],
  )
  const [none, read] = [0, rankOf('read')]
  const granted = (ranks: Record<string, number>) => ({
    ...NO_GRANTS,
    collections: new Map(Object.entries(ranks)),
  })
  const count = (own: Record<string, number>, teams: Record<string, number>) =>
    countVisibleSpaces(snapshot, { rank: read, own: granted(own), teams: granted(teams) })
  assert.equal(count({}, {}), 5)
  assert.equal(count({ outer: none }, { outer: read }), 0)
  assert.equal(count({ outer: none }, { outer: read, inner: read }), 5)
})
