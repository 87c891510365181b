import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corpusPages, skipCorpus } from '../../../../test/support/corpus.ts'
import { headingAnchors, sections } from '../page/page.ts'
import { parseMarkdown } from '../syntax/syntax.ts'
import type { HtmlOptions } from './options.ts'
import { toHtml } from './to-html.ts'

const OPTIONS: HtmlOptions = {
  resolveLink: destination => ({
    href: destination,
    isExternal: destination.startsWith('http'),
    isBroken: destination.startsWith('gone'),
    ...(destination.endsWith('.md') ? { label: `Label of ${destination}`, description: 'What it says' } : {}),
  }),
  resolveImage: source =>
    source.startsWith('gone') ? undefined : { src: `/files/${source}`, width: 1200, height: 600 },
}

const render = async (source: string, more: Partial<HtmlOptions> = {}): Promise<string> =>
  (await toHtml(parseMarkdown(source), { ...OPTIONS, ...more })).html

test('headings have the ids of the search sections, in Markdown, in HTML, in tabs and with an id of their own', async () => {
  const source = [
    '## Same',
    '## Same',
    '### 1. Ünicode & <b>bold</b> 标题',
    '## Own <a href="#mine" id="mine"></a>',
    '<h3>In HTML</h3>',
    '{% tabs %}\n{% tab title="Same" %}\n### In a tab\n{% endtab %}\n{% endtabs %}',
    '> #### In a quote',
  ].join('\n\n')
  const { html, outline } = await toHtml(parseMarkdown(source), OPTIONS)
  const ids = [...html.matchAll(/<h[2-6] id="([^"]+)"/g)].map(match => match[1])
  assert.deepEqual(
    ids,
    sections(source).map(section => section.anchor),
  )
  assert.deepEqual(
    outline.map(entry => entry.id),
    ids.slice(0, 6),
  )
  assert.equal(outline[2]?.text, '1. Ünicode & bold 标题')
  assert.deepEqual(
    [...html.matchAll(/ id="([^"]+)"/g)].length,
    new Set([...html.matchAll(/ id="([^"]+)"/g)].map(match => match[1])).size,
  )
})

test("the first # heading is left out when it is the page's title, and only then", async () => {
  assert.equal(await render('# The  Title\n\nText', { pageTitle: 'The Title' }), '<p>Text</p>')
  assert.match(await render('# Another\n\nText', { pageTitle: 'The Title' }), /<h2 id="another">/)
  assert.match(await render('## First\n\n# The Title', { pageTitle: 'The Title' }), /<h2 id="the-title">/)
  assert.match(await render('# The Title'), /<h2 id="the-title">/)
  // As in a rich document: an emoji belongs to the page, and a heading in a block is none of its own.
  for (const source of ['# 🚀 Thé Title', '> # Quoted\n\n# Th&eacute; **Title**'])
    assert.doesNotMatch(await render(source, { pageTitle: 'The\u0301 Title' }), /Title/)
})

test("the page's first heading is left out of plain blocks if it is the page's title", async () => {
  const pageTitle = 'The Title'
  for (const source of [
    '<div align="center">\n\n# The Title\n\n</div>\n\n## Below',
    '<section>\n\n<div>\n\n# The Title\n\n</div>\n\n</section>',
    '{% hint style="info" %}\n# The Title\n\nText\n{% endhint %}\n\n# Another',
    '> # The Title\n> Text\n\n# Another',
    '{% columns %}\n{% column %}\n# The Title\n{% endcolumn %}\n{% endcolumns %}',
    '<blockquote>\n\n# The Title\n\nText\n\n</blockquote>',
    '<div data-gb-custom-block data-tag="hint">\n\n# The Title\n\nText\n\n</div>',
  ]) {
    const html = await render(source, { pageTitle })
    assert.doesNotMatch(html, /The Title/, source)
  }
  for (const source of ['> ## The Title', '## First\n\n> # The Title', '> # First\n>\n> # The Title'])
    assert.match(await render(source, { pageTitle }), /The Title/, source)
})

test("the page's title stays in a block that is empty without it, and in one of a series", async () => {
  for (const source of [
    '{% hint style="info" %}\n# The Title\n{% endhint %}',
    '> # The Title',
    '> <div>\n>\n> # The Title\n>\n> </div>',
    '> # The Title\n>\n> <!-- c -->',
    '> # The Title\n>\n> [a]: b',
    '> # The Title\n>\n> <div></div>',
    '> # The Title\n>\n> <div> </div>',
    '<div data-gb-custom-block data-tag="step">\n\n# The Title\n\nText\n\n</div>',
    '> {% hint style="info" %}\n> # The Title\n> {% endhint %}\n>\n> Text',
    '- # The Title\n\n  Text',
    '<details>\n\n<summary>More</summary>\n\n# The Title\n\nText\n\n</details>',
    '{% stepper %}\n{% step %}\n# The Title\n\nText\n{% endstep %}\n{% endstepper %}',
    '{% tabs %}\n{% tab title="A" %}\n# The Title\n\nText\n{% endtab %}\n{% endtabs %}',
  ])
    assert.match(await render(source, { pageTitle: 'The Title' }), /<h2[^>]*>.*The Title/, source)
})

test('a tab, a step or an update outside of its container has its title above its content', async () => {
  assert.equal(
    await render('{% tab title="A" %}\nb\n{% endtab %}\n\n{% step title="C" %}\nd\n{% endstep %}'),
    '<p><strong>A</strong></p><p>b</p><p><strong>C</strong></p><p>d</p>',
  )
  assert.match(await render('{% update date="2026-01-05" %}\nb\n{% endupdate %}'), /5 January 2026.*b/)
  const dated = async (date: string) =>
    /<time[^>]*>([^<]*)/.exec(await render(`{% update date="${date}" %}\nb\n{% endupdate %}`))?.[1]
  assert.equal(await dated('2026-02-30'), '2026-02-30', 'no calendar has it')
  assert.equal(await dated('2026-01-05T23:00:00-05:00'), '5 January 2026')
  assert.equal(await dated('2026-13-05'), '2026-13-05')
})

test('headings have aria-levels without a skipped one, and look as they were written', async () => {
  const html = await render('#### a\n\n#### b\n\n## c\n\n#### d\n\n### e\n\n###### f\n\n## g')
  const heard = [...html.matchAll(/<h(\d) id="(\w)"(?: aria-level="(\d)")?>/g)].map(
    ([, tag, name, level]) => `${name} h${tag} ${level ?? tag}`,
  )
  assert.deepEqual(heard, ['a h4 2', 'b h4 2', 'c h2 2', 'd h4 3', 'e h3 3', 'f h6 4', 'g h2 2'])
})

test('hints say their kind in words and take an icon', async () => {
  const html = await render('{% hint style="warning" icon="fire" %}\nCare\n{% endhint %}')
  assert.match(html, /<aside class="hint hint-warning" role="note" aria-label="Warning">/)
  assert.match(html, /fa-fire/)
  assert.match(await render('{% hint style="nonsense" %}\nx\n{% endhint %}'), /hint-info/)
})

test('tabs work by radio buttons: one group, the first chosen, labels bound, panels reachable by name', async () => {
  const tabs = (title: string) => `{% tab title="${title}" %}\nIn ${title}\n{% endtab %}\n`
  const html = await render(
    `{% tabs %}\n${tabs('npm')}${tabs('pnpm')}{% endtabs %}\n\n## npm\n\n{% tabs %}\n${tabs('npm')}{% endtabs %}`,
  )
  assert.deepEqual(
    [...html.matchAll(/name="(tabs:\d)" id="(tab:[\d.]+)"[^>]*?( checked)?>/g)].map(
      ([, name, id, checked]) => [name, id, checked !== undefined],
    ),
    [
      ['tabs:1', 'tab:1.0', true],
      ['tabs:1', 'tab:1.1', false],
      ['tabs:2', 'tab:2.0', true],
    ],
  )
  assert.match(html, /<label for="tab:1.0" id="tab:1.0.label">npm<\/label>/)
  assert.match(html, /<h2 id="npm">/)
  assert.match(html, /class="tab-panel flow" id="tab-npm" role="group" aria-labelledby="tab:1.0.label"/)
})

test('code keeps its text whatever the highlighter answers, and takes its colours only when they spell the code', async () => {
  const source = '```js\nlet a = "<b>"\n```'
  const plain = '<code class="language-js">let a = "&lt;b>"</code></pre>'
  const answer = (...lines: [string, 'keyword' | 'plain'][][]) =>
    render(source, { highlight: async () => ({ codes: [lines], isComplete: true }) })
  assert.ok((await render(source)).includes(plain))
  assert.ok((await answer([['something else', 'keyword']])).includes(plain))
  assert.match(
    await answer([
      ['let', 'keyword'],
      [' a = "<b>"', 'plain'],
    ]),
    /<span class="tok-keyword">let<\/span> a = "&lt;b>"/,
  )
  assert.ok(!(await answer([['let a = "<b>"', 'x" onclick="' as 'plain']])).includes('onclick'))
})

test('a page that was not coloured in time says that it is not complete', async () => {
  const { isComplete } = await toHtml(parseMarkdown('```js\nx\n```'), {
    ...OPTIONS,
    highlight: async () => ({ codes: [undefined], isComplete: false }),
  })
  assert.equal(isComplete, false)
})

test('code tags give a title, numbers and wrapping; marked lines of HTML code are marked', async () => {
  const html = await render(
    '{% code title="a.js" overflow="wrap" lineNumbers="true" %}\n```js\none\n\ntwo\n```\n{% endcode %}',
  )
  assert.match(
    html,
    /<figure class="code code-wrap code-numbered"><figcaption class="code-head">a.js<\/figcaption>/,
  )
  assert.match(
    html,
    /<span class="line">one\n<\/span><span class="line">\n<\/span><span class="line">two<\/span>/,
  )
  const marked = await render(
    '<pre class="language-bash"><code class="lang-bash">one\n<strong>two\n</strong>three\n</code></pre>',
  )
  assert.match(
    marked,
    /class="line">one\n<\/span><span class="line is-marked">two\n<\/span><span class="line">three</,
  )
})

test('what scrolls in itself takes focus and is a region with a name of its own, but not in print', async () => {
  const source =
    '| Name | Type |\n| - | - |\n| a | b |\n\n| Name | Type |\n| - | - |\n| c | d |\n\n```sh\n\nnpm start\nx\n```\n\n{% code title="a.js" %}\n```js\nx\n```\n{% endcode %}\n\n$$\nx\n$$\n\n<table><tbody><tr><td>e</td></tr></tbody></table>'
  const named = async (more: Partial<HtmlOptions> = {}) =>
    [
      ...(await render(source, more)).matchAll(
        /<(?:div|pre)[^>]* role="region" tabindex="0" aria-label="([^"]*)">/g,
      ),
    ].map(([, name]) => name)
  assert.deepEqual(await named(), [
    'Table: Name, Type',
    'Table: Name, Type, 2',
    'Code: npm start',
    'Code: a.js',
    'Formula',
    'Table',
  ])
  assert.deepEqual(await named({ loadsAtOnce: true }), [])
})

