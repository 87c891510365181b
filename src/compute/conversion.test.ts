// A small site of each kind, converted as a whole: layout, table of contents, pages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCsv } from '../engines/conversion/csv.ts'
import { detectFormat, type Format } from '../engines/conversion/formats.ts'
import { parseSummary } from '../engines/markdown/page/page.ts'
import { parseMarkdown, plainLine, plainText, walk } from '../engines/markdown/syntax/syntax.ts'
import { conversionLayout, convertedPages } from './conversion.ts'

type Files = Readonly<Record<string, string>>

const [A, B, C, D] = ['a', 'b', 'c', 'd'].map(letter => letter.repeat(32))

/** What is imported of these files, by path, and what is said about it. */
async function convert(files: Files, others: readonly string[] = []) {
  const format = detectFormat([...Object.keys(files), ...others]) as Format
  const sources = new Map(Object.entries(files))
  const layout = await conversionLayout({ format, sources, others }, {})
  const pages = [...layout.paths].filter(([from, to]) => sources.has(from) && to.endsWith('.md'))
  const converted = await convertedPages(
    {
      format,
      pages: pages.map(([path, to]) => ({
        ...{ path, text: sources.get(path) ?? '', title: layout.titles.get(to) },
        to: layout.paths,
      })),
    },
    {},
  )
  const texts = Object.fromEntries(pages.map(([, to], at) => [to, converted[at]?.text]))
  const notes = [
    ...layout.notes.map(({ file, message }) => `${file}: ${message}`),
    ...converted.flatMap(({ notes }, at) => notes.map(({ message }) => `${pages[at]?.[0]}: ${message}`)),
  ]
  return {
    format,
    summary: layout.text,
    paths: layout.paths,
    texts: { ...texts, ...Object.fromEntries(layout.made) },
    notes,
  }
}

test('a format is known by its configuration or the names of its files, and GitBook’s own is left as it is', () => {
  const id = '0123456789abcdef0123456789abcdef'
  for (const [format, ...paths] of [
    ['mdbook', 'book.toml', 'src/SUMMARY.md'],
    ['mkdocs', 'mkdocs.yml', 'docs/index.md'],
    ['docusaurus', 'docusaurus.config.js', 'docs/intro.md'],
    ['notion', `Home ${id}.md`],
    ['notion', `Export/Home ${id}.html`],
    ['confluence', 'DOC/index.html', 'DOC/Setup_123.html'],
    [undefined, 'README.md', 'guide.md'],
    [undefined, 'SUMMARY.md', 'mkdocs.yml'],
    [undefined, 'index.html', 'about.html'],
  ])
    assert.equal(detectFormat(paths as string[]), format, paths.join())
})

test('mdBook: parts, nested chapters and drafts come in the order of its table of contents', async () => {
  const { summary, texts, notes, paths } = await convert(
    {
      'book.toml': '[book]\ntitle = "B"\nsrc = "text"\n',
      'text/SUMMARY.md':
        '# Summary\n\n[Introduction](intro.md)\n\n- [Basics](basics/README.md)\n    - [Types](basics/types.md)\n- [Later]()\n\n# Reference\n\n- [Errors](errors.md)\n- [Lost](lost.md)\n',
      'text/intro.md':
        '# Introduction\n\nSee [errors](errors.html#codes), [basics](basics/index.html) and [types](./basics/types.md).\n',
      'text/basics/README.md': '# Basics\n\n{{#include ../code.rs}}\n',
      'text/basics/types.md': '# Types\n',
      'text/errors.md': '{{#title Errors!}}\n# Errors\n',
    },
    ['text/images/a.png', 'theme/book.js'],
  )
  assert.equal(
    summary,
    '# Table of contents\n\n* [Introduction](intro.md)\n* [Basics](basics/README.md)\n  * [Types](basics/types.md)\n* [Later](later/README.md)\n\n## Reference\n\n* [Errors](errors.md)\n* [Lost](reference/lost/README.md)\n',
  )
  assert.equal(
    texts['intro.md'],
    '# Introduction\n\nSee [errors](errors.md#codes), [basics](basics/README.md) and [types](basics/types.md).\n',
  )
  assert.equal(texts['errors.md'], '\n# Errors\n')
  assert.equal(texts['later/README.md'], '# Later\n')
  assert.equal(paths.get('text/images/a.png'), 'images/a.png')
  assert.equal(paths.has('theme/book.js'), false)
  assert.deepEqual(notes, [
    'text/SUMMARY.md: “lost.md” is in the table of contents but not in the book.',
    'text/basics/README.md: {{#include …}} is not supported and stays as written.',
  ])
})

test('MkDocs: the nav is the table of contents; admonitions, details and tabs become blocks', async () => {
  const { summary, texts, notes } = await convert({
    'mkdocs.yml':
      'site_name: S\nnav:\n  - Home: index.md\n  - Guide:\n      - guide/index.md\n      - Setup: guide/setup.md\n  - Source: https://example.com/a b\n  - gone.md\n',
    'docs/index.md': '# Welcome\n\n[Setup](guide/setup.md#a){ .md-button } and [guide](guide/).\n',
    'docs/guide/index.md': '# The guide\n',
    'docs/news.md': '# News\n',
    'docs/guide/setup.md': [
      '# Setup',
      '',
      '!!! warning "Mind the gap"',
      '    First.',
      '',
      '    Second with `!!! note`.',
      '??? info',
      '    Hidden.',
      '=== "npm"',
      '',
      '    ```sh',
      '    npm ci',
      '      !!! note',
      '    ```',
      '',
      '=== "yarn"',
      '',
      '    !!! tip',
      '        Inside.',
      '',
      'After.',
      '',
      '```',
      '!!! note',
      '    code',
      '```',
      '',
    ].join('\n'),
  })
  assert.equal(
    summary,
    '# Table of contents\n\n* [Home](README.md)\n* [Guide](guide/index.md)\n  * [Setup](guide/setup.md)\n* [Source](https://example.com/a%20b)\n\n## More pages\n\n* [News](news.md)\n',
  )
  assert.equal(
    texts['README.md'],
    '# Welcome\n\n<a href="guide/setup.md#a" class="button secondary">Setup</a> and [guide](guide/index.md).\n',
  )
  assert.equal(
    texts['guide/setup.md'],
    [
      '# Setup',
      '',
      '{% hint style="warning" %}',
      '**Mind the gap**',
      '',
      'First.',
      '',
      'Second with `!!! note`.',
      '{% endhint %}',
      '<details>',
      '<summary>Info</summary>',
      '',
      'Hidden.',
      '</details>',
      '{% tabs %}',
      '{% tab title="npm" %}',
      '',
      '```sh',
      'npm ci',
      '  !!! note',
      '```',
      '{% endtab %}',
      '',
      '{% tab title="yarn" %}',
      '',
      '{% hint style="success" %}',
      'Inside.',
      '{% endhint %}',
      '{% endtab %}',
      '{% endtabs %}',
      '',
      'After.',
      '',
      '```',
      '!!! note',
      '    code',
      '```',
      '',
    ].join('\n'),
  )
  assert.deepEqual(notes, ['mkdocs.yml: “gone.md” is in “nav” but is not a page.'])
})

