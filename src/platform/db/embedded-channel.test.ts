import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { MainEnd } from './embedded-channel.ts'
import { simpleQuery } from './embedded-socket.ts'

/** Whether the main thread stands still for an answer. */
function isAwaited(request: Uint8Array): boolean {
  const wait = mock.method(Atomics, 'wait', () => 'timed-out')
  const channel = new MainEnd()
  try {
    channel.ask(request, () => {})
    return wait.mock.callCount() > 0
  } finally {
    channel.close()
    wait.mock.restore()
  }
}

const bound = (bytes: number) => Buffer.alloc(bytes, 'B')

test('the main thread waits for the answer to a short request alone, and for no commit', () => {
  assert.equal(isAwaited(bound(100)), true)
  assert.equal(isAwaited(bound(5_000)), false)
  assert.equal(isAwaited(simpleQuery('commit')), false)
})
