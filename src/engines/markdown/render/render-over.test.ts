import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertLinear, type Shape } from '../../../../test/support/growth.ts'
import {
  type Block,
  block,
  fragment,
  inline,
  type JSONDocument,
  paragraph,
  text,
  toDocument,
} from '../document/document.ts'
import { renderOver } from './render-over.ts'

/** A page written over by its document with other nodes; `change` is given those of the document. */
function over(source: string, change: (nodes: readonly Block[]) => readonly Block[], title?: string): string {
  const options = title === undefined ? {} : { title }
  const { document } = toDocument(source, options)
  return renderOver(source, { ...document, nodes: [...change(document.nodes)] } as JSONDocument, options)
}
const words = (value: string): Block => paragraph([text(value)])
/** A paragraph in the place of a block. */
const instead = (one: Block, value: string): Block =>
  ({ ...words(value), ...(one.key === undefined ? {} : { key: one.key }) }) as Block
const list = (...items: string[]): Block =>
  block('list-unordered', {}, { nodes: items.map(one => block('list-item', {}, { nodes: [words(one)] })) })
const noted = (word: string, note: string): Block =>
  paragraph([
    inline(
      'annotation',
      {},
      { nodes: [text(word)], fragments: [fragment('annotation-body', [words(note)], 'annotation-body')] },
    ),
  ])

