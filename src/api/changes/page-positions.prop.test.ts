import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { tried } from '../../../test/support/property-runs.ts'
import { stored, tree } from '../../engines/content/content.arbitrary.ts'
import { readContent } from '../../engines/content/content.ts'
import { indexOf } from '../content/index-of-content.ts'
import { compareOrder, readPagePositions } from './page-positions.ts'

describe('positions of pages', () => {
  it('is for any of them what reading the whole tree says: their path and their order', () =>
    fc.assert(
      fc.asyncProperty(tree(), fc.array(fc.nat(60).map(String), { maxLength: 20 }), async (entries, ids) => {
        const { store, root } = await stored(entries)
        const content = await readContent(store, root)
        const { paths, reading } = indexOf(content)
        const positions = await readPagePositions(store, root, ids)
        const asked = new Set(ids)
        const there = reading.filter(id => asked.has(id))
        for (const id of there) {
          assert.equal(positions.get(id)?.path, paths.get(id))
          assert.deepEqual(positions.get(id)?.page, content.pages.get(id))
        }
        for (const id of asked) assert.equal(positions.has(id) || !content.pages.has(id), true)
        const inOrder = there.toSorted((a, b) =>
          compareOrder(positions.get(a)?.order ?? [], positions.get(b)?.order ?? []),
        )
        assert.deepEqual(inOrder, there)
      }),
      tried(75),
    ))
})
