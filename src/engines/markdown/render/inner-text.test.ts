// A block that changes inside another: the blocks beside it keep their bytes, however they are indented and spelled.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Block, block, type JSONDocument, paragraph, text, toDocument } from '../document/document.ts'
import { writeOver } from './render.ts'

const words = (value: string): Block => paragraph([text(value)])
const inside = (node: Block | undefined): Block[] => (node as { nodes?: Block[] }).nodes!
const slot = (node: Block | undefined, at: number): Block[] => node!.fragments![at]!.nodes
const codeLine = (value: string): Block => block('code-line', {}, { nodes: [text(value)] })

const inElement = (tag: string, inside: string, more = ''): string =>
  `<div data-gb-custom-block data-tag="${tag}"${more}>\n\n${inside}\n\n</div>`

/** The page written back with what `edit` did; nothing in it may be unwritten. */
function edited(source: string, edit: (nodes: Block[]) => void): string {
  const document: JSONDocument = structuredClone(toDocument(source).document)
  edit(document.nodes)
  const { text: written, unwritten } = writeOver(source, document, {})
  assert.deepEqual(unwritten, [])
  assert.deepEqual(said(toDocument(written).document.nodes), said(document.nodes))
  return written
}

const said = (nodes: readonly Block[]): unknown =>
  JSON.parse(JSON.stringify(nodes, (name, value) => (['key', 'meta'].includes(name) ? undefined : value)))

