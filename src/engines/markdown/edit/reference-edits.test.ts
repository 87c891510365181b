import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { references } from '../page/page.ts'
import { rewriteReferences } from './reference-edits.ts'

const to = (source: string, destination: string | null): string =>
  rewriteReferences(source, () => destination)

/** Every notation in which a page points to `old`. */
const NOTATIONS: Readonly<Record<string, string>> = {
  link: 'a [**b** c](old "t") d',
  'link in brackets': '[a](<old>)',
  image: '![a](old)',
  definition: '[a] [b][a] ![c][a]\n\n[a]: old "t"',
  'unused definition': '[a]: <old>',
  'link in a pipe table': '| a |\n| - |\n| [b](old) |',
  'link in a quote': '> * [a](old)',
  mention: '[a](old "mention")',
  anchor: '<a href="old" class="button primary">a</a>',
  'anchor in single quotes': "x <a href='old'>a</a>",
  'bare attribute': 'x <a href=old>a</a>',
  figure: '<figure><img src="old" alt="a"><figcaption><p>c</p></figcaption></figure>',
  'dark picture':
    '<picture><source srcset="old" media="(prefers-color-scheme: dark)"><img src="b" alt=""></picture>',
  card: '<table data-view="cards"><thead><tr><th></th><th data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td>a</td><td><a href="old">old</a></td></tr></tbody></table>',
  'content reference': '{% content-ref url="old" %}\n[old](old)\n{% endcontent-ref %}',
  'page reference': '{% page-ref page="old" %}',
  'paired page reference': '{% page-ref page="old" %}\n[old](old)\n{% endpage-ref %}',
  file: '{% file src="old" %}\ncaption\n{% endfile %}',
  'file in single quotes': "{% file src='old' %}",
  'file in curly quotes': '{% file src=“old” %}',
  'bare value': '{% embed url=old %}',
  include: '{% include "old" %}',
  'bare include': '{% include old level="2" %}',
  openapi: '{% openapi src="old" path="/x" method="get" %}\n[old](old)\n{% endopenapi %}',
  integration: '{% @a/b url="old" x="y" %}',
  cover: '---\ncover: old # c\nicon: bolt\n---\nx',
  'quoted cover': "---\ncover: 'old'\n---\nx",
  'dark cover': '---\ncover:\n  light: a.png\n  dark: old\n---\nx',
}

const HOSTILE = [
  ...[
    'new.md',
    '../a b.md',
    'a(b).md',
    'a(b.md',
    'a)b',
    '<a>',
    'a"b',
    "a'b",
    'a\\b',
    'a\\',
    'a|b.md',
    '中文 ü.md',
  ],
  ...[
    'https://x.example/?a=1&copy=2&amp;b#c',
    'a%20b.md',
    '{% x %}',
    'a %} b',
    '“a”',
    '#',
    '`a`',
    '*a*_b_',
    'a]b',
  ],
]

for (const [name, source] of Object.entries(NOTATIONS))
  describe(`a destination as ${name}`, () => {
    for (const destination of HOSTILE)
      it(`becomes ${destination}`, () => {
        const rewritten = rewriteReferences(source, one =>
          one.destination === 'old' ? destination : undefined,
        )
        const found = references(rewritten).map(one => one.destination)
        const before = references(source).map(one => one.destination)
        assert.deepEqual(
          found.map(decoded),
          before.map(one => decoded(one === 'old' ? destination : one)),
          rewritten,
        )
        assert.deepEqual(
          references(rewritten)
            .map(one => one.text)
            .map(withoutName),
          references(source)
            .map(one => one.text)
            .map(withoutName),
        )
        // Nothing but the destination changed.
        const words = rewriteReferences(rewritten, one =>
          decoded(one.destination) === decoded(destination) ? 'old' : undefined,
        )
        assert.equal(settled(words), settled(source))
      })
  })

