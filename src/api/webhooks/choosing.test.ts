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

/** What is due of a webhook. */
const due = (webhookId: string, count: number, failures = 0, receiver = webhookId) =>
  Array.from({ length: count }, (_, n) => ({ webhookId, eventId: `${webhookId}-${n}`, receiver, failures }))

const never = () => false
const always = () => true
const many = (count: number, failures: number) =>
  Array.from({ length: count }, (_, n) => due(`hook-${n}`, TAKEN_FOR_ONE_MAX, failures)).flat()

test('a healthy webhook is taken ahead, one that failed less, and one that failed often alone', () => {
  assert.equal(choose(due('a', 100), [], never).length, TAKEN_FOR_ONE_MAX)
  assert.equal(choose(due('a', 100, 1), [], never).length, SENT_TO_ONE_MAX)
  assert.equal(choose(due('a', 100), [], always).length, SENT_TO_ONE_MAX)
  assert.equal(choose(due('a', 100, 5), [], never).length, 1)
})

test('webhooks to one receiver share what is taken for it', () => {
  const both = [...due('a', 100, 0, 'host'), ...due('b', 100, 0, 'host')]
  assert.equal(choose(both, [], never).length, TAKEN_FOR_ONE_MAX)
})

test('all in trouble together take half of what is sent at once, and leave the rest of the room', () => {
  const troubled = choose(many(100, 1), [], never)
  assert.equal(troubled.length, SENT_AT_ONCE_MAX / 2)
  assert.equal(choose(due('healthy', 10), troubled, never).length, 10)
  assert.equal(choose(due('another', 10, 1), troubled, never).length, 0)
  assert.equal(fullOf(troubled, ['slow']).troubled, true)
  assert.ok(fullOf(troubled, ['slow']).receivers.includes('slow'))
})

test('what is taken is bounded, whatever is due', () => {
  const taken = choose(many(100, 0), [], never)
  assert.equal(taken.length, TAKEN_MAX)
  assert.deepEqual(choose(due('more', 1), taken, never), [])
})

test('nothing is looked for where half of the room is taken', () => {
  const taken = choose(due('a', TAKEN_FOR_ONE_MAX / 2), [], never)
  assert.deepEqual(fullOf(taken, []), { webhooks: ['a'], receivers: ['a'], troubled: false })
  assert.deepEqual(fullOf(taken.slice(1), []), { webhooks: [], receivers: [], troubled: false })
})
