import assert from 'node:assert/strict'
import { Failure } from '../../src/base/errors.ts'

/** The failure that a promise is rejected with; other errors are thrown on. */
export async function failureOf(run: Promise<unknown>): Promise<Failure> {
  const reason = await run.then(
    () => assert.fail('it should have failed'),
    (thrown: unknown) => thrown,
  )
  if (!(reason instanceof Failure)) throw reason
  return reason
}