test('a cards table is a list of cards with cover and target, and hides its technical columns', async () => {
  const html = await render(
    '<table data-view="cards" data-card-size="large"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="files"></th></tr></thead><tbody><tr><td><strong>One</strong></td><td><a href="one.md">one.md</a></td><td><a href="one.png">one.png</a></td></tr><tr><td></td><td></td><td></td></tr></tbody></table>',
  )
  assert.equal(html.match(/<li class="card">/g)?.length, 1)
  assert.match(html, /<ul class="cards cards-large" role="list">/)
  assert.match(html, /<img src="\/files\/one.png" alt="" loading="lazy" decoding="async">/)
  assert.match(html, /<a class="card-target" href="one.md" aria-label="One">/)
})

test('a card whose target or cover is missing has a note of each', async () => {
  const html = await render(
    '<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="files"></th></tr></thead><tbody><tr><td>One</td><td><a href="gone.md">x</a></td><td><a href="gone.png">x</a></td></tr><tr><td></td><td><a href="gone.md">x</a></td><td></td></tr></tbody></table>',
  )
  assert.equal(html.match(/<li class="card">/g)?.length, 1, 'a note alone makes no card')
  assert.match(
    html,
    /<div class="card-note"><span class="missing-image" title="Missing file" data-file="gone.png">/,
  )
  assert.match(html, /<div class="card-note" title="The target of this link is missing">/)
  assert.doesNotMatch(html, /card-target|card-cover/)
})

