// A page read as a document, edited and written back: what the edit is not about keeps its bytes, however it is spelled.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type Block,
  type BlockOf,
  block,
  type JSONDocument,
  type Leaf,
  paragraph,
  text,
  toDocument,
} from '../document/document.ts'
import { renderOver } from './render-over.ts'

/** The page written back with what `edit` did to the blocks of its document. */
function edited(source: string, edit: (nodes: Block[]) => void): string {
  const document = structuredClone(toDocument(source).document) as JSONDocument
  edit(document.nodes)
  return renderOver(source, document, {})
}

type Holder = { nodes?: Holder[]; leaves?: Leaf[]; fragments?: Holder[] }

function* leavesIn(holders: readonly Holder[]): Generator<Leaf> {
  for (const { nodes = [], leaves = [], fragments = [] } of holders) {
    yield* leaves
    yield* leavesIn(nodes)
    yield* leavesIn(fragments)
  }
}

const words = (value: string): Block => paragraph([text(value)])
const item = (value: string): Block => block('list-item', {}, { nodes: [words(value)] })
const inside = (node: Block | undefined): Block[] => (node as { nodes?: Block[] }).nodes!

describe('a word that is changed', () => {
  const SAMPLES: { readonly [name: string]: string } = {
    'white space that was written as a reference': 'a OLD b&#x20;\n\nc&#x20;\n',
    'references of characters': 'a &lt;b&gt; OLD &amp; &nbsp;c &hellip; d\n',
    'variables of both notations': 'a {% vars.b %} OLD {{ space.vars.c }}\n\n{% vars.d %}\n',
    'breaks in a line': 'a<br>OLD\\\nb  \nc<br/>d\n',
    'lines of one paragraph': 'a\nOLD\n  b\nc\n',
    'escapes that nothing needs': 'a\\. OLD\\! 1\\) \\_b\\_\n',
    'signs of emphasis': '__a__ _b_ *c* **d** ***OLD*** <b>e</b> <em>f</em>\n',
    'a mark within a word': 'a**OLD**b\n',
    'links of every notation': '[a](<x.md> \'t\') <https://a.example> OLD [b] [c][b]\n\n[b]: y.md "t"\n',
    'a destination that says the same': '[OLD](OLD.md) <a href="OLD">x</a>\n',
    'a heading with a line below': 'a OLD\n-----\n\nb\n',
    'a heading that is closed': '#### a OLD ####\n',
    'list items far from their signs': '*   a\n*   OLD\n\n    b\n*   c\n',
    'lists with four spaces': '1. a\n    * OLD\n        * b\n2. c\n',
    'lists with tabs': '-\ta\n\t-\tOLD\n-\tb\n',
    'numbers that are all one': '1. a\n1. OLD\n1. b\n',
    'numbers with brackets': '7) a\n8) OLD\n',
    'lists that are loose and tight': '- a\n- OLD\n\n- b\n\n\n- c\n',
    'lazy lines of a list': '- a\nOLD\n  b\n- c\n',
    tasks: '+ [ ] OLD\n+ [X] b\n',
    'a quote': '> a\n> OLD\nlazy\n>\n> - b\n>- c\n',
    'columns of a table': '|a|b |\n|:--|-|\n|c   |OLD&#x20; |\n|d|\n',
    'a table in HTML':
      '<table>\n<thead><tr><th>a</th></tr></thead>\n<tbody><tr>\n<td><p>OLD</p><p>b</p></td></tr></tbody></table>\n',
    cards:
      '<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td><strong>OLD</strong></td><td><a href="a.md">a.md</a></td></tr></tbody></table>\n',
    'a hint': "{% hint style='info'   %}\n\n__a__ OLD&#x20;\n{% endhint %}\n",
    tabs: '{% tabs %}\n{% tab title=\'A\' %}\nOLD\n{% endtab %}\n{% tab title="B" %}\n-   b\n{% endtab %}\n{% endtabs %}\n',
    'a stepper': '{% stepper %}\n{% step %}\n### a ###\nOLD\n{% endstep %}\n{% endstepper %}\n',
    columns: '{% columns %}\n{% column width="50.0%" %}\n__OLD__\n{% endcolumn %}\n{% endcolumns %}\n',
    'an expandable': '<details>\n<summary>a <b>OLD</b></summary>\nb&#x20;\n\n*   c\n</details>\n',
    code: '~~~js title="a"\n\tOLD\n~~~\n\n    indented\n',
    'code with a title':
      '{% code title=\'a\'   overflow="wrap" %}\n````js\nOLD\n\n\nb\n````\n{% endcode %}\n',
    'code in a list': '1.  a\n\n    ```sh\n    OLD --b\n    ```\n2.  c\n',
    'a caption': "<figure><img src='a.png'   alt=''><figcaption>OLD <i>b</i></figcaption></figure>\n",
    'a note': 'a[^n] b\n\n[^n]:   __b__ OLD&#x20;\n    c\n',
    'what is spelled in its own way beside a note':
      'OLD a[^n] __b__ <https://a.example> <c.md>, &copy; d[^N]\n\n[^n]: e\n',
    'what is spelled in its own way in the notes of one line':
      'a[^n] __b__ c[^m]\n\n[^m]: __e__\n[^n]: OLD __d__\n',
    'an element somebody wrote': '<div align="center">\n\n  OLD __b__\n\n</div>\n',
    'a pointer with a caption': '{% embed url="https://a.example" %}\nOLD __b__\n{% endembed %}\n',
    'emojis and icons': ':rocket: 🚀 OLD <i class="fa-bolt"></i> :x:\n',
    'characters without spaces between them': '这是一个OLD句子\\!**强调**\n',
    'a page with frontmatter, comments and no end':
      '---\na: b\n---\n<!-- c -->\n\nd OLD  \n\n\n<!-- e -->\n\nf',
  }
  for (const [name, unix] of Object.entries(SAMPLES))
    for (const source of [unix, `\ufeff${unix.replaceAll('\n', '\r\n')}`])
      it(`leaves ${name}${source === unix ? '' : ', between Windows line ends'}`, () => {
        let count = 0
        const changed = edited(source, nodes => {
          for (const leaf of leavesIn(nodes as Holder[]))
            if (/(?<!\w)OLD/.test(leaf.text)) {
              leaf.text = leaf.text.replace('OLD', 'NEW')
              count++
            }
        })
        assert.equal(count, 1)
        const at = changed.indexOf('NEW')
        assert.equal(`${changed.slice(0, at)}OLD${changed.slice(at + 3)}`, source)
      })
})

