import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { actFor, actForVisitor, currentParty, nameOrganization, namePerson } from './party.ts'

test('a request is named as it becomes known, and whatever it leads to has its name', async () => {
  await actForVisitor('192.0.2.1', async () => {
    assert.deepEqual(currentParty('a space'), { organization: 'a space', person: '192.0.2.1' })
    const later = setImmediate().then(() => currentParty('a space'))
    namePerson('anna')
    nameOrganization('acme')
    nameOrganization('another that is read on the way')
    assert.deepEqual(await later, { organization: 'acme', person: 'anna' })
  })
  assert.deepEqual(currentParty('a space'), { organization: 'a space', person: '' })
})

test('requests at the same time have names of their own', async () => {
  const seen = await Promise.all(
    ['a', 'b'].map(organization =>
      actFor({ organization, person: organization }, async () => {
        await setImmediate()
        return currentParty('')
      }),
    ),
  )
  assert.deepEqual(
    seen.map(({ organization }) => organization),
    ['a', 'b'],
  )
})

test('all addresses of a network of IPv6 are one visitor, and those of IPv4 one each', () => {
  const personAt = (address: string) => actForVisitor(address, () => currentParty('').person)
  assert.equal(personAt('2001:db8:1:2::7'), personAt('2001:db8:1:2:ffff:1:2:3'))
  assert.notEqual(personAt('2001:db8:1:2::7'), personAt('2001:db8:1:3::7'))
  assert.equal(personAt('::1'), personAt('::2'))
  assert.notEqual(personAt('192.0.2.1'), personAt('192.0.2.2'))
  assert.notEqual(personAt('::ffff:192.0.2.1'), personAt('::ffff:192.0.2.2'))
})
