import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../../test/support/characters.ts'
import { tried } from '../../../../test/support/property-runs.ts'
import { blocks, parseSummary, references, sections } from '../page/page.ts'
import { childrenOf, isInline, type Node, type Root } from './ast.ts'
import { parseMarkdown } from './parse.ts'

const PIECES = [
  '{% hint style="info" %}',
  '{% endhint %}',
  '{% tabs %}',
  '{% tab title="a" %}',
  '{% endtab %}',
  '{% endtabs %}',
  '{% embed url="u" %}',
  '{% include "x" %}',
  '{% x',
  '%}',
  '<?',
  '?>',
  '<details>',
  '</details>',
  '<summary>',
  '</summary>',
  '<table>',
  '<tr>',
  '<td>',
  '</td>',
  '</table>',
  '<img src="a">',
  '<a href="b">',
  '</a>',
  '<!--',
  '-->',
  '<pre>',
  '</pre>',
  '<code>',
  '</code>',
  '[a](b)',
  '![a](<b c> "t")',
  '[r]',
  '[r]: /u\n',
  '[^1]',
  '[^1]: n\n',
  '**',
  '_',
  '`',
  '```\n',
  '$$',
  '|',
  '|-|\n',
  '# ',
  '---\n',
  '> ',
  '- ',
  '1. ',
  '    ',
  '\t',
  '\n',
  '\n\n',
  '\r\n',
  '\r',
  ' ',
  'a',
  'é',
  '😀',
  '\ufeff',
  '\0',
  '\\',
  '&amp;',
  '"',
  '\x01',
  '\ud800',
  'https://x.y',
]

const sources = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map(pieces => pieces.join('')),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
)

const runs = tried(750)

describe('any source', () => {
  it('is read into a tree whose nodes lie inside their parents, blocks in blocks, at most 100 deep', () => {
    fc.assert(
      fc.property(sources, source => {
        const visit = (node: Node, parent: Node, depth: number) => {
          const { start, end } = node.position
          assert.ok(
            start >= parent.position.start && end <= parent.position.end && start <= end,
            `${node.type} ${start} ${end}`,
          )
          assert.ok(depth <= 100)
          if (parent.type === 'root' || parent.type === 'blockquote' || parent.type === 'listItem')
            assert.ok(!isInline(node))
          if (parent.type === 'paragraph' || parent.type === 'heading' || parent.type === 'link')
            assert.ok(isInline(node))
          for (const child of childrenOf(node)) visit(child, node, depth + 1)
        }
        const root = parseMarkdown(source)
        assert.deepEqual(root.position, { start: 0, end: source.length })
        for (const child of root.children) visit(child, root, 1)
      }),
      runs,
    )
  })

  it('is cut into blocks that joined give it back, each with a key of its own', () => {
    fc.assert(
      fc.property(sources, source => {
        const spans = blocks(source)
        assert.equal(spans.map(span => source.slice(span.start, span.end)).join(''), source)
        assert.ok(
          spans.every((span, index) => span.start < span.end && span.start === (spans[index - 1]?.end ?? 0)),
        )
        assert.equal(new Set(spans.map(span => span.key)).size, spans.length)
      }),
      runs,
    )
  })

  it('gives sections in order and references whose places lie in it', () => {
    fc.assert(
      fc.property(sources, source => {
        const root: Root = parseMarkdown(source)
        let end = 0
        for (const section of sections(source, root)) {
          assert.ok(section.start >= end && section.start <= section.end)
          end = section.end
        }
        for (const { start, end, destination, isExact, syntax } of references(source, root)) {
          assert.ok(start >= 0 && start <= end && end <= source.length)
          if (isExact && syntax === 'markdown' && /^[a-z]+$/.test(destination))
            assert.equal(source.slice(start, end), destination)
        }
      }),
      runs,
    )
  })

  it('is read as a table of contents whose entries are whole lines inside their parents', () => {
    fc.assert(
      fc.property(sources, source => {
        const visit = (
          entry: ReturnType<typeof parseSummary>['entries'][number],
          from: number,
          to: number,
        ) => {
          const { start, end, treeEnd } = entry.lines
          assert.ok(from <= start && start < end && end <= treeEnd && treeEnd <= to, JSON.stringify(entry))
          for (const child of entry.children) visit(child, start, treeEnd)
        }
        for (const entry of parseSummary(source).entries) visit(entry, 0, source.length)
      }),
      runs,
    )
  })
})
