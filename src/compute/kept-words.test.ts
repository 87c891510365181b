import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Block, toDocument } from '../engines/markdown/document/document.ts'
import { toHtml, toHtmlTree } from '../engines/markdown/html/html.ts'
import { sections } from '../engines/markdown/page/page.ts'
import { renderDocument, renderOver } from '../engines/markdown/render/render.ts'
import { parseMarkdown } from '../engines/markdown/syntax/syntax.ts'
import { writePage } from '../engines/markdown/typeset/typeset.ts'

const OPTIONS = {
  resolveLink: (href: string) => ({ href, isExternal: false, isBroken: false }),
  resolveImage: () => undefined,
  variables: { x: 'the value of x' },
}

const reader = async (source: string): Promise<string> => (await toHtml(parseMarkdown(source), OPTIONS)).html

const pdf = async (source: string): Promise<string> =>
  JSON.stringify(writePage(await toHtmlTree(parseMarkdown(source), OPTIONS)).blocks)

const document = (source: string): string => JSON.stringify(toDocument(source).document)

const written = (source: string): string => renderDocument(toDocument(source).document)

/** What every output of a text says, also of the text that its document is written as. */
async function assertSaid(source: string, words: readonly string[]): Promise<void> {
  const outputs = {
    reader: await reader(source),
    PDF: await pdf(source),
    document: document(source),
    'Markdown written back': written(source),
    'reader of that': await reader(written(source)),
  }
  for (const [name, output] of Object.entries(outputs))
    for (const word of words) assert.ok(output.includes(word), `${name} says ${word}: ${output}`)
  assert.equal(renderOver(source, toDocument(source).document, {}), source)
}

const around = (tag: string, inside: string): string =>
  `{% ${tag} %}\n${inside}\n{% end${tag.split(' ')[0]} %}`

for (const tag of [
  'content-ref url="a.md"',
  'page-ref page="./a.md"',
  'file src="a.md"',
  'embed url="a.md"',
  'openapi src="a.md" path="/pets" method="get"',
  'openapi src="a.md"',
  'openapi-operation spec="pets" path="/pets" method="get"',
  'openapi-schemas spec="pets" schemas="Pet"',
  'openapi-webhook spec="pets" name="sold" method="post"',
  'openapi-schemas schemas="Pet"',
  'include "a.md"',
  '@example/block url="a.md"',
])
  test(`what {% ${tag} %} holds beside its link is said by every output`, async () => {
    await assertSaid(around(tag, '[a.md](a.md)\n\nMore words.'), ['More words.'])
    await assertSaid(around(tag, 'Only words.'), ['Only words.'])
    await assertSaid(around(tag, 'See [this](https://b.example).'), ['this', 'https://b.example'])
  })

test('a link in a block that leads elsewhere than the block is said by every output', async () => {
  for (const tag of [
    'content-ref url="a.md"',
    'file src="a.pdf"',
    'embed url="https://a.example"',
    'openapi src="a.yaml" path="/pets" method="get"',
    'include "a.md"',
    '@example/block url="https://a.example"',
  ])
    await assertSaid(around(tag, '[elsewhere](https://b.example)'), ['elsewhere', 'https://b.example'])
})

test('a link that only repeats where a block leads is no caption of it', async () => {
  for (const [tag, link] of [
    ['content-ref url="a%20b.md"', '[Any words](<./a b.md>)'],
    ['file src="files/a.pdf"', '[a.pdf](files/a.pdf)'],
    ['embed url="https://a.example/"', '<https://a.example>'],
    ['openapi src="a.yaml" path="/pets" method="get"', '[Pets](a.yaml)'],
  ] as const) {
    const source = around(tag, link)
    const html = await reader(source)
    assert.equal([...html.matchAll(/<a /g)].length, 1, html)
    assert.equal(
      toDocument(source).document.nodes.filter(({ type }) => type === 'paragraph').length,
      tag.startsWith('file') ? 1 : 0,
    )
  }
  // Words of its own are words, where the link is not written for the block.
  await assertSaid(around('file src="a.pdf"', '[The manual](a.pdf)'), ['The manual'])
})

test('the link in a block that names an object says where the object is described', async () => {
  const html = await reader(
    around(
      'openapi-operation spec="pets" path="/pets" method="get"',
      '[Our API](https://a.example)\n\nMore.',
    ),
  )
  assert.match(
    html,
    /is described in <a href="https:\/\/a.example"[^>]*>Our API<\/a>\.<\/p><\/div><\/section><p>More\.<\/p>$/,
  )
})

test('the title of a code tag without code in it stands above what the tag holds', async () => {
  await assertSaid('{% code title="a.js" %}\nNo code\n{% endcode %}', ['a.js', 'No code'])
  await assertSaid('{% code title="a.js" %}\n{% endcode %}', ['a.js'])
  await assertSaid('{% code title="a.js" %}\n<pre><code>let a</code></pre>\n{% endcode %}', ['a.js', 'let a'])
  assert.match(
    await reader('{% code title="a.js" %}\n<pre><code>let a</code></pre>\n{% endcode %}'),
    /^<figure class="code"><figcaption class="code-head">a\.js</,
  )
})

const HEAD = '<select><option value="x" label="In progress" color="blue"></option></select>'
const cell = (inside: string, table = '<table>'): string =>
  `${table}<thead><tr><th>State${HEAD}</th></tr></thead><tbody><tr><td>${inside}</td></tr></tbody></table>`

