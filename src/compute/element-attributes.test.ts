import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toDocument } from '../engines/markdown/document/document.ts'
import { toHtml } from '../engines/markdown/html/html.ts'
import { iconName } from '../engines/markdown/html/values.ts'
import { parseMarkdown } from '../engines/markdown/syntax/syntax.ts'
import type { AsksOfPage } from './page-html.ts'
import { pageTypeset } from './page-typeset.ts'

/** The data of a node of the document; undefined where there is none of the type. */
type Data = Readonly<Record<string, unknown>> | undefined

/** A value in all spellings, and what each output shows of it, in words that can be compared. */
type Case = {
  readonly what: string
  readonly spellings: readonly string[]
  readonly write: (spelling: string) => string
  readonly html: (html: string) => unknown
  readonly node: string
  readonly document: (data: Data) => unknown
  /** Of the JSON for the typesetter. */
  readonly typeset?: (json: string) => unknown
}

const FLAG = [
  '',
  '=""',
  '="true"',
  '="True"',
  '=" yes "',
  '=on',
  '="1"',
  '="false"',
  '="FALSE"',
  '="no"',
  '="0"',
]
const flags = (name: string): string[] => [
  '',
  ...FLAG.flatMap(value => [name + value, name.toUpperCase() + value]),
]

const quoted = (names: readonly string[], values: readonly string[]): string[] => [
  '',
  ...names.flatMap(name => [name, `${name}=""`, ...values.map(value => `${name}="${value}"`)]),
]

const SIDES = ['left', 'center', 'right', 'start', 'end', 'middle', 'Center', ' right ', 'justify']
const LENGTHS = [
  '563',
  '563px',
  ' 40 ',
  '375 px',
  '375.5',
  '50%',
  '50 %',
  '66.67%',
  '0',
  'auto',
  '100000',
  '1e3',
]
const COLOURS = ['red', 'RED', ' $primary ', '$tint', '#123456', 'default', 'nothing']
const NOTE = '\n\n[^1]: The note'

const found =
  (pattern: RegExp) =>
  (text: string): string | undefined =>
    pattern.exec(text)?.[1]
const colourOf =
  (kind: 'ink' | 'paper') =>
  (text: string): string | undefined =>
    text.match(new RegExp(`\\b${kind}-([a-z]+)`))?.[1]
const shown = (colour: unknown): string | undefined =>
  typeof colour === 'string' && colour !== 'default' ? colour.replace('$', '') : undefined

const listIn = (data: Data, name: string): unknown[] => (data?.[name] ?? []) as unknown[]

const lengthOf = (length: unknown): string | undefined => {
  if (typeof length === 'object' && length !== null && 'value' in length)
    return `${Math.round(Number(length.value))}%`
  return typeof length === 'number' && length >= 1 ? String(Math.min(Math.floor(length), 10_000)) : undefined
}

const BOXES: readonly ((look: string) => string)[] = [
  look => `<div ${look}><figure><img src="https://x.example/a.png"></figure></div>`,
  look =>
    `<div ${look}><figure><img src="https://x.example/a.png"></figure> <figure><img src="https://x.example/b.png"></figure></div>`,
  look => `<figure ${look}><img src="https://x.example/a.png"><figcaption></figcaption></figure>`,
  look => `<div><figure ${look}><img src="https://x.example/a.png"></figure></div>`,
  look => `<div ${look}><img src="https://x.example/a.png"></div>`,
  look => `<p ${look}><img src="https://x.example/a.png"></p>`,
  look => `<div ${look}>\n\n![](https://x.example/a.png)\n\n</div>`,
]

const PICTURES: readonly ((attributes: string) => string)[] = [
  attributes => `<img src="https://x.example/a.png" ${attributes}>`,
  attributes => `<figure><img src="https://x.example/a.png" ${attributes}></figure>`,
  attributes => `<figure><img src="https://x.example/a.png" ${attributes}><figcaption></figcaption></figure>`,
  attributes => `<figure>\n\n<img src="https://x.example/a.png" ${attributes}>\n\n</figure>`,
  attributes =>
    `<picture><source srcset="d.png" media="x"><img src="https://x.example/a.png" ${attributes}></picture>`,
]

