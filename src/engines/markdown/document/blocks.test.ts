import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sketch } from '../../../../test/support/markdown/sketch.ts'
import { checkDocument } from './check.ts'
import { toDocument } from './to-document.ts'

/** Lines of Markdown become lines of a sketch, and the document is valid. */
function becomes(source: readonly string[], expected: readonly string[]): void {
  const { document } = toDocument(source.join('\n'))
  assert.deepEqual(checkDocument(document), [])
  assert.deepEqual(sketch(document).split('\n'), expected)
}

const url = (destination: string): string => `{"kind":"url","url":"${destination}"}`

test('paragraph: soft breaks are spaces, hard breaks stay', () => {
  becomes(
    ['soft', 'break and hard\\', 'break<br>again  '],
    ['paragraph "soft break and hard\\nbreak\\nagain"'],
  )
})

test('lists: numbers, nesting and tasks', () => {
  becomes(
    ['3. three', '4. four', '   * inner'],
    [
      'list-ordered {"start":3}',
      '  list-item',
      '    paragraph "three"',
      '  list-item',
      '    paragraph "four"',
      '    list-unordered',
      '      list-item',
      '        paragraph "inner"',
    ],
  )
  becomes(
    ['* [x] done', '* [ ] open', '* plain'],
    [
      'list-tasks',
      '  list-item {"checked":true}',
      '    paragraph "done"',
      '  list-item {"checked":false}',
      '    paragraph "open"',
      '  list-item',
      '    paragraph "plain"',
    ],
  )
})

test('blockquote and divider', () => {
  becomes(
    ['> a', '>', '> > b', '', '***'],
    ['blockquote', '  paragraph "a"', '  blockquote', '    paragraph "b"', 'divider'],
  )
})

test('code: a fence, its GitBook frame, and lines', () => {
  becomes(['```', 'a', '', 'b', '```'], ['code', '  code-line "a"', '  code-line ""', '  code-line "b"'])
  becomes(
    [
      '{% code title="a.js" overflow="wrap" lineNumbers="true" fullWidth="true" expandable="true" %}',
      '```javascript',
      'x',
      '```',
      '{% endcode %}',
    ],
    [
      'code {"syntax":"javascript","title":"a.js","overflow":"wrap","lineNumbers":true,"fullWidth":true,"expandable":true}',
      '  code-line "x"',
    ],
  )
})

test('code in HTML: marked lines and notes', () => {
  becomes(
    [
      '<pre class="language-js" data-title="x.js" data-overflow="wrap" data-line-numbers><code class="lang-js">a = 1',
      '<strong>b = 2',
      '</strong>call(<a data-footnote-ref href="#user-content-fn-1">c</a>)',
      '</code></pre>',
      '',
      '[^1]: note',
    ],
    [
      'code {"syntax":"js","title":"x.js","overflow":"wrap","lineNumbers":true}',
      '  code-line "a = 1"',
      '  code-line {"highlighted":true} "b = 2"',
      '  code-line "call(" <annotation "c" | paragraph "note"> ")"',
    ],
  )
})

test('math', () => {
  becomes(['$$', 'f(x) = x', '$$'], ['math {"formula":"f(x) = x"}'])
})

test('hint, with its style and icon; an unknown style is info', () => {
  becomes(
    ['{% hint style="warning" icon="bolt" %}', 'Take care.', '{% endhint %}'],
    ['hint {"style":"warning","icon":"bolt"}', '  paragraph "Take care."'],
  )
  becomes(['{% hint style="tip" %}', 'a', '{% endhint %}'], ['hint {"style":"info"}', '  paragraph "a"'])
})

test('tabs', () => {
  becomes(
    [
      '{% tabs %}',
      '{% tab title="One" icon="box" %}',
      'a',
      '{% endtab %}',
      '',
      '{% tab title="Two" %}',
      'b',
      '{% endtab %}',
      '{% endtabs %}',
    ],
    [
      'tabs',
      '  tabs-item {"title":"One","icon":"box"}',
      '    paragraph "a"',
      '  tabs-item {"title":"Two"}',
      '    paragraph "b"',
    ],
  )
})

