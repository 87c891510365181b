// Hostile pages. Each takes far less than a second; what is guarded against never ends, and is cut off by the limit on
// a test.
import { describe, it } from 'node:test'
import { blocks, parseGitbookYaml, parseSummary, references, sections } from '../page/page.ts'
import type { Root } from './ast.ts'
import { parseFrontmatter } from './frontmatter.ts'
import { parseMarkdown } from './parse.ts'

const many = (count: number, piece: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => piece(index)).join('')

const PAGES: Record<string, string> = {
  'quotes in quotes': '>'.repeat(300_000),
  'lists in lists on one line': '1. '.repeat(100_000),
  'lists in lists by indentation': many(1000, index => `${' '.repeat(index * 2)}- a\n`),
  'emphasis that never ends': '*a_ '.repeat(100_000),
  'emphasis over many lines': '*a_ *a_ \n'.repeat(50_000),
  'an address full of underscores': `[x](data:image/png;base64,${'ab_c-d'.repeat(100_000)})`,
  'a long line that is not ASCII': 'é **b** '.repeat(100_000),
  'links in a long line that is not ASCII': 'é [a](b) '.repeat(30_000),
  'tags in a long line': `é ${'{% endhint %} '.repeat(20_000)}`,
  'a table of 10,000 rows': `|a|b|\n|-|-|\n${'|c|d|\n'.repeat(10_000)}`,
  'a table of 5,000 columns': `${'|a'.repeat(5000)}\n${'|-'.repeat(5000)}\n${'|b'.repeat(5000)}`,
  'headings behind a tag in HTML': `<div>\n{% hint %}\n${'#\n'.repeat(240_000)}`,
  'paragraphs of HTML before a blank line': `<div>${'<p>'.repeat(160_000)}</p>a\n\n</div>`,
  'details that never end': '<details>\n\n'.repeat(10_000),
  'details that all end': '<details>'.repeat(20_000) + '</details>'.repeat(20_000),
  'tags that never end': '{% hint style="info" %}\n\n'.repeat(5_000),
  'tags that never began': '{% endhint %}\n\n'.repeat(10_000),
  'tags that are not closed': '{% "'.repeat(50_000),
  'tags full of quotes': `{% ${'"" '.repeat(50_000)}`,
  'tags across elements': '<b>{% hint %}</b>{% endhint %}'.repeat(5_000),
  'attributes that never end': '<a b="'.repeat(50_000),
  'comments that never end': `<div>${'<!-- '.repeat(50_000)}`,
  'scripts that never end': `<div>${'<script>'.repeat(50_000)}`,
  'code that never ends': `<div>${'<code>'.repeat(25_000)}`,
  'blanks in a tag': `<div ${' '.repeat(200_000)}`,
  'links in links': '[a]('.repeat(50_000),
  'pictures in pictures': `${'!['.repeat(20_000)}${'](b)'.repeat(20_000)}`,
  'entities of many names': `<div>${many(5000, index => `&a${index.toString(36)};`)}`,
  'headings of one name': '# a\n\n'.repeat(5_000),
  definitions: many(10_000, index => `[a${index}]: /x\n`),
}

const READERS: readonly ((source: string, root: Root) => unknown)[] = [
  blocks,
  sections,
  references,
  parseSummary,
]

describe('a page made to be slow', () => {
  for (const [name, source] of Object.entries(PAGES))
    it(`is read to its end: ${name}`, () => {
      const root = parseMarkdown(source)
      for (const read of READERS) read(source, root)
    })
})

const YAML: Record<string, string> = {
  'aliases of aliases': many(
    30,
    index => `k${index}: &a${index} [${`*a${index - 1},`.repeat(9)}]\n`,
  ).replaceAll('*a-1', '1'),
  'aliases of one anchor': `${'a: &x [*x]\n'.repeat(1000)}`,
  keys: many(3000, index => `k${index}: v\n`),
  'one key over and over': 'a: 1\n'.repeat(4500),
  brackets: '['.repeat(40_000),
  'lists in lists': `${'- '.repeat(10_000)}a`,
  'anything but YAML': '[a]: /x [a] '.repeat(4000),
}

describe('YAML made to be slow', () => {
  for (const [name, yaml] of Object.entries(YAML))
    it(`is read to its end: ${name}`, () => {
      parseFrontmatter(`---\n${yaml}\n---\n`)
      parseGitbookYaml(yaml)
    })
})
