// Joining by mail domain, with a name server of our own: a domain admits people once it is proven.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameServer } from '../../../test/support/name-server.ts'
import { serverBeside } from '../../../test/support/server.ts'
import { worldOn } from '../../../test/support/world.ts'

const dns = await nameServer()
const w = await worldOn(
  await serverBeside({ OCTAVO_DNS_SERVERS: dns.address, OCTAVO_EMAIL_DOMAINS: 'listed.test' }),
)
const org = `/orgs/${w.organizationId}`
const { db } = w.services

const proofs = async () => (await w.call('GET', `${org}/email-domains`)).body.items
const join = () => w.call('POST', `${org}/join`, { as: 'stranger' })

test('a domain that is named admits nobody until its record is there, and says which record', async () => {
  await db
    .updateTable('users')
    .set({ email_verified_at: new Date(), email: 'ada@named.test' })
    .where('id', '=', w.people.stranger.id)
    .execute()
  await w.call('PATCH', org, { body: { emailDomains: ['named.test', 'listed.test'], defaultRole: 'read' } })
  const refused = await join()
  assert.equal(refused.status, 409)
  assert.match(refused.body.error.message, /named\.test .*email-domains/)
  const [named, listed] = await proofs()
  assert.deepEqual(named, {
    object: 'email-domain',
    domain: 'named.test',
    isProven: false,
    record: { type: 'TXT', ...w.services.emailDomains.recordOf(w.organizationId, 'named.test') },
  })
  assert.deepEqual([listed.domain, listed.isProven], ['listed.test', true], 'by the list of the operator')
  assert.equal((await w.call('GET', `${org}/email-domains`, { as: 'create' })).status, 403)
})

test('once the record is there, people of the domain come in', async () => {
  const { name, value } = w.services.emailDomains.recordOf(w.organizationId, 'proven.test')
  dns.records.set(name, [['v=spf1 -all'], [value]])
  await w.services.transaction(trx =>
    trx
      .updateTable('users')
      .set({ email: 'ada@proven.test' })
      .where('id', '=', w.people.stranger.id)
      .execute(),
  )
  await w.call('PATCH', org, { body: { emailDomains: ['proven.test'] } })
  assert.deepEqual(
    (await proofs()).map((one: { isProven: boolean }) => one.isProven),
    [true],
  )
  assert.equal((await join()).status, 204)
  const { body: member } = await w.call('GET', `${org}/members/${w.people.stranger.id}`)
  assert.equal(member.role, 'read')
})
