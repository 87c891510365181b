// `assertLinear` notices memory that grows faster than its input.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { threadMs } from '../../src/base/clock.ts'
import { collectGarbage } from '../support/garbage.ts'
import { assertLinear } from '../support/growth.ts'

const text = (length: number): string => 'a'.repeat(length)

/** In proportion, and so long that nothing beside it counts. */
function work(input: string): void {
  const end = threadMs() + input.length / 4_000
  while (threadMs() < end);
}

const needsLinux = { skip: !existsSync('/proc/self/clear_refs') && 'only Linux tells what a process took' }

test('quadratic memory use fails the check, also in native code', needsLinux, async () => {
  const wasteful = (input: string) => {
    work(input)
    // Beside the heap of V8, as the memory of native code is: 84 MB for 4,096 characters, 780 MB for three times as many.
    // Half of that would not be told from what the system took from the process before and gives back meanwhile.
    // Blocks of more than 32 MB are never made of what the process has let go of.
    return Buffer.alloc(input.length ** 2 * 5, 1)
  }
  // What earlier files of this process left is freed meanwhile, and would hide what this one takes.
  await collectGarbage()
  await assert.rejects(assertLinear('wasteful', wasteful, text, 12_500), /wasteful: 12500 take \d+ MB/)
})
