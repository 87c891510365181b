import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../../test/support/growth.ts'
import { readPrevious } from './previous.ts'
import { planSteps } from './steps.ts'

test('a piece of many blocks of which one is changed is looked through once', async () => {
  const shape = (count: number) => {
    const before = readPrevious(`<div>\n\n${'***\n\n'.repeat(count)}</div>`, {})
    assert.equal(before.pieces[0]?.nodes.length, count)
    return { before, matches: before.nodes.map((_, was) => ({ was, isSame: was > 0 })) }
  }
  await assertLinear(
    'planSteps',
    ({ before, matches }) => planSteps(before, before.nodes, matches),
    shape,
    50_000,
  )
})
