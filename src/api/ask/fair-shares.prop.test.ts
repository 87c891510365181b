import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fairShares } from './fair-shares.ts'

const wants = fc.array(fc.nat(1_000), { maxLength: 20 })

test('no share exceeds its want, all shares together do not exceed the total, and nothing wanted is left', () => {
  fc.assert(
    fc.property(wants, fc.nat(5_000), (wanted, total) => {
      const shares = fairShares(wanted, total)
      const given = shares.reduce((sum, share) => sum + share, 0)
      assert.ok(shares.every((share, at) => share <= (wanted[at] as number)))
      assert.ok(given <= total)
      if (given < total - wanted.length) assert.deepEqual(shares, wanted)
    }),
  )
})

test('a larger want never gets a smaller share', () => {
  fc.assert(
    fc.property(wants, fc.nat(5_000), (wanted, total) => {
      const shares = fairShares(wanted, total)
      for (const [a, share] of shares.entries())
        for (const [b, other] of shares.entries())
          if ((wanted[a] as number) <= (wanted[b] as number)) assert.ok(share <= other + 1)
    }),
  )
})
