// Portions of pages that are more than a thread of the pool may take.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atOnce } from '../../../test/support/compute.ts'
import { found, sourcePage } from '../../../test/support/search-indexes.ts'
import type { Compute } from '../../compute/compute.ts'
import type { SegmentPages } from '../../compute/search-segments.ts'
import { makeSegment, toIndex } from './building.ts'

/** A pool whose bounds the texts of this page exceed, whatever other pages come with it. */
const poolBelow = (costly: string): Pick<Compute, 'run'> => ({
  run: (name, lane, input, ...answer) => {
    const isBeyond =
      name === 'searchSegment' &&
      (input as SegmentPages).pages.some(({ id, sections }) => id === costly && sections.length > 0)
    return isBeyond
      ? Promise.resolve({ kind: 'beyond', bound: 'time' })
      : atOnce.run(name, lane, input, ...answer)
  },
})

test('a page that is more than a thread may take is found by its title, and the others by all they say', async () => {
  const pages = ['quokka', 'wombat', 'numbat', 'bilby', 'dingo'].map(word =>
    sourcePage(word, `About ${word}`, `The ${word} sleeps in the shade of a banksia.`),
  )
  const compute = poolBelow('numbat')
  const segment = await makeSegment({ compute }, { lane: 'a', language: 'en' }, pages)
  const index = toIndex('en', [{ segment, gone: new Set() }])
  assert.deepEqual(found(index, 'banksia').sort(), ['bilby', 'dingo', 'quokka', 'wombat'])
  assert.deepEqual(found(index, 'numbat'), ['numbat'])
})
