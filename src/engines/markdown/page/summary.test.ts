import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseSummary, type SummaryEntry, textBetweenEntries } from './summary.ts'

/** `Title -> path` lines, indented by depth. */
const show = (entries: readonly SummaryEntry[], indent = ''): string[] =>
  entries.flatMap(entry => {
    const target =
      entry.type === 'page' ? ` -> ${entry.path}` : entry.type === 'link' ? ` => ${entry.url}` : ''
    const kind = entry.type === 'group' ? '## ' : ''
    return [`${indent}${kind}${entry.title}${target}`, ...show(entry.children, `${indent}  `)]
  })

const lines = (text: string) => show(parseSummary(text).entries)
const codes = (text: string) => parseSummary(text).problems.map(({ code, line }) => `${line} ${code}`)

describe('SUMMARY.md', () => {
  it('has groups by headings and pages below pages, whatever the bullets and the indentation', () => {
    assert.deepEqual(
      lines(
        '# Table of contents\n\n* [A](README.md)\n\n## G <a href="#g" id="g"></a>\n\n- [B](b/README.md)\n    - [C](b/c.md)\n\t- [D](b/d.md)\n\n### H\n1. [E](e.md)\n   + [F](f.md)\n',
      ),
      [
        'A -> README.md',
        '## G',
        '  B -> b/README.md',
        '    C -> b/c.md',
        '    D -> b/d.md',
        '## H',
        '  E -> e.md',
        '    F -> f.md',
      ],
    )
  })

  it('keeps the anchor of a group', () => {
    const [group] = parseSummary('## 入门 <a href="#getting-started" id="getting-started"></a>\n').entries
    assert.ok(group?.type === 'group')
    assert.deepEqual([group.title, group.anchor], ['入门', 'getting-started'])
  })

  it('reads titles with markup as plain text', () => {
    assert.deepEqual(
      lines('* [**A** `b` &amp; \\[c\\]](a.md)\n* [<mark style="x">M</mark> ![i](i.png)](m.md)'),
      ['A b & [c] -> a.md', 'M i -> m.md'],
    )
  })

  it('reads every way to write a path', () => {
    const [a, b, c, d, e, f] = parseSummary(
      '* [A](<a b.md>)\n* [B](b%20c.md#x%20y "Link title")\n* [C](/abs/c.md?x=1)\n* [D](../d.md)\n* [E](with space.md)\n* [F](100%.md)',
    ).entries as Extract<SummaryEntry, { type: 'page' }>[]
    assert.equal(a!.path, 'a b.md')
    assert.deepEqual(
      [b!.path, b!.anchor, b!.linkTitle, b!.destination],
      ['b c.md', 'x y', 'Link title', 'b%20c.md#x%20y'],
    )
    assert.equal(c!.path, '/abs/c.md')
    assert.equal(d!.path, '../d.md')
    assert.deepEqual([e!.title, e!.path], ['E', 'with space.md'])
    assert.equal(f!.path, '100%.md')
  })

  it('distinguishes links to elsewhere and entries without a link from pages', () => {
    assert.deepEqual(
      lines('* [X](https://x.y/z)\n* [M](mailto:a@b.c)\n* Text only\n  * [P](p.md)\n* <https://auto.link>'),
      [
        'X => https://x.y/z',
        'M => mailto:a@b.c',
        'Text only',
        '  P -> p.md',
        'https://auto.link => https://auto.link',
      ],
    )
  })

  it('ends a group at a rule', () => {
    assert.deepEqual(lines('## G\n* [A](a.md)\n\n---\n\n* [B](b.md)'), ['## G', '  A -> a.md', 'B -> b.md'])
  })

  it('reports what it left out, with its line', () => {
    assert.deepEqual(codes('# T\n\nwords\n\n* [A](a.md) and [B](b.md)\n* [C](a.md)\n*\n  * [D](d.md)\n'), [
      '3 summary_text_ignored',
      '5 summary_link_ignored',
      '6 summary_path_repeated',
      '7 summary_entry_empty',
    ])
    assert.deepEqual(lines('*\n  * [D](d.md)\n'), ['D -> d.md'])
    assert.deepEqual(codes('<!-- * [A](a.md) -->\n\n```\n* [B](b.md)\n```'), ['3 summary_text_ignored'])
  })

  it('gives the lines of an entry, alone and with what is below it', () => {
    const text = '# T\r\n\r\n* [A](a.md)\r\n  * [B\r\n    b](b.md)\r\n* [C](c.md)'
    const [a, c] = parseSummary(text).entries
    const own = ({ lines: { start, end } }: SummaryEntry) => text.slice(start, end)
    const tree = ({ lines: { start, treeEnd } }: SummaryEntry) => text.slice(start, treeEnd)
    assert.equal(own(a!), '* [A](a.md)\r\n')
    assert.equal(tree(a!), '* [A](a.md)\r\n  * [B\r\n    b](b.md)\r\n')
    assert.equal(own(a!.children[0]!), '  * [B\r\n    b](b.md)\r\n')
    assert.equal(own(c!), '* [C](c.md)')
    assert.deepEqual([a!.lines.line, a!.children[0]!.lines.line, c!.lines.line], [3, 4, 6])
  })
})

it('a table of contents of twenty thousand pages is read whole', () => {
  const pages = Array.from(
    { length: 20_000 },
    (_, index) => `* [Page_${index} *of* many](part_${index}/some_page_${index}.md)`,
  )
  const { entries } = parseSummary(pages.join('\n'))
  assert.equal(entries.length, 20_000)
  assert.equal(entries.at(-1)?.type === 'page' && entries.at(-1)?.title, 'Page_19999 of many')
})

describe('the text between the entries of SUMMARY.md', () => {
  it('is all but their lines: the title, words, breaks and comments', () => {
    assert.equal(
      textBetweenEntries(
        '# Contents\n\nWords.\n\n* [A](a.md)\n  * [B](b.md)\n\n## G\n\n* [C](c.md)\n\n---\n\n<!--\n* [D](d.md)\n-->\n* [E](e.md)',
      ),
      '# Contents\n\nWords.\n\n\n\n\n---\n\n<!--\n* [D](d.md)\n-->\n',
    )
  })

  it('is all of a text without entries', () => {
    assert.equal(textBetweenEntries('Words.\n'), 'Words.\n')
  })
})
