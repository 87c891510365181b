import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear, type Shape } from '../../../test/support/growth.ts'
import { type Language, shapesOf, some } from '../../../test/support/hostile-shapes.ts'
import { htmlToText } from './html-text.ts'
import { paragraphsOf } from './paragraphs.ts'

const said = (body: string): string => paragraphsOf(body).flat().join(' | ')

const OWN = 'The export fails since Monday.'

/** What mail programs put below an answer. */
const HISTORIES: Readonly<Record<string, string>> = {
  english: 'On Mon, 3 Feb 2025 at 10:12, Support <support@octavo.test> wrote:\n> Old words.',
  broken:
    'On Monday, the 3rd of February 2025 at 10:12, the Support Team\n<support@octavo.test> wrote:\n\nOld words.',
  german: 'Am Mo., 3. Feb. 2025 um 10:12 Uhr schrieb Support <support@octavo.test>:\nOld words.',
  french: 'Le lun. 3 févr. 2025 à 10:12, Support <support@octavo.test> a écrit :\nOld words.',
  spanish: 'El lun, 3 feb 2025 a las 10:12, Support (<support@octavo.test>) escribió:\nOld words.',
  italian: 'Il giorno lun 3 feb 2025 alle ore 10:12 Support <support@octavo.test> ha scritto:\nOld words.',
  portuguese: 'Em seg., 3 de fev. de 2025 às 10:12, Support <support@octavo.test> escreveu:\nOld words.',
  dutch: 'Op ma 3 feb 2025 om 10:12 schreef Support <support@octavo.test>:\nOld words.',
  russian: 'пн, 3 февр. 2025 г. в 10:12, Support <support@octavo.test> написал:\nOld words.',
  chinese: '在 2025年2月3日 10:12，Support <support@octavo.test> 写道：\nOld words.',
  japanese: '2025年2月3日(月) 10:12 Support <support@octavo.test>:\nOld words.',
  unknown: 'Ngày 3/2/2025 10:12, Support <support@octavo.test> đã viết:\nOld words.',
  outlook: 'From: Support\nSent: Monday, February 3, 2025 10:12\nTo: Ada\nSubject: Export\n\nOld words.',
  'outlook in German':
    'Von: Support\nGesendet: Montag, 3. Februar 2025\nAn: Ada\nBetreff: Export\nOld words.',
  'outlook of nowhere': 'Zzz: Support <support@octavo.test>\nYyy: 3.2.2025 10:12\nXxx: Ada\nOld words.',
  original: '-----Original Message-----\nOld words.',
  ursprünglich: '-----Ursprüngliche Nachricht-----\nOld words.',
  rule: '________________________________\nFrom: Support\nSent: today\nTo: Ada\nOld words.',
  signature: '--\nAda Lovelace\nOld words.',
  quoted: '> Old words.\n>> Older words.',
}

for (const [name, history] of Object.entries(HISTORIES))
  test(`an answer is read without what it answers to: ${name}`, () => {
    assert.equal(said(`${OWN}\n\n${history}`), OWN)
  })

test('greetings and signatures are left out, and what looks like one in a sentence stays', () => {
  for (const [greeting, signature] of [
    ['Hi team,', 'Best regards,\nAda Lovelace\nHead of Sums\n+44 20 7946 0000'],
    ['Sehr geehrte Damen und Herren,', 'Mit freundlichen Grüßen\nAda Lovelace'],
    ['Bonjour,', 'Cordialement\nAda'],
    ['Hola:', 'Saludos,\nAda'],
    ['Здравствуйте!', 'С уважением,\nАда'],
    ['您好，', '谢谢！'],
    ['Hello', 'Sent from my iPhone'],
  ])
    assert.equal(said(`${greeting}\n\n${OWN}\n\n${signature}`), OWN, greeting)
  assert.equal(said('Hi, the export fails.'), 'the export fails.')
  assert.equal(said('Thanks for the export.\nBut where is it?'), 'Thanks for the export. | But where is it?')
  assert.equal(said('Highlighting of code is gone.'), 'Highlighting of code is gone.')
})

test('HTML is read as it is seen: without quotes, signatures, scripts and what is hidden', () => {
  const html = `<!DOCTYPE html><html><head><style>p { color: red }</style><title>Mail</title></head><body>
    <p>Hello,</p><p>the <b>export</b> of &quot;caf&eacute;&#x21;&quot; fails<br>since Monday.</p>
    <div style="display: none">Old words.</div><script>alert('Old words.')</script><!-- Old words. -->
    <div class="gmail_signature">Old words.</div>
    <div class="x gmail_quote"><div>Old words.<blockquote>Old <div>words</div></blockquote></div>Old words.</div>
    <ul><li>First it hangs.</li><li>Then it fails.</li></ul>
    <div id="divRplyFwdMsg">Old words.</div><p>Old words.</p></body></html>`
  assert.equal(said(html), 'the export of "café!" fails since Monday. | First it hangs. | Then it fails.')
})

test('tags in a message that is no HTML are its words', () => {
  assert.equal(said('Why is `<div>x</div>` not shown?'), 'Why is <div>x</div> not shown?')
  assert.equal(said('Is 1 < 2 or 2 > 1?'), 'Is 1 < 2 or 2 > 1?')
})

test('marks of Markdown are left out, code and the words of links stay', () => {
  assert.equal(
    said(
      '## Export\n\n**It** fails, see [the log](https://x.test/log):\n\n```\nError: EPIPE\n```\n\n![shot](a.png)',
    ),
    'Export | It fails, see the log: | Error: EPIPE',
  )
})

test('lines that a mail program broke are one sentence', () => {
  assert.equal(
    said('When I export the pages of our largest space as one single\nPDF document, it fails. Why?'),
    'When I export the pages of our largest space as one single PDF document, it fails. | Why?',
  )
  assert.equal(said('我无法登录。如何重置密码？'), '我无法登录。 | 如何重置密码？')
})

const HTML: Language = {
  tokens: [
    '<',
    '>',
    '<p>',
    '</p>',
    '<div class="gmail_quote">',
    '</blockquote>',
    '<a ',
    '&amp;',
    '&',
    '"',
    '<!--',
    ' ',
  ],
  pairs: [
    ['<div>', '</div>'],
    ['<blockquote>', '</blockquote>'],
    ['<a><b>', '</b>'],
  ],
  head: '<p>',
}
const MAIL: Language = {
  tokens: [
    ':',
    '-',
    '_',
    '>',
    '\n',
    'On 3.2.2025 10:12 ',
    'a@b.test ',
    'From: x\n',
    '. ',
    '?',
    'Hi ',
    '[',
    '](',
    '`',
    '*',
    '。',
  ],
}
const LENGTH_MAX = 96 * 1024

test('HTML takes time in proportion to it, however it is nested or broken', async () => {
  for (const [name, shape] of some(shapesOf(HTML), 12))
    await assertLinear(name, htmlToText, shape as Shape, LENGTH_MAX)
})

test('a mail takes time in proportion to it', async () => {
  for (const [name, shape] of some(shapesOf(MAIL), 12))
    await assertLinear(name, paragraphsOf, shape as Shape, LENGTH_MAX)
})
