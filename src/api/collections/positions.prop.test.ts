// The laws of positions: between two there is always a third, in the order in which the database compares.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { between, POSITION_CHARACTERS_MAX, positionAfter, positionsBetween, spreadAll } from './positions.ts'

const moment = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
  .map(date => date.toISOString())
const anyText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map(code => String.fromCharCode(code)),
  maxLength: 12,
})

test('whatever two texts are given, the answer lies strictly between them or there is none', () => {
  fc.assert(
    fc.property(fc.option(anyText), fc.option(anyText), (after, before) => {
      const found = between(after, before)
      if (found === undefined) return
      if (after !== null) assert.ok(after < found, `${after} < ${found}`)
      if (before !== null) assert.ok(found < before, `${found} < ${before}`)
    }),
    { numRuns: 5000 },
  )
})

test('there is always room between timestamps and positions inserted between them', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(moment, { maxLength: 5 }),
      fc.array(fc.nat(), { maxLength: 60 }),
      (moments, choices) => {
        const order = moments.sort()
        for (const choice of choices) {
          const at = choice % (order.length + 1)
          const found = between(order[at - 1] ?? null, order[at] ?? null)
          assert.ok(found !== undefined, `${order[at - 1]} … ${order[at]}`)
          order.splice(at, 0, found)
        }
        assert.deepEqual(order, [...order].sort())
        assert.equal(new Set(order).size, order.length)
      },
    ),
  )
})

test('equal positions, or two in the wrong order, have nothing between them', () => {
  fc.assert(
    fc.property(anyText, anyText, (one, other) => {
      const [low, high] = one < other ? [one, other] : [other, one]
      assert.equal(between(high, low), undefined)
    }),
  )
})

test('inserting repeatedly at one place runs out of room before a position gets long', () => {
  for (const place of ['front', 'back', 'below', 'above'] as const) {
    let [low, high]: (string | null)[] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z']
    if (place === 'front') low = null
    if (place === 'back') high = null
    for (let n = 0; n < 5000; n += 1) {
      const found = between(low ?? null, high ?? null)
      if (found === undefined) {
        assert.ok(n > 300, `${place}: only ${n}`)
        break
      }
      assert.ok(found.length <= POSITION_CHARACTERS_MAX)
      if (place === 'front' || place === 'below') high = found
      else low = found
    }
  }
})

test('spread positions are in order, between their bounds, and short', () => {
  fc.assert(
    fc.property(fc.nat(2000), fc.uniqueArray(moment, { minLength: 2, maxLength: 2 }), (count, moments) => {
      const [low = '', high = ''] = moments.sort()
      for (const [positions, after, before] of [
        [positionsBetween(low, high, count), low, high],
        [spreadAll(count), '', '2'],
      ] as const) {
        assert.ok(positions !== undefined)
        assert.equal(positions.length, count)
        assert.deepEqual(positions, [...new Set(positions)].sort())
        assert.ok(positions.every(one => after < one && one < before && one.length <= 40))
      }
    }),
    { numRuns: 30 },
  )
})

test('the position behind the last is the current time, also if the last is ahead of the clock', () => {
  fc.assert(
    fc.property(fc.option(fc.oneof(moment, anyText)), moment, (last, at) => {
      const found = positionAfter(last, new Date(at))
      assert.ok(found !== undefined)
      if (last === null || last < at) assert.equal(found, at)
      else assert.ok(last < found)
    }),
  )
})
