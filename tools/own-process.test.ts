import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needingOwnProcess } from './own-process.ts'

const needsOne = (text: string): boolean => needingOwnProcess(() => text)('src/one.test.ts')

test('what changes all code of a process has one of its own', () => {
  assert.ok(needsOne(`process.env.PORT = '1'`))
  assert.ok(needsOne(`mock.method(Date, 'now')`))
  assert.ok(needsOne(`mock.method(Client.prototype, 'query')`))
  assert.ok(needsOne(`setFlagsFromString('--liftoff-only')`))
})

test('what starts processes has one of its own, so that what is forked is small', () => {
  assert.ok(needsOne(`import { type ChildProcess, spawn } from 'node:child_process'`))
  assert.ok(!needsOne(`import type { ChildProcess } from 'node:child_process'`))
})

test('what changes a thing of its own shares one', () => {
  assert.ok(!needsOne(`mock.method(queue, 'push')`))
  assert.ok(!needsOne(`const port = process.env.PORT`))
})
