// Email addresses as people paste them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isMailAddress } from '../../src/api/accounts/users-by-email.ts'
import { readAddresses, writeAddress } from '../../src/web/data/addresses.ts'

test('addresses are read from commas, semicolons, lines, tabs, brackets and spaces, each once', () => {
  const { right, wrong } = readAddresses(
    'ada@example.com, Grace Hopper <grace@example.com>; "Lin, Bo" <bo@example.com>\nADA@example.com\tkim@example.com\n\nlea@example.com max@example.com',
  )
  assert.deepEqual(right, [
    { email: 'ada@example.com' },
    { email: 'grace@example.com', name: 'Grace Hopper' },
    { email: 'bo@example.com', name: 'Lin, Bo' },
    { email: 'kim@example.com' },
    { email: 'lea@example.com' },
    { email: 'max@example.com' },
  ])
  assert.deepEqual(wrong, [])
})

test('an address with its name is read as it was written; a name that is an address, or a quote that stays open, is none', () => {
  const { right } = readAddresses(
    '"Lin, Bo" <bo@example.com>\n"open <kim@example.com>\nlea@example.com <lea@example.com>',
  )
  assert.deepEqual(right, [
    { email: 'bo@example.com', name: 'Lin, Bo' },
    { email: 'kim@example.com', name: 'open' },
    { email: 'lea@example.com' },
  ])
  assert.deepEqual(readAddresses(right.map(writeAddress).join('\n')).right, right)
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
      for (const one of readAddresses(entries.join(',')).right)
        assert.equal(isMailAddress(one.email), true, one.email)
    }),
  )
})
