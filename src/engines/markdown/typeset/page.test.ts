import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Element, Nodes } from 'hast'
import { toHtmlTree } from '../html/html.ts'
import { parseMarkdown } from '../syntax/syntax.ts'
import { type Block, writePage } from './typeset.ts'

const treeOf = (markdown: string) =>
  toHtmlTree(parseMarkdown(markdown), {
    resolveLink: href => ({ href, isExternal: false, isBroken: false, icon: 'rocket' }),
    resolveImage: src => ({ src: `https://x/${src}` }),
    highlight: async blocks => ({
      codes: blocks.map(({ code }) => code.split('\n').map(line => [[line, 'keyword']] as const)),
      isComplete: true,
    }),
  })

/** Every block, and every part of a line that has a class. */
const EVERYTHING = [
  '## Head\n\n<h2 align="right">H</h2>\n\n<p align="center">p</p>\n\n<div align="end">d</div>\n\n<center>c</center>',
  '<mark style="color:red">m</mark> <mark>y</mark> <span style="background-color:blue">b</span> <i class="fa-bolt"></i>',
  '{% hint style="danger" icon="bolt" %}\nh\n{% endhint %}\n\n{% if visitor.x %}\nc\n{% endif %}',
  '{% tabs %}\n{% tab title="A" icon="bolt" %}\na\n{% endtab %}\n{% endtabs %}',
  '{% stepper %}\n{% step icon="bolt" %}\ns\n{% endstep %}\n{% endstepper %}',
  '{% columns %}\n{% column width="25%" %}\na\n{% endcolumn %}\n{% column %}\nb\n{% endcolumn %}\n{% endcolumns %}',
  '{% updates %}\n{% update date="2026-01-31" tags="a" %}\nu\n{% endupdate %}\n{% endupdates %}',
  '{% prompt description="P" %}\n```\np\n```\n{% endprompt %}\n\n- [x] done\n- to do',
  '<pre class="language-js" data-title="t" data-line-numbers><code>a\n<strong>b</strong>\n</code></pre>',
  '{% embed url="https://x.example" %}\ncaption\n{% endembed %}\n\n{% content-ref url="a.md" %}\na\n{% endcontent-ref %}',
  '{% openapi-operation spec="s" path="/a" method="get" %}\n[s](https://x)\n{% endopenapi-operation %}',
  '<div><figure><img src="a.png"></figure><figure align="left"><img src="b.png"></figure></div>',
  '<picture><source srcset="dark.png" media="(prefers-color-scheme: dark)"><img src="a.png"></picture> <img src="b.png" data-size="line">',
  '<table data-header-hidden><thead><tr><th>h</th><th data-type="checkbox">c</th><th data-type="select"><select><option value="x" label="X" color="blue"></option></select></th></tr></thead><tbody><tr><td align="right">a</td><td>true</td><td><span data-option="x">X</span></td></tr></tbody></table>',
  '<table data-view="cards"><thead><tr><th>t</th><th data-hidden data-card-target>l</th><th data-hidden data-card-cover>c</th></tr></thead><tbody><tr><td>Card</td><td><a href="https://x">x</a></td><td><a href="a.png">a</a></td></tr></tbody></table>',
  '$$\n\\frac{a}{b}\n$$\n\nnote[^1]\n\n[^1]: n',
].join('\n\n')

/** What only a value on an element says. */
const VALUES = [
  ...['card', 'cards', 'code', 'row', 'formula-block', 'chip', 'ink'].map(kind => `"kind":"${kind}"`),
  ...['footnotes', 'align-center', 'align-end'].map(look => `"look":"${look}"`),
  ...['"checked":true', '"isMarked":true', '"align":"right"', '✓'],
]

/** Its elements without their classes, but for those of tokens. */
function withoutClasses(node: Nodes): void {
  if (!('children' in node)) return
  for (const child of node.children) {
    if (child.type === 'element' && !isToken(child)) delete child.properties.className
    withoutClasses(child)
  }
}

const isToken = ({ properties: { className } }: Element): boolean =>
  [className].flat().some(name => String(name).startsWith('tok-'))