test('Docusaurus: folders with positions and labels; admonitions, tabs, addresses and imports of MDX', async () => {
  const { summary, texts, notes, paths } = await convert(
    {
      'docusaurus.config.js': 'module.exports = {}',
      'sidebars.js': 'module.exports = {}',
      'docs/intro.md':
        '---\nsidebar_position: 1\nslug: /\n---\n\n# Welcome\n\n[Start](./guide/start) ![Logo](/img/logo.png)\n',
      'docs/guide/_category_.json': '{ "label": "Guides", "position": 2 }',
      'docs/guide/02-next.md': '# Next\n',
      'docs/guide/start.mdx': [
        '---',
        'title: Getting started',
        'sidebar_position: 1',
        'description: How to "begin"',
        '---',
        'import Tabs from "@theme/Tabs";',
        '',
        ':::tip[Do this]',
        'Words in [the next page](02-next.md) and [back](/docs/intro#a).',
        ':::',
        '',
        '<Tabs>',
        '<TabItem value="a" label="First">',
        'One',
        '</TabItem>',
        '</Tabs>',
        '',
        '<Chart data={x} />',
        '',
        '```js',
        'import a from "b"',
        ':::note',
        '```',
        '',
      ].join('\n'),
      'docs/_partial.mdx': 'Part',
      'docs/api/errors.md': 'No heading.\n',
      'blog/2024-hello.md': '# Hello\n',
    },
    ['static/img/logo.png', 'docs/guide/a.png', 'src/css/site.css'],
  )
  assert.equal(
    summary,
    '# Table of contents\n\n* [Welcome](intro.md)\n\n## Guides\n\n* [Getting started](guide/start.md)\n* [Next](guide/02-next.md)\n\n## Api\n\n* [Errors](api/errors.md)\n',
  )
  assert.equal(
    texts['intro.md'],
    '# Welcome\n\n[Start](guide/start.md) ![Logo](.gitbook/assets/img/logo.png)\n',
  )
  assert.equal(
    texts['guide/start.md'],
    [
      '---',
      'description: "How to \\"begin\\""',
      '---',
      '',
      '# Getting started',
      '',
      '{% hint style="success" %}',
      '**Do this**',
      '',
      'Words in [the next page](02-next.md) and [back](../intro.md#a).',
      '{% endhint %}',
      '',
      '{% tabs %}',
      '{% tab title="First" %}',
      'One',
      '{% endtab %}',
      '{% endtabs %}',
      '',
      '<Chart data={x} />',
      '',
      '```js',
      'import a from "b"',
      ':::note',
      '```',
      '',
    ].join('\n'),
  )
  assert.equal(texts['api/errors.md'], '# Errors\n\nNo heading.\n')
  assert.deepEqual(
    [paths.has('docs/_partial.mdx'), paths.has('blog/2024-hello.md'), paths.has('src/css/site.css')],
    [false, false, false],
  )
  assert.equal(paths.get('docs/guide/a.png'), 'guide/a.png')
  assert.deepEqual(notes, [
    'blog: The blog is left out.',
    'sidebars.js: It is a program, which is not run: pages are in the order of their folders and positions.',
    'docs/guide/start.mdx: <Chart> is a React component and stays as written.',
  ])
})

test('Docusaurus: tags of tabs that share a line', async () => {
  const { texts, notes } = await convert({
    'docusaurus.config.js': '',
    'docs/intro.md':
      '# T\n\n<Tabs><TabItem value="a">\n\nOne\n\n</TabItem><TabItem value="b" label="B">Two</TabItem></Tabs>\n\nWrite `<Tabs>` so, and <TabItem> alone.\n',
  })
  assert.equal(
    texts['intro.md'],
    '# T\n\n{% tabs %}\n{% tab title="a" %}\n\nOne\n\n{% endtab %}\n{% tab title="B" %}\nTwo\n{% endtab %}\n{% endtabs %}\n\nWrite `<Tabs>` so, and <TabItem> alone.\n',
  )
  assert.equal(notes.length, 2)
})

