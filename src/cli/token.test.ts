import assert from 'node:assert/strict'
import { test } from 'node:test'
import { world } from '../../test/support/world.ts'
import { Failure } from '../base/errors.ts'
import { makeToken, readExpiry } from './token.ts'

const w = await world()

const NOW = new Date('2026-01-31T12:00:00.000Z')

test('an expiry is a span from now or an ISO 8601 date', () => {
  const expected: [string, string][] = [
    ['45m', '2026-01-31T12:45:00.000Z'],
    ['12h', '2026-02-01T00:00:00.000Z'],
    ['30d', '2026-03-02T12:00:00.000Z'],
    ['2w', '2026-02-14T12:00:00.000Z'],
    ['2030-01-31', '2030-01-31T00:00:00.000Z'],
    ['2030-01-31T10:00:00.5Z', '2030-01-31T10:00:00.500Z'],
    ['2030-01-31T10:00:00+02:00', '2030-01-31T08:00:00.000Z'],
  ]
  for (const [text, date] of expected) assert.equal(readExpiry(text, NOW).toISOString(), date, text)
})

test('what is no date, passed already, or has a year the wire cannot write is refused by name', () => {
  const refused: [string, string][] = [
    ...['', 'soon', '30', '30 d', '-1d', '1y', 'room 2050', '31.1.2030', '2030-13-01', '2030-1-1'].map(
      (text): [string, string] => [text, 'expiry_invalid'],
    ),
    ['999999w', 'expiry_invalid'],
    ['0d', 'expiry_past'],
    ['2026-01-31', 'expiry_past'],
  ]
  for (const [text, code] of refused) {
    const isRight = (error: unknown) =>
      error instanceof Failure && error.code === code && error.message.includes('--expires')
    assert.throws(() => readExpiry(text, NOW), isRight, text)
  }
})

test('a token for an unknown user or with unknown scopes is refused by name, and none is created', async () => {
  const { email } = w.people.admin
  const listTokens = async () => (await w.call('GET', '/user/tokens')).body.items
  const before = await listTokens()
  const refused: [Parameters<typeof makeToken>[1], RegExp][] = [
    [{ email: 'nobody@localhost' }, /no user with the address nobody@localhost/],
    [{ email, scopes: ['space:fly'] }, /no scope space:fly\. There are: user:read/],
    [{ email, scopes: [''] }, /scope/],
    [{ email, may: 'fly' }, /may: there is no fly\. There are: read, comment, propose/],
    [{ email, may: 'read', scopes: ['space:read'] }, /--may names scopes/],
    [{ email, expires: 'soon' }, /--expires: write 30d.*this is "soon"/],
  ]
  for (const [options, message] of refused)
    await assert.rejects(makeToken(w.services, options), { name: 'Failure', message })
  assert.deepEqual(await listTokens(), before)
})
