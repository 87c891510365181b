import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CollectionNode, countVisibleSpaces, toCollectionTree } from './visible-space-counts.ts'

const NONE = { open: 0, members: 0, members_if_open: 0, guests_if_open: 0 }

test('what somebody was given themselves goes before what their teams were, for what stands below it too', () => {
  const folders = toCollectionTree([
    { id: 'outer', parent: null, level: null, spaces: 0, ...NONE },
    { id: 'inner', parent: 'outer', level: null, spaces: 5, ...NONE, members_if_open: 5 },
  ])
  const [outer, inner] = ['outer', 'inner'].map(id => folders.byId.get(id) as CollectionNode) as [
    CollectionNode,
    CollectionNode,
  ]
  const given = (...all: [CollectionNode, boolean][]) => ({ folders: new Map(all), spaces: new Map() })
  assert.equal(countVisibleSpaces(folders, 'member', given(), given()), 5)
  assert.equal(countVisibleSpaces(folders, 'member', given([outer, false]), given([outer, true])), 0)
  assert.equal(
    countVisibleSpaces(folders, 'member', given([outer, false]), given([outer, true], [inner, true])),
    5,
  )
})