test('Notion: names lose their ids, pages below a page follow its links, a database is a table with its rows', async () => {
  const { summary, texts, paths } = await convert(
    {
      [`Home ${A}.md`]: `# Home\n\n<aside>\n💡 Mind this.\n</aside>\n\n[Zeta](Home%20${A}/Zeta%20${B}.md)\n[Tasks](Home%20${A}/Tasks%20${C}.csv)\n`,
      [`Home ${A}/Zeta ${B}.md`]: `# Zeta\n\n![](Zeta%20${B}/my%20shot.png) [up](../Home%20${A}.md)\n`,
      [`Home ${A}/Alpha ${D}.md`]: '# Alpha\n',
      [`Home ${A}/Tasks ${C}.csv`]: '\uFEFFName,State\r\n"Write, read",Done\r\nOther,"a|b\nc"\r\n',
      [`Home ${A}/Tasks ${C}_all.csv`]: 'Name\r\n',
      [`Home ${A}/Tasks ${C}/Write, read ${D}.md`]: '# Write, read\n',
    },
    [`Home ${A}/Zeta ${B}/my shot.png`],
  )
  assert.equal(
    summary,
    '# Table of contents\n\n* [Home](home/README.md)\n  * [Zeta](home/zeta.md)\n  * [Tasks](home/tasks/README.md)\n    * [Write, read](home/tasks/write-read.md)\n  * [Alpha](home/alpha.md)\n',
  )
  assert.equal(
    texts['home/README.md'],
    '# Home\n\n{% hint style="info" %}\n💡 Mind this.\n{% endhint %}\n\n[Zeta](zeta.md)\n[Tasks](tasks/README.md)\n',
  )
  assert.equal(texts['home/zeta.md'], '# Zeta\n\n![](../.gitbook/assets/my-shot.png) [up](README.md)\n')
  assert.equal(
    texts['home/tasks/README.md'],
    '# Tasks\n\n| Name | State |\n| --- | --- |\n| [Write, read](write-read.md) | Done |\n| Other | a\\|b<br>c |\n',
  )
  assert.equal(paths.get(`Home ${A}/Zeta ${B}/my shot.png`), '.gitbook/assets/my-shot.png')
})

test('Notion: the same as HTML', async () => {
  const { texts } = await convert({
    [`Home ${A}.html`]:
      '<html><body><article><header><h1 class="page-title">Home</h1></header><div class="page-body"><p>Some <strong>words</strong>.</p><figure class="block-color callout"><div>💡</div><div><p>Mind this.</p></div></figure><pre class="code"><code>a &lt; b\n</code></pre><details><summary>More</summary><p>Hidden</p></details></div></article></body></html>',
  })
  assert.equal(
    texts['home.md'],
    '# Home\n\nSome **words**.\n\n{% hint style="info" %}\n\nMind this.\n\n{% endhint %}\n\n```\na < b\n```\n\n<details>\n<summary>More</summary>\n\nHidden\n\n</details>\n',
  )
})

test('Notion as HTML: languages, boxes that are ticked, formulas and frames', async () => {
  const body = [
    '<pre class="code"><code class="language-JavaScript">let a</code></pre>',
    '<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span>Done</span></li></ul>',
    '<ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span>Open</span></li></ul>',
    '<p>So <span class="katex"><math><mi>x</mi><annotation encoding="application/x-tex">x_1\n* y</annotation></math><span aria-hidden="true">x1y</span></span>.</p>',
    '<figure class="equation"><div class="equation-container"><span class="katex"><math><annotation>a\\\\b</annotation></math></span></div></figure>',
    '<iframe src="https://x.example/e?a=1&amp;b=2"></iframe><iframe src="here.html"></iframe>',
  ]
  const { texts, notes } = await convert({
    [`Home ${A}.html`]: `<html><body><div class="page-body">${body.join('')}</div></body></html>`,
  })
  assert.equal(
    texts['home.md'],
    [
      '# Home',
      '```javascript\nlet a\n```',
      '* [x] Done',
      '- [ ] Open',
      'So $$x_1 * y$$.',
      '$$a\\\\b$$',
      '{% embed url="https://x.example/e?a=1&b=2" %}\n',
    ].join('\n\n'),
  )
  assert.deepEqual(notes, [`Home ${A}.html: A frame without an address on the web is left out.`])
})

test('Confluence: the tree of the index; macros, code and attachments', async () => {
  const { summary, texts, paths, notes } = await convert(
    {
      'DOC/index.html':
        '<html><body><h2>Available Pages:</h2><div><ul><li><a href="Docs_1.html">Docs</a><ul><li><a href="Set-up_2.html">Set up</a></li></ul></li></ul></div></body></html>',
      'DOC/Docs_1.html':
        '<h1 id="title-heading"><span id="title-text">Space : Docs</span></h1><div id="main-content" class="wiki-content"><p>See <a href="Set-up_2.html#x">set up</a>.</p></div>',
      'DOC/Set-up_2.html': [
        '<div id="main-content" class="wiki-content"><div class="toc-macro"><ul><li>x</li></ul></div>',
        '<div class="confluence-information-macro confluence-information-macro-warning"><p class="title">Careful</p><span class="aui-icon"></span><div class="confluence-information-macro-body"><p>It bites.</p></div></div>',
        '<div class="code panel pdl"><div class="codeContent panelContent pdl"><pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: java; gutter: false">int a = 1;\n</pre></div></div>',
        '<div class="expand-container"><div class="expand-control"><span class="expand-control-text">More</span></div><div class="expand-content"><p>Hidden.</p></div></div>',
        '<table><tbody><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></tbody></table>',
        '<ul class="inline-task-list"><li class="checked"><span>Done</span></li><li>Open</li></ul>',
        '<p><img src="attachments/2/9.png" alt="Shot"></p><iframe src="https://x.example"></iframe><iframe src="/rest/x"></iframe></div>',
      ].join(''),
      'DOC/Lost_3.html':
        '<span id="title-text">Space : Lost</span><div id="main-content"><p>Alone.</p></div>',
    },
    ['DOC/attachments/2/9.png', 'DOC/styles/site.css'],
  )
  assert.equal(
    summary,
    '# Table of contents\n\n* [Docs](docs/README.md)\n  * [Set up](docs/set-up.md)\n* [Lost](lost.md)\n',
  )
  assert.equal(texts['docs/README.md'], '# Docs\n\nSee [set up](set-up.md#x).\n')
  assert.equal(
    texts['docs/set-up.md'],
    '# Set up\n\n{% hint style="danger" %}\n\n**Careful**\n\nIt bites.\n\n{% endhint %}\n\n```java\nint a = 1;\n```\n\n<details>\n<summary>More</summary>\n\nHidden.\n\n</details>\n\n| A | B |\n| - | - |\n| 1 | 2 |\n\n* [x] Done\n* [ ] Open\n\n![Shot](../.gitbook/assets/2-9.png)\n\n{% embed url="https://x.example" %}\n',
  )
  assert.deepEqual(
    [...paths.keys()].filter(path => path.endsWith('.css')),
    [],
  )
  assert.deepEqual(notes, ['DOC/Set-up_2.html: A frame without an address on the web is left out.'])
})

