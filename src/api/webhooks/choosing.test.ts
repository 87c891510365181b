import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  choose,
  fullOf,
  SENT_AT_ONCE_MAX,
  SENT_TO_ONE_MAX,
  TAKEN_FOR_ONE_MAX,
  TAKEN_MAX,
} from './choosing.ts'

/** Due deliveries of a webhook. */
const due = (webhookId: string, count: number, failures = 0, receiver = webhookId) =>
  Array.from({ length: count }, (_, n) => ({ webhookId, eventId: `${webhookId}-${n}`, receiver, failures }))

const never = () => false
const always = () => true
const many = (count: number, failures: number) =>
  Array.from({ length: count }, (_, n) => due(`hook-${n}`, TAKEN_FOR_ONE_MAX, failures)).flat()

test('many deliveries are taken for a healthy webhook, fewer for a failing one, and one for one that keeps failing', () => {
  assert.equal(choose(due('a', 100), [], never).length, TAKEN_FOR_ONE_MAX)
  assert.equal(choose(due('a', 100, 1), [], never).length, SENT_TO_ONE_MAX)
  assert.equal(choose(due('a', 100), [], always).length, SENT_TO_ONE_MAX)
  assert.equal(choose(due('a', 100, 5), [], never).length, 1)
})

test('webhooks to one receiver share its limit', () => {
  const both = [...due('a', 100, 0, 'host'), ...due('b', 100, 0, 'host')]
  assert.equal(choose(both, [], never).length, TAKEN_FOR_ONE_MAX)
})

test('all troubled webhooks together get half of the limit', () => {
  const troubled = choose(many(100, 1), [], never)
  assert.equal(troubled.length, SENT_AT_ONCE_MAX / 2)
  assert.equal(choose(due('healthy', 10), troubled, never).length, 10)
  assert.equal(choose(due('another', 10, 1), troubled, never).length, 0)
  assert.equal(fullOf(troubled, ['slow']).troubled, true)
  assert.ok(fullOf(troubled, ['slow']).receivers.includes('slow'))
})

test('the number of taken deliveries is bounded', () => {
  const taken = choose(many(100, 0), [], never)
  assert.equal(taken.length, TAKEN_MAX)
  assert.deepEqual(choose(due('more', 1), taken, never), [])
})

test('webhooks above half of their limit are skipped in the query', () => {
  const taken = choose(due('a', TAKEN_FOR_ONE_MAX / 2), [], never)
  assert.deepEqual(fullOf(taken, []), { webhooks: ['a'], receivers: ['a'], troubled: false })
  assert.deepEqual(fullOf(taken.slice(1), []), { webhooks: [], receivers: [], troubled: false })
})
