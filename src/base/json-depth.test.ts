import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nestsDeeperThan } from './json-depth.ts'

test('arrays and objects count alike, one in the other', () => {
  assert.equal(nestsDeeperThan('[{"a":[1]}]', 3), false)
  assert.equal(nestsDeeperThan('[{"a":[1]}]', 2), true)
  assert.equal(nestsDeeperThan(JSON.stringify(Array(500).fill([])), 2), false)
})

test('brackets in strings count for nothing, whatever is escaped', () => {
  for (const text of ['[[[[', '\\', '"[[[[', '\\"[[[[', '\\\\'])
    assert.equal(nestsDeeperThan(JSON.stringify([text, text]), 1), false, text)
  assert.equal(nestsDeeperThan('["\\\\",[]]', 1), true)
})

test('text that is no JSON is measured as well, and ends', () => {
  assert.equal(nestsDeeperThan('"[[[[[[', 1), false)
  assert.equal(nestsDeeperThan('"\\', 1), false)
  assert.equal(nestsDeeperThan(']]]][[[[[', 3), false)
})

test('a million brackets are counted without a stack', () => {
  assert.equal(nestsDeeperThan('['.repeat(1_000_000), 999_999), true)
})