test('a page that is nested too deep says so and keeps its words, and the others come along', async () => {
  const deep = '<div>'.repeat(5_000)
  const { texts, notes } = await convert({
    'index.html': '<ul><li><a href="A_1.html">A</a></li><li><a href="B_2.html">B</a></li></ul>',
    'A_1.html': `<div id="main-content">${deep}Words</div>`,
    'C_3.html': deep,
    'B_2.html': '<div id="main-content"><p>Fine.</p></div>',
  })
  assert.equal(texts['b.md'], '# B\n\nFine.\n')
  assert.match(texts['a.md'] ?? '', /Words/)
  assert.match(notes.join(), /^A_1\.html: It was not converted, and stays as written: /)
})

test('rows of CSV: quotes, line ends inside of them, and no more than asked for', () => {
  assert.deepEqual(readCsv('a,"b ""c""\n d",\r\n1,2,3', 9), [
    ['a', 'b "c"\n d', ''],
    ['1', '2', '3'],
  ])
  assert.deepEqual(readCsv('"never closed', 9), [['never closed']])
  assert.equal(readCsv('a\n'.repeat(9), 4).length, 4)
})

test('a MkDocs “nav” that contains itself is cut off at the limit of items', async () => {
  const { summary, notes } = await convert({
    'mkdocs.yml': 'nav: &all\n  - index.md\n  - a: *all\n  - b: *all\n',
    'docs/index.md': '# Home\n',
  })
  assert.ok(summary.length < 5_000_000, String(summary.length))
  assert.deepEqual(notes, ['mkdocs.yml: “nav” has more than 20000 items; the others are left out.'])
})

const SITES: readonly Files[] = [
  {
    'book.toml': '[book]\nsrc = "text"\n',
    'text/SUMMARY.md': '# Summary\n\n[Start](start.md)\n\n# Part\n\n- [More](more.md)\n',
    'text/start.md': '{{#title T}}\n# Start\n\n[More](more.html)\n',
    'text/more.md': '# More\n\nWords.\n',
  },
  {
    'mkdocs.yml': 'docs_dir: docs\nnav:\n  - index.md\n  - more.md\n',
    'docs/index.md': '---\ntitle: Home\n---\n\n!!! note "Mind"\n    Words.\n\n=== "a"\n\n    One\n\nAfter.\n',
    'docs/more.md': '# More #\n\n[A](index.md){ .button }\n\n```\n!!! note\n```\n\n!!! tip\n    Words.\n',
  },
  {
    'docusaurus.config.js': '',
    'docs/_category_.json': '{ "label": "Docs" }',
    'docs/a.mdx':
      '---\ntitle: First\ndescription: Words\nsidebar_position: 1\n---\nimport T from "t"\n\n:::tip\nWords\n:::\n',
    'docs/b.md': '# Second\n\n<Tabs>\n<TabItem value="a">\nOne\n</TabItem>\n</Tabs>\n',
  },
  {
    [`Home ${A}.md`]: '# Home\n\n<aside>\nMind.\n</aside>\n',
    [`Page ${B}.html`]: '<div class="page-body">\n<p>One\ntwo</p>\n<pre><code>a\nb\n</code></pre>\n</div>\n',
    [`Tasks ${C}.csv`]: 'Name,State\n"a\nb",c\n',
  },
  {
    'index.html': '<ul>\n<li><a href="A_1.html">A\nb</a></li>\n</ul>\n',
    'A_1.html': '<div id="main-content">\n<p>One\ntwo</p>\n<pre>a\nb\n</pre>\n</div>\n',
    'B_2.html': '<span id="title-text">S : B</span>\n<div id="main-content">\n<p>Words</p>\n</div>\n',
  },
]

for (const site of SITES)
  test(`a byte order mark and CRLF change nothing of what is imported, with ${Object.keys(site)[0]}`, async () => {
    const written = Object.entries(site).map(([path, text]) => [
      path,
      `\uFEFF${text.replaceAll('\n', '\r\n')}`,
    ])
    assert.deepEqual(await convert(Object.fromEntries(written)), await convert(site))
  })

test('blocks of MkDocs stay as written between fences, and only there', async () => {
  const { texts } = await convert({
    'mkdocs.yml': 'site_name: S\n',
    'docs/span.md': '```a``` b\n\n!!! note\n    Words.\n',
    'docs/list.md': '- ```\n  !!! note\n      code\n  ```\n',
    'docs/next.md': '!!! note\n    ```\n    a\n    ```\n```\nb\n```\n',
  })
  assert.deepEqual(texts, {
    'span.md': '```a``` b\n\n{% hint style="info" %}\nWords.\n{% endhint %}\n',
    'list.md': '- ```\n  !!! note\n      code\n  ```\n',
    'next.md': '{% hint style="info" %}\n```\na\n```\n{% endhint %}\n```\nb\n```\n',
  })
})

test('Docusaurus: addresses from the folder of the site lead to pages and files, also in calls, and those that lead nowhere are named', async () => {
  const { texts, notes } = await convert(
    {
      'docusaurus.config.js': '',
      'docs/intro.md':
        '# Intro\n\n[next](@site/docs/guide/two.md#a) ![a](@site/static/img/a.png) [gone](@site/src/x.js)\n\n<img src={require("@site/static/img/a.png").default} alt="a" />\n\n`src={useBaseUrl("/img/a.png")}`\n\n<img src={useBaseUrl("/img/a.png")} alt="b" />\n',
      'docs/guide/two.md': '# Two\n',
    },
    ['static/img/a.png'],
  )
  assert.equal(
    texts['intro.md'],
    '# Intro\n\n[next](guide/two.md#a) ![a](.gitbook/assets/img/a.png) [gone](@site/src/x.js)\n\n<img src=".gitbook/assets/img/a.png" alt="a" />\n\n`src={useBaseUrl("/img/a.png")}`\n\n<img src=".gitbook/assets/img/a.png" alt="b" />\n',
  )
  assert.deepEqual(notes, [
    'docs/intro.md: “@site/src/x.js” leads to nothing that is imported, and stays as written.',
  ])
})