describe('renderOver', () => {
  it('changes the bytes of the changed block alone', () => {
    const source = '---\nicon: bolt\n---\n\n# Title\n\n- a\n- b\n\n\nOld  \nwords\n---\n1) x\n'
    const changed = over(source, nodes => nodes.with(1, instead(nodes[1]!, 'New')), 'Title')
    assert.equal(changed, source.replace('Old  \nwords\n---', 'New'))
  })

  it('keeps the white space behind a block where it still parts two blocks', () => {
    assert.equal(
      over('## A\ntext\n', ([a, b]) => [instead(a!, 'B'), b!]),
      'B\n\ntext\n',
    )
    assert.equal(
      over('text\n## A\n', ([a, b]) => [a!, { ...b!, nodes: [text('B')] } as Block]),
      'text\n## B\n',
    )
    assert.equal(
      over('a\n\n\n\nb', ([a, b]) => [instead(a!, 'c'), b!]),
      'c\n\n\n\nb',
    )
    assert.equal(
      over('a\n\nb', ([a, b]) => [a!, instead(b!, 'c')]),
      'a\n\nc',
    )
  })

  it('finds blocks without keys by what they say, wherever they went', () => {
    const source = '* a\n\nb  \n\n__c__\n\nb\n'
    const bare = (one: Block): Block =>
      JSON.parse(JSON.stringify(one, (name, value) => (name === 'key' ? undefined : value)))
    assert.equal(
      over(source, nodes => nodes.map(bare)),
      source,
    )
    assert.equal(
      over(source, nodes => [nodes[2]!, nodes[0]!, nodes[1]!].map(bare)),
      '__c__\n\n* a\n\nb\n',
    )
  })

  it('takes of equal blocks the one that follows those before it', () => {
    const source = '**c**\n\nx\n\n__c__\n'
    const nodes = (all: readonly Block[]): Block[] => [all[1]!, paragraph(all[2]!.nodes as never)]
    assert.equal(over(source, nodes), 'x\n\n__c__\n')
    assert.equal(
      over(source, all => [...nodes(all), ...nodes(all).slice(1)]),
      'x\n\n__c__\n\n**c**\n',
    )
  })

  it('takes a block that is there twice with one key for a copy', () => {
    assert.equal(
      over('- a\n\nb\n', ([a, b]) => [a!, b!, a!]),
      '- a\n\nb\n\n- a\n',
    )
  })

  it('never glues two blocks together', () => {
    assert.equal(
      over('a\nb\n\n## C\nd\n', ([a, , d]) => [a!, d!]),
      'a\nb\n\nd\n',
    )
    assert.equal(
      over('* a\n\nx\n\n* b\n', ([a, , b]) => [a!, b!]),
      '* a\n\n<!-- -->\n\n* b\n',
    )
    assert.equal(
      over('* a\n', ([a]) => [a!, list('b')]),
      '* a\n\n<!-- -->\n\n* b\n',
    )
    assert.equal(
      over('* a\n\n> b\n\n    code\n', ([a, , c]) => [a!, c!]),
      '* a\n\n<!-- -->\n\n    code\n',
    )
    assert.equal(
      over('| a |\n| - |\n\n| b |\n| - |\n', ([a, b]) => [b!, a!]),
      '| b |\n| - |\n\n| a |\n| - |\n',
    )
  })

  it('begins no frontmatter with a line of dashes', () => {
    assert.equal(
      over('a\n\n---\n\nb\n\n---\n', ([, ...rest]) => rest),
      '\n---\n\nb\n\n---\n',
    )
  })

  it('writes new blocks with the line ends and the list signs of the page', () => {
    assert.equal(
      over('- a\r\n\r\nb\r\n', nodes => [...nodes, words('c\nd'), list('e')]),
      '- a\r\n\r\nb\r\n\r\nc\\\r\nd\r\n\r\n- e\r\n',
    )
  })

  it('keeps a byte order mark at the beginning, whatever moves there', () => {
    assert.equal(
      over('\ufeffa\n\nb\n', ([a, b]) => [b!, a!]),
      '\ufeffb\n\na\n',
    )
    assert.equal(
      over('\ufeffa\n', () => []),
      '\ufeff',
    )
  })

  it('keeps frontmatter, the title, comments and definitions of links when blocks go', () => {
    const source =
      '---\ntitle: T\n---\n\n# T\n\n<!-- about a -->\n\n[a]\n\n<!-- about b -->\n\nb\n\n[a]: x.md\n'
    assert.equal(
      over(source, ([a]) => [a!], 'T'),
      '---\ntitle: T\n---\n\n# T\n\n<!-- about a -->\n\n[a]\n\n<!-- about b -->\n\n[a]: x.md\n',
    )
    assert.equal(over(source, () => [], 'T').includes('[a]: x.md'), true)
    // A comment goes with the block below it.
    assert.equal(
      over(source, ([a, b]) => [b!, a!], 'T'),
      '---\ntitle: T\n---\n\n# T\n\n<!-- about b -->\n\nb\n\n[a]: x.md\n\n<!-- about a -->\n\n[a]\n',
    )
  })

  it('writes brackets of new words so that a definition of the page makes no link of them', () => {
    assert.equal(
      over('[a]\n\n[a]: x.md\n', nodes => [...nodes, words('[a]')]),
      '[a]\n\n[a]: x.md\n\n\\[a]\n',
    )
  })

  it('keeps a note as long as something refers to it, under its own name', () => {
    const source = 'one[^n] and two[^m]\n\nthree[^n]\n\n[^n]: N\n\n[^m]: M\n'
    assert.equal(
      over(source, ([, b]) => [b!]),
      'three[^n]\n\n[^n]: N\n',
    )
    assert.equal(
      over(source, ([a, b]) => [a!, b!, noted('four', 'M')]),
      'one[^n] and two[^m]\n\nthree[^n]\n\n[^n]: N\n\n[^m]: M\n\nfour[^m]\n',
    )
    assert.equal(
      over(source, ([a, b]) => [a!, b!, noted('four', 'new')]),
      'one[^n] and two[^m]\n\nthree[^n]\n\n[^n]: N\n\n[^m]: M\n\nfour[^1]\n\n[^1]: new\n',
    )
  })

  it('writes a note that changed in its place', () => {
    assert.equal(
      over('one[^n]\n\n[^n]: Old\n\ntwo\n', ([a, b]) => [
        { ...noted('one', 'New'), key: a!.key! } as Block,
        b!,
      ]),
      'one[^n]\n\n[^n]: New\n\ntwo\n',
    )
  })

  it('keeps the definition of a note that nothing refers to while the page shows it', () => {
    const source = 'a\n\n[^n]: Unused\n\nb\n'
    assert.equal(
      over(source, ([a, b, n]) => [a!, words('x'), b!, n!]),
      'a\n\nx\n\n[^n]: Unused\n\nb\n'.replace('x\n\n[^n]: Unused', '[^n]: Unused\n\nx'),
    )
    assert.equal(
      over(source, ([a, b]) => [a!, b!]),
      'a\n\nb\n',
    )
    assert.equal(
      over(source, ([a, b, n]) => [n!, a!, b!]),
      'Unused\n\na\n\nb\n',
    )
  })

  it('writes a piece of two blocks anew when they part', () => {
    const source = '{% embed url="https://x.example" %}\nCaption\n{% endembed %}\n\na\n'
    assert.equal(
      over(source, ([, caption, a]) => [caption!, a!]),
      'Caption\n\na\n',
    )
    assert.equal(
      over(source, ([embed, caption, a]) => [a!, embed!, caption!]),
      `a\n\n${source.slice(0, -4)}\n`.replace(/\n+$/, '\n'),
    )
  })

  it('writes what follows a piece once, when its blocks part', () => {
    const source = '{% embed url="https://x.example" %}\nCaption\n{% endembed %}\n\n[a]: x.md\n\n[a]\n'
    const parted = over(source, ([embed, caption, a]) => [caption!, a!, embed!])
    assert.equal(parted, 'Caption\n\n[a]: x.md\n\n[a]\n\n{% embed url="https://x.example" %}\n')
  })

  it('writes a block anew that was not closed, and keeps the others', () => {
    assert.equal(
      over('- a\n\n```\ncode', ([a, code]) => [code!, a!]),
      '```\ncode\n```\n\n- a\n',
    )
    assert.equal(
      over('- a\n\n<div>\n\nb\n', nodes => [...nodes, words('c')]).startsWith('- a\n\n<div>'),
      true,
    )
  })

  it('lets no heading become the title that was none', () => {
    const source = '## First\n\n# T\n\n- a\n'
    assert.equal(
      over(source, ([, t, a]) => [t!, a!], 'T'),
      '## T\n\n- a\n',
    )
  })

  it('writes over an empty text, and everything away', () => {
    assert.equal(
      over('', () => [words('a')]),
      'a\n',
    )
    assert.equal(
      over('\n\n', () => [words('a')]),
      'a\n',
    )
    assert.equal(
      over('a\n\nb\n', () => []),
      '',
    )
    assert.equal(
      over('# T\n\na\n', () => [], 'T'),
      '# T\n',
    )
  })

  const numbered = (length: number, piece: (index: number) => string) => {
    let text = ''
    for (let index = 0; text.length < length; index++) text += piece(index)
    return text
  }
  const HOSTILE: { readonly [name: string]: Shape } = {
    blocks: length => 'a\n\n'.repeat(length / 3),
    'different blocks': length => numbered(length, index => `* ${index}\n\nx\n\n`),
    notes: length => numbered(length, index => `w[^${index}]\n\n[^${index}]: n${index}\n\n`),
    comments: length => '<!-- a -->\n\nb\n\n'.repeat(length / 15),
    'one block': length => `x\n\n${'| a | b |\n'.repeat(2)}${'| c | d |\n'.repeat(length / 10)}`,
  }
  const reverse = (source: string) => over(source, nodes => nodes.toReversed())
  for (const [name, shape] of Object.entries(HOSTILE))
    it(`takes time in proportion to a page of many ${name}, and keeps them all`, async () => {
      await assertLinear(name, reverse, shape, 30_000)
      const source = shape(1_000)
      assert.equal(
        toDocument(reverse(source)).document.nodes.length,
        toDocument(source).document.nodes.length,
      )
    })
})