type Case = readonly [source: string, edit: (nodes: Block[]) => void, expected: string]
const CASES: { readonly [name: string]: Case } = {
  'a line of code in an item that is indented unlike the others': [
    '* __a__&#x20;\n*   b\n\n    ```\n    x\n    ```\n* c\n',
    ([list]) => inside(inside(inside(list)[1])[1]).unshift(codeLine('new')),
    '* __a__&#x20;\n*   b\n\n    ```\n    new\n    x\n    ```\n* c\n',
  ],
  'a paragraph in an item that is indented unlike the others': [
    '1. __a__&#x20;\n2.  b\n\n    c\\!\n3. d\n',
    ([list]) => inside(inside(list)[1]).splice(1, 0, words('new')),
    '1. __a__&#x20;\n2.  b\n\n    new\n\n    c\\!\n3. d\n',
  ],
  'a paragraph in a loose item behind a tab': [
    '-\ta\n\n\tb\\!\n\n-\tc&#x20;\n\n\td\n',
    ([list]) => inside(inside(list)[0]).push(words('new')),
    '-\ta\n\n\tb\\!\n\n\tnew\n\n-\tc&#x20;\n\n\td\n',
  ],
  'a block in a cell with Markdown': [
    '<table><thead><tr><th>h</th></tr></thead><tbody><tr><td>\n\n__a__&#x20;\n\n*   b\n\n</td></tr><tr><td>\n\nc\\!\n\n```\nx\n```\n\n</td></tr></tbody></table>\n',
    ([table]) => slot(table, 0).splice(1, 0, words('new')),
    '<table><thead><tr><th>h</th></tr></thead><tbody><tr><td>\n\n__a__&#x20;\n\nnew\n\n*   b\n\n</td></tr><tr><td>\n\nc\\!\n\n```\nx\n```\n\n</td></tr></tbody></table>\n',
  ],
  'a paragraph in an item of a list between pipes, beside code that is an element': [
    '| a      | b |\n|--------|---|\n| <ul><li><code>x</code></li><li><code>y</code></li></ul> | c   |\n| __d__ | e |\n',
    ([table]) => inside(inside(slot(table, 0)[0])[0]).unshift(words('new')),
    '| a      | b |\n|--------|---|\n| <ul><li><p>new</p><p><code>x</code></p></li><li><code>y</code></li></ul> | c   |\n| __d__ | e |\n',
  ],
  'a paragraph in a cell of a long table on one line': [
    `<table><tbody>${'<tr><td>__a__ &lt;b&gt; and some words</td></tr>'.repeat(82)}</tbody></table>\n`,
    ([table]) => slot(table, 0).push(words('new'.repeat(100))),
    `<table><tbody>${'<tr><td>__a__ &lt;b&gt; and some words</td></tr>'.repeat(82)}</tbody></table>\n`.replace(
      '__a__ &lt;b&gt; and some words',
      `<p>__a__ &lt;b&gt; and some words</p><p>${'new'.repeat(100)}</p>`,
    ),
  ],
  'a paragraph in a quote in an item': [
    '1.  __a__\n\n    > b\\!\n    > c\n\n2.  d&#x20;\n',
    ([list]) => inside(inside(inside(list)[0])[1]).push(words('new')),
    '1.  __a__\n\n    > b\\!\n    > c\n    >\n    > new\n\n2.  d&#x20;\n',
  ],
  'a tab between others': [
    '{% tabs %}\n{% tab title="A" %}\n__a__&#x20;\n{% endtab %}\n\n{% tab title="B" %}\n*   b\n{% endtab %}\n{% endtabs %}\n',
    ([tabs]) => inside(tabs).splice(1, 0, block('tabs-item', { title: 'N' }, { nodes: [words('new')] })),
    '{% tabs %}\n{% tab title="A" %}\n__a__&#x20;\n{% endtab %}\n\n{% tab title="N" %}\nnew\n{% endtab %}\n\n{% tab title="B" %}\n*   b\n{% endtab %}\n{% endtabs %}\n',
  ],
  'a paragraph in an element that stands for a tag': [
    '<div data-gb-custom-block data-tag="hint" data-style="info">\n\n__a__&#x20;\n\n*   b\n\n</div>\n',
    ([hint]) => inside(hint).splice(1, 0, words('new')),
    '<div data-gb-custom-block data-tag="hint" data-style="info">\n\n__a__&#x20;\n\nnew\n\n*   b\n\n</div>\n',
  ],
  'a tab between others that are elements, and a paragraph in one of them': [
    `${inElement('tabs', `${inElement('tab', '__a__&#x20;', ' data-title="A"')}\n\n${inElement('tab', '*   b', ' data-title="B"')}`)}\n`,
    ([tabs]) => {
      inside(inside(tabs)[1]).push(words('new'))
      inside(tabs).splice(1, 0, block('tabs-item', { title: 'N' }, { nodes: [words('n')] }))
    },
    `${inElement('tabs', `${inElement('tab', '__a__&#x20;', ' data-title="A"')}\n\n{% tab title="N" %}\nn\n{% endtab %}\n\n${inElement('tab', '*   b\n\nnew', ' data-title="B"')}`)}\n`,
  ],
  'steps that change places': [
    '{% stepper %}\n{% step %}\n### a ###\n__b__\n{% endstep %}\n\n{% step %}\n*   c\\!\n{% endstep %}\n{% endstepper %}\n',
    ([stepper]) => inside(stepper).reverse(),
    '{% stepper %}\n{% step %}\n*   c\\!\n{% endstep %}\n\n{% step %}\n### a ###\n__b__\n{% endstep %}\n{% endstepper %}\n',
  ],
  'items that change places, with what was escaped in them': [
    '- A\\_B&#x20;\n- *c*\n',
    ([list]) => inside(list).reverse(),
    '- *c*\n- A\\_B&#x20;\n',
  ],
  'a block that goes from an expandable': [
    '<details>\n\n<summary>t</summary>\n\n__a__&#x20;\n\nb\n\n*   c\n\n</details>\n',
    ([details]) => slot(details, 1).splice(1, 1),
    '<details>\n\n<summary>t</summary>\n\n__a__&#x20;\n\n*   c\n\n</details>\n',
  ],
  'an item above a number that gets longer, whose lines move with it': [
    '9. a\n\n   b\\!\n',
    ([list]) => inside(list).unshift(block('list-item', {}, { nodes: [words('new')] })),
    '9. new\n10. a\n\n    b\\!\n',
  ],
}

describe('inside a block, the others keep their bytes around', () => {
  for (const [name, [source, edit, expected]] of Object.entries(CASES)) {
    it(name, () => assert.equal(edited(source, edit), expected))
    it(`${name}, between Windows line ends`, () =>
      assert.equal(edited(source.replaceAll('\n', '\r\n'), edit), expected.replaceAll('\n', '\r\n')))
  }
})

describe('a footnote that a block defines', () => {
  const SOURCE = "{% hint style='info' %}\na[^own] b\n\n[^own]: __c__&#x20;\n\nd\n{% endhint %}\n\ne[^own]\n"

  it('keeps its label and its place when a block comes into that block', () => {
    const expected = SOURCE.replace('\nd\n', '\nd\n\nnew\n')
    assert.equal(
      edited(SOURCE, ([hint]) => inside(hint).push(words('new'))),
      expected,
    )
  })

  it('keeps its label at the end of the page when that block goes', () => {
    assert.equal(
      edited(SOURCE, nodes => nodes.shift()),
      'e[^own]\n\n[^own]: **c**\n',
    )
  })
})