test('MkDocs: buttons, keys and marks of its extensions are HTML, outside of code, addresses and formulas', async () => {
  const { texts, notes } = await convert({
    'mkdocs.yml': '',
    'docs/a.md': [
      '# A',
      '',
      '[Start](b.md){ .md-button } [Go](b.md){ .md-button .md-button--primary } [b](b.md){ .other }',
      '',
      'H~2~O, x^2^, ==marked `x`==, ^^new^^, ++ctrl+alt+del++, ~~gone~~.',
      '',
      '`H~2~O ++a++` [u](http://x.example/~u~/) <https://x.example/~u~> $$x^2^$$ C++ and D++, a == b == c.',
      '',
      'One[^1] two[^2] :material-check: {++a++}',
      '',
      '[^1]: One.',
      '[^2]: Two.',
      '',
    ].join('\n'),
    'docs/b.md': '# B\n',
  })
  assert.equal(
    texts['a.md'],
    [
      '# A',
      '',
      '<a href="b.md" class="button secondary">Start</a> <a href="b.md" class="button primary">Go</a> [b](b.md)',
      '',
      'H<sub>2</sub>O, x<sup>2</sup>, <mark>marked `x`</mark>, <ins>new</ins>, <kbd>ctrl</kbd>+<kbd>alt</kbd>+<kbd>del</kbd>, ~~gone~~.',
      '',
      '`H~2~O ++a++` [u](http://x.example/~u~/) <https://x.example/~u~> $$x^2^$$ C++ and D++, a == b == c.',
      '',
      'One[^1] two[^2] :material-check: {++a++}',
      '',
      '[^1]: One.',
      '[^2]: Two.',
      '',
    ].join('\n'),
  )
  assert.deepEqual(notes, [
    'docs/a.md: Tracked changes (CriticMarkup) are not supported and stay as written.',
    'docs/a.md: An icon between colons is not supported and stays as written.',
    'docs/a.md: Attributes between braces, such as { .class }, have no form here and are left out.',
  ])
})

test('MkDocs: ids of headings, sizes of images and keys of any name are kept, and other attributes are named', async () => {
  const { texts, notes } = await convert({
    'mkdocs.yml': '',
    'docs/a.md':
      '# A\n\n## One { #first .big }\n\n## Two {: #second }\n\n## Three {#third}\n\n## Use {x} and {{ y }}\n\n```\n## Code { #id .b }\n```\n\n![Dot](dot.png){ width="300" loading=lazy } ![Dot](dot.png){ loading=lazy } [go](#first){ target=_blank } [a](b){x}\n\n++ctrl+"My <key>"++ ++"Any key"++\n',
    'docs/b.md': '# B\n\n![Dot](dot.png){ align=right }\n',
    'docs/c.md': '# C\n\n[go](a.md){ target=_blank }\n',
  })
  assert.equal(
    texts['a.md'],
    '# A\n\n## One {#first}\n\n## Two {#second}\n\n## Three {#third}\n\n## Use {x} and {{ y }}\n\n```\n## Code { #id .b }\n```\n\n<img src="dot.png" alt="Dot" width="300"> ![Dot](dot.png) [go](#first) [a](b.md){x}\n\n<kbd>ctrl</kbd>+<kbd>My &lt;key&gt;</kbd> <kbd>Any key</kbd>\n',
  )
  assert.equal(texts['b.md'], '# B\n\n![Dot](dot.png)\n')
  const lost = 'Attributes between braces, such as { .class }, have no form here and are left out.'
  assert.deepEqual(notes, [`docs/a.md: ${lost}`, `docs/b.md: ${lost}`])
})

test('MkDocs: marks are HTML within admonitions, details and tabs, their titles included', async () => {
  const { texts } = await convert({
    'mkdocs.yml': '',
    'docs/a.md': [
      '# A',
      '',
      '!!! note "Press ++a++"',
      '    H~2~O',
      '',
      '    === "x^2^"',
      '        ==marked==',
      '',
      '??? tip "More"',
      '    ^^new^^',
      '',
      '!!! note "Alone"',
      '',
    ].join('\n'),
  })
  assert.equal(
    texts['a.md'],
    [
      '# A',
      '',
      '{% hint style="info" %}',
      '**Press <kbd>a</kbd>**',
      '',
      'H<sub>2</sub>O',
      '',
      '{% tabs %}',
      '{% tab title="x^2^" %}',
      '<mark>marked</mark>',
      '{% endtab %}',
      '{% endtabs %}',
      '{% endhint %}',
      '',
      '<details>',
      '<summary>More</summary>',
      '',
      '<ins>new</ins>',
      '</details>',
      '',
      '{% hint style="info" %}',
      '**Alone**',
      '',
      '{% endhint %}',
      '',
    ].join('\n'),
  )
})

test('MkDocs: abbreviations, definitions and a table of contents stay as written, and are named', async () => {
  const { texts, notes } = await convert({
    'mkdocs.yml': '',
    'docs/a.md': '# A\n\n[TOC]\n\nTerm\n:   Words: more\n\n*[HTML]: Hyper Text\n',
    'docs/b.md': '# B\n\n[toc](a.md) a: b\n:smile:\n\n*[a](a.md): b*\n',
  })
  assert.equal(texts['a.md'], '# A\n\n[TOC]\n\nTerm\n:   Words: more\n\n*[HTML]: Hyper Text\n')
  assert.deepEqual(notes, [
    'docs/a.md: An abbreviation (*[HTML]:) is not supported and stays as written.',
    'docs/a.md: A list of definitions is not supported and stays as written.',
    'docs/a.md: A table of contents ([TOC]) is not supported and stays as written.',
  ])
})

