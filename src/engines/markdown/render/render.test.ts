import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertLinear, type Shape } from '../../../../test/support/growth.ts'
import { checkDocument } from '../document/check.ts'
import {
  type Block,
  type BlockOf,
  block,
  fragment,
  type Inline,
  inline,
  type JSONDocument,
  type Mark,
  paragraph,
  type Resolve,
  type Text,
  text,
  toDocument,
} from '../document/document.ts'
import { renderDocument } from './render-document.ts'
import type { WriteReference } from './rendering.ts'

const of = (...nodes: readonly Block[]): JSONDocument => ({ object: 'document', data: {}, nodes: [...nodes] })
const line = (...nodes: readonly (Text | Inline)[]): Block => paragraph(nodes)
const mark = (type: Exclude<Mark['type'], 'color'>): Mark => ({ object: 'mark', type })
const markdown = (...nodes: readonly Block[]): string => {
  const document = of(...nodes)
  assert.deepEqual(checkDocument(document), [])
  return renderDocument(document)
}

const resolve: Resolve = (destination, purpose) => {
  if (purpose === 'include') return { kind: 'reusable-content', reusableContent: destination }
  if (purpose === 'openapi') return { kind: 'openapi', spec: destination }
  if (purpose === 'file' || (purpose === 'image' && destination.endsWith('.svg')))
    return { kind: 'file', file: destination }
  return destination.endsWith('.md') ? { kind: 'page', page: destination } : undefined
}
const write: WriteReference = ref => {
  if (ref.kind === 'reusable-content') return ref.reusableContent
  if (ref.kind === 'openapi') return ref.spec
  if (ref.kind === 'file') return ref.file
  if (ref.kind === 'page') return ref.page
  return ref.kind === 'url' ? ref.url : undefined
}

/** Reads a page and writes it again. */
const again = (source: string): string => renderDocument(toDocument(source, { resolve }).document, { write })

