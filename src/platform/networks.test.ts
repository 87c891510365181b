import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf } from './networks.ts'

test('addresses of one IPv6 network are one', () => {
  const same = [
    '2001:db8:1:2::1',
    '2001:DB8:1:2:ffff:ffff:ffff:ffff',
    '2001:0db8:0001:0002::',
    '2001:db8:1:2::1%eth0',
  ]
  for (const address of same) assert.equal(networkOf(address), '2001:db8:1:2', address)
  assert.equal(networkOf('2001:db8:1:3::1'), '2001:db8:1:3')
  assert.equal(networkOf('::1'), '0:0:0:0')
  assert.equal(networkOf('::ffff:192.0.2.1'), '192.0.2.1')
  assert.equal(networkOf('64:ff9b::192.0.2.1'), '64:ff9b:0:0')
  assert.equal(networkOf('192.0.2.1'), '192.0.2.1')
})
