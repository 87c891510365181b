import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pairBlocks } from './block-successors.ts'
import { paragraphs } from './merge.arbitrary.ts'

const RAIN = 'Rain falls on the quiet town in the evening'
const SUN = 'Sunlight warms every stone along the river bank'
const SNOW = 'Snow covers mountains while everybody sleeps below'
const keyOf = (text: string): string => `${text}~0`

test('a block is followed where it was edited, moved or left as it was, and lost where it was removed', () => {
  const before = [RAIN, SUN, SNOW].join('\n\n')
  const after = [SNOW, `${RAIN} again`].join('\n\n')
  assert.deepEqual(
    new Map(pairBlocks(before, after, paragraphs)),
    new Map([
      [keyOf(SNOW), keyOf(SNOW)],
      [keyOf(RAIN), keyOf(`${RAIN} again`)],
    ]),
  )
})