// Every block as GitBook writes it: a page in this form is written as it was.
const BLOCKS: { readonly [name: string]: string } = {
  headings:
    '## One\n\n### Two <a href="#own" id="own"></a>\n\n#### Three\n\n<h2 align="center">Middle</h2>\n',
  paragraphs: 'Text with a\\\nbreak\n\n<p align="right">Right <strong>bold</strong> <code>code</code></p>\n',
  'lists in lists': '* a\n  * b\n    1. c\n    2. d\n* e\n',
  'lists of blocks': '1. a\n\n   b\n\n   ```js\n   x\n   ```\n\n2. c\n',
  'lists after lists': '* a\n* b\n\n- c\n\n1. d\n\n1) e\n',
  tasks: '* [x] done\n* [ ] open\n  * inside\n',
  numbers: '7. a\n8. b\n',
  quotes: '> a\n>\n> > b\n>\n> * c\n',
  divider: 'a\n\n***\n\nb\n',
  hint: '{% hint style="warning" icon="rocket" %}\na\n\n* b\n{% endhint %}\n',
  code: '{% code title="a \\"b\\".js" overflow="wrap" lineNumbers="true" fullWidth="true" expandable="true" collapsedLineCount="5" %}\n```js\nx\n\ny\n```\n{% endcode %}\n',
  'code with fences in it': '````markdown\n```js\nx\n```\n````\n',
  'code with a fence behind a tab, in an item': '* ````\n  \t```\n  ````\n',
  'marked code':
    '<pre class="language-js" data-title="a.js" data-line-numbers><code class="lang-js">a &#x3C; b\n<strong>marked\n</strong>\n<a data-footnote-ref href="#user-content-fn-1">noted</a>\n</code></pre>\n\n[^1]: Note\n'.replace(
      '&#x3C;',
      '<',
    ),
  formulas: 'a $$x^2$$ b\n\n$$\n\\frac{a}{b}\n$$\n',
  figure:
    '<figure><img src="a.png" alt="A" width="563"><figcaption><p>Words <em>below</em></p></figcaption></figure>\n',
  figures:
    '<div align="left" data-full-width="true" data-with-frame="true"><figure><picture><source srcset="d.png" media="(prefers-color-scheme: dark)"><img src="a.png" alt="" width="50%"></picture><figcaption></figcaption></figure> <figure><img src="b.png" alt=""><figcaption></figcaption></figure></div>\n',
  drawing: '<img src="a.svg" alt="" class="gitbook-drawing">\n',
  file: '{% file src="a.pdf" %}\n',
  embed: '{% embed url="https://x.example" fullWidth="true" %}\n',
  'content reference': '{% content-ref url="../b/a.md" %}\n[a.md](../b/a.md)\n{% endcontent-ref %}\n',
  include: '{% include "../.gitbook/includes/a.md" %}\n',
  'openapi of a file':
    '{% openapi src="a/b.yaml" path="/v1/{id}" method="get" expanded="true" %}\n[b.yaml](a/b.yaml)\n{% endopenapi %}\n',
  'openapi of a specification':
    '{% openapi-operation spec="s" path="/v1" method="get" headless="true" %}\n{% endopenapi-operation %}\n\n{% openapi-schemas spec="s" schemas="A,B" grouped="true" %}\n{% endopenapi-schemas %}\n\n{% openapi-webhook spec="s" name="n" method="post" %}\n{% endopenapi-webhook %}\n',
  integration: '{% @arcade/embed flowId="x" url="https://x.example" fullWidth="true" on %}\n',
  tabs: '{% tabs fullWidth="true" %}\n{% tab title="A" icon="bolt" slug="a" %}\na\n{% endtab %}\n\n{% tab title="B" %}\n```\nb\n```\n{% endtab %}\n{% endtabs %}\n',
  stepper:
    '{% stepper %}\n{% step icon="bolt" %}\n### One\n\na\n{% endstep %}\n\n{% step %}\nb\n{% endstep %}\n{% endstepper %}\n',
  columns:
    '{% columns %}\n{% column width="58.33%" valign="middle" %}\na\n{% endcolumn %}\n\n{% column %}\nb\n{% endcolumn %}\n{% endcolumns %}\n',
  expandable: '<details open>\n\n<summary>A <em>title</em></summary>\n\na\n\n* b\n\n</details>\n',
  condition: '{% if visitor.claims.plan == "pro" %}\na\n{% endif %}\n',
  updates:
    '{% updates format="full" %}\n{% update date="2030-01-31" tags="a,b" %}\n## New\n\na\n{% endupdate %}\n{% endupdates %}\n',
  prompt:
    '{% prompt description="d" icon="bolt" openInAIProviders="a,b" defaultExpanded="full" %}\n```\nx\n```\n{% endprompt %}\n',
  'pipe table':
    '| Name    |  Kind  |  Count |\n| ------- | :----: | -----: |\n| **a**   | `x\\|y` |      1 |\n| b<br>cc |        | 22 333 |\n',
  'pipe table with blocks':
    '| a                                                       |\n| ------------------------------------------------------- |\n| <p>one</p><p>two</p>                                    |\n| <ul><li>a</li><li><p>b</p><ul><li>c</li></ul></li></ul> |\n',
  'pipe table with lists, quotes and pictures':
    '| h                                                                          |\n| -------------------------------------------------------------------------- |\n| <ol start="3"><li>a</li><li>b</li></ol>                                    |\n| <blockquote><p>q</p></blockquote>                                          |\n| <figure><img src="a.png" alt=""><figcaption><p>c</p></figcaption></figure> |\n',
  'grid table':
    '<table data-full-width="true"><thead><tr><th width="110.5">A &#x26;</th><th width="200" align="center" valign="middle">B</th></tr></thead><tbody><tr><td>a</td><td align="center" valign="middle">b</td></tr></tbody></table>\n'.replace(
      '&#x26;',
      '&',
    ),
  'table of types':
    '<table><thead><tr><th data-type="checkbox">C</th><th data-type="rating" data-max="5">R</th><th data-type="select">S<select multiple><option value="v" label="Done" color="blue"></option></select></th><th data-type="files">F</th><th data-type="users" data-multiple>U</th></tr></thead><tbody><tr><td>true</td><td>4</td><td><span data-option="v">Done</span></td><td><a href="a/b.pdf">b.pdf</a></td><td></td></tr></tbody></table>\n',
  cards:
    '<table data-card-size="large" data-column-title-hidden data-view="cards"><thead><tr><th></th><th data-type="content-ref" data-hidden data-card-target></th><th data-type="image" data-hidden data-card-cover></th></tr></thead><tbody><tr><td><strong>A</strong></td><td><a href="a/b.md">b.md</a></td><td data-object-fit="contain"><a href="a/b.svg">b.svg</a></td></tr></tbody></table>\n',
  'merged cells':
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td rowspan="2">1</td><td>2</td></tr><tr><td>3</td></tr></tbody></table>\n',
  'table without a head':
    '<table data-header-hidden><thead><tr><th></th></tr></thead><tbody><tr><td>a</td></tr></tbody></table>\n',
  'blocks in cells':
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>\n\n{% hint style="info" %}\na\n{% endhint %}\n\n</td></tr></tbody></table>\n',
  marks:
    '**b** _i_ ~~s~~ `c` <kbd>k</kbd> x<sup>2</sup> y<sub>1</sub> <mark style="color:red;background-color:$info;">m</mark>\n',
  'marks in marks': '**a _b `c` d_ e**\n\na**b**c*d*e\n\n_**a**_ b\n',
  links:
    '[a **b**](../c.md) [![](i.png)](https://x.example) [](b/c.md "mention") [c.md](b/c.md "mention")\n'.replace(
      '[](b/c.md "mention") ',
      '',
    ),
  'odd destinations': '[a](<b c.md>) [a](<b(.md>) [a](b(c).md) [a](ü.md)\n',
  images: 'a ![b](c.png "d") <img src="e.png" alt="" data-size="line">\n',
  emojis:
    ':rocket: a <span data-gb-custom-inline data-tag="emoji" data-code="1f9ff">🧿</span> b:<span data-gb-custom-inline data-tag="emoji" data-code="1f680">🚀</span>\n',
  icons: '<i class="fa-rocket">:rocket:</i> <i class="fa-bolt" style="color:$primary;">:bolt:</i>\n',
  expressions: 'a <code class="expression">space.vars.x</code>\n',
  buttons:
    '<a href="a.md" class="button primary" data-icon="bolt">Go</a> <button type="button" class="button secondary" data-action="ask" data-query="Q">Ask</button>\n',
  notes:
    'A word[^1], **a term**[^2] and [two words](#user-content-fn-1)[^1]\n\n[^1]: Note\n\n[^2]: First\n\n    * second\n',
}

