import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { tried } from '../../test/support/property-runs.ts'
import { documentOf } from '../../test/support/typeset.ts'
import type { Block, Cell } from '../engines/markdown/typeset/typeset.ts'
import { createTypesetter } from '../platform/typst/typesetter.ts'
import type { AsksOfPage } from './page-html.ts'
import { pageTypeset } from './page-typeset.ts'

const ask: AsksOfPage = {
  codes: async blocks => ({ codes: blocks.map(({ code }) => [[[code, 'keyword']]]), isComplete: true }),
  addresses: async asked =>
    asked.map(([, kind, destination]) =>
      kind === 'image'
        ? { src: `https://x/${destination}`, width: 400, height: 200 }
        : { href: destination, isExternal: false, isBroken: false },
    ),
  texts: async () => [],
  parts: async () => [],
}

async function write(markdown: string) {
  const page = await pageTypeset({ markdown, isColoured: true, idPrefix: 'p1.' }, ask)
  return { ...page, blocks: JSON.parse(page.json) as Block[] }
}

/** Everything that is said in it, in its order. */
function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(wordsOf).join('')
  if (typeof value !== 'object' || value === null) return ''
  return Object.entries(value)
    .map(([key, inside]) =>
      /^(?:inside|title|runs|lines|table|cells|items|text)$/.test(key) ? wordsOf(inside) : '',
    )
    .join('')
}

test('what a page says is in strings, whatever it says', async () => {
  const hostile = '#panic("x") $#sys.inputs$ #{ while true {} } @ref [#x] = a // b */ "; panic(); "'
  for (const markdown of [
    hostile,
    `\`${hostile}\``,
    `\`\`\`js\n${hostile}\n\`\`\``,
    `| ${hostile} |\n|-|\n| a |`,
  ]) {
    const { blocks } = await write(markdown)
    assert.ok(wordsOf(blocks).startsWith(hostile), markdown)
  }
})

test('a paragraph, a heading, a table and a list have the direction of their first letter', async () => {
  const { blocks } = await write(
    'שלום abc\n\nabc שלום\n\n## 1. مرحبا\n\n* שלום\n\n| ש | a |\n|-|-|\n| b | c |',
  )
  const directions = blocks.map(block =>
    block.kind === 'table' ? block.table.dir : 'dir' in block && block.dir,
  )
  assert.deepEqual(directions, ['rtl', 'ltr', 'rtl', 'rtl', 'rtl'])
})

test('words that no line has room for may be broken, and spell the same', async () => {
  const word = `https://example.com/${'someLongName'.repeat(20)}`
  const { blocks } = await write(`${word}\n\n${'字'.repeat(200)}`)
  const [address, characters] = blocks
  assert.equal(wordsOf(address), word)
  assert.ok(address?.kind === 'paragraph' && address.inside.length > 0)
  assert.match(JSON.stringify(address), /"chance"/)
  assert.doesNotMatch(JSON.stringify(characters), /"chance"/)
})

test('a page lists its link targets and its links; repeated heads are no targets', async () => {
  const page = await write(
    '## Install\n\n[a](#install) [b](##p2) [c](https://x)\n\n<table><thead><tr><th><i id="head">h</i></th></tr></thead><tbody><tr><td><i id="cell">c</i></td></tr></tbody></table>',
  )
  assert.deepEqual(page.ids, ['p1.install', 'p1.cell'])
  assert.deepEqual(page.targets, ['p1.install', 'p2'])
})

test('addresses that a reader of PDF files might run are words', async () => {
  const { json } = await write('[a](file:///etc/passwd) [b](javascript:alert(1)) [c](data:text/html,x)')
  assert.doesNotMatch(json, /"link"/)
})

const cellsOf = (blocks: readonly Block[]): readonly Cell[] =>
  blocks.flatMap(block => (block.kind === 'table' ? block.table.cells : []))

test('cells never meet, and never leave their table or its head', async () => {
  const cell = fc.record({ colspan: fc.nat(6), rowspan: fc.nat(6) })
  const rows = fc.array(fc.array(cell, { maxLength: 4 }), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(rows, fc.nat(2), async (body, head) => {
      const toRow = (row: (typeof body)[number]) =>
        `<tr>${row.map(({ colspan, rowspan }) => `<td colspan="${colspan}" rowspan="${rowspan}">x</td>`).join('')}</tr>`
      const { blocks } = await write(
        `<table><thead>${body.slice(0, head).map(toRow).join('')}</thead><tbody>${body.slice(head).map(toRow).join('')}</tbody></table>`,
      )
      const [table] = blocks
      if (table?.kind !== 'table') return
      const { shares, headRows } = table.table
      const taken = new Set<string>()
      for (const { x, y, colspan, rowspan } of cellsOf(blocks)) {
        assert.ok(x + colspan <= shares.length)
        assert.ok(y >= headRows || y + rowspan <= headRows)
        for (let row = y; row < y + rowspan; row += 1)
          for (let column = x; column < x + colspan; column += 1) {
            assert.ok(!taken.has(`${row} ${column}`))
            taken.add(`${row} ${column}`)
          }
      }
    }),
    tried(30),
  )
})

