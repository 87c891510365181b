import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Block } from '../engines/markdown/document/document.ts'
import { toDocument } from '../engines/markdown/document/document.ts'
import type { ApiPart } from '../engines/markdown/html/html.ts'
import { toHtml } from '../engines/markdown/html/html.ts'
import { iconName } from '../engines/markdown/html/values.ts'
import { parseMarkdown } from '../engines/markdown/syntax/syntax.ts'
import type { Block as Typeset } from '../engines/markdown/typeset/typeset.ts'
import type { AsksOfPage } from './page-html.ts'
import { pageTypeset } from './page-typeset.ts'

/** What the outputs of a page show. */
type Seen = {
  readonly html: string
  readonly parts: readonly ApiPart[]
  readonly data: Block['data']
  readonly typeset: Typeset | undefined
}

/** An attribute: what it is called and may say, and what each output shows of it, in words that can be compared. */
type Shown = {
  readonly names: readonly string[]
  readonly values: readonly string[]
  readonly html: (seen: Seen) => unknown
  readonly document: (data: never) => unknown
  readonly typeset?: (block: never) => unknown
}

type Case = {
  readonly block: string
  /** `tag` writes a tag around blocks, or the element that stands for it. */
  readonly write: (attributes: string, tag: (name: string, inside: string) => string) => string
  readonly find: readonly string[]
  readonly attributes: Readonly<Record<string, Shown>>
}

const has =
  (name: string) =>
  ({ html }: Seen) =>
    new RegExp(`class="[^"]*\\b${name}\\b`).test(html)
const after =
  (pattern: RegExp) =>
  ({ html }: Seen) =>
    pattern.exec(html)?.[1]
const unescaped = (text: string | undefined) =>
  text?.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
const iconIn = after(/\bfa-([a-z0-9-]+)/)

/** Each value also takes this many characters. */
const LONG = 'x'.repeat(100_000)

const FLAG = ['true', 'True', ' yes ', 'on', '1', 'false', 'FALSE', 'no', 'off', '0', 'nonsense']
const WORDS = ['Words', ' spaced ', 'a < b & c', '   ', '日本']
const ICONS = ['rocket', 'fa-solid fa-bolt', 'Star', '🚀', 'no icon!']

const icon = {
  names: ['icon', 'ICON'],
  values: ICONS,
  html: iconIn,
  document: (data: { icon?: string }) => iconName(data.icon),
}

const code = {
  lineNumbers: {
    names: ['lineNumbers', 'linenumbers', 'line-numbers', 'LINENUMBERS'],
    values: FLAG,
    html: has('code-numbered'),
    document: (data: { lineNumbers?: boolean }) => data.lineNumbers ?? false,
    typeset: (block: { isNumbered: boolean }) => block.isNumbered,
  },
  expandable: {
    names: ['expandable', 'Expandable'],
    values: FLAG,
    html: has('code-expandable'),
    document: (data: { expandable?: boolean }) => data.expandable ?? false,
  },
  fullWidth: {
    names: ['fullWidth', 'full-width', 'FULLWIDTH'],
    values: FLAG,
    html: has('full-width'),
    document: (data: { fullWidth?: boolean }) => data.fullWidth ?? false,
  },
  overflow: {
    names: ['overflow', 'OverFlow'],
    values: ['wrap', 'scroll', 'WRAP', ' wrap '],
    html: has('code-wrap'),
    document: (data: { overflow?: string }) => data.overflow === 'wrap',
  },
  title: {
    names: ['title', 'Title'],
    values: WORDS,
    html: (seen: Seen) => unescaped(after(/<figcaption class="code-head">([\s\S]*?)<\/figcaption>/)(seen)),
    document: (data: { title?: string }) => data.title,
    typeset: (block: { title?: unknown }) => block.title !== undefined,
  },
}

const part =
  (read: (part: ApiPart) => unknown) =>
  ({ parts: [first] }: Seen) =>
    first && read(first)

const method = {
  names: ['method', 'Method'],
  values: ['get', 'POST', ' put '],
  html: part(({ method }) => method || undefined),
  document: (data: { method?: string }) => data.method?.trim().toLowerCase(),
}
const headless = {
  names: ['headless', 'HEADLESS'],
  values: FLAG,
  html: part(({ isHeadless }) => isHeadless),
  document: (data: { headless?: boolean }) => data.headless ?? false,
}

