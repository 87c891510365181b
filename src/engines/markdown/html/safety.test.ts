// Whatever a page says, its HTML holds nothing that could act, and means to every parser what was meant here.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Element, Root, RootContent } from 'hast'
import { toHtml as serialize } from 'hast-util-to-html'
import { htmlToHast } from 'satteri'
import { HOSTILE_PAGES } from '../../../../test/support/markdown/hostile-pages.ts'
import { tried } from '../../../../test/support/property-runs.ts'
import { parseMarkdown } from '../syntax/syntax.ts'
import { toHtml } from './to-html.ts'

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

for (const vector of HOSTILE_PAGES)
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
    '<div id="reader:content" class="masthead skip-link">x</div><span class="unseen">y</span>\n\n## z <a id="reader:token"></a>',
  )
  for (const words of ['reader:', 'masthead', 'skip-link', 'unseen']) assert.ok(!html.includes(words), html)
})

test('a page has no frame of any host: players are links', async () => {
  const html = await render(
    '{% embed url="https://www.youtube.com/watch?v=1" %}\n\n<iframe src="https://player.vimeo.com/video/1"></iframe>',
  )
  assert.deepEqual(dangersOf(html), [])
  assert.match(html, /href="https:\/\/www\.youtube\.com\/watch\?v=1"/)
  assert.match(html, /href="https:\/\/player\.vimeo\.com\/video\/1"/)
})

const FRAGMENTS: readonly string[] = [
  ...HOSTILE_PAGES,
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
    tried(400),
  )
})
