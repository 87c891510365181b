import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BlockOf, type Definition, toDocument } from '../engines/markdown/document/document.ts'
import { quotations } from '../engines/markdown/excerpt/excerpt.ts'
import { toHtml } from '../engines/markdown/html/html.ts'
import { references } from '../engines/markdown/page/page.ts'
import { parseMarkdown } from '../engines/markdown/syntax/syntax.ts'
import type { Block as Typeset } from '../engines/markdown/typeset/typeset.ts'
import type { AsksOfPage } from './page-html.ts'
import { pageTypeset } from './page-typeset.ts'

/** What the outputs of a page show of its table. */
type Seen = {
  readonly html: string
  readonly table: BlockOf<'table'>['data']
  readonly typeset: Typeset | undefined
  readonly kinds: readonly string[]
  /** Whether its rows are quoted as rows, and their head. */
  readonly quoted: string | undefined
}

/** An attribute: what it is called and may say, and what each output shows of it, in words that can be compared. */
type Case = {
  readonly names: readonly string[]
  readonly values: readonly string[]
  readonly write: (attribute: string) => string
  readonly shown: { readonly [output: string]: (seen: Seen) => unknown }
}

const FLAG = ['true', 'True', ' yes ', 'on', '1', 'false', 'FALSE', 'no', 'off', '0', 'nonsense']
const SIDES = ['left', 'center', 'right', 'start', 'end', 'Center', ' right ', 'middle']
const LONG = 'x'.repeat(100_000)

/** The column that an attribute is about is the second of three. */
const table = (head: string, cell = 'two', of = '') =>
  `<table ${of}><thead><tr><th>A</th>${head}<th>C</th></tr></thead><tbody><tr><td>one</td><td>${cell}</td><td>three</td></tr></tbody></table>`
const cards = (head: string, cell = 'two', of = '') => table(head, cell, `data-view="cards" ${of}`)

const second = <T extends Definition['type']>({ table }: Seen, type: T) => {
  const column = table.definition.c2
  return column?.type === type ? (column as Extract<Definition, { type: T }>) : undefined
}
const gridOf = ({ table: { view } }: Seen) => (view.type === 'grid' ? view : undefined)
const cardsOf = ({ table: { view } }: Seen) => (view.type === 'cards' ? view : undefined)
const has = (pattern: RegExp) => (seen: Seen) => pattern.test(seen.html)
const after = (pattern: RegExp) => (seen: Seen) => pattern.exec(seen.html)?.[1]
const cellsOf = ({ typeset }: Seen) => (typeset?.kind === 'table' ? typeset.table.cells : [])
const secondCell = (seen: Seen) => cellsOf(seen).find(({ x, y }) => x === 1 && y === 1)

const role = (name: string, view: 'targetDefinition' | 'coverDefinition' | 'coverDefinitionDark') => ({
  names: [`data-card-${name}`, `data-card${name.replaceAll('-', '')}`, `DATA-CARD-${name.toUpperCase()}`],
  values: FLAG,
  document: (seen: Seen) => cardsOf(seen)?.[view] === 'c2',
})
const target = role('target', 'targetDefinition')
const cover = role('cover', 'coverDefinition')
const dark = role('cover-dark', 'coverDefinitionDark')
const LINK = '<a href="x.md">two</a>'

