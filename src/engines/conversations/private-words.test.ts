import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../test/support/growth.ts'
import { withoutPrivateWords } from './private-words.ts'

test('mail addresses, long numbers in any digits, and what follows the host of an address are taken out', () => {
  for (const [said, left] of [
    ['Write to jane.doe+x@mail.example.com, please', 'Write to …, please'],
    ['我的邮箱jane@example.com。', '…。'],
    ['Call +49 (0)171/123 45 67 or 0171-1234567', 'Call … or …'],
    ['Call ٠١٢٣٤٥٦٧٨٩ or ０１２３４５６７８９', 'Call … or …'],
    ['Card 4111 1111 1111 1111, IBAN DE89 3704 0044 0532 0130 00', 'Card …, IBAN DE…'],
    ['Call 555-0134 before noon', 'Call … before noon'],
    ['My phone number is 555-1234.', 'My phone number is ….'],
    ['Telefon: 123456, Handy 0171 2345', 'Telefon: …, Handy …'],
    ['我的电话是 6543 2109，谢谢', '我的电话是 …，谢谢'],
    ['Ring til 12 34 56 78 i dag', 'Ring til … i dag'],
    ['Open https://shop.example/reset?token=abc#x now', 'Open https://shop.example/… now'],
    ['Open HTTPS://shop.example/reset now', 'Open HTTPS://shop.example/… now'],
    ['Open www.shop.example/reset?token=abc now', 'Open www.shop.example/… now'],
  ])
    assert.equal(withoutPrivateWords(said as string), left)
})

test('passwords and keys are taken out', () => {
  for (const [said, left] of [
    ['My password is Hunter2! and it fails', 'My password is … and it fails'],
    ['password: "s3cret", user jane', 'password: "…", user jane'],
    ['Das Passwort ist geheim7.', 'Das Passwort ist …'],
    ['密码：abc123，登录不了', '密码：…，登录不了'],
    ['API key = k9x8-77 does not work', 'API key = … does not work'],
    ['With sk_test_4eC39HqLyjWDarjtT1zdp7dc it is 401', 'With … it is 401'],
    ['It is 9f86d081884c7d659a2feaa0c55ad015.', 'It is ….'],
    ['Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmN', 'Bearer …'],
  ])
    assert.equal(withoutPrivateWords(said as string), left)
})

test('what an issue is about stays', () => {
  for (const said of [
    'Error 403 at 10:30 on port 8080',
    'Version 1.2.3 of 2026-03-01 fails',
    'It takes 100-2000 ms for 1 000 000 rows',
    'Part SKU-555-0134 of 10.20.30.40 is gone since 2026-03-01',
    'The phone app 2.14.301 on Android 14 stops',
    'The call failed with code 50012',
    'My password is wrong since version 2',
    'The token is 401 after an hour',
    'Password: required, although it is 8 characters long',
    'net::ERR_HTTP2_PROTOCOL_ERROR and pg_stat_statements_reset',
    'backup-2026-03-01-of-the-final-version-2.tar has internationalization2026',
    'https://shop.example is down',
    'www.shop.example is down',
  ])
    assert.equal(withoutPrivateWords(said), said)
})

test('taking them out takes time in proportion to the text', async () => {
  for (const piece of [
    '555-',
    'tel ',
    'tel 1 ',
    '12 ',
    'a@',
    '1 ',
    'www.',
    '1(',
    'a.',
    'https://a/',
    'pin',
    'pin: ',
    'pin:a',
    'a-',
    'a1_',
  ])
    await assertLinear(piece, withoutPrivateWords, n => piece.repeat(n / piece.length), 50_000)
})