test('classes are for the stylesheet: but for the tokens of code, a page is written without them', async () => {
  const tree = await treeOf(EVERYTHING)
  const written = writePage(tree)
  const json = JSON.stringify(written)
  for (const value of VALUES) assert.ok(json.includes(value), value)
  withoutClasses(tree)
  assert.deepEqual(writePage(tree), written)
})

const blocksOf = async (markdown: string): Promise<readonly Block[]> =>
  writePage(await treeOf(markdown)).blocks

const line = (...inside: readonly unknown[]) => ({ kind: 'paragraph', inside, dir: 'ltr' })
const picture = (name: string, more: object = {}) => ({ name: `https://x/${name}`, alt: '', ...more })
const table = (attributes: string, ...rows: readonly (readonly string[])[]) =>
  `<table ${attributes}>${rows.map(cells => `<tr>${cells.join('')}</tr>`).join('')}</table>`

test('a picture in a line is as high as the line, and its dark twin is for screens alone', async () => {
  const high = (name: string) => ({ kind: 'picture-in-line', picture: picture(name, { height: 12 }) })
  assert.deepEqual(await blocksOf('a <img src="b.png" data-size="line" height="90"> b'), [
    line('a ', high('b.png'), ' b'),
  ])
  const dark = '<source srcset="d.png" media="(prefers-color-scheme: dark)">'
  assert.deepEqual(await blocksOf(`a <picture>${dark}<img src="b.png" data-size="line"></picture> b`), [
    line('a ', high('b.png'), ' b'),
  ])
  assert.deepEqual(await blocksOf(`<picture>${dark}<img src="b.png"></picture>`), [
    { kind: 'figure', inside: [{ kind: 'picture', picture: picture('b.png') }], caption: [] },
  ])
})

test('a footnote has no way back to its places, which paper does not need', async () => {
  const mark = (id: string) => ({
    kind: 'sup',
    inside: [
      { kind: 'anchor', id },
      { kind: 'jump', to: 'fn:1', inside: ['1'] },
    ],
  })
  const items = [{ id: 'fn:1', inside: [line('n')] }]
  assert.deepEqual(await blocksOf('one[^1] two[^1]\n\n[^1]: n'), [
    line('one', mark('fnref:1'), ' two', mark('fnref:1.2')),
    { kind: 'box', look: 'footnotes', inside: [{ kind: 'list', start: 1, dir: 'ltr', items }] },
  ])
})

test('coloured words have their ink and their paper', async () => {
  assert.deepEqual(
    await blocksOf(
      '<mark style="color:red;background-color:blue">a</mark> <mark>b</mark> <font color="green">c</font>',
    ),
    [
      line(
        { kind: 'paper', colour: 'paper-blue', inside: [{ kind: 'ink', colour: 'ink-red', inside: ['a'] }] },
        ' ',
        { kind: 'paper', colour: 'paper-yellow', inside: ['b'] },
        ' ',
        { kind: 'ink', colour: 'ink-green', inside: ['c'] },
      ),
    ],
  )
})

test('figures stand side by side, and one alone keeps to its side', async () => {
  const figure = (name: string, more: object = {}) => ({
    kind: 'figure',
    inside: [{ kind: 'picture', picture: picture(name), ...more }],
    caption: [],
  })
  assert.deepEqual(
    await blocksOf('<div><figure><img src="a.png"></figure><figure><img src="b.png"></figure></div>'),
    [{ kind: 'row', shares: [1, 1], cells: [[figure('a.png')], [figure('b.png')]] }],
  )
  assert.deepEqual(await blocksOf('<figure align="right"><img src="a.png"></figure>'), [
    figure('a.png', { align: 'right' }),
  ])
})

test('the head of a table that is hidden is not on paper', async () => {
  const wordsOf = async (attributes: string) => {
    const [written] = await blocksOf(table(attributes, ['<th>Head</th>'], ['<td>Cell</td>']))
    assert.ok(written?.kind === 'table')
    const { headRows, cells } = written.table
    return [headRows, ...cells.map(({ isHead, inside }) => [isHead, ...inside])]
  }
  assert.deepEqual(await wordsOf(''), [1, [true, line('Head')], [false, line('Cell')]])
  assert.deepEqual(await wordsOf('data-header-hidden'), [0, [false, line('Cell')]])
})