const CASES: { readonly [attribute: string]: Case } = {
  view: {
    names: ['data-view', 'DATA-VIEW'],
    values: ['cards', 'Cards', ' cards ', 'grid', 'list'],
    write: attribute => table('<th>B</th>', 'two', attribute),
    shown: {
      html: has(/class="cards"/),
      document: seen => seen.table.view.type === 'cards',
      pdf: seen => seen.typeset?.kind === 'cards',
      quotation: seen => seen.quoted === undefined,
    },
  },
  cardSize: {
    names: ['data-card-size', 'data-cardsize'],
    values: ['large', 'medium', 'Large', ' large ', 'huge'],
    write: attribute => cards('<th>B</th>', 'two', attribute),
    shown: { html: has(/cards-large/), document: seen => cardsOf(seen)?.cardSize === 'large' },
  },
  fullWidth: {
    names: ['data-full-width', 'data-fullwidth'],
    values: FLAG,
    write: attribute => table('<th>B</th>', 'two', attribute),
    shown: { html: has(/class="table-scroll full-width"/), document: seen => seen.table.fullWidth ?? false },
  },
  hideHeader: {
    names: ['data-header-hidden', 'data-headerhidden'],
    values: FLAG,
    write: attribute => table('<th>B</th>', 'two', attribute),
    shown: {
      html: has(/<thead class="unseen"/),
      document: seen => gridOf(seen)?.hideHeader,
      pdf: seen => !cellsOf(seen).some(({ isHead }) => isHead),
    },
  },
  isHidden: {
    names: ['data-hidden', 'DATA-HIDDEN'],
    values: FLAG,
    write: attribute => table(`<th ${attribute}>B</th>`),
    shown: {
      html: seen => !/two/.test(seen.html),
      document: seen => !seen.table.view.columns.includes('c2'),
      pdf: seen => cellsOf(seen).length === 4,
      quotation: seen => seen.quoted === '| A | C |',
    },
  },
  type: {
    names: ['data-type', 'DATA-TYPE'],
    values: ['number', 'Number', ' number ', 'rating', 'text', 'date'],
    write: attribute => table(`<th ${attribute}>B</th>`, '4'),
    shown: {
      html: seen =>
        has(/class="rating"/)(seen) ? 'rating' : has(/<td align="right"/)(seen) ? 'number' : 'text',
      document: seen => seen.table.definition.c2?.type,
    },
  },
  'type of links': {
    names: ['data-type'],
    values: ['files', 'Files', ' files', 'content-ref', 'Content-Ref', 'text'],
    write: attribute => table(`<th ${attribute}>B</th>`, LINK),
    shown: {
      html: seen =>
        has(/icon-paperclip/)(seen) ? 'files' : has(/class="reference"/)(seen) ? 'content-ref' : 'text',
      document: seen => seen.table.definition.c2?.type,
      references: ({ kinds: [kind = ''] }) => ({ file: 'files', link: 'text' })[kind] ?? kind,
    },
  },
  max: {
    names: ['data-max', 'DATA-MAX'],
    values: ['3', ' 4 ', '1', '10', '0', '-3', '2.5', 'many'],
    write: attribute => table(`<th data-type="rating" ${attribute}>B</th>`, '1'),
    shown: { html: after(/aria-label="1 of (\d+)"/), document: seen => String(second(seen, 'rating')?.max) },
  },
  isTarget: {
    ...target,
    write: attribute => cards(`<th ${attribute}>B</th>`, LINK),
    shown: {
      html: has(/class="card-target"/),
      document: target.document,
      references: ({ kinds: [kind] }) => kind === 'content-ref',
    },
  },
  isCover: {
    ...cover,
    write: attribute => cards(`<th ${attribute}>B</th>`, LINK),
    shown: {
      html: has(/class="card-cover"/),
      document: cover.document,
      references: ({ kinds: [kind] }) => kind === 'image',
    },
  },
  isDarkCover: {
    ...dark,
    write: attribute =>
      cards(`<th data-hidden ${attribute}>B</th><th data-card-cover></th>`, `${LINK}</td><td>${LINK}`),
    shown: {
      html: has(/class="only-dark"/),
      document: dark.document,
      references: ({ kinds: [kind] }) => kind === 'image',
    },
  },
  objectFit: {
    names: ['data-object-fit', 'data-objectfit'],
    values: ['contain', 'fill', 'cover', 'Cover', ' fill ', 'none'],
    write: attribute =>
      cards('<th data-type="image" data-card-cover>B</th>', LINK).replace(
        `<td>${LINK}`,
        `<td ${attribute}>${LINK}`,
      ),
    shown: {
      html: after(/class="fit-(\w+)"/),
      document: ({ table: { records } }) => Reflect.get(Object(records.r1?.values.c2), 'objectFit'),
    },
  },
  align: {
    names: ['align', 'ALIGN'],
    values: SIDES,
    write: attribute => table(`<th ${attribute}>B</th>`),
    shown: {
      html: seen => sideOf(after(/<td align="(\w+)"/)(seen)),
      document: seen => second(seen, 'text')?.textAlignment,
      pdf: seen => sideOf(secondCell(seen)?.align),
    },
  },
  verticalAlignment: {
    names: ['valign', 'VALIGN'],
    values: ['top', 'middle', 'bottom', 'Middle', ' bottom ', 'baseline'],
    write: attribute => table(`<th ${attribute}>B</th>`),
    shown: {
      html: seen => after(/<td class="(top|middle|bottom)"/)(seen) ?? 'top',
      document: seen => second(seen, 'text')?.verticalAlignment,
    },
  },
  width: {
    names: ['width', 'WIDTH'],
    values: ['100', ' 30 ', '120px', '177.3', '0', '-4', '1e3', 'auto', '0.0'],
    write: attribute => table(`<th ${attribute}>B</th>`),
    shown: {
      html: after(/ width="(\d+)"/),
      document: seen => gridOf(seen)?.columnWidths?.c2?.toString().replace(/\..*/, ''),
    },
  },
  columns: {
    names: ['colspan', 'COLSPAN'],
    values: ['2', ' 2 ', '1', '0', '-1', '1.5', 'two'],
    write: attribute =>
      `<table><tr><th>A</th><th>B</th><th>C</th></tr><tr><td ${attribute}>one</td><td>two</td></tr></table>`,
    shown: {
      html: seen => Number(after(/colspan="(\d+)"/)(seen) ?? 1),
      document: ({ table: { records } }) => (Object.hasOwn(records.r1?.values ?? {}, 'c2') ? 1 : 2),
      pdf: seen => cellsOf(seen).find(({ y }) => y === 1)?.colspan,
    },
  },
  rows: {
    names: ['rowspan', 'ROWSPAN'],
    values: ['2', ' 2 ', '1', '0', '-1', '1.5', 'two'],
    write: attribute =>
      `<table><tr><th>A</th><th>B</th></tr><tr><td ${attribute}>one</td><td>x</td></tr><tr><td>two</td></tr></table>`,
    shown: {
      html: seen => Number(after(/rowspan="(\d+)"/)(seen) ?? 1),
      document: ({ table: { records } }) => (Object.hasOwn(records.r2?.values ?? {}, 'c1') ? 1 : 2),
      pdf: seen => cellsOf(seen).find(({ y }) => y === 1)?.rowspan,
    },
  },
  'value of an option': {
    names: ['value', 'VALUE'],
    values: ['o1', 'o2', 'two'],
    write: attribute =>
      table(
        `<th>B<select><option ${attribute}>two</option></select></th>`,
        '<span data-option="o1">two</span>',
      ),
    shown: {
      html: has(/class="select-option"/),
      document: seen => second(seen, 'select') !== undefined,
    },
  },
  'label of an option': {
    names: ['label', 'LABEL'],
    values: ['Label', ' Label ', '   '],
    write: attribute =>
      table(
        `<th><select><option value="o1" ${attribute}>Words</option></select></th>`,
        '<span data-option="o1">two</span>',
      ),
    shown: {
      html: after(/class="select-option">([^<]*)/),
      document: seen => second(seen, 'select')?.options[0]?.label,
    },
  },
}

