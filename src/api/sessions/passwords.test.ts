import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hash } from '@node-rs/argon2'
import { Failure } from '../../base/errors.ts'
import { COMMON_PASSWORDS } from './common-passwords.ts'
import {
  checkPassword,
  HASHING_WAITING_MAX,
  hashPassword,
  isOutdated,
  isTooLong,
  PASSWORD_CHARACTERS_MAX,
  PASSWORD_CHARACTERS_MIN,
  toStem,
  verifyPassword,
} from './passwords.ts'

const ada = { email: 'ada.lovelace@example.com', display_name: 'Ada Lovelace' }
const isAccepted = (password: string): boolean => {
  try {
    checkPassword(password, ada)
    return true
  } catch (error) {
    assert.ok(error instanceof Failure && error.code === 'password_weak')
    return false
  }
}

test('a password that somebody chose well is accepted, in any writing', () => {
  for (const password of [
    'rain on a tin roof',
    'correct horse battery',
    'Xk3!vv9-qm',
    'дождь стучит по крыше',
    '屋根に雨が降る音がする',
    'ada and eleven geese',
    'lovelacexk3vq9',
    'password of the old lighthouse',
    '\u{1f40c}\u{1f40d}\u{1f40e}\u{1f40f}\u{1f410}\u{1f411}\u{1f412}\u{1f413}\u{1f414}\u{1f415}',
    'y'.repeat(100) + 'abcdefghijklm'.repeat(12),
  ])
    assert.ok(isAccepted(password), password)
})

test('short, long, common and monotonous passwords and one’s own name are refused', () => {
  for (const password of [
    '',
    'rain roof',
    '\u{1f40c}\u{1f40d}\u{1f40e}\u{1f40f}\u{1f410}',
    `${'long words '.repeat(24)}`,
    'password12',
    'PASSWORD2024!',
    '!!!Passw0rd!!!',
    '1234567890',
    'qwertyuiop',
    'Qwertyuiop1',
    'iloveyou123',
    'Octavo2026!',
    'Office365!',
    'q1w2e3r4!!',
    'q1w2e3r4t5',
    '1q2w3e4r!!',
    '1q2w3e4r5t',
    '1q2w3e4r5t6y',
    'a1b2c3d4!!',
    'a1b2c3d4e5',
    'a1s2d3f4!!',
    'a1s2d3f4g5',
    'abababababab',
    '0000000000000',
    'ada.lovelace@example.com',
    'ada.lovelace1',
    'AdaLovelace12',
    'lovelace-ada!',
  ])
    assert.ok(!isAccepted(password), password)
})

test('of names that are part of one another the longest counts', () => {
  const ann = { email: 'box@example.com', display_name: 'Ann Annabelle' }
  assert.throws(() => checkPassword('annabelle123', ann), { name: 'Failure', message: /your name/ })
})

test('every common password is its own stem and can be long enough, so that it is found', () => {
  for (const common of COMMON_PASSWORDS) {
    assert.equal(toStem(common), common)
    assert.ok(/\p{L}/u.test(common) || common.length >= PASSWORD_CHARACTERS_MIN, common)
  }
})

test('a password fits in every Unicode normalization, and no other does', async () => {
  const kept = await hashPassword('Cafe\u0301 au lait')
  assert.match(kept, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.equal(await verifyPassword(kept, 'Caf\u00e9 au lait'), true)
  assert.equal(await verifyPassword(kept, 'Cafe au lait'), false)
  assert.equal(await verifyPassword(undefined, 'Cafe au lait'), false)
  assert.notEqual(await hashPassword('Cafe\u0301 au lait'), kept, 'each has a salt of its own')
  assert.equal(isOutdated(kept), false)
  assert.equal(isOutdated(kept.replace('t=2', 't=3')), true)
})

test('a text longer than any password is not hashed', () => {
  assert.equal(isTooLong('x'.repeat(PASSWORD_CHARACTERS_MAX)), false)
  assert.equal(isTooLong('x'.repeat(PASSWORD_CHARACTERS_MAX + 1)), true)
  assert.equal(isTooLong('\ufdfa'.repeat(PASSWORD_CHARACTERS_MAX)), true, 'one sign that becomes eighteen')
})

test('a flood of sign-ins waits, and beyond a bound is sent away at once', async () => {
  // Waits as any other does, and takes next to nothing of a processor.
  const kept = await hash('rain on a tin roof', { memoryCost: 8, timeCost: 1 })
  const flood = await Promise.allSettled(
    Array.from({ length: HASHING_WAITING_MAX + 20 }, () => verifyPassword(kept, 'rain on a tin roof')),
  )
  const refused = flood.filter(one => one.status === 'rejected')
  assert.equal(refused.length, 18)
  for (const { reason } of refused) assert.ok(reason instanceof Failure && reason.kind === 'unavailable')
  assert.equal(await verifyPassword(kept, 'rain on a tin roof'), true, 'and afterwards all is as before')
})
