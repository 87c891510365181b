import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { tried } from '../../../test/support/property-runs.ts'
import { mergeLists } from './merge-lists.ts'

const merged = (base: string, ours: string, theirs: string): string => {
  const [b, o, t] = [[...base], [...ours], [...theirs]]
  const isKept = (id: string) => (b.includes(id) ? o.includes(id) && t.includes(id) : true)
  return mergeLists({ base: b, ours: o, theirs: t, isKept })
    .map(({ id }) => id)
    .join('')
}

const mergesTo = (base: string, ours: string, theirs: string, result: string): void => {
  assert.equal(merged(base, ours, theirs), result)
  assert.equal(merged(base, theirs, ours), result)
}

describe('the merge of lists', () => {
  it('takes what either side added, removed and moved', () => {
    mergesTo('abcd', 'abXcd', 'abcdY', 'abXcdY')
    mergesTo('abcd', 'acd', 'abd', 'ad')
    mergesTo('abcd', 'dabc', 'abcXd', 'dabcX')
    mergesTo('abcd', 'abdc', 'Xabcd', 'Xabdc')
  })

  it('keeps equal items of the base that each side moved to one place, in the same order for both', () => {
    const rankOf = (): string => 'equal'
    const idsOf = (base: string, ours: string, theirs: string): string =>
      mergeLists({ base: [...base], ours: [...ours], theirs: [...theirs], isKept: () => true, rankOf })
        .map(({ id, twin }) => id + (twin ?? ''))
        .join(' ')
    assert.equal(idsOf('abst', 'bsat', 'asbt'), 's a b t')
    assert.equal(idsOf('abst', 'asbt', 'bsat'), 's a b t')
    // An item that both moved there is no other that one of them wrote beside it.
    assert.equal(idsOf('ast', 'sat', 'sXat'), 's X a t')
    assert.equal(idsOf('ast', 'sXat', 'sat'), 's X a t')
  })

  it('keeps what both put at one place in an order of its own, each side’s things together', () => {
    mergesTo('ab', 'aXYb', 'aMNb', 'aMNXYb')
    mergesTo('', 'XY', 'AZ', 'AZXY')
  })

  it('puts what both moved where it comes first', () => {
    mergesTo('abcd', 'dabc', 'adbc', 'dabc')
  })

  it('takes what two people put at one place, however much it is', () => {
    const things = (who: string) => Array.from({ length: 150_000 }, (_, n) => `${who}${n}`)
    const lists = { base: [], ours: things('o'), theirs: things('t') }
    assert.equal(mergeLists({ ...lists, isKept: () => true }).length, 300_000)
  })

  it('has each thing once and is one side where the other did nothing, for any lists', () => {
    const list = fc.uniqueArray(fc.constantFrom(...'abcdefghij'), { maxLength: 10 })
    fc.assert(
      fc.property(list, list, list, (b, o, t) => {
        const [base, ours, theirs] = [b.join(''), o.join(''), t.join('')]
        const both = merged(base, ours, theirs)
        assert.equal(new Set(both).size, both.length)
        assert.equal(both, merged(base, theirs, ours))
        assert.equal(merged(base, ours, base), ours)
        assert.equal(merged(base, base, ours), ours)
        assert.equal(merged(base, ours, ours), ours)
      }),
      tried(1_000),
    )
  })
})
