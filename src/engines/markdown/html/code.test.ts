import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sanitize } from 'hast-util-sanitize'
import { parseMarkdown } from '../syntax/syntax.ts'
import { type Diagram, withoutColours } from './highlight.ts'
import type { HtmlOptions } from './options.ts'
import { SCHEMA } from './schema.ts'
import { toHtml } from './to-html.ts'

const OPTIONS: HtmlOptions = {
  resolveLink: href => ({ href, isExternal: false, isBroken: false }),
  resolveImage: src => ({ src }),
}

test('words of code with a footnote link to it, coloured or not, and other lines of them do not', async () => {
  const source =
    '<pre class="language-js"><code>let <a data-footnote-ref href="#user-content-fn-1">a1 =\nb</a> c</code></pre>\n\n[^1]: Note'
  const link = '<a href="#fn:1" id="fnref:1" title="Footnote 1">'
  const plain = await toHtml(parseMarkdown(source), OPTIONS)
  assert.match(plain.html, new RegExp(`>let ${link}a1 =</a>\nb c</code>`))
  assert.match(plain.html, /<li id="fn:1"><p>Note <a href="#fnref:1"/)
  const lines = [
    [
      ['let', 'keyword'],
      [' a', 'plain'],
      ['1', 'number'],
      [' =', 'plain'],
    ],
    [['b c', 'plain']],
  ] as const
  const coloured = await toHtml(parseMarkdown(source), {
    ...OPTIONS,
    highlight: async () => ({ codes: [lines], isComplete: true }),
  })
  assert.match(
    coloured.html,
    new RegExp(
      `<span class="tok-keyword">let</span> ${link}a<span class="tok-number">1</span> =</a>\nb c</code>`,
    ),
  )
})

test('numbered lines of code that end as on Windows are as many as were written', async () => {
  const { html } = await toHtml(
    parseMarkdown('{% code lineNumbers="true" %}\r\n```\r\none\r\ntwo\r\n```\r\n{% endcode %}'),
    OPTIONS,
  )
  assert.match(html, /<span class="line">one\n<\/span><span class="line">two<\/span>/)
})

test('pictures and their boxes are places that links may name', async () => {
  for (const source of [
    '<figure id="here"><img src="a.png"></figure>',
    '<div id="here"><img src="a.png"></div>',
    '<div id="here"><img src="a.png"><img src="b.png"></div>',
    'see <img id="here" src="a.png">',
  ]) {
    const { html } = await toHtml(parseMarkdown(source), OPTIONS)
    assert.match(html, / id="here"/, source)
  }
})

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="1"><text>50% & "#1"</text></svg>'
const DIAGRAM: Diagram = { light: SVG, dark: SVG, width: 200, height: 100, alt: 'Flowchart: A', title: 'Own' }
const DIAGRAMS = '```mermaid\na\n```\n\n```mermaid\nb\n```\n'

test('a diagram is an image for each theme that says what it shows, with its size, its title and its source', async () => {
  const { html } = await toHtml(
    parseMarkdown('{% code title="Given" %}\n```mermaid\na\n```\n{% endcode %}'),
    {
      ...OPTIONS,
      highlight: async () => ({ codes: [DIAGRAM], isComplete: true }),
    },
  )
  const images = [
    ...html.matchAll(
      /<img src="data:image\/svg\+xml,([^"]*)" alt="Flowchart: A" width="200" height="100" class="(only-light|only-dark)"/g,
    ),
  ]
  assert.deepEqual(
    images.map(([, svg = '', theme]) => [decodeURIComponent(svg), theme]),
    [
      [SVG, 'only-light'],
      [SVG, 'only-dark'],
    ],
  )
  assert.match(
    html,
    /<figcaption>Given<\/figcaption><details class="diagram-source"><summary>Source of the diagram<\/summary><figure class="code"><pre [^>]*><code class="language-mermaid">a<\/code><\/pre><\/figure><\/details><\/figure>$/,
  )
})

test('the pictures of a page have a bound together; what is beyond it stays code', async () => {
  const large = { ...DIAGRAM, light: SVG.padEnd(900_000), dark: '' }
  const { html } = await toHtml(parseMarkdown(DIAGRAMS), {
    ...OPTIONS,
    highlight: async () => ({ codes: [large, large], isComplete: true }),
  })
  assert.equal(html.split('<figure class="diagram').length - 1, 1)
  assert.match(html, /<code class="language-mermaid">b<\/code>/)
})

test('where code has no colours, diagrams are still drawn', async () => {
  const asked: string[] = []
  await toHtml(parseMarkdown('```js\na\n```\n\n```mermaid\nb\n```'), {
    ...OPTIONS,
    highlight: withoutColours(async blocks => {
      asked.push(...blocks.map(({ language }) => language))
      return { codes: [], isComplete: true }
    }),
  })
  assert.deepEqual(asked, ['', 'mermaid'])
})

test('of addresses that hold what they are for, only pictures that run nothing pass the last gate', () => {
  const passes = (src: string) => {
    const image = { type: 'element', tagName: 'img', properties: { src }, children: [] } as const
    const safe = sanitize({ ...image, children: [] }, SCHEMA)
    return safe.type === 'element' && safe.properties.src === src
  }
  for (const src of ['data:image/svg+xml,x', 'https://octavo.example/x.png', '/x.png', 'x.png'])
    assert.ok(passes(src), src)
  for (const src of [
    'data:text/html,x',
    'DATA:text/html,x',
    'data:image/svg+xml;base64,x',
    'javascript:x',
    'data:,',
  ])
    assert.ok(!passes(src), src)
})