describe('a block, as GitBook writes it, is written as it was', () => {
  for (const [name, source] of Object.entries(BLOCKS)) it(name, () => assert.equal(again(source), source))
})

describe('words stay words, with no more signs than that takes', () => {
  // Written without a single escape.
  const PLAIN = [
    ...[
      'snake_case and __init',
      '2 * 3 * 4',
      'a*b',
      '5 > 3 < 7',
      'R&D & co; &c',
      'C:\\dir\\file',

      'a # b',
    ],
    ...[
      '[note] and [x]',
      'f(x)[0] (y)',
      'wow! [a]',
      '`tick',
      'costs $5 and $6',
      'a | b',
      '~5 minutes',
      '1.5 and 2024.',
      '10:30:00',
    ],
    ...[
      '-5 degrees',
      '+1',
      'a - b',
      '*note',
      'use `a_b*c` here',
      '{{ name }} and {a}',
      '100%} {',
      'me @ home',
      'a/b.c',
      '<3 a <= b',
    ],
    ...[
      '“quotes” — dashes…',
      '中文，**',
      'https: //',
      'no. 1',
      '(a) b',
      '= b',
      '1)a',
      '#tag',
      '>_<'.slice(1),
      'a\\',
      'http://',
    ],
  ]
  for (const words of PLAIN)
    it(JSON.stringify(words), () => {
      const [nodes] = [toDocument(words).document.nodes]
      assert.equal(markdown(...nodes), `${words}\n`)
    })

  const ESCAPED: readonly (readonly [words: string, markdown: string])[] = [
    ['*a* and _b_', '\\*a\\* and \\_b\\_'],
    ['**a** ~~b~~', '\\*\\*a\\*\\* \\~\\~b\\~\\~'],
    ['`a` and `` b', '\\`a` and `` b'],
    ['[a](b) ![c](d)', '\\[a](b) !\\[c](d)'],
    ['[^1] a', '\\[^1] a'],
    ['[a]: b', '\\[a]: b'],
    ['<b>a</b> <!-- a --> <a@b.c>', '\\<b>a\\</b> \\<!-- a --> \\<a<!-- -->@b.c>'],
    ['a <!-- b :smile: c', 'a \\<!-- b :<!-- -->smile: c'],
    ['a <? b www.x.example', 'a \\<? b www<!-- -->.x.example'],
    ['&amp; &#35; &copy;', '\\&amp; \\&#35; \\&copy;'],
    ['a \\* b \\\\', 'a \\\\* b \\\\\\'],
    ['__init__.py', '\\_\\_init\\_\\_.py'],
    ['{% hint %} a', '{\\% hint %} a'],
    ['$$a$$ b', '\\$\\$a$$ b'],
    ['# a', '\\# a'],
    ['> a', '\\> a'],
    ['- a', '\\- a'],
    ['12) a', '12\\) a'],
    ['---', '\\---'],
    ['* * *', '\\* * *'],
    ['```', '\\`\\`\\`'],
    ['a\n---', 'a\\\n\\---'],
    ['a | b\n- | -', 'a | b\\\n\\- | -'],
    ['a\n2. b\n1. c', 'a\\\n2. b\\\n1\\. c'],
    ['https://x.example a', 'https:<!-- -->//x.example a'],
    ['www.x.example a@b.example', 'www<!-- -->.x.example a<!-- -->@b.example'],
    [':rocket: {{ space.vars.x }}', ':<!-- -->rocket: {<!-- -->{ space.vars.x }}'],
  ]
  for (const [words, expected] of ESCAPED)
    it(JSON.stringify(words), () => {
      const document = of(line(text(words)))
      assert.equal(renderDocument(document), `${expected}\n`)
      const [read] = toDocument(`${expected}\n`).document.nodes
      assert.deepEqual((read as BlockOf<'paragraph'>).nodes, [text(words)])
    })

  it('beside code, formulas and links, which they could become part of', () => {
    const code = (value: string): Text => text(value, [mark('code')])
    const formula = (value: string): Inline => inline('inline-math', { formula: value })
    const link = inline('link', { ref: { kind: 'url', url: 'x' } }, { nodes: [text('a ] [b] [ c')] })
    assert.equal(markdown(line(text('`` x `'), code('a'))), '\\`\\` x \\``a`\n')
    assert.equal(markdown(line(text('`'), code('a`b'), code('`'))), '\\``` a`b` ``\n')
    assert.equal(markdown(line(formula('a'), formula('b'), text('$'))), '$$a$$<!-- -->$$b$$\\$\n')
    const definition = inline('link', { ref: { kind: 'url', url: 'x`y' } }, { nodes: [code('a]: b')] })
    assert.equal(markdown(line(definition)), '<a href="x`y">`a]: b`</a>\n')
    assert.equal(markdown(line(text('a '), definition, text(' `'))), 'a [`a]: b`](x\\`y) `\n')
    assert.equal(markdown(line(text('!'), link, text('(y)'))), '\\![a \\] [b] \\[ c](x)(y)\n')
    assert.equal(markdown(line(text('a\\'), link, text('<'))), 'a\\\\[a \\] [b] \\[ c](x)<\n')
  })

  it('between pipes, in code, in destinations and in tags', () => {
    const pipe = (...nodes: (Text | Inline)[]): string => {
      const definition = {
        c1: {
          id: 'c1',
          title: 'a|b',
          type: 'text',
          textAlignment: 'left',
          verticalAlignment: 'top',
        } as const,
      }
      const records = { r1: { orderIndex: '1', values: { c1: 's' } } }
      const view = { type: 'grid' as const, columns: ['c1'], hideHeader: false }
      return markdown(
        block('table', { view, records, definition }, { fragments: [fragment('s', [line(...nodes)])] }),
      )
    }
    const ref = { kind: 'url', url: 'a|b' } as const
    assert.equal(
      pipe(text('|', [mark('code')]), text(' \\| '), inline('link', { ref }, { nodes: [text('|')] })).split(
        '\n',
      )[2],
      '| `\\|` \\\\\\| [\\|](a\\|b) |',
    )
    assert.equal(
      pipe(inline('button', { label: '|', kind: 'primary', ref })).split('\n')[2],
      '| <a href="a&#124;b" class="button primary">\\|</a> |',
    )
    // A backslash before a pipe in code is what pipes have no notation for.
    assert.ok(pipe(text('\\|', [mark('code')])).startsWith('<table>'))
  })

  it('in headings, where fewer signs mean something', () => {
    const heading = (words: string) => markdown(block('heading-1', {}, { nodes: [text(words)] }))
    assert.equal(heading('- 1. # a'), '## - 1. # a\n')
    assert.equal(heading('C #'), '## C \\#\n')
    assert.equal(heading('a\nb'), '## a<br>b\n')
  })

  it('at the beginning of an item, where more signs do', () => {
    const list = (words: string) =>
      markdown(
        block('list-unordered', {}, { nodes: [block('list-item', {}, { nodes: [line(text(words))] })] }),
      )
    assert.equal(list('[ ] a'), '* \\[ ] a\n')
    assert.equal(list('**'), '* \\**\n')
    assert.equal(list('1. a'), '* 1\\. a\n')
  })

  it('in attributes of tags and of HTML', () => {
    const tab = (title: string): string =>
      markdown(
        block('tabs', {}, { nodes: [block('tabs-item', { title }, { nodes: [line(text('a'))] })] }),
      ).split('\n')[1]!
    assert.equal(tab('a "b" \\ c\\'), '{% tab title="a \\"b\\" \\ c\\\\" %}')
    assert.equal(tab('two\nlines %} end'), '{% tab title="two lines %} end" %}')
    // One value cannot hold both quotes and the end of a tag.
    assert.equal(tab('a "b" %} c'), '{% tab title="a ”b” %} c" %}')
    assert.equal(tab('“a”='), '{% tab title="\'a\'=" %}')
    const image = block('image', { ref: { kind: 'url', url: 'a"b&lt;.png' }, alt: 'a\nb "c" {% d' })
    assert.equal(
      markdown(block('images', {}, { nodes: [image] })),
      '<figure><img src="a&quot;b&amp;lt;.png" alt="a&#10;b &quot;c&quot; {&#37; d"><figcaption></figcaption></figure>\n',
    )
  })
})

