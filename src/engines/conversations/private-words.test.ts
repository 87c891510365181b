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
    ['Open https://shop.example/reset?token=abc#x now', 'Open https://shop.example/… now'],
    ['Open HTTPS://shop.example/reset now', 'Open HTTPS://shop.example/… now'],
    ['Open www.shop.example/reset?token=abc now', 'Open www.shop.example/… now'],
  ])
    assert.equal(withoutPrivateWords(said as string), left)
})

test('what an issue is about stays', () => {
  for (const said of [
    'Error 403 at 10:30 on port 8080',
    'Version 1.2.3 of 2026-03-01 fails',
    'https://shop.example is down',
    'www.shop.example is down',
  ])
    assert.equal(withoutPrivateWords(said), said)
})

test('taking them out takes time in proportion to the text', async () => {
  for (const piece of ['a@', '1 ', 'www.', '1(', 'a.', 'https://a/'])
    await assertLinear(piece, withoutPrivateWords, n => piece.repeat(n / piece.length), 50_000)
})