test('a grid table shows each column by its type', async () => {
  const html = await render(
    '<table><thead><tr><th width="200">Text</th><th data-type="checkbox">Done</th><th data-type="rating" data-max="3">Stars</th><th data-type="select">State<select><option value="a" label="Ready" color="green"></option></select></th><th data-type="content-ref">Page</th><th data-hidden>No</th></tr></thead><tbody><tr><td>x</td><td>true</td><td>2</td><td><span data-option="a">old</span></td><td><a href="p.md">p.md</a></td><td>hidden words</td></tr></tbody></table>',
  )
  assert.match(html, /<th scope="col" width="200">Text<\/th>/)
  assert.match(html, /icon-check[^<]*<\/span><span class="unseen">Yes/)
  assert.match(html, /aria-label="2 of 3">★★☆/)
  assert.match(html, /<span class="select-option paper-green">Ready<\/span>/)
  assert.match(html, /Label of p.md<\/a>/)
  assert.doesNotMatch(html, /hidden words|<option/)
})

test('GitBook’s older notation of a page reference is the same card, alone and as a pair', async () => {
  const modern = await render('{% content-ref url="a.md" %}\n[a.md](a.md)\n{% endcontent-ref %}')
  assert.equal(await render('{% page-ref page="a.md" %}'), modern)
  assert.equal(await render('{% page-ref page="a.md" %}\n[a.md](a.md)\n{% endpage-ref %}'), modern)
})

