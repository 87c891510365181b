import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../../test/support/growth.ts'
import { tried } from '../../../../test/support/property-runs.ts'
import { hideCostlyReferences } from './commonmark.ts'
import { PARSED_CHARACTERS_MAX, parseMarkdown } from './parse.ts'

const COSTLY = 'a&amp;'.repeat(2400)

// An address in a line has blanks around it: one that touches a reference may end elsewhere.
const PIECES = [
  ...['&amp;', '&lt;', '&#42;', '&#x2A;', '&nbsp;', '&hellip;', '&fjlig;', '&LT;', '&unknown;', '&amp', '&;'],
  ...['&CounterClockwiseContourIntegral;', '&#0;', '&#99999999;', '&#xD800;', '\\&amp;', '&amp;amp;', '\\'],
  ...['**', '*', '_', '~~', '`', '``', '$$', '[', ']', '](', ')', '![', '[r]', '[r&gt;]', '[^1]', '<', '>'],
  ...['[r]: /u&amp;v "t&quot;"\n\n', '[r&gt;]: /w\n\n', '[^1]: n&amp;m\n\n', '<a href="b&amp;c">', '</a>'],
  ...[' https://a.b/c ', ' www.a.b/ ', ' a@b.c ', ' <https://a.b?c&amp;d> ', '{% hint title="a&amp;b" %}'],
  ...['\n', '\n\n', ' ', 'a', 'é', '|', '|-|\n', '# ', '- ', '> ', '    ', '```a&amp;b c&lt;d\n', '<div>'],
]

const shifted = (tree: unknown, by: number): unknown =>
  JSON.parse(JSON.stringify(tree), (key, value) =>
    (key === 'start' || key === 'end') && typeof value === 'number' ? value - by : value,
  )

describe('character references, where there are more than anybody writes', () => {
  it('mean what they mean everywhere else', () => {
    assert.notEqual(hideCostlyReferences(COSTLY).text, COSTLY)
    const before = `${COSTLY}\n\n`
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 20 }), pieces => {
        const source = pieces.join('')
        const [costly, ...children] = parseMarkdown(before + source).children
        assert.equal(costly?.type === 'paragraph' && costly.children.length, 1)
        assert.deepEqual(shifted(children, before.length), shifted(parseMarkdown(source).children, 0))
      }),
      tried(120),
    )
  })

  it('keep their own names apart from names of the same length in the page', () => {
    const names = [...'bcdfghjklmnpqrstvwz'].map(letter => `&b${letter};`).join(' ')
    const [, paragraph] = parseMarkdown(`${COSTLY}&lt;\n\n${names}`).children
    assert.ok(paragraph?.type === 'paragraph' && paragraph.children[0]?.type === 'text')
    assert.equal(paragraph.children[0].value, names)
  })

  it('take memory and time in proportion', async () => {
    const peak = () => process.resourceUsage().maxRSS * 1024
    const before = peak()
    const fillings = [
      'a&amp;',
      '&amp;',
      'é&amp;',
      '|a&lt;',
      'a&amp;\n',
      '&#38;',
      '&b1;',
      '*a&amp;',
      '> &amp;\n',
    ]
    for (const filling of fillings)
      await assertLinear(
        JSON.stringify(filling),
        parseMarkdown,
        length => filling.repeat(length / filling.length),
        PARSED_CHARACTERS_MAX,
      )
    assert.ok(peak() - before < 1_000_000_000, `${peak() - before} bytes`)
  })
})