const CASES: readonly Case[] = [
  ...BOXES.flatMap((write, index): Case[] => [
    {
      what: `the side of pictures in box ${index + 1}`,
      spellings: [...quoted(['align', 'ALIGN'], SIDES), ...SIDES.map(side => `style="Text-Align: ${side};"`)],
      write,
      html: found(/\balign-(left|center|right)\b/),
      node: 'images',
      document: data => data?.align,
      typeset: found(/"align":"(left|center|right)"/),
    },
    {
      what: `the frame of pictures in box ${index + 1}`,
      spellings: flags('data-with-frame'),
      write,
      html: html => /\bframed\b/.test(html),
      node: 'images',
      document: data => data?.withFrame ?? false,
    },
  ]),
  ...PICTURES.flatMap((write, index): Case[] => [
    ...(['width', 'height'] as const).map(
      (name): Case => ({
        what: `the ${name} of picture ${index + 1}`,
        spellings: quoted(
          [name],
          name === 'width' ? LENGTHS : LENGTHS.filter(length => !length.includes('%')),
        ),
        write,
        html: found(new RegExp(` ${name}="([^"]*)"`)),
        node: 'image',
        document: data => lengthOf(data?.[name]),
      }),
    ),
    {
      what: `the description of picture ${index + 1}`,
      spellings: quoted(['alt', 'ALT'], ['Words', 'a b']),
      write,
      html: found(/ alt="([^"]+)"/),
      node: 'image',
      document: data => data?.alt,
      typeset: found(/"alt":"([^"]+)"/),
    },
    {
      what: `the title of picture ${index + 1}`,
      spellings: quoted(['title', 'Title'], ['Words', '   ']),
      write,
      html: found(/<figcaption>([^<]*)<\/figcaption>/),
      node: 'images',
      document: data => (JSON.stringify(data?.nodes).includes('"Words"') ? 'Words' : undefined),
      typeset: json => (json.includes('"Words"') ? 'Words' : undefined),
    },
  ]),
  {
    what: 'the dark twin of a picture',
    spellings: [
      '(prefers-color-scheme: dark)',
      '(prefers-color-scheme:dark)',
      '(Prefers-Color-Scheme : DARK)',
      'screen and (prefers-color-scheme: dark)',
      '(prefers-color-scheme: light)',
      'dark',
      '',
    ].flatMap(media =>
      ['d.png', 'd (1).png', 'd.png 1x, e.png 2x', ' d.png ', ''].map(d => `srcset="${d}" media="${media}"`),
    ),
    write: source =>
      `<figure><picture><source ${source}><img src="https://x.example/a.png"></picture></figure>`,
    html: found(/<img src="([^"]*)"[^>]*\bonly-dark\b/),
    node: 'image',
    document: data => (data?.refDark as { url?: string } | undefined)?.url,
  },
  {
    what: 'the size of a picture in a line',
    spellings: quoted(['data-size', 'Data-Size'], ['line', 'LINE', ' line ', 'original', 'huge']),
    write: size => `see <img src="https://x.example/a.png" ${size}> it`,
    html: html => /class="inline-image line"/.test(html),
    node: 'inline-image',
    document: data => data?.size === 'line',
  },
  {
    what: 'the title of a picture in a line',
    spellings: [
      '<img src="https://x.example/a.png" title="Words">',
      '![](https://x.example/a.png "Words")',
      '![](https://x.example/a.png)',
      '<img src="https://x.example/a.png" title=" ">',
    ],
    write: picture => `see ${picture} it`,
    html: found(/ title="([^"]*)"/),
    node: 'inline-image',
    document: data => data?.caption,
  },
  {
    what: 'whether pictures stand alone',
    spellings: [
      '![](https://x.example/a.png)',
      '<img src="https://x.example/a.png">',
      '![](https://x.example/a.png) <!-- no words -->',
      '![](https://x.example/a.png) ![](https://x.example/b.png)',
      '![](https://x.example/a.png)\n<img src="https://x.example/b.png">',
      '<img src="https://x.example/a.png"><br><img src="https://x.example/b.png">',
      '![](https://x.example/a.png) words',
      '[![](https://x.example/a.png)](b.md)',
      '<img src="https://x.example/a.png" data-size="line">',
      '<div><img src="https://x.example/a.png"> words</div>',
      '<div><img src="https://x.example/a.png" data-size="original"></div>',
      '<picture><source srcset="d.png"><img src="https://x.example/a.png"></picture>',
    ],
    write: line => line,
    html: html => html.includes('<figure'),
    node: 'images',
    document: data => data !== undefined,
  },
  {
    what: 'the caption of a figure',
    spellings: [
      'Words',
      '<p>Words</p>',
      '<strong>Words</strong>',
      '',
      '<p></p>',
      '\n\nWords\n\n',
      'Words</figcaption><figcaption>More',
    ],
    write: caption =>
      `<figure>\n\n![](https://x.example/a.png)\n\n<figcaption>${caption}</figcaption>\n\n</figure>`,
    html: html => /<figcaption>.*Words.*<\/figcaption>/s.test(html),
    node: 'image',
    document: data => JSON.stringify(data?.fragments ?? '').includes('Words'),
    typeset: json => /"caption":\[.*Words/.test(json),
  },
  {
    what: 'the language of code in HTML',
    spellings: ['js', 'JS', 'c++', '日本', 'x'.repeat(41), 'x'.repeat(100_000)].flatMap(name => [
      `<pre class="language-${name}"><code>x</code></pre>`,
      `<pre><code class="a lang-${name}">x</code></pre>`,
    ]),
    write: pre => pre,
    html: found(/<code class="language-([^"]*)"/),
    node: 'code',
    document: data => /^[a-z+]{1,40}$/.exec(String(data?.syntax).toLowerCase())?.[0],
  },
  {
    what: 'the marked lines of code in HTML',
    spellings: [
      'one\ntwo',
      '<strong>one\n</strong>two',
      'one\n<b>two</b>',
      'one\n<mark>two\nthree</mark>\nfour',
      '<strong>one\n\ntwo</strong>',
      '<strong>\n</strong>one',
      '<strong><i>one\n</i>two</strong>',
      'one <strong></strong>two\r\n<strong>three\r\n</strong>four',
      '<strong><a data-footnote-ref href="#user-content-fn-1">one</a>\n</strong>two',
      'one<br><strong>two<br></strong>three',
    ],
    write: code => `<pre><code>${code}</code></pre>${NOTE}`,
    html: html =>
      [...html.matchAll(/class="line( is-marked)?"/g)].flatMap(([, isMarked], index) =>
        isMarked ? [index] : [],
      ),
    node: 'code',
    document: data =>
      listIn(data, 'nodes').flatMap((line, index) =>
        JSON.stringify(line).includes('"highlighted":true') ? [index] : [],
      ),
  },
  {
    what: 'the text of code in HTML',
    spellings: [
      '<code>one\ntwo</code>',
      '\n<code>one\ntwo\n</code>\n',
      'before <code>one</code> after',
      'one\n\ntwo\n',
      '<code>a <i>b</i> &lt;c></code>',
      '<code>a <a data-footnote-ref href="#user-content-fn-1">b</a> c</code>',
      '<code>a <a data-footnote-ref href="#user-content-fn-2">b</a> c</code>',
      '<code></code>',
    ],
    write: inside => `<pre>${inside}</pre>${NOTE}`,
    html: html => textOf(found(/<code[^>]*>([\s\S]*?)<\/code>/)(html) ?? ''),
    node: 'code',
    document: data => listIn(data, 'nodes').map(leavesOf).join('\n'),
  },
  {
    what: 'the footnote of code in HTML',
    spellings: [
      'a',
      '<a data-footnote-ref href="#user-content-fn-1">a</a>',
      '<a data-footnote-ref href="#fn1">a</a>',
      '<a data-footnote-ref href="#user-content-fn-2">a</a>',
    ],
    write: code => `<pre><code>${code}\n</code></pre>${NOTE}`,
    html: html => /<a href="#fn:1" id="fnref:1"/.test(html),
    node: 'code',
    document: data => JSON.stringify(data).includes('"annotation"'),
  },
  {
    what: 'the value of a variable in code',
    spellings: ['space.vars.name', ' vars.name ', 'space.vars.other', 'visitor.claims.x'],
    write: expression => `<pre><code><code class="expression">${expression}</code>\n</code></pre>`,
    html: html => textOf(found(/<code[^>]*>([\s\S]*?)<\/code>/)(html) ?? ''),
    node: 'expression',
    document: data => String(data?.expression).replace(/^(?:space\.)?vars\.name$/, 'Value'),
  },
  {
    what: 'whether an expandable is open',
    spellings: flags('open'),
    write: open => `<details ${open}><summary>Title</summary>\n\nWords\n\n</details>`,
    html: html => /<details class="expandable" open/.test(html),
    node: 'expandable',
    document: data => data?.defaultExpanded ?? false,
  },
  {
    what: 'the title of an expandable',
    spellings: [
      '<summary>Title</summary>',
      '<summary>Title</summary><summary>Other</summary>',
      '<summary><b>Title</b></summary>',
      '<summary></summary>',
      '',
    ],
    write: summary => `<details>${summary}\n\nWords\n\n</details>`,
    html: html => textOf(found(/<summary>([\s\S]*?)<\/summary>/)(html) ?? ''),
    node: 'expandable',
    document: data => leavesOf(listIn(data, 'fragments')[0]) || 'Details',
    typeset: json => (/"title":\[.*?Title/.exec(json) === null ? 'Details' : 'Title'),
  },
  ...['iframe', 'video', 'audio'].map(
    (name): Case => ({
      what: `the address of an ${name}`,
      spellings: [
        ...quoted(
          ['src', 'SRC'],
          ['https://x.example/v', '//x.example/v', ' https://x.example/v ', 'a.mp4', '  '],
        ),
      ].flatMap(src =>
        ['', '<source src="https://x.example/s">', '<source src=""><source src="s.mp4">'].map(
          inside => `<${name} ${src}>${inside}</${name}>`,
        ),
      ),
      write: player => player,
      html: found(/href="([^"]*)"/),
      node: 'embed',
      document: data => data?.url,
    }),
  ),
  {
    what: 'an icon',
    spellings: [
      'fa-rocket',
      'FA-Rocket',
      'fa-solid fa-rocket',
      'icon fa-rocket',
      'fa-sharp fa-solid fa-rocket fa-brands',
      'fas fa-rocket',
      'fa-',
      'fa-日本',
      `fa-${'x'.repeat(51)}`,
      'rocket',
      'fa-solid',
      `fa-${'x'.repeat(100_000)}`,
    ],
    write: name => `a <i class="${name}"></i>`,
    html: found(/class="icon fa-([a-z0-9-]+)/),
    node: 'icon',
    document: data => iconName(data?.icon as string | undefined),
    typeset: found(/"kind":"icon","name":"([^"]*)"/),
  },
  ...['i class="fa-rocket"', 'mark', 'span', 'font'].flatMap((element): Case[] => {
    const write = (style: string) => `a <${element} ${style}>w</${element.split(' ')[0]}>`
    const isIcon = element.startsWith('i')
    const font = element === 'font' ? quoted(['color'], COLOURS) : []
    return [
      {
        what: `the colour of <${element}>`,
        spellings: [
          ...COLOURS.flatMap(one => [
            `style="color:${one}"`,
            `style="COLOR: ${one};x:y"`,
            `style="color:red;color:${one}"`,
          ]),
          ...font,
        ],
        write,
        html: html => shown(colourOf('ink')(html)),
        node: isIcon ? 'icon' : 'color',
        document: data => shown(data?.[isIcon ? 'color' : 'text']),
        ...(isIcon ? {} : { typeset: json => shown(colourOf('ink')(json)) }),
      },
      ...(isIcon
        ? []
        : [
            {
              what: `the ground of <${element}>`,
              spellings: [
                '',
                'style',
                'style=""',
                ...COLOURS.flatMap(one => [
                  `style="background-color:${one}"`,
                  `style="color:green;Background-Color:${one}"`,
                ]),
              ],
              write,
              html: (html: string) => shown(colourOf('paper')(html)),
              node: 'color',
              document: (data: Data) => shown(data?.background),
              typeset: (json: string) => shown(colourOf('paper')(json)),
            },
          ]),
    ]
  }),
  {
    what: 'the first number of a list',
    spellings: quoted(
      ['start', 'START'],
      ['3', ' 7 ', '3abc', '1.5', '0x10', '1e3', '1', '0', 'abc', '', '9'.repeat(30)],
    ),
    write: attributes => `<ol ${attributes}><li>w</li></ol>`,
    html: html => found(/<ol start="(\d+)"/)(html) ?? '1',
    node: 'list-ordered',
    document: data => String(data?.start ?? 1),
  },
  {
    what: 'an emoji',
    spellings: ['1f680', '1F680', ' 1f680 ', 'none', '', 'd800', '1f3f4-200d-2620-fe0f'].flatMap(code =>
      ['emoji', 'Emoji', 'other'].map(tag => `data-tag="${tag}" data-code="${code}"`),
    ),
    write: attributes => `a <span data-gb-custom-inline ${attributes}>w</span>`,
    html: html => html.includes('class="emoji"'),
    node: 'emoji',
    document: data => data !== undefined,
  },
  ...['a', 'button'].flatMap((name): Case[] => [
    {
      what: `a <${name}> that is a button`,
      spellings: [
        '',
        'class="button"',
        'class="button primary"',
        'class="a button secondary"',
        'class="Button"',
      ].flatMap(look =>
        ['href="x.md"', 'href=" "', 'data-action="ask"', 'data-action="ask" href="x.md"', ''].map(
          does => `${look} ${does}`,
        ),
      ),
      write: attributes => `a <${name} ${attributes}>Go</${name}>`,
      html: html =>
        /class="button button-primary"/.test(html)
          ? 'primary'
          : /class="button"/.test(html)
            ? 'secondary'
            : undefined,
      node: 'button',
      document: data => data?.kind,
    },
    {
      what: `the icon of a <${name}>`,
      spellings: quoted(['data-icon', 'Data-Icon'], ['bolt', 'fa-solid fa-bolt', 'Star', '🚀']),
      write: icon => `a <${name} class="button" href="x.md" ${icon}>Go</${name}>`,
      html: found(/class="icon fa-([a-z0-9-]+)/),
      node: 'button',
      document: data => iconName(data?.icon as string | undefined),
    },
  ]),
  {
    what: 'a mention',
    spellings: [
      ...flags('data-mention').flatMap(mention =>
        ['x.md', '@x', 'Own words', '', 'Broken link'].map(words => `<a ${mention} href="x.md">${words}</a>`),
      ),
      ...['x.md', '@x', 'Own words', 'Broken link'].flatMap(words => [
        `[${words}](x.md "mention")`,
        `[${words}](x.md "title")`,
        `[${words}](x.md)`,
      ]),
    ],
    write: link => `a ${link}`,
    html: html => html.includes('class="mention"'),
    node: 'mention',
    document: data => data !== undefined,
  },
  {
    what: 'where a link leads',
    spellings: [
      ...['x.md', '#x', '', ' ', 'https://x.example'].flatMap(href =>
        ['', 'words'].flatMap(words =>
          ['', 'id="i"', 'name="n"'].map(id => `<a href="${href}" ${id}>${words}</a>`),
        ),
      ),
      '<a>words</a>',
      '<button href="x.md">words</button>',
      '[](x.md)',
      '[](#x)',
      '[words](#x)',
    ],
    write: link => `a ${link}`,
    html: found(/<a href="([^"]*)"/),
    node: 'link',
    document: data => (data?.ref as { url?: string } | undefined)?.url,
  },
  {
    what: 'a footnote',
    spellings: [
      '<a data-footnote-ref href="#user-content-fn-1">w</a>',
      '<a data-footnote-ref href="#fn1">w</a>',
      '<a data-footnote-ref href="#user-content-fn-2">w</a>',
      '[w](#user-content-fn-1)[^1]',
      'w[^1]',
      'w',
    ],
    write: words => `a ${words}${NOTE}`,
    html: html => html.includes('href="#fn:1"'),
    node: 'annotation',
    document: data => data !== undefined,
  },
  {
    what: 'an expression',
    spellings: ['expression', 'a expression', 'Expression', ''].flatMap(name =>
      ['space.vars.name', 'vars.name'].map(words => `<code class="${name}">${words}</code>`),
    ),
    write: code => `a ${code}`,
    html: html => html.includes('Value'),
    node: 'expression',
    document: data => data !== undefined,
  },
]