const CASES: readonly Case[] = [
  {
    block: 'hint',
    write: (attributes, tag) => tag(`hint ${attributes}`, 'Words'),
    find: ['hint'],
    attributes: {
      style: {
        names: ['style', 'type', 'Style', 'TYPE'],
        values: ['info', 'warning', 'danger', 'success', 'Danger', ' success ', 'tip', 'true'],
        html: after(/\bhint-(\w+)/),
        document: (data: { style: string }) => data.style,
        typeset: (block: { style: string }) => block.style,
      },
      icon: { ...icon, html: after(/class="icon fa-([a-z0-9-]+)/) },
    },
  },
  {
    block: 'code',
    write: (attributes, tag) => tag(`code ${attributes}`, '```js\none\ntwo\n```'),
    find: ['code'],
    attributes: code,
  },
  {
    block: 'pre',
    write: attributes =>
      `<pre ${attributes.replace(/(^| )(?=[\w-]+(?:=| |$))/g, '$1data-')}><code>one\ntwo</code></pre>`,
    find: ['code'],
    attributes: code,
  },
  {
    block: 'tab',
    write: (attributes, tag) => tag('tabs', tag(`tab ${attributes}`, 'Words')),
    find: ['tabs', 'tabs-item'],
    attributes: {
      title: {
        names: ['title', 'TITLE'],
        values: WORDS,
        html: (seen: Seen) =>
          unescaped(after(/<label[^>]*>(?:<span[^>]*><\/span> )?([\s\S]*?)<\/label>/)(seen)),
        document: (data: { title?: string }) => data.title ?? 'Tab 1',
      },
      icon,
    },
  },
  {
    block: 'step',
    write: (attributes, tag) => tag('stepper', tag(`step ${attributes}`, 'Words')),
    find: ['stepper', 'stepper-step'],
    attributes: { icon },
  },
  {
    block: 'column',
    write: (attributes, tag) =>
      tag('columns', `${tag(`column ${attributes}`, 'One')}\n\n${tag('column', 'Two')}`),
    find: ['columns', 'column'],
    attributes: {
      width: {
        names: ['width', 'Width'],
        values: ['25%', ' 50% ', '66.66%', '400', '0%', '500%'],
        html: after(/\bspan-(\d+)/),
        document: ({ width }: { width?: number | { value: number } }) =>
          typeof width === 'object' && width.value > 0 && width.value <= 100
            ? String(Math.round(width.value * 0.24))
            : '12',
      },
      verticalAlignment: {
        names: ['valign', 'verticalAlignment', 'vertical-alignment', 'VALIGN'],
        values: ['top', 'middle', 'bottom', 'Middle', ' bottom '],
        html: after(/\b(top|middle|bottom)\b/),
        document: (data: { verticalAlignment?: string }) => data.verticalAlignment,
      },
    },
  },
  {
    block: 'updates',
    write: (attributes, tag) => tag(`updates ${attributes}`, tag('update date="2026-01-05"', 'Words')),
    find: ['updates'],
    attributes: {
      format: {
        names: ['format', 'FORMAT'],
        values: ['numeric', 'full', 'short', 'Short'],
        html: after(/<time[^>]*>([^<]*)/),
        document: ({ format }: { format: 'numeric' | 'full' | 'short' }) =>
          ({ numeric: '05/01/2026', full: '5 January 2026', short: '5 Jan 2026' })[format],
      },
    },
  },
  {
    block: 'update',
    write: (attributes, tag) => tag('updates', tag(`update ${attributes}`, 'Words')),
    find: ['updates', 'update'],
    attributes: {
      date: {
        names: ['date', 'Date'],
        values: ['soon', 'in a < b'],
        html: (seen: Seen) => unescaped(after(/<time>([\s\S]*?)<\/time>/)(seen)) ?? '',
        document: (data: { date: string }) => data.date,
      },
      tags: {
        names: ['tags', 'Tags'],
        values: ['one', 'one, two,,', ' , '],
        html: ({ html }: Seen) => [...html.matchAll(/class="badge">([^<]*)/g)].map(([, name]) => name),
        document: (data: { tags?: string[] }) => data.tags ?? [],
      },
    },
  },
  {
    block: 'prompt',
    write: (attributes, tag) => tag(`prompt ${attributes}`, '```\nAsk\n```'),
    find: ['prompt'],
    attributes: {
      description: {
        names: ['description', 'Description'],
        values: WORDS,
        html: (seen: Seen) => unescaped(after(/Prompt: <\/span>([\s\S]*?)<\/span>/)(seen)),
        document: (data: { description: string }) => data.description || 'Prompt',
      },
      icon: { ...icon, document: (data: { icon?: string }) => iconName(data.icon) ?? 'wand-magic-sparkles' },
    },
  },
  {
    block: 'embed',
    write: attributes => `{% embed ${attributes} %}`,
    find: ['embed'],
    attributes: {
      url: {
        names: ['url', 'URL'],
        values: ['https://x.example/a', '   '],
        html: after(/href="([^"]*)"/),
        // Browsers follow no address that is as long.
        document: ({ url }: { url?: string }) => (url === LONG ? undefined : url),
      },
    },
  },
  {
    block: 'openapi-operation',
    write: attributes => `{% openapi-operation spec="pets" path="/a" method="get" ${attributes} %}`,
    find: ['openapi-operation'],
    attributes: { headless },
  },
  {
    block: 'the place of an operation',
    write: attributes => `{% openapi-operation spec="pets" path="/a" ${attributes} %}`,
    find: ['openapi-operation'],
    attributes: { method },
  },
  {
    block: 'swagger',
    write: attributes =>
      `{% swagger src="pets.yaml" path="/a" method="get" ${attributes} %}\n{% endswagger %}`,
    find: ['swagger'],
    attributes: {
      expanded: {
        names: ['expanded', 'EXPANDED'],
        values: FLAG,
        html: part(({ isExpanded }) => isExpanded),
        document: (data: { expanded?: boolean }) => data.expanded ?? false,
      },
    },
  },
  {
    block: 'openapi-schemas',
    write: attributes => `{% openapi-schemas spec="pets" ${attributes} %}`,
    find: ['openapi-schemas'],
    attributes: {
      schemas: {
        names: ['schemas', 'schema', 'Schemas'],
        values: ['Pet', 'Pet, Toy', ' , '],
        // A block that names none asks for no part.
        html: (seen: Seen) => part(({ names }) => names)(seen) ?? [],
        document: (data: { schemas: string[] }) => data.schemas,
      },
    },
  },
  {
    block: 'schemas that are named',
    write: attributes => `{% openapi-schemas spec="pets" schemas="Pet, Toy" ${attributes} %}`,
    find: ['openapi-schemas'],
    attributes: {
      grouped: {
        names: ['grouped', 'GROUPED'],
        values: FLAG,
        html: part(({ isGrouped }) => isGrouped),
        document: (data: { grouped?: boolean }) => data.grouped ?? false,
      },
    },
  },
  {
    block: 'openapi-webhook',
    write: attributes => `{% openapi-webhook spec="pets" name="sold" method="post" ${attributes} %}`,
    find: ['openapi-webhook'],
    attributes: { headless },
  },
]

/** Every way to write an attribute: bare, empty, with each value, with a long one, and twice. */
function spellings({ names, values }: Shown): string[] {
  const [first = ''] = values
  return names.flatMap(name => [
    '',
    name,
    `${name}=""`,
    `${name}=${first}`,
    `${name}='${first}'`,
    `${name}="${LONG}"`,
    ...values.flatMap(value => [
      `${name}="${value}"`,
      `${name}="${value}" ${name}="${first}"`,
      `${name} ${name}="${value}"`,
      `${name}="unknown" ${names[0]}="${value}"`,
    ]),
  ])
}

const inTags = (name: string, inside: string): string =>
  `{% ${name} %}\n${inside}\n{% end${name.split(' ')[0]} %}`

const inElements = (name: string, inside: string): string => {
  const [tag = '', ...attributes] = name.split(/ (.*)/s)
  const written = attributes.join('').replace(/(^|["' ])([A-Za-z-]+)(?==|$| )/g, '$1data-$2')
  return `<div data-gb-custom-block data-tag="${tag}" ${written}>\n\n${inside}\n\n</div>`
}

const ask: AsksOfPage = {
  codes: async blocks => ({ codes: blocks.map(() => undefined), isComplete: true }),
  addresses: async asked => asked.map(([, , href]) => ({ href, isExternal: false, isBroken: false })),
  texts: async () => [],
  parts: async () => [],
}

async function see(markdown: string, find: readonly string[]): Promise<Seen> {
  const parts: ApiPart[] = []
  const { html } = await toHtml(parseMarkdown(markdown), {
    resolveLink: href => ({ href, isExternal: true, isBroken: false }),
    resolveImage: () => undefined,
    showParts: async asked => {
      parts.push(...asked)
      return asked.map(() => ({ missing: 'nothing' }) as const)
    },
  })
  let blocks: readonly Block[] = toDocument(markdown).document.nodes
  let found: Block | undefined
  for (const type of find) {
    found = blocks.find(block => block.type === type)
    blocks = (found?.nodes ?? []) as Block[]
  }
  const { json } = await pageTypeset({ markdown, isColoured: false, idPrefix: '' }, ask)
  return { html, parts, data: found?.data ?? {}, typeset: (JSON.parse(json) as Typeset[])[0] }
}

for (const { block, write, find, attributes } of CASES)
  for (const [attribute, shown] of Object.entries(attributes))
    test(`${attribute} of ${block} is read alike by the reader, the document and the PDF, however it is written`, async () => {
      for (const tag of [inTags, inElements])
        for (const written of new Set(spellings(shown))) {
          const markdown = write(written, tag)
          const seen = await see(markdown, find)
          const said = shown.document(seen.data as never)
          const shownBy = markdown.slice(0, 300)
          assert.deepEqual(shown.html(seen), said, shownBy)
          if (shown.typeset !== undefined)
            assert.deepEqual(
              shown.typeset(seen.typeset as never),
              attribute === 'title' ? said !== undefined : said,
              shownBy,
            )
        }
    })