test('Docusaurus: an id of a heading in a comment of MDX is its id', async () => {
  const { texts } = await convert({
    'docusaurus.config.js': '',
    'docs/a.md': '# A\n\n## Words {/* #set-up */}\n\n## More {/* a comment */}\n\n[go](#set-up)\n',
  })
  assert.equal(texts['a.md'], '# A\n\n## Words {#set-up}\n\n## More \n\n[go](#set-up)\n')
})

test('Confluence: the content of a cell is one line with breaks, and what follows the table follows it', async () => {
  const cells = [
    '<ul><li>one</li><li>two<ol><li>in it</li></ol></li></ul>',
    '<div class="codeContent"><pre>ls -l\n\ncd a|b\n</pre></div>',
    '<p>morning</p><p>evening<br/>night</p>',
    '<div class="confluence-information-macro"><div class="confluence-information-macro-body"><p>Mind.</p></div></div>',
    '<table><tr><td>a</td><td>b</td></tr></table>',
    '<h3>Head</h3>words',
  ]
  const spanned = '<tr><td rowspan="2">y</td><td>1</td></tr><tr><td>2</td></tr>'
  const rows = cells.map(cell => `<tr><td>x</td><td>${cell}</td></tr>`).join('')
  const { texts } = await convert({
    'index.html': '<ul><li><a href="1.html">A</a></li></ul>',
    '1.html': `<div id="main-content"><table><tr><th>K</th><th>V</th></tr>${rows}${spanned}</table><p>After it.</p></div>`,
  })
  const lines = (texts['a.md'] ?? '').trim().split('\n')
  const values = lines.slice(4, -2).map(line => line.slice(6).replace(/ *\|$/, ''))
  assert.deepEqual(values, [
    '• one<br>• two<br>\u00a0\u00a01. in it',
    '`ls -l`<br>`cd a\\|b`',
    'morning<br>evening<br>night',
    'Mind.',
    'a – b',
    'Head<br>words',
    '1',
    '2',
  ])
  assert.equal(lines.at(-1), 'After it.')
})

test('an aside of Notion stays as written between fences', async () => {
  const page = '# A\n\n```html\n<aside>\n</aside>\n```\n\n'
  const { texts } = await convert({ [`A ${A}.md`]: `${page}<aside>\nWords.\n</aside>\n` })
  assert.deepEqual(Object.values(texts), [`${page}{% hint style="info" %}\nWords.\n{% endhint %}\n`])
})

test('attribute lists of MkDocs go outside of code alone, and what only looks like one stays', async () => {
  const { texts } = await convert({
    'mkdocs.yml': 'site_name: S\n',
    'docs/a.md': [
      '# A { .big #top }',
      '',
      '[Go](a.md){: .md-button title="Go on" target=_blank } and `{ .md-button }`.',
      '',
      'Write `<Card {...props} />` or ``a { .b } ` c``, $x^{.5}$, {:,} and {...rest}.',
      'Code `goes { .on }',
      'here { .too }`{ .gone }.',
      '',
      '    indented { .code }',
      '',
      '!!! note',
      '    ```',
      '    fenced { .code }',
      '    ```',
      '',
    ].join('\n'),
  })
  assert.equal(
    texts['a.md'],
    [
      '# A {#top}',
      '',
      '<a href="a.md" class="button secondary">Go</a> and `{ .md-button }`.',
      '',
      'Write `<Card {...props} />` or ``a { .b } ` c``, $x^{.5}$, {:,} and {...rest}.',
      'Code `goes { .on }',
      'here { .too }`.',
      '',
      '    indented { .code }',
      '',
      '{% hint style="info" %}',
      '```',
      'fenced { .code }',
      '```',
      '{% endhint %}',
      '',
    ].join('\n'),
  )
})

test('titles of mdBook and comments of MDX that are code stay', async () => {
  const book = await convert({
    'book.toml': '',
    'src/SUMMARY.md': '- [A](a.md)\n',
    'src/a.md': '{{#title T}}# A\n\nWrite `{{#title T}}` above.\n',
  })
  assert.equal(book.texts['a.md'], '# A\n\nWrite `{{#title T}}` above.\n')
  const site = await convert({
    'docusaurus.config.js': '',
    'docs/a.mdx': '# A{/* out */}\n\nWrite `{/* so */}`.\n',
  })
  assert.equal(site.texts['a.md'], '# A\n\nWrite `{/* so */}`.\n')
})

test('a backtick in a comment of MDX begins no code, but may end it', async () => {
  const { texts } = await convert({
    'docusaurus.config.js': '',
    'docs/a.mdx':
      '# A\n\n' +
      'text {/* don`t */} and `{/* keep */}` b\n\n' +
      '{/* a `` */}{/* ` */}c `` {/* keep */} `` ` d {/* out */}\n\n' +
      '`e {/* ` */} ` {/* keep */} `\n',
  })
  assert.equal(
    texts['a.md'],
    '# A\n\ntext  and `{/* keep */}` b\n\nc `` {/* keep */} `` ` d \n\n`e {/* ` */} ` {/* keep */} `\n',
  )
})

test('comments of MDX are left out at any indentation, with code in them, and stay between fences', async () => {
  const { texts } = await convert({
    'docusaurus.config.js': '',
    'docs/a.mdx': [
      '# A',
      '',
      '<Card>',
      '',
      '    {/* out */}Words `{/* stays */}` and `` ` {/* stays',
      '    so */} ``{/* out of `code` */}.',
      '',
      '    ```jsx',
      '    {/* stays */}',
      '    ```',
      '',
      '    - a ` alone',
      '    - {/* out */}b ` alone',
      '',
      '    Not \\` code {/* out */}`.',
      '',
      '</Card>',
      '',
    ].join('\n'),
  })
  assert.equal(
    texts['a.md'],
    [
      '# A',
      '',
      '<Card>',
      '',
      '    Words `{/* stays */}` and `` ` {/* stays',
      '    so */} ``.',
      '',
      '    ```jsx',
      '    {/* stays */}',
      '    ```',
      '',
      '    - a ` alone',
      '    - b ` alone',
      '',
      '    Not \\` code `.',
      '',
      '</Card>',
      '',
    ].join('\n'),
  )
})