const sideOf = (side: string | null | undefined): string =>
  ({ center: 'center', right: 'right', end: 'right' })[side ?? ''] ?? 'left'

/** Every way to write an attribute: absent, bare, empty, with each value, with a long one, and twice. */
function spellings({ names, values }: Case): string[] {
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

const ask: AsksOfPage = {
  codes: async blocks => ({ codes: blocks.map(() => undefined), isComplete: true }),
  addresses: async asked => asked.map(([, , href]) => ({ href, isExternal: false, isBroken: false })),
  texts: async () => [],
  parts: async () => [],
}

async function see(markdown: string): Promise<Seen> {
  const root = parseMarkdown(markdown)
  const { html } = await toHtml(root, {
    resolveLink: href => ({ href, isExternal: false, isBroken: false }),
    resolveImage: src => ({ src }),
  })
  const [table] = toDocument(markdown).document.nodes
  assert.ok(table?.type === 'table', markdown.slice(0, 300))
  const { json } = await pageTypeset({ markdown, isColoured: false, idPrefix: '' }, ask)
  const quoted = quotations(markdown, new Set([0]))[0]?.quotations.find(({ kind }) => kind === 'table')
  return {
    html,
    table: table.data,
    typeset: (JSON.parse(json) as Typeset[])[0],
    kinds: references(markdown, root).map(({ kind }) => kind),
    quoted: quoted && 'head' in quoted ? quoted.head?.split('\n')[0] : undefined,
  }
}

for (const [attribute, shape] of Object.entries(CASES))
  test(`${attribute} of a table is read alike by every output, however it is written`, async () => {
    for (const written of new Set(spellings(shape))) {
      const markdown = shape.write(written)
      const seen = await see(markdown)
      const { document, ...others } = shape.shown
      for (const [output, show] of Object.entries(others))
        assert.deepEqual(show(seen), document?.(seen), `${output}: ${markdown.slice(0, 300)}`)
    }
  })

/** The same cells in columns of every type: what a cell says is shown as a value by all outputs, or as words by all. */
const TYPES = ['text', 'number', 'checkbox', 'rating', 'select', 'users', 'files', 'content-ref', 'image']
const CELLS = [
  'words',
  '3',
  'true',
  'see <a href="a.md">a</a>',
  '<a href="a.md">a</a><a href="b.md">b</a>',
  '\n\n[a](a.md)\n\n',
  '\n\n![words](p.png)\n\n',
  '<a href="a.md"><img src="p.png" alt="words"></a>',
  '<span data-option="o1">One</span> words',
  '<span data-option="unknown">words</span>',
  '<ul><li>words</li></ul>',
]

for (const type of TYPES)
  test(`no word of a cell is lost in a column of ${type}`, async () => {
    for (const cell of CELLS) {
      const markdown = table(`<th data-type="${type}">B</th>`, cell)
      const { html, table: data } = await see(markdown)
      const written = JSON.stringify(toDocument(markdown).document)
      for (const word of ['words', 'see', 'a.md', 'b.md', 'p.png'].filter(one => cell.includes(one))) {
        assert.ok(html.includes(word), `${word} in ${html}`)
        assert.ok(written.includes(word), `${word} of ${cell} in ${JSON.stringify(data)}`)
      }
    }
  })
