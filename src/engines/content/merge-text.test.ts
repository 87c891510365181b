import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { tried } from '../../../test/support/property-runs.ts'
import { mergeLines } from './merge-text.ts'

type Part = string | { base: string; ours: string; theirs: string }

/** The merge of three texts whose lines are letters: merged runs as they are, conflicts taken apart. */
const partsOf = (base: string, ours: string, theirs: string): Part[] =>
  mergeLines([...base], [...ours], [...theirs]).map(part =>
    part.kind !== 'conflict'
      ? part.lines.join('')
      : { base: part.base.join(''), ours: part.ours.join(''), theirs: part.theirs.join('') },
  )
const clean = (base: string, ours: string, theirs: string): string | undefined => {
  const parts = partsOf(base, ours, theirs)
  return parts.every(part => typeof part === 'string') ? parts.join('') : undefined
}

describe('the merge of lines', () => {
  it('takes changes that a kept line parts', () => {
    assert.equal(clean('abcde', 'aXcde', 'abcYe'), 'aXcYe')
    assert.equal(clean('abc', 'bc', 'abcZ'), 'bcZ')
    assert.equal(clean('abc', 'abc', ''), '')
  })

  it('takes a change that both made alike once', () => {
    assert.equal(clean('abc', 'aXc', 'aXc'), 'aXc')
    assert.equal(clean('abcde', 'aXcdY', 'aXcde'), 'aXcdY')
  })

  it('separates equal changes of both from changes of one', () => {
    const kinds = mergeLines([...'abcde'], [...'acd'], [...'acdeX']).map(({ kind }) => kind)
    assert.deepEqual(kinds, ['kept', 'alike', 'kept', 'conflict'])
  })

  it('reports changes that overlap or touch, with the lines of the base', () => {
    assert.deepEqual(partsOf('abcd', 'aXcd', 'aYcd'), ['a', { base: 'b', ours: 'X', theirs: 'Y' }, 'cd'])
    assert.deepEqual(partsOf('abcd', 'aXcd', 'abYd'), ['a', { base: 'bc', ours: 'Xc', theirs: 'bY' }, 'd'])
    assert.deepEqual(partsOf('ab', 'aXb', 'aYb'), ['a', { base: '', ours: 'X', theirs: 'Y' }, 'b'])
  })

  it('keeps the laws of a merge for any lines', () => {
    const text = fc.string({ unit: fc.constantFrom(...'abcd'), maxLength: 14 })
    fc.assert(
      fc.property(text, text, text, (b, o, t) => {
        assert.equal(clean(b, o, b), o)
        assert.equal(clean(b, b, o), o)
        assert.equal(clean(b, o, o), o)
        const there = clean(b, o, t)
        const back = clean(b, t, o)
        assert.equal(there, back)
        // Each side can be restored from the parts.
        const ours = partsOf(b, o, t).map(part => (typeof part === 'string' ? '' : part.ours))
        for (const part of ours) assert.ok(o.includes(part))
      }),
      tried(1_500),
    )
  })
})