/** A pipe and what would end a tag are written as addresses write them, which means the same. */
function decoded(destination: string): string {
  try {
    return decodeURIComponent(destination)
  } catch {
    return destination
  }
}
const withoutName = (text: string): string => text.replace(/\bold\b/g, '')
/** Notations that differ in their quotes alone. */
const settled = (text: string): string => text.replace(/["'“”]/g, '').replaceAll('<old>', 'old')

describe('rewriteReferences', () => {
  it('leaves a text alone when there is nothing to rewrite, byte for byte', () => {
    for (const source of Object.values(NOTATIONS)) {
      assert.equal(
        rewriteReferences(source, () => undefined),
        source,
      )
      assert.equal(
        rewriteReferences(source, one => one.destination),
        source,
      )
    }
  })

  it('keeps everything else: byte order mark, line ends, trailing space', () => {
    assert.equal(to('\ufeff[a](b)  \r\n\r\n![c](d)\r\n', 'e f'), '\ufeff[a](<e f>)  \r\n\r\n![c](<e f>)\r\n')
  })

  it('gives a bare address, which cannot lead elsewhere, words and a destination', () => {
    assert.equal(to('see https://a.example/x_y.', 'b.md'), 'see [https://a.example/x_y](b.md).')
    assert.equal(to('<https://a.example>', 'b.md'), '[https://a.example](b.md)')
  })

  it('turns what leads nowhere into its words', () => {
    const cases: [string, string][] = [
      ['a [**b** `c`](x "t") d', 'a **b** `c` d'],
      ['[a][1]\n\n[1]: x', 'a\n\n[1]: x'],
      ['![a *b* c](x)', '![a *b* c](x)'.slice(2, 9).replaceAll('*', '')],
      ['[![a](x)](y)', 'a'],
      ['[](x) a', ' a'],
      ['<a href="x" class="button primary">Go <b>on</b></a>', 'Go <b>on</b>'],
      [
        '<figure><img src="x" alt="A & B"><figcaption>c</figcaption></figure>',
        '<figure>A & B<figcaption>c</figcaption></figure>',
      ],
      ['a\n\n{% content-ref url="x" %}\n[x](x)\n{% endcontent-ref %}\n\nb', 'a\n\n\nb'],
      ['a\n\n{% page-ref page="x" %}\n\nb', 'a\n\n\nb'],
      ['{% file src="x" %}\nA *caption*\n{% endfile %}', 'A *caption*'],
      ['{% embed url="x" %}', ''],
      ['{% include "x" %}\r\n\r\nb', '\r\nb'],
      ['{% @a/b url="x" y="z" %}', '{% @a/b y="z" %}'],
      ['---\ncover: x\nicon: bolt\n---\nb', '---\nicon: bolt\n---\nb'],
      ['---\ncover: x\n---\n\nb', 'b'],
      ['| a |\n| - |\n| [b](x) |', '| a |\n| - |\n| b |'],
      ['<td><a href="x">x</a></td>', '<td>x</td>'],
      ['[a]: x\n\nb', '\nb'],
    ]
    for (const [source, expected] of cases) assert.equal(to(source, null), expected)
  })

  it('empties the cell of a card whose target is gone', () => {
    const card = to(NOTATIONS.card!, null)
    assert.ok(card.includes('<td>a</td><td></td>'), card)
  })

  it('makes no block of words that were in a link at the start of a line', () => {
    assert.equal(to('[# a](x)', null), '\\# a')
    assert.equal(to('> [1. a](x)', null), '> 1\\. a')
    assert.equal(to('[- a](x) [- b](x)', null), '\\- a - b')
  })

  it('answers for each reference what it points to', () => {
    const seen: string[] = []
    rewriteReferences('[a](x)\n\n![b](y)\n\n{% include "z" %}', one => {
      seen.push(`${one.kind} ${one.destination}`)
      return undefined
    })
    assert.deepEqual(seen, ['link x', 'image y', 'include z'])
  })

  it('rewrites the only attribute of an include', () => {
    assert.equal(to('{% include path="old" %}', 'new.md'), '{% include path="new.md" %}')
  })

  it('leaves the name of a tag whose path is a part of it', () => {
    for (const path of ['in', 'inc', 'd', 'e'])
      assert.equal(to(`{% include ${path} %}`, 'new.md'), '{% include "new.md" %}')
  })

  it('is linear in a page of many links', () => {
    const source = '[a](b) ![c](d)\n'.repeat(8_000)
    assert.equal(to(source, 'e'), '[a](e) ![c](e)\n'.repeat(8_000))
    assert.equal(to('[a]'.repeat(8_000) + '\n\n[a]: b', 'c'), '[a]'.repeat(8_000) + '\n\n[a]: c')
  })
})
