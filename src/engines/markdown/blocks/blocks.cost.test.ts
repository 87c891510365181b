// What it costs to read blocks in pages made to be slow, in every output of a page.
import { describe, it } from 'node:test'
import { assertLinear, type Shape } from '../../../../test/support/growth.ts'
import { toDocument } from '../document/document.ts'
import { quotations } from '../excerpt/excerpt.ts'
import { toHtml, toHtmlTree } from '../html/html.ts'
import { references, sections } from '../page/page.ts'
import { renderDocument } from '../render/render.ts'
import { parseMarkdown } from '../syntax/syntax.ts'
import { writePage } from '../typeset/typeset.ts'
import { SCHEMAS } from './schemas.ts'

const repeat = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length))

const within = (name: string, inside: string): string => `{% ${name} %}\n${inside}\n{% end${name} %}\n\n`

const DEPTH = 100

/** Over and over, the blocks in one another so deep. */
const nested =
  (...names: readonly string[]): Shape =>
  length => {
    const open = names.map(name => `{% ${name} %}\n`).join('')
    const close = names
      .toReversed()
      .map(name => `{% end${name} %}\n`)
      .join('')
    return repeat(`${open.repeat(DEPTH)}a\n${close.repeat(DEPTH)}\n`, length)
  }

const TAGS = Object.values(SCHEMAS).flatMap(({ tags }) => [...tags])
const EACH_IN_EACH = TAGS.map(outer => within(outer, TAGS.map(inner => within(inner, 'a')).join(''))).join('')

const SHAPES: { readonly [name: string]: Shape } = {
  'hints in hints': nested('hint'),
  'tabs in tabs': nested('tabs', 'tab'),
  'steps in steps': nested('stepper', 'step'),
  'columns in columns': nested('columns', 'column'),
  'updates in updates': nested('updates', 'update'),
  'conditions in conditions': nested('if'),
  'prompts in prompts': nested('prompt'),
  'tags in a row': length => repeat('{% endhint %}\n{% tab %}\n', length),
  'items in a row': length =>
    within('tabs', repeat(within('tab title="a"', 'b').replace(/endtab .*? %/, 'endtab %'), length)),
  'a long attribute': length => within('hint', 'a').replace('hint', `hint style="${repeat('a, ', length)}"`),
  'many attributes': length =>
    within('hint', 'a').replace(
      'hint',
      `hint ${Array.from({ length: length / 8 }, (_, index) => `a${index}="b"`).join(' ')}`,
    ),
  'one attribute over and over': length =>
    within('hint', 'a').replace('hint', `hint ${repeat('style="a" ', length)}`),
  'each block in each': length => repeat(EACH_IN_EACH, length),
}

const LENGTH_MAX = 100_000
const options = {
  resolveLink: (href: string) => ({ href, isExternal: false, isBroken: false }),
  resolveImage: () => undefined,
}

describe('blocks cost in proportion to the page', () => {
  for (const [name, shape] of Object.entries(SHAPES))
    it(name, () =>
      assertLinear(
        name,
        async (source, stage) => {
          const root = await stage('parsing', () => parseMarkdown(source))
          await stage('html', () => toHtml(root, options))
          await stage('typeset', async () => writePage(await toHtmlTree(root, options)))
          await stage('references', () => references(source, root))
          const { document } = await stage('document', () => toDocument(root))
          await stage('writing back', () => renderDocument(document))
          const all = new Set(sections(source, root).keys())
          await stage('quotations', () => quotations(source, all))
        },
        shape,
        LENGTH_MAX,
      ),
    )
})