test('a formula that is deeper than the typesetter goes is shown as it is written', async () => {
  const deep = `${'\\sqrt{'.repeat(40)}x${'}'.repeat(40)}`
  const { json } = await write(`$$\n\\frac{a}{b}\n$$\n\n$$\n${deep}\n$$`)
  assert.equal(json.match(/"formula-block"/g)?.length, 1)
  assert.ok(JSON.parse(json).length === 2 && json.includes('sqrt'))
})

const nested = (times: number, open: string, close: string) =>
  `${open.repeat(times)}deep **bold** $$\\frac{a}{b}$$\n${close.repeat(times)}`

/** Every kind of block, and each of those that hold others within itself, deeper than is drawn. */
const EVERYTHING = [
  '## H\n\ntext **b** *i* ~~s~~ <u>u</u> H<sub>2</sub><sup>3</sup> <kbd>K</kbd> <q>q</q> <small>s</small> <i class="fa-rocket">r</i> `c` [l](https://x) [j](#h)<br>n',
  '<mark style="color:red;">m</mark> <mark style="background-color:blue;">p</mark> $$x$$ ![i](a.png) ![](b.png)\n\n![f](c.png "t")',
  '<b><i><u><sub><sup><small>deep</small></sup></sub></u></i></b>'.repeat(3),
  nested(30, '> ', ''),
  nested(12, '{% hint style="info" %}\n', '{% endhint %}\n'),
  nested(12, '{% tabs %}\n{% tab title="t" %}\n', '{% endtab %}\n{% endtabs %}\n'),
  nested(12, '{% stepper %}\n{% step %}\n', '{% endstep %}\n{% endstepper %}\n'),
  nested(12, '{% columns %}\n{% column %}\n', '{% endcolumn %}\n{% endcolumns %}\n'),
  nested(12, '<details>\n\n<summary>s</summary>\n\n', '\n</details>\n'),
  nested(8, '<table><tr><th>h</th><td>\n\n', '\n</td></tr></table>\n'),
  Array.from({ length: 20 }, (_, at) => `${'   '.repeat(at)}1. item`).join('\n'),
  '- [x] done\n- [ ] to do\n\n* a\n\n---\n\n> q\n\n{% code title="t" lineNumbers="true" %}\n```js\nx\n\n```\n{% endcode %}',
  '<table data-view="cards"><thead><tr><th>a</th><th data-hidden data-card-target data-type="content-ref">b</th></tr></thead><tbody><tr><td>One</td><td><a href="https://x">x</a></td></tr></tbody></table>',
  '{% embed url="https://youtube.com/watch?v=1" %}\ncaption\n{% endembed %}\n\n{% openapi-operation spec="s" path="/a" method="get" %}\n[s](https://x)\n{% endopenapi-operation %}',
  '{% updates format="full" %}\n{% update date="2026-01-31" tags="a,b" %}\nNew\n{% endupdate %}\n{% endupdates %}\n\n{% if visitor.x %}\nc\n{% endif %}\n\n<div align="center">c</div>\n\n<dl><dt>t</dt><dd>d</dd></dl>',
  '$$\n\\left(\\sum_{i}^{n} \\hat{x} \\overbrace{a}^{b} \\underline{c} \\sqrt[3]{d} \\binom{n}{k} \\mathbb{R} \\color{red}{e}\\quad\\phantom{f}\\boxed{g}\\cancel{h} \\text{words}\\sin x\\right)\n$$\n\n$$\n\\begin{aligned}a&=b\\\\&=c\\end{aligned} \\begin{cases}a&b\\\\c\\end{cases}\n$$',
  '<strong></strong> <figure></figure>\n\n<table></table>\n\n*\n\n```\n```\n\n{% tabs %}{% endtabs %}\n\n[^1]\n\n[^1]: Note',
].join('\n\n')

test('the template draws every kind of block, as deep as it is given', async () => {
  const { json, ids, targets, scripts } = await write(EVERYTHING)
  const drawn = readFileSync(new URL('../platform/typst/book.typ', import.meta.url), 'utf8')
  for (const [, kind] of json.matchAll(/"kind":"([a-z-]+)"/g))
    assert.ok(drawn.includes(`kind == "${kind}"`), kind)
  const labels = targets.filter(id => ids.includes(id))
  const outcome = await createTypesetter().typeset(documentOf(json, scripts, labels), () =>
    Promise.resolve(null),
  )
  assert.equal(outcome.kind, 'done', JSON.stringify(outcome))
})
