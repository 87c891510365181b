import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAttempts, FAILURES_MAX, WINDOW_MINUTES } from './attempts.ts'

test('failed attempts of one network address are limited within a time window, without affecting others', () => {
  let time = new Date('2026-01-01T00:14:59Z')
  const attempts = createAttempts(() => time)
  for (let count = 0; count < FAILURES_MAX; count += 1) assert.equal(attempts.begin('192.0.2.1'), true)
  assert.equal(attempts.begin('192.0.2.1'), false)
  assert.equal(attempts.begin('192.0.2.2'), true)
  time = new Date(time.getTime() + WINDOW_MINUTES * 60_000 - 1)
  assert.equal(attempts.begin('192.0.2.1'), false)
  time = new Date(time.getTime() + 1)
  assert.equal(attempts.begin('192.0.2.1'), true)
})

test('successful attempts do not count', () => {
  const attempts = createAttempts(() => new Date('2026-01-01T00:00:00Z'))
  for (let count = 0; count < 3 * FAILURES_MAX; count += 1) {
    assert.equal(attempts.begin('192.0.2.1'), true)
    attempts.succeed('192.0.2.1')
  }
})
