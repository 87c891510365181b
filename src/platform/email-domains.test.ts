import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import { nameServer } from '../../test/support/name-server.ts'
import { createEmailDomains } from './email-domains.ts'
import { onlyKey } from './keys/signing-keys.ts'

const signingKey = onlyKey(createSecretKey(Buffer.alloc(32, 1)))
const server = await nameServer()
const domains = (trusted: readonly string[] = []) =>
  createEmailDomains({ trusted, servers: [server.address], signingKey })
const impatient = () =>
  createEmailDomains({ trusted: [], servers: [server.address], signingKey, askingMsMax: 100 })

test('a domain is proven by its record, in one piece or in several, among others', async () => {
  const { name, value } = domains().recordOf('org', 'example.test')
  assert.equal(name, '_octavo.example.test')
  assert.match(value, /^octavo-domain=[0-9a-f]{32}$/)
  for (const records of [[[value]], [['v=spf1 -all'], [value.slice(0, 9), value.slice(9)]]]) {
    server.records.set(name, records)
    assert.equal(await domains().isProven('org', 'example.test'), true)
  }
  for (const records of [[], [[`${value}x`]], [[value.slice(0, -1)]], [['']]]) {
    server.records.set(name, records)
    assert.equal(await domains().isProven('org', 'example.test'), false)
  }
})

test('a record proves one domain for one organization, on one installation', async () => {
  const { name, value } = domains().recordOf('org', 'one.test')
  server.records.set(name, [[value]])
  server.records.set('_octavo.two.test', [[value]])
  server.records.set('_octavo.sub.one.test', [[value]])
  assert.equal(await domains().isProven('org', 'one.test'), true)
  assert.equal(await domains().isProven('other', 'one.test'), false)
  assert.equal(await domains().isProven('org', 'two.test'), false)
  assert.equal(await domains().isProven('org', 'sub.one.test'), false)
  const elsewhere = createEmailDomains({
    trusted: [],
    servers: [server.address],
    signingKey: onlyKey(createSecretKey(Buffer.alloc(32, 2))),
  })
  assert.equal(await elsewhere.isProven('org', 'one.test'), false)
})

test('what the operator names is proven, and nobody is asked', async () => {
  const asked = server.asked
  assert.equal(await domains(['a.test']).isProven('org', 'a.test'), true)
  assert.equal(await domains(['*']).isProven('org', 'b.test'), true)
  assert.equal(server.asked, asked)
})

test('a name server that is silent, or answers with anything else, proves nothing and holds nobody up', async () => {
  const { name, value } = domains().recordOf('org', 'silent.test')
  server.records.set(name, [[value]])
  for (const reply of [
    () => null,
    () => Buffer.alloc(0),
    (question: Buffer) => question,
    (question: Buffer) => Buffer.concat([question, Buffer.alloc(400, 0xc0)]),
  ]) {
    server.reply = reply
    assert.equal(await impatient().isProven('org', 'silent.test'), false)
  }
  server.reply = undefined
  assert.equal(await domains().isProven('org', 'silent.test'), true)
})

test('many who ask at once ask once', async () => {
  const { name, value } = domains().recordOf('org', 'many.test')
  server.records.set(name, [[value]])
  const { asked } = server
  const one = domains()
  const answers = await Promise.all(Array.from({ length: 50 }, () => one.isProven('org', 'many.test')))
  assert.deepEqual([new Set(answers), server.asked - asked], [new Set([true]), 1])
})

test('however many organizations name a domain, one DNS query shows which of them have proven it', async () => {
  const one = domains()
  const ids = Array.from({ length: 500 }, (_, at) => `org-${at}`)
  const { name, value } = one.recordOf('org-499', 'wanted.test')
  server.records.set(name, [[value]])
  const { asked } = server
  assert.deepEqual(await one.provenOf(ids, 'wanted.test'), ['org-499'])
  assert.equal(server.asked - asked, 1)
})
