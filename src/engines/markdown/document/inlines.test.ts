import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sketch } from '../../../../test/support/markdown/sketch.ts'
import { checkDocument } from './check.ts'
import { toDocument } from './to-document.ts'

/** One line of Markdown becomes one paragraph. */
function becomes(source: string, expected: string): void {
  const { document } = toDocument(source)
  assert.deepEqual(checkDocument(document), [])
  assert.equal(sketch(document), `paragraph ${expected}`)
}

const url = (destination: string): string => `{"kind":"url","url":"${destination}"}`

test('marks, alone and within each other', () => {
  becomes('**b _bi_** ~~s~~ `c`', 'bold:"b " bold:italic:"bi" " " strikethrough:"s" " " code:"c"')
  becomes(
    '<kbd>K</kbd> x<sup>2</sup> H<sub>2</sub>O <b>b</b>',
    'keyboard:"K" " x" superscript:"2" " H" subscript:"2" "O " bold:"b"',
  )
})

test('colours of text and ground, one within the other', () => {
  becomes('<mark style="color:red;">r</mark>', 'color(red,default):"r"')
  becomes(
    '<mark style="background-color:$info;">i **b**</mark>',
    'color(default,$info):"i " color(default,$info):bold:"b"',
  )
  becomes(
    '<mark style="color:red;">a<mark style="background-color:blue;">b</mark></mark>',
    'color(red,default):"a" color(red,blue):"b"',
  )
  becomes('<mark style="color:#123456;">plain</mark>', '"plain"')
})

test('links hold text, marks and images', () => {
  becomes('[a **b**](x.md#y)', `<link {"ref":${url('x.md#y')}} "a " bold:"b">`)
  becomes(
    'see [![i](a.png)](x.md)',
    `"see " <link {"ref":${url('x.md')}} <inline-image {"ref":${url('a.png')},"alt":"i"}>>`,
  )
  becomes('[a ](b) c', `<link {"ref":${url('b')}} "a "> " c"`)
  becomes('see [](x.md)', `"see " <link {"ref":${url('x.md')}} "x.md">`)
  becomes('<https://x.example>', `<link {"ref":${url('https://x.example')}} "https://x.example">`)
})

test('what a link cannot hold is between its parts', () => {
  becomes(
    '[a $$x$$ b](x.md)',
    `<link {"ref":${url('x.md')}} "a "> <inline-math {"formula":"x"}> <link {"ref":${url('x.md')}} " b">`,
  )
  becomes(
    '[a <a href="y.md">b</a>](x.md)',
    `<link {"ref":${url('x.md')}} "a "> <link {"ref":${url('y.md')}} "b">`,
  )
  becomes('[:rocket: Start](x.md)', `<link {"ref":${url('x.md')}} "🚀 Start">`)
})

test('mentions; a label of its own makes it a link', () => {
  becomes('[sign.md](web/sign.md "mention")', `<mention {"ref":${url('web/sign.md')}}>`)
  becomes('<a data-mention href="sign.md">sign.md</a>', `<mention {"ref":${url('sign.md')}}>`)
  becomes('[How to sign](sign.md "mention")', `<link {"ref":${url('sign.md')}} "How to sign">`)
})

test('buttons, with a target or an action', () => {
  becomes(
    '<a href="b.md" class="button primary" data-icon="bolt">Go now</a>',
    `<button {"label":"Go now","kind":"primary","icon":"bolt","ref":${url('b.md')}}>`,
  )
  becomes(
    '<button type="button" class="button secondary" data-action="ask" data-query="q">Ask</button>',
    '<button {"label":"Ask","kind":"secondary","action":{"action":"ask","query":"q"}}>',
  )
  becomes('<a class="button primary">Nowhere</a>', '"Nowhere"')
})

test('emojis by name and by code; times and unknown names are text', () => {
  becomes(':rocket: at 10:30:00 :nothing:', '<emoji {"code":"1f680"}> " at 10:30:00 :nothing:"')
  becomes('<code>:rocket: {{ space.vars.x }}</code>', 'code:":rocket: {{ space.vars.x }}"')
  becomes(
    'a <span data-gb-custom-inline data-tag="emoji" data-code="1f50d">🔍</span>',
    '"a " <emoji {"code":"1f50d"}>',
  )
})

test('icons', () => {
  becomes('a <i class="fa-github">:github:</i>', '"a " <icon {"icon":"github"}>')
  becomes(
    'a <i class="fa-solid fa-star" style="color:red;">:star:</i>',
    '"a " <icon {"icon":"star","color":"red"}>',
  )
  becomes('a <i>it</i>', '"a " italic:"it"')
})