test('an anchor is meant without the spaces that an editor left behind it', async () => {
  assert.equal(await render('[x](#cards&#x20;)'), '<p><a href="#cards">x</a></p>')
  assert.equal(await render('a <a href=" #cards&#x20;">x</a>'), '<p>a <a href="#cards">x</a></p>')
})

test('references, files, embeds and operations are cards that say where they lead', async () => {
  const reference = await render('{% content-ref url="a.md" %}\n[a.md](a.md)\n{% endcontent-ref %}')
  assert.match(
    reference,
    /<a href="a.md" class="link-card link-card-content-ref">.*Label of a.md.*What it says/,
  )
  assert.match(
    await render('{% content-ref url="gone.md" %}\n{% endcontent-ref %}'),
    /<div class="link-card is-broken">.*gone/,
  )
  assert.match(
    await render('{% file src="a%20b.pdf" %}'),
    /Download: <\/span><span class="link-card-title">a b.pdf/,
  )
  assert.match(
    await render('{% embed url="https://youtu.be/x" %}\nWords\n{% endembed %}'),
    /Watch on YouTube.*<figcaption class="card-caption"><p>Words/,
  )
  const operation = await render('{% openapi src="s.yaml" path="/v1/{id}" method="post" %}\n{% endopenapi %}')
  assert.match(
    operation,
    /<span class="method method-post">POST<\/span><code dir="ltr">\/v1\/{id}<\/code>.*<a href="s.yaml">s.yaml<\/a>/,
  )
})