test('stepper', () => {
  becomes(
    ['{% stepper %}', '{% step %}', '### Do it', 'Now', '{% endstep %}', '{% endstepper %}'],
    ['stepper', '  stepper-step', '    heading-2 "Do it"', '    paragraph "Now"'],
  )
})

test('columns, with their widths', () => {
  becomes(
    [
      '{% columns %}',
      '{% column width="66.6%" valign="middle" %}',
      'a',
      '{% endcolumn %}',
      '{% column width="50" %}',
      'b',
      '{% endcolumn %}',
      '{% endcolumns %}',
    ],
    [
      'columns',
      '  column {"width":{"unit":"%","value":66.6},"verticalAlignment":"middle"}',
      '    paragraph "a"',
      '  column {"width":50}',
      '    paragraph "b"',
    ],
  )
})

test('expandable, from details', () => {
  becomes(
    ['<details>', '', '<summary>Why <b>so</b></summary>', '', 'Because.', '', '</details>'],
    [
      'expandable',
      '  #expandable-title',
      '    paragraph "Why " bold:"so"',
      '  #expandable-body',
      '    paragraph "Because."',
    ],
  )
})

test('embed, with its caption after it', () => {
  becomes(
    ['{% embed url="https://x.example/v" fullWidth="true" %}', 'A caption', '{% endembed %}'],
    ['embed {"url":"https://x.example/v","fullWidth":true}', 'paragraph "A caption"'],
  )
})

test('content-ref: the link that says its destination again is not content', () => {
  becomes(
    ['{% content-ref url="a.md" %}', '[a.md](a.md)', '{% endcontent-ref %}'],
    [`content-ref {"ref":${url('a.md')}}`],
  )
})

test('page-ref, the older notation of content-ref, alone and as a pair', () => {
  becomes(['{% page-ref page="a.md" %}'], [`content-ref {"ref":${url('a.md')}}`])
  becomes(
    ['{% page-ref page="a.md" %}', '[a.md](a.md)', '{% endpage-ref %}'],
    [`content-ref {"ref":${url('a.md')}}`],
  )
})

test('openapi blocks', () => {
  becomes(
    [
      '{% openapi-operation spec="pets" path="/pets" method="get" %}',
      '[OpenAPI pets](https://x.example)',
      '{% endopenapi-operation %}',
    ],
    ['openapi-operation {"path":"/pets","method":"get","ref":{"kind":"openapi","spec":"pets"}}'],
  )
  becomes(
    [
      '{% openapi-schemas spec="pets" schemas="Pet,Cat" grouped="false" %}',
      '[x](y)',
      '{% endopenapi-schemas %}',
    ],
    ['openapi-schemas {"schemas":["Pet","Cat"],"grouped":false,"ref":{"kind":"openapi","spec":"pets"}}'],
  )
  becomes(
    ['{% openapi-webhook spec="pets" name="born" method="post" %}', '[x](y)', '{% endopenapi-webhook %}'],
    ['openapi-webhook {"name":"born","method":"post","ref":{"kind":"openapi","spec":"pets"}}'],
  )
  for (const name of ['openapi', 'swagger']) {
    becomes(
      [
        `{% ${name} src="a.yaml" path="/x" method="post" expanded="true" %}`,
        '[a.yaml](a.yaml)',
        `{% end${name} %}`,
      ],
      [`swagger {"path":"/x","method":"post","ref":${url('a.yaml')},"expanded":true}`],
    )
  }
})

test('updates', () => {
  becomes(
    [
      '{% updates format="short" %}',
      '{% update date="2025-12-25" tags="beta,new" %}',
      '## New',
      '{% endupdate %}',
      '{% endupdates %}',
    ],
    [
      'updates {"format":"short"}',
      '  update {"date":"2025-12-25","tags":["beta","new"]}',
      '    heading-1 "New"',
    ],
  )
})

test('prompt', () => {
  becomes(
    [
      '{% prompt description="Do" icon="bolt" openInAIProviders="a,, b" defaultExpanded="full" %}',
      '```markdown',
      'Say x',
      '```',
      '{% endprompt %}',
    ],
    [
      'prompt {"description":"Do","icon":"bolt","openInAIProviders":["a","b"],"defaultExpanded":"full"}',
      '  code {"syntax":"markdown"}',
      '    code-line "Say x"',
    ],
  )
})

