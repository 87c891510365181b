// To read the layout of another tool costs in proportion to it, for pages of any shape and for many of them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertLinear } from '../../test/support/growth.ts'
import { type Language, shapesOf, some } from '../../test/support/hostile-shapes.ts'
import type { Tools } from '../engines/conversion/arrangement.ts'
import { converters } from '../engines/conversion/converters.ts'
import { readCsv } from '../engines/conversion/csv.ts'
import type { Format } from '../engines/conversion/formats.ts'
import { parseFrontmatter } from '../engines/markdown/syntax/syntax.ts'
import { slugify } from '../engines/names/slugs.ts'

const LENGTH_MAX = 128 * 1024
const SHAPES = 6

/** Code, words and links are the business of the reader of pages, which is tried by itself. */
const tools: Tools = {
  ...{ parseYaml: () => null, parseFrontmatter, slugify },
  codeIn: text => Array.from(text.matchAll(/`/g), ({ index }) => ({ start: index, end: index + 1 })),
  wordlessIn: text => Array.from(text.matchAll(/`/g), ({ index }) => ({ start: index, end: index + 1 })),
  rewriteLinks: text => text,
  plainLine: text => text,
  writeLine: text => text,
  writeLabel: text => text,
  writeCell: lines => lines.join(' '),
}

const DIALECTS: Readonly<Record<'mdbook' | 'mkdocs' | 'docusaurus' | 'notion', Language>> = {
  mdbook: { tokens: ['{{#', 'include', '}}', ' ', 'a', '{', '[', '](', '```'] },
  mkdocs: {
    tokens: [
      '!!! note',
      '    ',
      '=== "a"',
      '??? ',
      '"',
      '{ .a }',
      '{',
      '```',
      'a',
      ' ',
      '==',
      '^',
      '~',
      '++',
      ':',
      '[',
    ],
  },
  docusaurus: { tokens: [':::', ':::note', '[', ']', '<Tabs>', '<A', 'import ', "'", '{/*', '```', ' '] },
  notion: { tokens: ['<aside>', '</aside>', '💡', ' ', 'a', '#', '](', '%20'] },
}
const CSV: Language = { tokens: [',', '"', '""', '\r', 'a', '\n'] }
const PAGES = 20_000

for (const [format, language] of Object.entries(DIALECTS))
  describe(`a page of ${format}`, () => {
    for (const [name, shape] of some(shapesOf(language), SHAPES))
      test(name, () =>
        assertLinear(
          name,
          text => {
            const page = { path: 'a.md', text, title: undefined, to: new Map() }
            converters[format as Format].convert(page, tools)
          },
          shape,
          LENGTH_MAX,
        ),
      )
  })

test('the code of a page is looked for once, and only if something may have to go', () => {
  const looks = (format: Format, text: string): number => {
    let count = 0
    const codeIn = () => {
      count += 1
      return []
    }
    converters[format].convert(
      { path: 'a.md', text, title: undefined, to: new Map() },
      { ...tools, codeIn, wordlessIn: codeIn },
    )
    return count
  }
  assert.equal(looks('mdbook', 'Words, and `code`.\n'), 0)
  assert.equal(looks('mkdocs', 'Words, and `code`.\n'), 0)
  assert.equal(looks('mdbook', '{{#title A}} {{#title B}}\n'), 1)
  assert.equal(looks('mkdocs', 'a{ .b } c{ .d }\n'), 1)
})

describe('a table', () => {
  for (const [name, shape] of some(shapesOf(CSV), SHAPES))
    test(name, () => assertLinear(name, text => readCsv(text, Number.MAX_SAFE_INTEGER), shape, LENGTH_MAX))
})

const ID = 'a'.repeat(32)
const MANY: Readonly<Record<Format, (count: number) => Map<string, string>>> = {
  mdbook: count =>
    new Map([
      ['book.toml', ''],
      ['src/SUMMARY.md', '# S\n\n# P\n- [a](a.md)\n'.repeat(count)],
    ]),
  mkdocs: count => new Map(Array.from({ length: count }, (_, at) => [`docs/a/${at}.md`, '# Same\n'])),
  docusaurus: count => new Map(Array.from({ length: count }, (_, at) => [`docs/a/${at}.md`, '# Same\n'])),
  notion: count => new Map(Array.from({ length: count }, (_, at) => [`${at}/Same ${ID}.md`, '# Same\n'])),
  confluence: count =>
    new Map([
      [
        'index.html',
        `<ul>${Array.from({ length: count }, (_, at) => `<li><a href="${at}.html">Same</a></li>`).join('')}</ul>`,
      ],
      ...Array.from({ length: count }, (_, at): [string, string] => [`${at}.html`, '']),
    ]),
}

for (const [format, make] of Object.entries(MANY))
  test(`many pages of ${format} with one name`, () =>
    assertLinear<Map<string, string>>(
      format,
      sources => void converters[format as Format].arrange(sources, [], tools),
      make,
      PAGES,
    ))