describe('an edit of the structure', () => {
  type Case = readonly [source: string, edit: (nodes: Block[]) => void, expected: string]
  const CASES: { readonly [name: string]: Case } = {
    'a note goes, with its reference': [
      '__a__ b[^n] <https://a.example> c[^m]\n\n[^n]: d\n[^m]: __e__\n',
      ([line]) => inside(line).splice(1, 1),
      '__a__  <https://a.example> c[^m]\n\n[^m]: __e__\n',
    ],
    'an item goes into a loose list': [
      '*   a\n\n*   b&#x20;\n\n    c\n',
      ([list]) => inside(list).splice(1, 0, item('new')),
      '*   a\n\n*   new\n\n*   b&#x20;\n\n    c\n',
    ],
    'an item goes to the end of a tight list': [
      '- __a__\n- b&#x20;\n',
      ([list]) => inside(list).push(item('new')),
      '- __a__\n- b&#x20;\n- new\n',
    ],
    'an item goes to the beginning of a list': [
      '- __a__\n- b&#x20;\n',
      ([list]) => inside(list).unshift(item('new')),
      '- new\n- __a__\n- b&#x20;\n',
    ],
    'an item goes into a list that is numbered with ones': [
      '1.  __a__\n1.  b\n',
      ([list]) => inside(list).splice(1, 0, item('new')),
      '1.  __a__\n1.  new\n1.  b\n',
    ],
    'an item goes into a numbered list, and the numbers below follow': [
      '3) __a__\n4) b&lt;\n5) c\n',
      ([list]) => inside(list).splice(1, 0, item('new')),
      '3) __a__\n4) new\n5) b&lt;\n6) c\n',
    ],
    'an item goes into a list in a list': [
      '* a\n    * __b__\n    * c&#x20;\n* d\n',
      ([list]) => inside(inside(inside(list)[0])[1]).splice(1, 0, item('new')),
      '* a\n    * __b__\n    * new\n    * c&#x20;\n* d\n',
    ],
    'an item that needs room gets it alone': [
      '1.  a\n2.  __b__\n3.  c\n',
      ([list]) => inside(inside(list)[0]).push(words('new')),
      '1.  a\n\n    new\n\n2.  __b__\n3.  c\n',
    ],
    'an item goes away': [
      '- __a__\n- b&#x20;\n- c&#x20;\n',
      ([list]) => inside(list).splice(1, 1),
      '- __a__\n- c&#x20;\n',
    ],
    'the last item goes away': ['- __a__\n- b&#x20;\n\nc', ([list]) => inside(list).pop(), '- __a__\n\nc'],
    'a task is done': [
      '+ [ ] __a__&#x20;\n+ [X] b\n',
      ([list]) => Object.assign(inside(list)[0]!, { data: { checked: true } }),
      '+ [x] __a__&#x20;\n+ [X] b\n',
    ],
    'a row goes into a table': [
      '| a    | b |\n|------|:-:|\n| __c__ | d&#x20; |\n',
      ([table]) => addRow(table as BlockOf<'table'>, 'x', 'y'),
      '| a    | b |\n|------|:-:|\n| __c__ | d&#x20; |\n| x      |  y  |\n'.replace(
        'x      |  y  |',
        'x      |  y  |',
      ),
    ],
    'a row goes away': [
      '| a    | b |\n|------|:-:|\n| c | d |\n| __e__ | f&#x20; |\n',
      ([table]) => Reflect.deleteProperty((table as BlockOf<'table'>).data.records, 'r1'),
      '| a    | b |\n|------|:-:|\n| __e__ | f&#x20; |\n',
    ],
    'a row goes into a table in HTML': [
      '<table>\n<thead><tr><th>a</th></tr></thead>\n<tbody><tr><td>b</td></tr></tbody></table>\n',
      ([table]) => addRow(table as BlockOf<'table'>, 'x'),
      '<table>\n<thead><tr><th>a</th></tr></thead>\n<tbody><tr><td>b</td></tr><tr><td>x</td></tr></tbody></table>\n',
    ],
    'a link leads elsewhere': [
      "__a__ [b](<x.md> 't') [c](y.md)&#x20;\n",
      ([line]) => Object.assign(linksIn(line)[1]!, { data: { ref: { kind: 'url', url: 'z.md' } } }),
      "__a__ [b](<x.md> 't') [c](z.md)&#x20;\n",
    ],
    'a link of a definition leads elsewhere': [
      '__a__ [b][c] [c]\n\n[c]: y.md\n',
      ([line]) => Object.assign(linksIn(line)[0]!, { data: { ref: { kind: 'url', url: 'z.md' } } }),
      '__a__ [b](z.md) [c]\n\n[c]: y.md\n',
    ],
    'a heading has another level': [
      '## a __b__ ##\n\nc\n',
      ([heading]) => Object.assign(heading!, { type: 'heading-2' }),
      '### a __b__ ##\n\nc\n',
    ],
    'a heading with a line below has another level': [
      'a\n---\n\n__c__\n',
      ([heading]) => Object.assign(heading!, { type: 'heading-2' }),
      '### a\n\n__c__\n',
    ],
    'a paragraph goes to the end of a hint': [
      "{% hint style='info' %}\n__a__&#x20;\n{% endhint %}\n",
      ([hint]) => inside(hint).push(words('new')),
      "{% hint style='info' %}\n__a__&#x20;\n\nnew\n{% endhint %}\n",
    ],
    'a tab has another title': [
      "{% tabs %}\n{% tab icon='x' title='A' %}\n__a__\n{% endtab %}\n{% endtabs %}\n",
      ([tabs]) => Object.assign(inside(tabs)[0]!, { data: { title: 'New', icon: 'x' } }),
      "{% tabs %}\n{% tab icon='x' title='New' %}\n__a__\n{% endtab %}\n{% endtabs %}\n",
    ],
    'a picture has other words in its place': [
      "![old words](a.png)\n\n<figure><img src='a.png' alt='z'><figcaption>c&nbsp;d</figcaption></figure>\n",
      nodes => {
        for (const one of nodes) Object.assign((inside(one)[0] as BlockOf<'image'>).data, { alt: 'new' })
      },
      "![new](a.png)\n\n<figure><img src='a.png' alt='new'><figcaption>c&nbsp;d</figcaption></figure>\n",
    ],
    'words become bold': [
      '__a__ new *c*<br>d&#x20;\n',
      ([line]) => {
        const [head] = inside(line) as unknown as { leaves: Leaf[] }[]
        head!.leaves[1]!.text = ' '
        const bold = { object: 'mark', type: 'bold' } as const
        head!.leaves.splice(2, 0, { object: 'leaf', text: 'new', marks: [bold] }, { ...head!.leaves[1]! })
      },
      '__a__ **new** *c*<br>d&#x20;\n',
    ],
  }
  for (const [name, [source, edit, expected]] of Object.entries(CASES))
    it(name, () => assert.equal(edited(source, edit), expected))
})

