// Email addresses as people paste them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isMailAddress } from '../../src/api/accounts/users-by-email.ts'
import { readAddresses } from '../../src/web/data/addresses.ts'

test('addresses are read from commas, semicolons, lines, tabs, brackets and spaces, each once', () => {
  const { right, wrong } = readAddresses(
    'ada@example.com, Grace Hopper <grace@example.com>; "Lin, Bo" <bo@example.com>\nADA@example.com\tkim@example.com\n\nlea@example.com max@example.com',
  )
  assert.deepEqual(right, [
    'ada@example.com',
    'grace@example.com',
    'bo@example.com',
    'kim@example.com',
    'lea@example.com',
    'max@example.com',
  ])
  assert.deepEqual(wrong, ['"Lin'])
})

test('what is no address is named as it was written', () => {
  assert.deepEqual(readAddresses('ada@, not one; @example.com\nada@example..com, Ada <ada>'), {
    right: [],
    wrong: ['ada@', 'not one', '@example.com', 'ada@example..com', 'ada'],
  })
})

test('whatever is taken for an address, the server takes for one', () => {
  const entry = fc.oneof(fc.emailAddress(), fc.string({ unit: 'binary' }), fc.constant('ſ@example.com'))
  fc.assert(
    fc.property(fc.array(entry), entries => {
      for (const one of readAddresses(entries.join(',')).right) assert.equal(isMailAddress(one), true, one)
    }),
  )
})