const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&#x3C;', '<')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')

/** All words in a node. */
function leavesOf(node: unknown): string {
  if (Array.isArray(node)) return node.map(leavesOf).join('')
  if (typeof node !== 'object' || node === null) return ''
  if ('text' in node && typeof node.text === 'string') return node.text
  const { leaves, nodes } = node as { leaves?: unknown; nodes?: unknown }
  return leavesOf(leaves) + leavesOf(nodes)
}

/** The data of the first node, or mark, of a type, with what is in the node. */
function dataIn(nodes: unknown, type: string): Data {
  if (Array.isArray(nodes)) {
    for (const node of nodes) {
      const data = dataIn(node, type)
      if (data !== undefined) return data
    }
    return undefined
  }
  if (typeof nodes !== 'object' || nodes === null) return undefined
  if ('type' in nodes && nodes.type === type) {
    const { data = {}, ...inside } = nodes as { data?: object }
    return { ...inside, ...data }
  }
  return dataIn(
    Object.entries(nodes).flatMap(([name, value]) => (name === 'data' ? [] : [value])),
    type,
  )
}

const ask: AsksOfPage = {
  codes: async blocks => ({ codes: blocks.map(() => undefined), isComplete: true }),
  addresses: async asked => asked.map(([, , href]) => ({ href, isExternal: false, isBroken: false })),
  texts: async () => [],
  parts: async () => [],
}

for (const { what, spellings, write, html, node, document, typeset } of CASES)
  test(`${what} is read alike by the reader, the document and the PDF, however it is written`, async () => {
    for (const spelling of new Set(spellings)) {
      const markdown = write(spelling)
      const drawn = await toHtml(parseMarkdown(markdown), {
        resolveLink: href => ({ href, isExternal: false, isBroken: false }),
        resolveImage: src => ({ src }),
        resolveSearch: () => ({ href: '/search', isExternal: false, isBroken: false }),
        variables: { name: 'Value' },
      })
      const said = document(dataIn(toDocument(markdown).document.nodes, node))
      const shownBy = `${markdown.slice(0, 300)}\n${drawn.html.slice(0, 600)}`
      assert.deepEqual(html(drawn.html), said, shownBy)
      if (typeset === undefined) continue
      const { json } = await pageTypeset({ markdown, isColoured: false, idPrefix: '' }, ask)
      assert.deepEqual(typeset(json), said, `${shownBy}\n${json.slice(0, 600)}`)
    }
  })