/** Titles that a table of contents has, as it is read. */
const titlesIn = (summary: string): string[] =>
  parseSummary(summary).entries.flatMap(function titles({ title, children }): string[] {
    return [title, ...children.flatMap(titles)]
  })

const HOSTILE = [
  'The `a_b` of *x* and [y](z)',
  'Vec<T> & &lt; a \\* b',
  '[one] ] [two',
  '1. {% tab %} {{ page.title }} $$x$$ #',
  ':smile: http://a.example a_b_c',
]

test('titles that are plain words say the same in the table of contents and on their pages', async () => {
  const nav = HOSTILE.map((title, at) => ({ [escapeText(title)]: `${at}.md` }))
  const mkdocs = await convert({
    'mkdocs.yml': JSON.stringify({ nav: [...nav, { [escapeText(HOSTILE[0] ?? '')]: [{ a: 'a.md' }] }] }),
    ...Object.fromEntries(['a', 0, 1, 2, 3, 4].map(name => [`docs/${name}.md`, ''])),
  })
  assert.deepEqual(titlesIn(mkdocs.summary), [...HOSTILE, HOSTILE[0], 'a'])

  const docusaurus = await convert({
    'docusaurus.config.js': '',
    ...Object.fromEntries(
      HOSTILE.map((title, at) => [`docs/${at}.md`, `---\ntitle: ${JSON.stringify(title)}\n---\nWords\n`]),
    ),
  })
  const links = HOSTILE.map((title, at) => `<li><a href="${at}.html">${escapeText(title)}</a></li>`)
  const confluence = await convert({
    'index.html': `<ul>${links.join('')}</ul>`,
    ...Object.fromEntries(HOSTILE.map((_, at) => [`${at}.html`, '<div id="main-content"></div>'])),
  })
  for (const { summary, texts } of [docusaurus, confluence]) {
    assert.deepEqual(titlesIn(summary), HOSTILE)
    assert.deepEqual(
      Object.values(texts).map(text => plainLine([parseMarkdown(text?.split('\n')[0] ?? '')])),
      HOSTILE,
    )
  }
})

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

test('a title in the settings of MkDocs is HTML, of which the words are imported', async () => {
  const titles = ['Q&amp;A', 'R&D <sup>beta</sup>', 'Set up<br>(Windows)', 'a < b', '<i></i>']
  const { summary } = await convert({
    'mkdocs.yml': JSON.stringify({
      nav: [
        ...titles.map(title => ({ [title]: 'a.md' })),
        { 'C&amp;D': ['b.md'] },
        { 'E&amp;F': 'https://e.example' },
      ],
    }),
    'docs/a.md': '',
    'docs/b.md': '---\ntitle: G&amp;H\n---\n',
  })
  assert.deepEqual(titlesIn(summary), [
    ...['Q&A', 'R&D beta', 'Set up (Windows)', 'a < b', '<i></i>'],
    ...['C&D', 'G&H', 'E&F'],
  ])
})

test('titles that are Markdown are what they say, brackets, code and escapes included', async () => {
  const book = await convert({
    'book.toml': '',
    'src/SUMMARY.md':
      '# Summary\n\n- [The `a_b` of *x*](a.md)\n- [Read `a[0]`](b.md)\n- [a\\_b \\[c\\]](c.md)\n\n# Part \\* `x`\n\n- [d](d.md)\n',
    ...Object.fromEntries(['a', 'b', 'c', 'd'].map(name => [`src/${name}.md`, ''])),
  })
  assert.deepEqual(titlesIn(book.summary), ['The a_b of x', 'Read a[0]', 'a_b [c]', 'Part * x', 'd'])
  const site = await convert({
    'mkdocs.yml': '',
    'docs/a.md': '# The `{#each}` of a\\_b { .big #top }\n',
    'docs/b.md': '# [Link](x.md) `` ` `` ##\n',
  })
  assert.deepEqual(titlesIn(site.summary), ['The {#each} of a_b', 'Link `'])
})

test('a comment in code is no heading', async () => {
  const page = '```sh\n# install it\n```\n'
  const mkdocs = await convert({ 'mkdocs.yml': '', 'docs/set-up.md': `${page}\n# Setting up\n` })
  assert.deepEqual(titlesIn(mkdocs.summary), ['Setting up'])
  const docusaurus = await convert({ 'docusaurus.config.js': '', 'docs/set-up.md': page })
  assert.deepEqual(titlesIn(docusaurus.summary), ['Set up'])
  assert.equal(docusaurus.texts['set-up.md'], `# Set up\n\n${page}`)
  const notion = await convert({ [`Set up ${A}.md`]: page })
  assert.deepEqual(titlesIn(notion.summary), ['Set up'])
})

test('a heading without words is no title, and a page that has one gets no other', async () => {
  const page = '# ![](logo.png)\n\n# Real\n'
  for (const configuration of ['mkdocs.yml', 'docusaurus.config.js']) {
    const { summary, texts } = await convert({
      [configuration]: '',
      'docs/d.md': page,
      'docs/e.md': '# ![](e.png)\n',
    })
    assert.deepEqual(titlesIn(summary), ['Real', 'E'])
    assert.deepEqual(Object.values(texts), [page, '# ![](e.png)\n'])
  }
})

test('a title is looked for in the first headings alone', async () => {
  const { summary } = await convert({
    'mkdocs.yml': '',
    'docs/d.md': `${'# ![](d.png)\n'.repeat(20)}# Late\n`,
  })
  assert.deepEqual(titlesIn(summary), ['D'])
})