describe('what Markdown has no form for', () => {
  it('spaces at the edges of emphasis move outside, and none becomes an entity', () => {
    const nodes = [text('a', []), text(' b ', [mark('bold')]), text('c '), text(' d ', [mark('italic')])]
    assert.equal(
      markdown(line({ object: 'text', leaves: nodes.flatMap(one => one.leaves) })),
      'a **b** c _d_\n'.replace('c _', 'c  _'),
    )
    assert.equal(markdown(line(text('  a  '))), 'a\n')
  })

  it('words at the end of a heading that look like its id are escaped', () => {
    const heading = (words: string) => markdown(block('heading-1', {}, { nodes: [text(words)] }))
    assert.equal(heading('A {#b}'), '## A \\{#b}\n')
    assert.equal(heading('A { #b }'), '## A \\{ #b }\n')
    assert.equal(heading('A {#b} c'), '## A {#b} c\n')
  })

  it('emphasis that delimiters cannot begin or end is HTML', () => {
    const bold = (before: string, words: string, after: string) =>
      markdown(
        line({
          object: 'text',
          leaves: [before, words, after].map((one, index) => ({
            object: 'leaf' as const,
            text: one,
            marks: index === 1 ? [mark('bold')] : [],
          })),
        }),
      )
    assert.equal(bold('a', 'note:', 'b'), 'a<strong>note:</strong>b\n')
    assert.equal(bold('参考', '“设置”', '说明'), '参考**“设置”**说明\n')
    assert.equal(bold('a ', 'note:', ' b'), 'a **note:** b\n')
  })

  it('a reference that leads nowhere is its words', () => {
    const nowhere = { kind: 'page', page: 'gone' } as const
    const document = of(
      line(
        inline('link', { ref: nowhere }, { nodes: [text('words')] }),
        text(' '),
        inline('mention', { ref: nowhere }),
      ),
      line(inline('button', { label: 'Go', kind: 'primary', ref: nowhere })),
      block('content-ref', { ref: nowhere }),
      block('images', {}, { nodes: [block('image', { ref: { kind: 'file', file: 'gone' }, alt: 'Alt' })] }),
      block('file', { ref: { kind: 'file', file: 'gone' } }),
    )
    assert.equal(renderDocument(document, { write: () => undefined }), 'words\n\nGo\n\n<p>Alt</p>\n')
  })

  it('references go by their ids where nobody says how to write them', () => {
    const link = (ref: Parameters<WriteReference>[0]) => inline('link', { ref }, { nodes: [text('a')] })
    assert.equal(
      markdown(
        line(link({ kind: 'url', url: 'https://x.example' }), link({ kind: 'page', page: 'p1' })),
        line(link({ kind: 'anchor', page: 'p1', anchor: 'x' }), link({ kind: 'anchor', anchor: 'x' })),
        line(link({ kind: 'file', file: 'f1', space: 's1' }), link({ kind: 'user', user: 'u1' })),
      ),
      '[a](https://x.example)[a](/pages/p1)\n\n[a](/pages/p1#x)[a](#x)\n\n[a](/spaces/s1/files/f1)[a](/users/u1)\n',
    )
  })

  it('a note in a note is words behind those it is for', () => {
    const note = (words: string, body: Block) =>
      inline(
        'annotation',
        {},
        { nodes: [text(words)], fragments: [fragment('annotation-body', [body], 'annotation-body')] },
      )
    const outer = note('outer', line(text('see '), note('inner', line(text('why')))))
    assert.equal(markdown(line(text('an '), outer)), 'an outer[^1]\n\n[^1]: see inner (why)\n')
  })

  it('an empty document is an empty text, and empty paragraphs are none', () => {
    assert.equal(markdown(), '')
    assert.equal(markdown(paragraph([]), line(text('a')), paragraph([]), line(text('b'))), 'a\n\nb\n')
    assert.equal(
      markdown(block('hint', { style: 'info' }, { nodes: [paragraph([])] })),
      '{% hint style="info" %}\n{% endhint %}\n',
    )
    assert.equal(
      markdown(
        block('tabs', {}, { nodes: [] }),
        block('table', {
          view: { type: 'grid', columns: [], hideHeader: false },
          records: {},
          definition: {},
        }),
      ),
      '',
    )
  })

  it('a task without words, and one that begins with another block', () => {
    const task = (...nodes: Block[]) => block('list-item', { checked: true }, { nodes })
    const source = markdown(
      block('list-tasks', {}, { nodes: [task(paragraph([])), task(block('divider', {}))] }),
    )
    assert.equal(source, '* [x] <!-- -->\n\n* [x] <!-- -->\n\n  ***\n')
    assert.deepEqual(
      toDocument(source).document.nodes[0]!.nodes!.map(one => one.object === 'block' && one.data),
      [{ checked: true }, { checked: true }],
    )
  })

  it('control characters and halves of pairs, which would hide tags, are left out', () => {
    assert.equal(
      markdown(line(text('{\u0001% hint %} ?\u0002? \ud800 a\u000bb\r\nc'))),
      '{\\% hint %} ?? � a b\\\nc\n',
    )
  })

  it('tables whose rows and columns go by other names and another order', () => {
    const column = (id: string) =>
      ({ id, title: id, type: 'text', textAlignment: 'left', verticalAlignment: 'top' }) as const
    const data = {
      view: { type: 'grid' as const, columns: ['b', 'a'], hideHeader: false },
      records: {
        x: { orderIndex: '2', values: { a: 'plain text', b: 'slot' } },
        y: { orderIndex: '1', values: { b: 'first' } },
      },
      definition: { a: column('a'), b: column('b'), hidden: column('hidden') },
    }
    assert.equal(
      markdown(block('table', data, { fragments: [fragment('slot', [line(text('rich'))])] })),
      '<table><thead><tr><th>b</th><th>a</th><th data-hidden>hidden</th></tr></thead><tbody><tr><td colspan="3">first</td></tr><tr><td>rich</td><td colspan="2">plain text</td></tr></tbody></table>\n',
    )
  })

  it('numbers of lists that Markdown does not know begin at 1', () => {
    const list = (start: number) =>
      markdown(
        block('list-ordered', { start }, { nodes: [block('list-item', {}, { nodes: [line(text('a'))] })] }),
      )
    for (const start of [-1, 1.5, 1e9, Number.MAX_SAFE_INTEGER]) assert.equal(list(start), '1. a\n')
    assert.equal(list(0), '0. a\n')
  })
})