test('expressions are variables of the space, the page and the visitor; other braces are text', () => {
  becomes(
    'v <code class="expression">space.vars.name</code>',
    '"v " <expression {"expression":"space.vars.name"}>',
  )
  becomes('v {% vars.name %}!', '"v " <expression {"expression":"space.vars.name"}> "!"')
  becomes('{% vars.name %}', '<expression {"expression":"space.vars.name"}>')
  becomes('v {% vars.name %}words{% endvars %}', '"v {% vars .name %}words{% endvars %}"')
  becomes('v {{ visitor.claims.name }}!', '"v " <expression {"expression":"visitor.claims.name"}> "!"')
  becomes('v {{firstname}}', '"v {{firstname}}"')
})

test('blocks in a heading are links to where their schema says that they lead', () => {
  const headings = [
    ['## A {% file SRC="a.pdf" %}', '"A " <link {"ref":{"kind":"url","url":"a.pdf"}} "a.pdf">'],
    [
      '## A {% content-ref page="b.md" %}b{% endcontent-ref %}',
      '"A " <link {"ref":{"kind":"url","url":"b.md"}} "b">',
    ],
    ['## A {% hint url="c.md" %}c{% endhint %}', '"A {% hint url=\\"c.md\\" %}c{% endhint %}"'],
  ] as const
  for (const [source, expected] of headings)
    assert.ok(sketch(toDocument(source).document).includes(expected), sketch(toDocument(source).document))
})

test('inline math and inline images', () => {
  becomes('so $$E = mc^2$$', '"so " <inline-math {"formula":"E = mc^2"}>')
  becomes(
    'so <img src="b.png" alt="" data-size="line">',
    `"so " <inline-image {"ref":${url('b.png')},"size":"line"}>`,
  )
  becomes(
    'so ![alt](a.png "cap")',
    `"so " <inline-image {"ref":${url('a.png')},"alt":"alt","caption":"cap"}>`,
  )
})

test('a stray tag that HTML does not know is what somebody typed', () => {
  becomes('use <your-endpoint> here', '"use <your-endpoint> here"')
  becomes('use<!-- no --> the<b> key', '"use the key"')
})

test('white space at the edges of emphasis moves outside, and stays within other marks', () => {
  becomes('a<strong> b </strong>c', '"a " bold:"b" " c"')
  becomes('**a** <em> </em>**b**', 'bold:"a" "  " bold:"b"')
  becomes('_**a**_<b> c <i>d </i>e</b>', 'italic:bold:"a" " " bold:"c " bold:italic:"d" bold:" e"')
  becomes('<b>a <i class="fa-x"></i> b</b>', 'bold:"a " <icon {"icon":"x"}> bold:" b"')
  becomes('a<kbd> b </kbd>c<code> d </code>e', '"a" keyboard:" b " "c" code:" d " "e"')
  becomes('<b>a <a href="x">b</a> </b>c', `bold:"a " <link {"ref":${url('x')}} bold:"b"> " c"`)
})

test('a picture in a line has a twin for dark schemes, whose path may hold spaces', () => {
  const picture = (srcset: string): string =>
    `a <picture><source srcset="${srcset}" media="(prefers-color-scheme: dark)"><img src="l.png" alt=""></picture>`
  const image = `"a " <inline-image {"ref":${url('l.png')},"refDark":${url('d (1).png')}}>`
  becomes(picture('d (1).png'), image)
  becomes(picture('d (1).png 1x, d2.png 2x'), image)
})

test('several words carry a note when they are linked to it, and none before a space does', () => {
  const { document } = toDocument('a [two **words**](#user-content-fn-n)[^n], b[^n]\n\n[^n]: Note')
  assert.equal(
    sketch(document),
    'paragraph "a " <annotation "two " bold:"words" | paragraph "Note"> ", " <annotation "b" | paragraph "Note">',
  )
  const parted = toDocument('Word [^1]\n\n[^1]: Note').document
  assert.equal(sketch(parted), 'paragraph "Word " <annotation "1" | paragraph "Note">')
  becomes('[a](#user-content-fn-none)', `<link {"ref":${url('#user-content-fn-none')}} "a">`)
})

test('formulas in HTML', () => {
  becomes('<p>a <span class="math">W_1 &lt; x</span></p>', '"a " <inline-math {"formula":"W_1 < x"}>')
})

test('a comment in an element parts words and no line', () => {
  becomes('<p>a<!-- x -->b <strong>c<!-- -->d</strong></p>', '"ab " bold:"cd"')
})