test('steps, columns, expandables, updates, prompts and conditions keep their content', async () => {
  assert.match(
    await render(
      '{% stepper %}\n{% step %}\n## One\nText\n{% endstep %}\n{% step %}\nTwo\n{% endstep %}\n{% endstepper %}',
    ),
    /<ol class="stepper" role="list"><li class="step"><div class="flow"><h2 id="one">.*<p>Two/,
  )
  assert.match(
    await render(
      '{% columns %}\n{% column width="25%" valign="middle" %}\nA\n{% endcolumn %}\n{% column %}\nB\n{% endcolumn %}\n{% endcolumns %}',
    ),
    /column flow span-6 middle.*column flow span-18/,
  )
  assert.match(
    await render('<details open>\n\n<summary>Why **so**</summary>\n\nBecause.\n\n</details>'),
    /<details class="expandable" open id="why-so"><summary>.*<\/summary><div class="flow"><p>Because/,
  )
  assert.match(
    await render(
      '{% updates format="full" %}\n{% update date="2026-01-02" tags="a,b" %}\nNews\n{% endupdate %}\n{% endupdates %}',
    ),
    /<time datetime="2026-01-02">2 January 2026<\/time>.*badge">a<.*badge">b<.*News/,
  )
  assert.match(
    await render('{% prompt description="Ask" %}\n```\nSay it\n```\n{% endprompt %}'),
    /Ask<\/span>.*code-wrap.*Say it/,
  )
  assert.match(
    await render('{% if visitor.claims.x == "y" %}\nSecret\n{% endif %}'),
    /^<div class="condition"><p class="condition-label">Shown when <code>visitor\.claims\.x == "y"<\/code><\/p><p>Secret<\/p><\/div>$/,
  )
})

test('pictures are figures with size, caption, alignment and a dark twin; a missing one says so', async () => {
  const html = await render(
    '<div align="left"><figure><picture><source srcset="d.png" media="(prefers-color-scheme: dark)"><img src="l.png" alt="Alt" width="300"></picture><figcaption><p>Words</p></figcaption></figure></div>',
  )
  assert.match(
    html,
    /<figure class="figure align-left"><img src="\/files\/l.png" alt="Alt" class="only-light" width="300" height="150"[^>]*><img src="\/files\/d.png" alt="Alt" class="only-dark" width="300" height="150"[^>]*><figcaption>Words<\/figcaption>/,
  )
  assert.match(
    await render('![Alt](a.png "Words")'),
    /<figure class="figure"><img[^>]*width="1200" height="600"[^>]*><figcaption>Words/,
  )
})

test('inline GitBook: emoji, icon, colour, button, mention, variables, annotation, footnote', async () => {
  assert.match(
    await render('<span data-gb-custom-inline data-tag="emoji" data-code="1f680">:x:</span>'),
    /<span class="emoji">🚀<\/span>/,
  )
  assert.equal(
    await render('Go :rocket: at 10:30:00, :none: `:x:` <code>:x:</code>'),
    '<p>Go <span class="emoji">🚀</span> at 10:30:00, :none: <code>:x:</code> <code>:x:</code></p>',
  )
  assert.match(
    await render('<i class="fa-leaf" style="color:$primary;">:leaf:</i>'),
    /<span class="icon fa-leaf ink-primary" aria-hidden="true"><\/span>/,
  )
  assert.match(
    await render('<mark style="color:red;background-color:blue;">x</mark>'),
    /<mark class="ink-red paper-blue">x<\/mark>/,
  )
  assert.match(
    await render('<a href="a.md" class="button secondary" data-icon="rocket">Go</a>'),
    /<a href="a.md" class="button">.*fa-rocket.*Go/,
  )
  assert.match(await render('[@a](a.md "mention")'), /<a href="a.md" class="mention">Label of a.md<\/a>/)
  assert.equal(
    await render('A {% vars.name %} <code class="expression">space.vars.name</code>', {
      variables: { name: 'N<' },
    }),
    '<p>A N&lt; N&lt;</p>',
  )
  const note = await render('[word](#user-content-fn-1)[^1] again[^1]\n\n[^1]: The note')
  assert.match(
    note,
    /word<sup><a href="#fn:1" id="fnref:1" aria-label="Footnote 1">1<\/a><\/sup> again<sup><a href="#fn:1" id="fnref:1.2"/,
  )
  assert.match(note, /<li id="fn:1"><p>The note <a href="#fnref:1" class="footnote-back"/)
})

test('of two footnotes with one name the first is shown', async () => {
  const html = await render('A word[^1]\n\n[^1]: First\n\n[^1]: Second')
  assert.match(html, /<li id="fn:1"><p>First /)
  assert.doesNotMatch(html, /Second/)
})