test('an option with words beside it is said by its label, on its colour', async () => {
  for (const table of ['<table>', '<table data-view="cards">']) {
    const source = cell('<p>since <strong><span data-option="x">x, </span>May</strong></p>', table)
    await assertSaid(source, ['In progress', 'since', 'May'])
    assert.match(
      await reader(source),
      /since <strong><span class="select-option paper-blue">In progress<\/span>, May<\/strong>/,
    )
    assert.match(await pdf(source), /"kind":"chip","colour":"paper-blue","inside":\["In progress"\]/)
    assert.match(document(source), /"text":"In progress".*"background":"blue"/)
  }
})

test('a tag that GitBook does not have is shown as it is written, with what it holds', async () => {
  await assertSaid('{% for x in items %}\nOne\n\nTwo\n{% endfor %}', [
    '% for x in items %}',
    'One',
    'Two',
    '% endfor %}',
  ])
  await assertSaid('In {% b url="u" %}a *line*{% endb %}.', ['% b url=', 'line', '% endb %}'])
  assert.equal(await reader('In {% b %}a *line*{% endb %}.'), '<p>In {% b %}a <em>line</em>{% endb %}.</p>')
  assert.equal(
    await reader('<div data-gb-custom-block data-tag="new" data-a="b">\n\nOne\n\n</div>'),
    '<p>{% new a="b" %}</p><p>One</p><p>{% endnew %}</p>',
  )
})

test('an expression in braces is read in words as it is in code', async () => {
  const say = async (source: string) => [
    await reader(source),
    document(source).match(/"expression":"[^"]*"/g),
  ]
  const { x } = OPTIONS.variables
  for (const [written, shown, expression] of [
    ['{{ space.vars.x }}', x, 'space.vars.x'],
    ['{{space.vars.x}}', x, 'space.vars.x'],
    ['{{ space.vars.\nother }}', '<code>space.vars. other</code>', 'space.vars. other'],
    ['{{ visitor.claims.plan == 1 }}', '<code>visitor.claims.plan == 1</code>', 'visitor.claims.plan == 1'],
  ] as const) {
    assert.deepEqual(await say(`a ${written} b`), [`<p>a ${shown} b</p>`, [`"expression":"${expression}"`]])
    assert.deepEqual(
      await say(`a <code class="expression">${expression}</code> b`),
      await say(`a ${written} b`),
    )
  }
  for (const words of ['`{{ space.vars.x }}`', '{{ other.x }}', '{{ space.vars.x'])
    assert.deepEqual((await say(words))[1], null, words)
  assert.equal(await reader('`{{ space.vars.x }}`'), '<p><code>{{ space.vars.x }}</code></p>')
})

test('words with a footnote lead to it, and are a link where there is none', async () => {
  const link = '[two words](#user-content-fn-1)'
  const html = await reader(`${link} and more\n\n[^1]: Note`)
  assert.match(html, /^<p>two words<sup><a href="#fn:1"[^>]*>1<\/a><\/sup> and more<\/p>.*Note/)
  assert.equal([...(await reader(`${link}[^1]\n\n[^1]: Note`)).matchAll(/<sup>/g)].length, 1)
  for (const source of [link, `${link}[^1]`]) {
    assert.match(await reader(source), /<a href="#user-content-fn-1">two words<\/a>/)
    assert.match(document(source), /"type":"link".*"url":"#user-content-fn-1"/)
  }
})

test('the id of an expandable or a tab is the one that the reader shows', async () => {
  const source = [
    '## Setup',
    '<details id="mine">\n\n<summary>Setup</summary>\n\na\n\n</details>',
    '<details>\n\n<summary>Setup</summary>\n\na\n\n</details>',
    '{% tabs %}\n{% tab title="C & D" slug="letters" %}\na\n{% endtab %}\n{% endtabs %}',
  ].join('\n\n')
  const ids = [...(await reader(source)).matchAll(/<(?:h2|details|div)[^>]* id="([^"]*)"/g)].map(
    ([, id]) => id,
  )
  assert.deepEqual(ids, ['setup', 'mine', 'setup-1', 'letters'])
  const [heading, first, second, tabs] = toDocument(source).document.nodes
  const blocks = [heading, first, second, tabs?.nodes?.[0] as Block | undefined]
  assert.deepEqual(
    blocks.map(one => one?.meta?.id),
    ids,
  )
})

test('parts of an API description have ids by what they are called, in order', () => {
  const source = [
    '{% openapi-operation spec="pets" path="/pets" method="get" %}',
    '{% openapi src="a.yaml" path="/pets" method="get" %}\n{% endopenapi %}',
    '{% openapi-webhook spec="pets" name="sold" method="post" %}',
    '{% openapi-schemas spec="pets" schemas="Pet, Toy" %}',
  ].join('\n\n')
  assert.deepEqual(
    toDocument(source).document.nodes.map(one => one.meta?.id),
    ['get-pets', 'get-pets-1', 'post-sold', 'pet-toy'],
  )
})

test('search knows the words with a footnote, the tags of an update and tags that GitBook does not have', () => {
  const words = (source: string) => sections(source).map(({ text }) => text)
  const link = '<a data-footnote-ref href="#user-content-fn-1">two words</a>'
  assert.deepEqual(words(`${link} here\n\n[^1]: Note`), ['two words here\nNote'])
  const update = around('update date="May" tags="new, fixed"', 'It works.')
  assert.deepEqual(words(around('updates', update)), ['May new fixed\nIt works.'])
  assert.deepEqual(words('{% for x in items %}\nOne\n{% endfor %}'), [
    '{% for x in items %}\nOne\n{% endfor %}',
  ])
})

test('an update outside of a changelog says its date and its tags in a document', () => {
  assert.match(
    document(around('update date="May" tags="new, fixed"', 'It works.')),
    /"text":"May · new, fixed"/,
  )
})
