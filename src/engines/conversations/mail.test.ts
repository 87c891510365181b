import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paragraphsOf } from './paragraphs.ts'

const said = (body: string): string => paragraphsOf(body).flat().join(' | ')

const GREETED: readonly (readonly [message: string, rest: string])[] = [
  ['hi how do i change my umbrella address', 'how do i change my umbrella address'],
  ['hello my trombone was not delivered last week', 'my trombone was not delivered last week'],
  ['good morning i want to cancel the marzipan order', 'i want to cancel the marzipan order'],
  ['Hey there why was the zeppelin paid twice', 'why was the zeppelin paid twice'],
  ['hallo ich möchte meine Adresse ändern', 'ich möchte meine Adresse ändern'],
  ['Guten Tag wie kündige ich den Vertrag', 'wie kündige ich den Vertrag'],
  ['bonjour comment annuler ma commande', 'comment annuler ma commande'],
  ['hola no puedo entrar en mi cuenta', 'no puedo entrar en mi cuenta'],
  ['ciao non riesco a scaricare la fattura', 'non riesco a scaricare la fattura'],
  ['hej hur ändrar jag adressen', 'hur ändrar jag adressen'],
  ['привет как отменить заказ', 'как отменить заказ'],
  ['您好我想取消订单', '我想取消订单'],
  ['Dear team how do I export', 'how do I export'],
  ['Dear support team, how do I export', 'how do I export'],
  ['Hi Anna how do I export', 'how do I export'],
  ['Hi Anna and Bob, how do I export', 'how do I export'],
  ['hi anna, how do i export', 'how do i export'],
  ['Hello Mr. Miller, the export fails', 'the export fails'],
  ['Hi 👋 how do i export', 'how do i export'],
  ['hey :) the export fails', 'the export fails'],
  ['hi printer prints nothing', 'printer prints nothing'],
]

test('a greeting is left out with the people that it is for, with a comma or without', () => {
  for (const [message, rest] of GREETED) assert.equal(said(message), rest, message)
})

test('what only begins like a greeting stays whole', () => {
  for (const message of [
    'Hi-res images do not load',
    'Good day passes cost too much',
    'Beste Lösung finden dauert lange',
    'Dear prices drive people away',
    'Hello World is not printed',
    'hello the invoice is wrong, please correct it',
    'hello payment failed, why',
  ])
    assert.ok(said(message).endsWith(message.replace(/^(?:hello) /i, '')), `${message}: ${said(message)}`)
})

test('thanks at the beginning, or with a sentence, are no signature', () => {
  for (const message of [
    'thanks for the help yesterday but now the export fails',
    'Thanks, the import still hangs.',
    'danke für die Hilfe aber der Export geht nicht',
    'merci mais le paiement ne passe pas',
    'gracias pero la factura está mal',
    'Best way to cancel the order?',
  ])
    assert.equal(said(message), message)
  assert.equal(said('Thanks\nThe export fails since Monday'), 'The export fails since Monday')
  for (const nothing of ['Thanks!', 'Danke', 'Best,\nAda', 'Hi Anna,'])
    assert.match(said(nothing), /^(?:Ada)?$/)
})

test('what is said below a sign-off, a signature or a rule stays', () => {
  const asked = 'The export fails since Monday.'
  for (const ending of [
    'Best regards,\nAda Lovelace\nHead of Sums\n\nPS: the import is broken as well',
    '--\nAda Lovelace\n+44 20 7946 0000\nthe import is broken as well',
    'Thanks\nthe import is broken as well',
  ]) {
    const kept = said(`${asked}\n\n${ending}`)
    assert.match(kept, /the import is broken as well/)
    assert.doesNotMatch(kept, /Ada|7946/)
  }
  assert.equal(said(`--\n${asked}`), asked)
})

test('lines that begin as what programs add, and say something, stay', () => {
  for (const message of [
    'Sent from my account the invoice never arrives',
    'This message is shown when I open confidential files',
    'I am the intended recipient of parcel 5 and got nothing',
    '--- export of pages ---\nIt fails.',
    'On 3.2.2025 at 10:12 I saw the following error:\nEPIPE',
    'My booking is wrong.\nFrom: Berlin\nTo: Munich\nDate: 3.2.2025\nIt says Bonn.',
    '此邮件无法发送',
  ]) {
    const kept = said(message)
    for (const line of message.split('\n')) assert.ok(kept.includes(line), `${line}: ${kept}`)
  }
  assert.equal(said('Sent from my iPhone\nThe export fails.'), 'The export fails.')
  assert.equal(said('It fails.\nSent from Mail for Windows 10'), 'It fails.')
  assert.equal(
    said('It fails.\nThis e-mail is confidential and only for the intended recipient.'),
    'It fails.',
  )
})

test('a message of nothing but a quotation, or forwarded, is its words', () => {
  assert.equal(said('> The export fails.'), 'The export fails.')
  assert.match(
    said('From: Ada <ada@octavo.test>\nSent: Monday\nTo: Support\nSubject: Export\n\nThe export fails.'),
    /The export fails/,
  )
})