test('task lists show their boxes, tight lists no paragraphs, ordered lists their start', async () => {
  assert.match(
    await render('- [x] a\n- [ ] b'),
    /<ul class="tasks"><li class="task"><input type="checkbox" disabled checked aria-label="Done">a<\/li>/,
  )
  assert.equal(await render('3. a\n4. b'), '<ol start="3"><li>a</li><li>b</li></ol>')
})

test('a formula says its signs, and what is empty in it holds nothing of what follows', async () => {
  const signs = await render('$$\na < b \\text{"c" \\& <e>}\n$$')
  assert.match(signs, /<mo[^>]*>&lt;<\/mo><mi>b<\/mi><mtext>"c".&amp;.&lt;e><\/mtext>/)
  assert.match(
    await render('$$\na\\hspace{2em}b\n$$'),
    /<mi>a<\/mi><mspace width="2em"><\/mspace><mi>b<\/mi><\/mrow>/,
  )
})

test('formulas are MathML, and what is no TeX is shown as it was written', async () => {
  assert.match(await render('$$\n\\frac{1}{2}\n$$'), /<math[^>]*display="block"[^>]*>.*<mfrac>/)
  assert.match(await render('<p>a <span class="math">W_1</span></p>'), /<span class="math"><math>.*<msub>/)
  const { html, problems } = await toHtml(parseMarkdown('$$\n\\frac{1\n$$'), OPTIONS)
  assert.match(html, /<code>\\frac{1<\/code>/)
  assert.equal(problems[0]?.code, 'unreadable_formula')
})

test('words that look like tags are shown, and the content of unknown tags is', async () => {
  assert.equal(await render('Use <your-key> here'), '<p>Use &lt;your-key> here</p>')
  assert.match(
    await render('{% unknown a="b" %}\nShown **anyway**\n{% endunknown %}'),
    /Shown <strong>anyway<\/strong>/,
  )
  assert.match(await render('{% @arcade/embed url="https://x.example/1" %}'), /link-card.*x\.example/)
})

test('a picture that is missing says its text and the name of its file, whatever the name is', async () => {
  assert.match(
    await render('![Alt](gone/a/my%20map.png?x=1#y "Words")'),
    /^<figure class="figure"><span class="missing-image" title="Missing file" data-file="my map.png"><span class="icon[^>]*><\/span>Alt<\/span><figcaption>Words/,
  )
  const fileOf = async (source: string) => {
    const html = await render(source, { resolveImage: () => undefined })
    assert.match(html, /class="missing-image".*Missing picture/)
    return /data-file="([^"]*)"/.exec(html)?.[1]
  }
  assert.equal(await fileOf('![](<a"onclick=x.png>)'), 'a&quot;onclick=x.png')
  assert.equal(await fileOf('![](50%.png)'), '50%.png')
  assert.equal((await fileOf(`![](${'a'.repeat(5_000)}.png)`))?.length, 120)
  for (const source of [
    'broken-reference',
    '/broken/pages/abc',
    'data:image/png;base64,AAAA',
    'folder/',
    '<>',
  ])
    assert.equal(await fileOf(`![](${source})`), undefined, source)
})

test('links that lead nowhere are words, with a problem that has their position', async () => {
  const { html, problems } = await toHtml(
    parseMarkdown('A [link](gone.md) and [another](broken-reference)'),
    OPTIONS,
  )
  assert.doesNotMatch(html, /<a /)
  assert.deepEqual(
    problems.map(problem => [problem.code, problem.position?.start]),
    [
      ['broken_link', 2],
      ['broken_link', 22],
    ],
  )
})

test('what HTML does not nest, or has only in its own parent, loses its tag and keeps its words', async () => {
  assert.equal(
    await render('<a href="x">a <a href="y">b</a> <label>c</label></a>'),
    '<p><a href="x">a <span>b</span> c</a></p>',
  )
  const heading = await render('<h2>a <h3>b</h3></h2>')
  assert.match(heading, /^<h2 id="a-b">a <span id="section:1">b/)
  assert.doesNotMatch(heading, /<h3/)
  const summary = await render(
    '<details><summary>a <details><summary>c</summary>b</details></summary>x</details>',
  )
  assert.match(summary, /<summary>a <span id="c" class="expandable"><div>c<\/div>/)
  assert.deepEqual(await Promise.all(['<li>a</li>', '<dt>a</dt>', '<dd>a</dd>'].map(one => render(one))), [
    '<div>a</div>',
    '<div>a</div>',
    '<div>a</div>',
  ])
})

