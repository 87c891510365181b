// `assertLinear` notices memory that grows faster than its input.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'

// Beside the heap of V8, as the memory of native code is: 25 MB for a quarter of the characters, and 403 MB for all. They are
// so few that they are measured at once, and time decides nothing.
const WASTEFUL = `
  import { assertLinear } from '${import.meta.resolve('../support/growth.ts')}'
  const wasteful = input => Buffer.alloc(input.length ** 2 * 24, 1)
  await assertLinear('wasteful', wasteful, length => 'a'.repeat(length), 4_096).then(
    () => console.log('passed'),
    error => console.log(error.message),
  )`

const needsLinux = { skip: !existsSync('/proc/self/clear_refs') && 'only Linux tells what a process took' }

test('quadratic memory use fails the check, also in native code', needsLinux, async () => {
  // In a process of its own: what earlier files have let go of is given back to the system at any time, and hides what is
  // taken meanwhile.
  const program = ['--expose-gc', '--input-type=module', '--eval', WASTEFUL]
  const { stdout } = await promisify(execFile)(process.execPath, program)
  assert.match(stdout, /^wasteful: 4096 take \d+ MB, and a quarter of them \d+ MB$/m)
})
