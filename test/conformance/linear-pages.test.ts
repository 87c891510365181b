// Everything that a page goes through takes time in proportion to it: reading, its parts, its HTML, its document and
// back, its differences. `OCTAVO_PROPERTY_RUNS=10000` tries every shape.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { diffDocuments } from '../../src/engines/content/block-diff.ts'
import { mergeDocuments } from '../../src/engines/content/merge-documents.ts'
import { checkDocument } from '../../src/engines/markdown/document/check.ts'
import { toDocument } from '../../src/engines/markdown/document/document.ts'
import { setFrontmatter } from '../../src/engines/markdown/edit/edit.ts'
import { standalone } from '../../src/engines/markdown/excerpt/excerpt.ts'
import { toHtml } from '../../src/engines/markdown/html/html.ts'
import {
  blocks,
  headingAnchors,
  parseGitbookYaml,
  parseSummary,
  references,
  sections,
} from '../../src/engines/markdown/page/page.ts'
import { renderDocument } from '../../src/engines/markdown/render/render.ts'
import {
  PARSED_CHARACTERS_MAX,
  parseFrontmatter,
  parseMarkdown,
} from '../../src/engines/markdown/syntax/syntax.ts'
import { assertLinear, type Run } from '../support/growth.ts'
import { type Language, type NamedShape, shapesOf, some } from '../support/hostile-shapes.ts'

const MARKDOWN: Language = {
  tokens: [
    ...[
      'a',
      ' ',
      '\n',
      '\n\n',
      '*',
      '**',
      '_',
      '~',
      '`',
      '``',
      '$$',
      '[',
      ']',
      '(',
      ')',
      '![',
      '](',
      '[a](b)',
    ],
    ...[
      '[a]',
      '[a]: b\n',
      '[^a]',
      '[^a]: b\n',
      '<',
      '>',
      '# ',
      '- ',
      '1. ',
      '> ',
      '    ',
      '\t',
      '|',
      '|-|\n',
    ],
    ...[
      '---\n',
      '===\n',
      '```\n',
      '\\',
      '&amp;',
      '&a1;',
      ':',
      '@',
      'a@b.c',
      'https://a.b',
      'www.',
      '{{',
      '}}',
    ],
    ...['{% ', ' %}', '{% hint %}', '{% endhint %}', '{% tab title="a" %}', '{% embed url="a" %}', '"', '='],
    ...[
      '<div>',
      '</div>',
      '<b ',
      '<!--',
      '<![CDATA[',
      '<?',
      '<table><tr><td>',
      '<code>',
      '<details>',
      '<br>',
    ],
    ...[
      '- [ ] a\n',
      '- a\n\n',
      '> a\n\n',
      '# a\n\n',
      'a  \n',
      '$$a$$ ',
      ':smile:',
      'é',
      '字',
      '😀',
      '\u0301',
      '\0',
    ],
  ],
  pairs: [
    ['[', ']'],
    ['[', '](a)'],
    ['*', '*'],
    ['<b>', '</b>'],
    ['<div>\n', '</div>\n'],
    ['{% hint %}\n', '{% endhint %}\n'],
    ['<details>', '</details>'],
    ['<table><tr><td>', '</td></tr></table>'],
    ['(', ')'],
  ],
}

// Lengths that no tokens in turns make.
const LONG: readonly NamedShape[] = [
  ['rows of a table', length => `|a|b|\n|-|-|\n${'|c|d|\n'.repeat(length / 6)}`],
  ['columns of a table', length => ['|a', '|-', '|b'].map(cell => cell.repeat(length / 6)).join('\n')],
  ['rows of a table in HTML', length => `<table>${'<tr><td>a</td></tr>'.repeat(length / 19)}</table>`],
  ['different definitions', length => numbered(length, index => `[a${index}]: /x\n`)],
  ['notes that lead to the next', length => numbered(length, index => `[^${index}]: [^${index + 1}]\n\n`)],
  ['different names of characters', length => numbered(length, index => `&a${index.toString(36)};`)],
  ['different headings', length => numbered(length, index => `# ${index}\n\n`)],
  ['an address full of underscores', length => `[x](data:image/png;base64,${'ab_c-d'.repeat(length / 6)})`],
  ['a long line that is not ASCII', length => 'é **b** '.repeat(length / 8)],
  ['tags in a long line', length => `é ${'{% endhint %} '.repeat(length / 14)}`],
  [
    'lists in lists by indentation',
    length => numbered(Math.sqrt(length) * 20, index => `${' '.repeat(index)}- a\n`),
  ],
]