test('what a block that opens says is words, in HTML too', async () => {
  const words = '&lt;b&gt; &amp;amp; {% tab %}'
  const confluence = await convert({
    'index.html': '<ul><li><a href="1.html">A</a></li></ul>',
    '1.html': `<div id="main-content"><div class="expand-container"><span class="expand-control-text">${words}</span></div></div>`,
  })
  assert.match(confluence.texts['a.md'] ?? '', /<summary>&lt;b&gt; &amp;amp; \{&#37; tab %\}<\/summary>/)
})

test('pages of Notion with one name are pages of their own, each above the pages in its folder', async () => {
  const { summary, texts } = await convert({
    [`Home ${A}.md`]: `# Home\n\n[1](Home%20${A}/Same%20${B}.md) [2](Home%20${A}/Same%20${C}.md)\n`,
    [`Home ${A}/Same ${B}.md`]: '# Same\n\nFirst\n',
    [`Home ${A}/Same ${C}.md`]: `# Same\n\n[Other](../Home%20${A}/Same%20${B}.md)\n`,
    [`Home ${A}/Same ${B}/One ${D}.md`]: '# One\n',
    [`Home ${A}/Same ${C}/Two ${A}.md`]: '# Two\n',
  })
  assert.equal(
    summary,
    '# Table of contents\n\n* [Home](home/README.md)\n  * [Same](home/same/README.md)\n    * [One](home/same/one.md)\n  * [Same](home/same-2/README.md)\n    * [Two](home/same-2/two.md)\n',
  )
  assert.equal(texts['home/README.md'], '# Home\n\n[1](same/README.md) [2](same-2/README.md)\n')
  assert.equal(texts['home/same-2/README.md'], '# Same\n\n[Other](../same/README.md)\n')
})

test('where folders of Notion have no ids, a page is below the one that links to it', async () => {
  const { summary } = await convert({
    [`Same ${B}.md`]: `# Same\n\n[Two](Same/Two%20${D}.md)\n`,
    [`Same ${A}.md`]: `# Same\n\n[One](Same/One%20${C}.md)\n`,
    [`Same/One ${C}.md`]: '# One\n',
    [`Same/Two ${D}.md`]: '# Two\n',
  })
  assert.equal(
    summary,
    '# Table of contents\n\n* [Same](same/README.md)\n  * [One](same/one.md)\n* [Same](same-2/README.md)\n  * [Two](same-2/two.md)\n',
  )
})

test('pages of Notion that are named by their ids alone come along, untitled', async () => {
  const { summary, texts } = await convert({
    [`${A}.md`]: `Words\n\n[In](${A}/${C}.md)\n`,
    [`${B}.md`]: `[First](${A}.md)\n`,
    [`${A}/${C}.md`]: '# Inside\n',
    [`${D}.csv`]: 'Name\nInside\n',
    [`Home ${D}.md`]: '# Home\n',
  })
  assert.equal(
    summary,
    '# Table of contents\n\n* [Home](home.md)\n* [Untitled](untitled/README.md)\n  * [Inside](untitled/inside.md)\n* [Untitled](untitled.md)\n* [Untitled](untitled-2.md)\n',
  )
  assert.equal(texts['untitled/README.md'], 'Words\n\n[In](inside.md)\n')
  assert.equal(texts['untitled.md'], '[First](untitled/README.md)\n')
  assert.equal(texts['untitled-2.md'], '# Untitled\n\n| Name |\n| --- |\n| Inside |\n')
})

test('a row of a database of Notion links to no page where several have its name', async () => {
  const { texts } = await convert({
    [`T ${A}.csv`]: 'Name\nSame\nSame\nOther\n',
    [`T ${A}/Same ${B}.md`]: '# Same\n',
    [`T ${A}/Same ${C}.md`]: '# Same\n',
    [`T ${A}/Other ${D}.md`]: '# Other\n',
  })
  assert.equal(texts['t/README.md'], '# T\n\n| Name |\n| --- |\n| Same |\n| Same |\n| [Other](other.md) |\n')
})

test('cells of a database of Notion are plain words, in which addresses are links', async () => {
  const words = [
    '{% hint %} and {% endhint %}',
    '$$x$$ `a|b` \\| \\',
    '<b>bold</b> &lt;',
    '*a\nb* _c_',
    '[x](y) ] [',
    ':smile: {{ space.vars.x }}',
  ]
  const quotedWords = words.map(value => `"${value}"\n`)
  const { texts } = await convert({
    [`T ${A}.csv`]: `Name\n${quotedWords.join('')}B (https://a.example/_b_c) or me@a.example\n[B] *c*\n`,
    [`T ${A}/[B] *c* ${B}.md`]: '# B\n',
  })
  const root = parseMarkdown(texts['t/README.md'] ?? '')
  const [, table] = root.children
  assert.equal(table?.type, 'table')
  assert.equal(root.children.length, 2)
  assert.deepEqual(
    table.children.map(row => plainText([row])),
    ['Name', ...words, 'B (https://a.example/_b_c) or me@a.example', '[B] *c*'],
  )
  const links: string[] = []
  walk(root, node => {
    if (node.type === 'link') links.push(node.url)
  })
  assert.deepEqual(links, ['https://a.example/_b_c', 'mailto:me@a.example', 'b.md'])
})

test('words of an HTML export that look like tags, formulas or expressions are words', async () => {
  const words = '{% tab %} costs $$5$$ {{ space.vars.x }} {{x}} 5% }'
  const { texts } = await convert({
    'index.html': '<ul><li><a href="1.html">A</a></li></ul>',
    '1.html': `<div id="main-content"><p>${words}</p><p>{% hint %}</p><p><code>${words}</code></p></div>`,
  })
  const root = parseMarkdown(texts['a.md'] ?? '')
  assert.deepEqual(
    root.children.map(({ type }) => type),
    ['heading', 'paragraph', 'paragraph', 'paragraph'],
  )
  assert.equal(plainText([root]), `A\n${words}\n{% hint %}\n${words}`)
  assert.equal(
    texts['a.md'],
    `# A\n\n{\\% tab %\\} costs \\$\\$5\\$\\$ {<!-- -->{ space.vars.x }} {{x}} 5% }\n\n{\\% hint %\\}\n\n\`${words}\`\n`,
  )
})