test('reusable content is rendered in place, with its own resolvers, and never within itself', async () => {
  const reusable = (destination: string) =>
    destination.startsWith('gone')
      ? undefined
      : {
          root: parseMarkdown('## Part\n\n[x](y) {% include "self.md" %}'),
          resolveLink: () => ({ href: '/own', isExternal: false, isBroken: false }),
        }
  const { html, problems, outline } = await toHtml(
    parseMarkdown('## Part\n\n{% include "self.md" %}\n\n{% include "gone.md" %}'),
    { ...OPTIONS, reusable },
  )
  assert.match(html, /<h2 id="part-1">Part.*<a href="\/own">x<\/a>/)
  assert.deepEqual(
    problems.map(problem => problem.code),
    ['nested_content', 'missing_content'],
  )
  assert.deepEqual(
    outline.map(entry => entry.id),
    ['part', 'part-1'],
  )
})

test('reusable content that multiplies itself is bounded', async () => {
  let included = 0
  const root = parseMarkdown(`{% include "c" %}\n\n${'word *em*\n\n{% include "b" %}\n\n'.repeat(20)}`)
  const reusable = () => {
    included += 1
    return { root }
  }
  const { problems } = await toHtml(parseMarkdown('{% include "a" %}\n\n'.repeat(50)), {
    ...OPTIONS,
    reusable,
  })
  assert.ok(problems.some(problem => problem.code === 'nested_content'))
  assert.ok(included < 100_000, `${included} times`)
})

const DEEP = 20_000
for (const [name, source] of Object.entries({
  quotes: '> '.repeat(DEEP),
  lists: '* '.repeat(DEEP),
  elements: '<div>'.repeat(DEEP),
  'closed elements': '<b>'.repeat(2_000) + 'x' + '</b>'.repeat(2_000),
  tags: '{% hint %}\n'.repeat(3_000) + '{% endhint %}\n'.repeat(3_000),
  emphasis: '*a_ '.repeat(DEEP),
  brackets: '['.repeat(DEEP),
  links: '[a]('.repeat(DEEP),
  footnotes:
    Array.from({ length: 3_000 }, (_, index) => `[^${index}]: [^${index + 1}]\n`).join('\n') + '[^0]',
  cells: `|${'a|'.repeat(3_000)}\n|${'-|'.repeat(3_000)}\n|${'b|'.repeat(3_000)}`,
  formula: `$$\n${'{'.repeat(DEEP)}\n$$`,
  headings: '# a\n'.repeat(DEEP),
}))
  test(`hostile nesting ends: ${name}`, async () => {
    await toHtml(parseMarkdown(source), OPTIONS)
  })

test('a page of a quarter of a million nodes is cut, and says so', async () => {
  const { html, problems } = await toHtml(parseMarkdown('`a` '.repeat(120_000)), OPTIONS)
  assert.equal(problems.at(-1)?.code, 'too_long')
  assert.match(html, /too long to be shown/)
})

test('a page of the corpora renders, with every heading linked and no tag left outside of code', {
  skip: skipCorpus,
}, async () => {
  for (const { file, source } of corpusPages(4, 2)) {
    const root = parseMarkdown(source)
    const { html } = await toHtml(root, OPTIONS)
    for (const anchor of headingAnchors(root).values())
      assert.ok(html.includes(` id="${anchor.replaceAll('&', '&amp;')}"`), `${file}: ${anchor}`)
    const prose = html.replace(/<code[\s\S]*?<\/code>/g, '')
    assert.doesNotMatch(
      prose,
      /\{% (?:end)?(?:hint|tabs?|code|embed|content-ref|openapi|stepper|step|columns?|@)/,
      file,
    )
  }
})