describe('a hostile document is written in time', () => {
  const MANY = 8_192
  const leaf = (value: string, ...marks: Mark[]) => ({ object: 'leaf' as const, text: value, marks })
  const DOCUMENTS: { readonly [name: string]: Shape<JSONDocument> } = {
    'a line of signs': many => of(line(text('*_~`[](<&{{:$$!\\'.repeat(many)))),
    'a line of addresses': many => of(line(text('http://a.b@c.d www.'.repeat(many)))),
    'a line of backslashes': many => of(line(text('\\'.repeat(10 * many)))),
    'a line of spaces': many => of(line(text(`a${' '.repeat(10 * many)}b`))),
    'lines of breaks': many => of(line(text('a\n'.repeat(many)))),
    'leaves of marks': many =>
      of(
        line({
          object: 'text',
          leaves: Array.from({ length: many }, (_, index) => leaf('a ', mark(index % 2 ? 'bold' : 'italic'))),
        }),
      ),
    notes: many =>
      of(
        line(
          ...Array.from({ length: many / 10 }, (_, index) =>
            inline(
              'annotation',
              {},
              {
                nodes: [text(`word${index}`)],
                fragments: [fragment('annotation-body', [line(text(`note ${index}`))], 'annotation-body')],
              },
            ),
          ),
        ),
      ),
    links: many =>
      of(
        line(
          ...Array.from({ length: many }, () =>
            inline('link', { ref: { kind: 'url', url: '('.repeat(20) } }, { nodes: [text(']')] }),
          ),
        ),
      ),
    blocks: many => of(...Array.from({ length: many }, () => line(text('a')))),
    'lines of code': many =>
      of(
        block(
          'code',
          {},
          { nodes: Array.from({ length: many }, () => block('code-line', {}, { nodes: [text('```')] })) },
        ),
      ),
    rows: many => {
      const records = Object.fromEntries(
        Array.from({ length: many }, (_, index) => [
          `r${index}`,
          { orderIndex: String(index), values: { c: 'a' } },
        ]),
      )
      const definition = {
        c: { id: 'c', title: 'c', type: 'text', textAlignment: 'left', verticalAlignment: 'top' } as const,
      }
      return of(
        block('table', { view: { type: 'grid', columns: ['c'], hideHeader: false }, records, definition }),
      )
    },
  }
  for (const [name, shape] of Object.entries(DOCUMENTS))
    it(`of ${name}`, async () => {
      await assertLinear<JSONDocument>(name, document => renderDocument(document), shape, MANY)
      const { length } = renderDocument(shape(1_024))
      assert.ok(length > 0 && length < 700_000)
    })

  it('as deep as documents may be', () => {
    let nodes: Block[] = [line(text('deep'))]
    for (let level = 0; level < 62; level++)
      nodes = [block('list-unordered', {}, { nodes: [block('list-item', {}, { nodes })] })]
    assert.deepEqual(checkDocument(of(...nodes)), [])
    assert.ok(markdown(...nodes).includes('deep'))
    let quotes: Block[] = [line(text('deep'))]
    for (let level = 0; level < 125; level++) quotes = [block('blockquote', {}, { nodes: quotes })]
    assert.ok(markdown(...quotes).endsWith('> deep\n'))
  })
})

it('an emoji in code is written as an element, as names in code are words', () => {
  const code = (words: string) => text(words, [mark('code')])
  const emoji = inline('emoji', { code: '1f680' })
  const written = markdown(line(code('*'), emoji, code('*a')))
  assert.match(written, /^<code>.*data-code="1f680".*<\/code>\n$/)
  const [paragraph] = toDocument(written).document.nodes
  assert.ok(paragraph?.nodes?.some(node => node.object === 'inline' && node.type === 'emoji'))
})