describe('words that come in beside others', () => {
  const TABLE = '|a|b|\n|-|-|\n|OLD|&lt;|\n|c  |&lt;|\n'
  for (const words of ['new OLD', 'OLD new', 'new OLD new'])
    it(`${words} leaves a table as narrow as it is`, () => {
      const changed = edited(TABLE, nodes => {
        for (const leaf of leavesIn(nodes as Holder[])) leaf.text = leaf.text.replace('OLD', words)
      })
      assert.equal(changed, TABLE.replace('OLD', words))
    })
})

describe('a document without keys', () => {
  it('is edited in its place all the same', () => {
    const source = '*   a\n\n__b__ OLD&#x20;\n\n1. c\n1. d\n'
    const changed = edited(source, nodes => {
      for (const node of nodes) Reflect.deleteProperty(node, 'key')
      for (const leaf of leavesIn(nodes as Holder[])) leaf.text = leaf.text.replace('OLD', 'NEW')
      inside(nodes[2]).push(item('new'))
    })
    assert.equal(changed, '*   a\n\n__b__ NEW&#x20;\n\n1. c\n1. d\n1. new\n')
  })
})

function addRow({ data, fragments }: BlockOf<'table'>, ...cells: string[]): void {
  const values: { [column: string]: string } = {}
  for (const [index, value] of cells.entries()) {
    values[`c${index + 1}`] = `new-${index}`
    fragments!.push({ object: 'fragment', fragment: `new-${index}`, nodes: [words(value)] })
  }
  data.records.new = { orderIndex: '9', values }
}

const linksIn = (line: Block | undefined): Block[] =>
  inside(line).filter(one => (one.type as string) === 'link')