test('if', () => {
  becomes(
    ['{% if visitor.claims.plan == "pro" %}', 'Pro', '{% endif %}'],
    ['if {"expression":"visitor.claims.plan == \\"pro\\""}', '  paragraph "Pro"'],
  )
})

test('integration', () => {
  becomes(
    ['{% @arcade/embed url="https://app.example" %}'],
    [
      'integration {"integration":"arcade","block":"embed","props":{"url":"https://app.example"},"url":"https://app.example"}',
    ],
  )
})

test('images: a figure, a framed row of figures with a dark twin, a paragraph of an image', () => {
  becomes(
    [
      '<figure><img src="a.png" alt="A" width="563"><figcaption><p>The <em>cap</em></p></figcaption></figure>',
    ],
    [
      'images',
      `  image {"ref":${url('a.png')},"alt":"A","width":563}`,
      '    #caption',
      '      paragraph "The " italic:"cap"',
    ],
  )
  becomes(
    [
      '<div align="left" data-with-frame="true" data-full-width="true"><figure><picture><source srcset="d.png" media="(prefers-color-scheme: dark)"><img src="a.png" alt=""></picture></figure> <figure><img src="b.png" alt="" width="50%"></figure></div>',
    ],
    [
      'images {"align":"left","fullWidth":true,"withFrame":true}',
      `  image {"ref":${url('a.png')},"refDark":${url('d.png')}}`,
      `  image {"ref":${url('b.png')},"width":{"unit":"%","value":50}}`,
    ],
  )
  becomes(
    ['![alt](a.png "Title")'],
    ['images', `  image {"ref":${url('a.png')},"alt":"alt"}`, '    #caption', '      paragraph "Title"'],
  )
})

test('HTML that the model knows in another form, and HTML that it does not', () => {
  becomes(
    [
      '<p align="center">Mid</p>',
      '<h2 align="right">Head</h2>',
      '<ol start="3"><li>c</li></ol>',
      '<blockquote>q</blockquote>',
      '<iframe src="https://v.example/1"></iframe>',
      '<section><custom>kept</custom></section>',
      '<script>gone()</script>',
    ],
    [
      'paragraph {"align":"center"} "Mid"',
      'heading-1 {"align":"end"} "Head"',
      'list-ordered {"start":3}',
      '  list-item',
      '    paragraph "c"',
      'blockquote',
      '  paragraph "q"',
      'embed {"url":"https://v.example/1"}',
      'paragraph "kept"',
    ],
  )
})

test('tags that GitBook does not know stay the text that they are, with what they hold', () => {
  becomes(
    ['{% for x in y %}', '', '* a', '', '{% endfor %}'],
    [
      'paragraph "{% for x in y %}"',
      'list-unordered',
      '  list-item',
      '    paragraph "a"',
      'paragraph "{% endfor %}"',
    ],
  )
})

test('a drawing is a picture that can be opened again; one with a description is an image', () => {
  const source =
    '<img src="a.svg" alt="" class="gitbook-drawing">\n\n<img src="a.svg" alt="A" class="gitbook-drawing">'
  const { document } = toDocument(source, { resolve: file => ({ kind: 'file', file }) })
  assert.deepEqual(checkDocument(document), [])
  assert.deepEqual(sketch(document).split('\n'), [
    'drawing {"ref":{"kind":"file","file":"a.svg"}}',
    'images',
    '  image {"ref":{"kind":"file","file":"a.svg"},"alt":"A"}',
  ])
})

test('an image with a size of its line stays in its line where the line is aligned', () => {
  becomes(
    ['<p align="center"><img src="a.png" alt="" data-size="line"></p>'],
    [`paragraph {"align":"center"} <inline-image {"ref":${url('a.png')},"size":"line"}>`],
  )
})

test('code in HTML: how it is shown, and variables', () => {
  becomes(
    [
      '<pre data-overflow="scroll" data-collapsed-line-count="3"><code>a <code class="expression">space.vars.x</code>',
      '<strong>b',
      '</strong></code></pre>',
    ],
    [
      'code {"overflow":"scroll","collapsedLineCount":3}',
      '  code-line "a " <expression {"expression":"space.vars.x"}>',
      '  code-line {"highlighted":true} "b"',
    ],
  )
})