const numbered = (length: number, piece: (index: number) => string): string => {
  const pieces: string[] = []
  for (let rest = length, index = 0; rest > 0; rest -= pieces.at(-1)!.length, index++)
    pieces.push(piece(index))
  return pieces.join('')
}

const OPTIONS = {
  resolveLink: (destination: string) => ({ href: destination, isExternal: false, isBroken: false }),
  resolveImage: (source: string) => ({ src: source, width: 10, height: 10 }),
}

const AWAY = {
  title: 'a',
  variables: { a: 'a|b' },
  address: () => 'https://x/y',
  include: () => 'One\n\nTwo',
}

const readPage: Run = async (source, stage) => {
  const root = await stage('parse', () => parseMarkdown(source))
  await stage('blocks', () => blocks(source, root))
  await stage('sections', () => sections(source, root))
  await stage('references', () => references(source, root))
  await stage('anchors', () => headingAnchors(root))
  await stage('html', () => toHtml(root, OPTIONS))
  await stage('standalone', () => standalone(source, root, AWAY))
  const { document } = await stage('document', () => toDocument(root))
  await stage('check', () => checkDocument(document))
  await stage('render', () => renderDocument(document))
}

const changed = (source: string): string => {
  const middle = source.length / 2
  return `${source.slice(0, middle)}X${source.slice(middle)}`
}

const comparePages: Run = async (source, stage) => {
  const after = changed(source)
  await stage('differences', () => diffDocuments(source, after, blocks))
  await stage('merge', () =>
    mergeDocuments({ base: source, ours: after, theirs: `${source}y` }, blocks, () => null),
  )
}

const PAGES_SHAPES = 6
const COMPARED_SHAPES = 3

describe('a page of any shape is read in proportion to its length', () => {
  for (const [parts, shape] of [...LONG, ...some(shapesOf(MARKDOWN), PAGES_SHAPES)])
    test(parts, () => assertLinear(parts, readPage, shape, PARSED_CHARACTERS_MAX))
})

describe('two pages of any shape are compared in proportion to their length', () => {
  for (const [parts, shape] of some([...LONG, ...shapesOf(MARKDOWN)], COMPARED_SHAPES))
    test(parts, () => assertLinear(parts, comparePages, shape, PARSED_CHARACTERS_MAX))
})

const YAML: Language = {
  tokens: [
    'a: ',
    '- ',
    '[',
    ']',
    '{',
    '}',
    '"',
    "'",
    '&a ',
    '*a ',
    '!',
    '|',
    '>',
    '#',
    ':',
    ',',
    ' ',
    '\n',
    '? ',
    '<<: ',
    '%',
  ],
  pairs: [
    ['[', ']'],
    ['{a: ', '}'],
  ],
}
const FRONTMATTER_CHARACTERS_MAX = 64 * 1024
const YAML_SHAPES = 6

test('frontmatter and settings of any shape are read and changed in proportion to their length', async () => {
  const read: Run = async (yaml, stage) => {
    await stage('frontmatter', () => parseFrontmatter(`---\n${yaml}\n---\n`))
    await stage('change', () => setFrontmatter(`---\n${yaml}\n---\n`, { title: 'a' }))
    await stage('settings', () => parseGitbookYaml(yaml))
  }
  for (const [parts, shape] of some(shapesOf(YAML), YAML_SHAPES))
    await assertLinear(parts, read, shape, FRONTMATTER_CHARACTERS_MAX)
})

const SUMMARY: Language = {
  tokens: [
    '* ',
    '  * ',
    '* [a](b.md)\n',
    '  * [a](b.md)\n',
    '# a\n',
    '[',
    '](',
    ')',
    '"',
    '\n',
    ' ',
    '{% if %}',
    '<a>',
    '---\n',
  ],
}
const SUMMARY_SHAPES = 4

test('a table of contents of any shape is read in proportion to its length', async () => {
  for (const [parts, shape] of some(shapesOf(SUMMARY), SUMMARY_SHAPES))
    await assertLinear(parts, text => parseSummary(text), shape, PARSED_CHARACTERS_MAX)
})

test('no page of that length takes more memory than a process has', async () => {
  const before = process.resourceUsage().maxRSS
  for (const [, shape] of some(shapesOf(MARKDOWN), 20)) parseMarkdown(shape(PARSED_CHARACTERS_MAX))
  const grown = process.resourceUsage().maxRSS - before
  assert.ok(grown < 1_500_000, `${grown} KB`)
})