test('a card is its cover and its cells, and its first words lead where it leads', async () => {
  const heads = [
    '<th>t</th>',
    ...['target', 'cover', 'cover-dark'].map(role => `<th data-hidden data-card-${role}></th>`),
  ]
  const link = (href: string) => `<td><a href="${href}">x</a></td>`
  const cells = ['<td>Card <b>one</b></td>', link('https://x'), link('a.png'), link('d.png')]
  const words = ['Card ', { kind: 'strong', inside: ['one'] }]
  assert.deepEqual(await blocksOf(table('data-view="cards"', heads, cells)), [
    {
      kind: 'cards',
      cards: [
        [
          { kind: 'picture', picture: picture('a.png') },
          line({ kind: 'link', url: 'https://x', inside: words }),
        ],
      ],
    },
  ])
  assert.deepEqual(await blocksOf(table('data-view="cards"', heads.slice(0, 1), cells.slice(0, 1))), [
    { kind: 'cards', cards: [[line(...words)]] },
  ])
})

test('code is its lines, with the ink of its tokens, and without an empty line at its end', async () => {
  const linesOf = async (markdown: string) => {
    const [code] = await blocksOf(markdown)
    assert.ok(code?.kind === 'code')
    return code.lines.map(({ runs }) => runs)
  }
  assert.deepEqual(await linesOf('```\na\n\nb\n```'), [['a'], [], ['b']])
  assert.deepEqual(await linesOf('```\na\nb\n\n```'), [['a'], ['b']])
  assert.deepEqual(await linesOf('```\n```'), [[]])
  assert.deepEqual(await linesOf('```js\nlet\n```'), [
    [{ kind: 'ink', colour: 'token-keyword', inside: ['let'] }],
  ])
  assert.deepEqual(await linesOf('```\n\ta\tb\n```'), [['    a   b']])
})

test('what an operation or a condition is called stands above it', async () => {
  const [operation] = await blocksOf('{% swagger method="get" path="/a" %}\nw\n{% endswagger %}')
  assert.ok(operation?.kind === 'box')
  assert.deepEqual([operation.look, operation.inside], ['operation', [line('w')]])
  const [condition] = await blocksOf('{% if visitor.x %}\nw\n{% endif %}')
  assert.ok(condition?.kind === 'box')
  assert.equal(condition.look, 'condition')
})

test('a chip has the ground of its option, of its method, or the plain one', async () => {
  const chip = (ground: string, words: string) => ({ kind: 'chip', colour: ground, inside: [words] })
  const head = '<th><select><option value="x" label="X" color="blue"></option></select></th>'
  const json = JSON.stringify(await blocksOf(table('', [head], ['<td><span data-option="x">y</span></td>'])))
  assert.ok(json.includes(JSON.stringify(line(chip('paper-blue', 'X')))), json)
  const [update] = await blocksOf('{% update date="May" tags="a" %}\nu\n{% endupdate %}')
  assert.deepEqual(update, {
    ...{ kind: 'box', look: 'update', inside: [line('u')] },
    title: ['May', ' ', chip('paper-default', 'a')],
  })
  const [operation] = await blocksOf('{% openapi-operation spec="s" path="/a" method="get" %}')
  assert.ok(operation?.kind === 'box')
  assert.deepEqual(operation.title?.[0], chip('method-get', 'GET'))
})

test('an icon that begins an item or an aside is a part of its words', async () => {
  const icon = { kind: 'icon', name: 'bolt' }
  const words = '<i class="fa-bolt"></i> words'
  assert.deepEqual(await blocksOf(`- ${words}`), [
    { kind: 'list', start: null, dir: 'ltr', items: [{ inside: [line(icon, ' words')] }] },
  ])
  assert.deepEqual(await blocksOf(`<aside>${words}</aside>`), [
    { kind: 'note', style: 'info', dir: 'ltr', inside: [line(icon, ' words')] },
  ])
})
