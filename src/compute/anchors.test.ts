import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Block, toDocument } from '../engines/markdown/document/document.ts'
import { blocks } from '../engines/markdown/page/page.ts'
import { type Anchor, checkAnchor, followAnchors } from './anchors.ts'

/** The key of the block that has these words. */
function keyOf(markdown: string, words: string): string {
  const found = blocks(markdown).find(({ start, end }) => markdown.slice(start, end).includes(words))
  assert.ok(found, words)
  return found.key
}

const at = (node: string | null, cell: Anchor['cell'] = null): Anchor => ({ node, cell, isOutdated: false })
const gone = (anchor: Anchor): Anchor => ({ ...anchor, isOutdated: true })

const follow = (before: string | null, after: string | null, anchor: Anchor): Anchor | undefined =>
  followAnchors(before, after, [anchor])[0]

const PAGE = `# Title

A paragraph about apples and pears.

Another one about trains.

* first item
* second item
`

describe('an anchor', () => {
  test('stays where its block is untouched, whatever happens around it', () => {
    const anchor = at(keyOf(PAGE, 'trains'))
    const after = `Something new.\n\n${PAGE.replace('apples', 'plums')}\nThe end.\n`
    assert.deepEqual(follow(PAGE, after, anchor), anchor)
  })

  test('follows its block when that is edited, moved, or both', () => {
    const anchor = at(keyOf(PAGE, 'apples'))
    const edited = PAGE.replace('apples and', 'apples, plums and')
    assert.deepEqual(follow(PAGE, edited, anchor), at(keyOf(edited, 'plums')))
    const paragraph = 'A paragraph about apples and pears.\n\n'
    const moved = `${PAGE.replace(paragraph, '')}\n${paragraph}`
    assert.deepEqual(follow(PAGE, moved, anchor), anchor)
    const both = moved.replace('apples and pears', 'apples and ripe pears')
    assert.deepEqual(follow(PAGE, both, anchor), at(keyOf(both, 'ripe')))
  })

  test('at one of several equal blocks stays at that one', () => {
    const twins = 'Same.\n\nBetween.\n\nSame.\n'
    const second = blocks(twins)[2]?.key as string
    const after = 'Same.\n\nBetween.\n\nNew.\n\nSame.\n'
    assert.deepEqual(follow(twins, after, at(second)), at(blocks(after)[3]?.key as string))
    const alone = 'Between.\n\nSame.\n'
    assert.deepEqual(follow(twins, alone, at(second)), at(blocks(alone)[1]?.key as string))
  })

  test('is outdated when its block goes, and current when the block is back', () => {
    const anchor = at(keyOf(PAGE, 'trains'))
    const without = PAGE.replace('Another one about trains.\n\n', '')
    assert.deepEqual(follow(PAGE, without, anchor), gone(anchor))
    assert.deepEqual(follow(without, `${without}\nMore.\n`, gone(anchor)), gone(anchor))
    assert.deepEqual(follow(without, PAGE, gone(anchor)), anchor)
  })

  test('is outdated when its page goes, at a block or not, and current when the page is back', () => {
    for (const anchor of [at(null), at(keyOf(PAGE, 'trains'))]) {
      assert.deepEqual(follow(PAGE, null, anchor), gone(anchor))
      assert.deepEqual(follow(null, PAGE, gone(anchor)), anchor)
    }
    const anchor = at(keyOf(PAGE, 'trains'))
    assert.deepEqual(follow(null, '# Other\n', gone(anchor)), gone(anchor))
    assert.deepEqual(follow(PAGE, '', anchor), gone(anchor))
    assert.deepEqual(follow(PAGE, '', at(null)), at(null))
  })

  test('inside a block is kept while the block is unchanged, and moves to the whole block when it is edited', () => {
    const list = keyOf(PAGE, 'second item')
    const item = at(`${list}.1`)
    assert.deepEqual(follow(PAGE, `New.\n\n${PAGE}`, item), item)
    const edited = PAGE.replace('first item', 'first thing')
    assert.deepEqual(follow(PAGE, edited, item), at(keyOf(edited, 'second item')))
    const without = PAGE.replace(/\* .*\n/g, '')
    assert.deepEqual(follow(PAGE, without, item), gone(item))
    assert.deepEqual(follow(without, PAGE, gone(item)), item)
  })

  test('at the page alone is current as long as the page is there', () => {
    const anchors = [at(null), gone(at(null))]
    assert.deepEqual(followAnchors(PAGE, 'x', anchors), [at(null), at(null)])
  })

  test('is at a block of the document it was followed to, or outdated', () => {
    const paragraph = fc.constantFrom(
      'one two three',
      'one two four',
      'five',
      'six seven',
      '* a\n* b',
      '# six',
    )
    const document = fc.array(paragraph, { maxLength: 8 }).map(parts => parts.join('\n\n'))
    fc.assert(
      fc.property(document, document, (before, after) => {
        const anchors = blocks(before).map(({ key }) => at(key))
        const keys = new Set(blocks(after).map(({ key }) => key))
        const followed = followAnchors(before, after, anchors)
        assert.equal(followed.length, anchors.length)
        for (const anchor of followed) assert.ok(anchor.isOutdated || keys.has(anchor.node as string))
        const current = followed.filter(({ isOutdated }) => !isOutdated).map(({ node }) => node)
        assert.equal(new Set(current).size, current.length, 'two blocks never become one')
        assert.deepEqual(followAnchors(before, before, anchors), anchors)
      }),
      { numRuns: 200 },
    )
  })
})

const TABLE = `| Name | Means | Since |
| --- | --- | --- |
| one | the first | 1 |
| two | the second | 2 |
| three | the third | 3 |
`
const cellAt = (markdown: string, record: string, definition: string): Anchor =>
  at(blocks(markdown)[0]?.key as string, { record, definition })

describe('an anchor at a cell', () => {
  test('finds its row and its column by what they say', () => {
    const anchor = cellAt(TABLE, 'r2', 'c2')
    const rowBefore = TABLE.replace('| one', '| zero | the very first | 0 |\n| one')
    assert.deepEqual(follow(TABLE, rowBefore, anchor), cellAt(rowBefore, 'r3', 'c2'))
    const rowGone = TABLE.replace('| one | the first | 1 |\n', '')
    assert.deepEqual(follow(TABLE, rowGone, anchor), cellAt(rowGone, 'r1', 'c2'))
    const columnGone = TABLE.replaceAll(/^\|[^|]*/gm, '')
    assert.deepEqual(follow(TABLE, columnGone, anchor), cellAt(columnGone, 'r2', 'c1'))
    const renamed = TABLE.replace('Means', 'Meaning')
    assert.deepEqual(follow(TABLE, renamed, anchor), cellAt(renamed, 'r2', 'c2'))
    const edited = TABLE.replace('the second', 'the one after the first')
    assert.deepEqual(follow(TABLE, edited, anchor), cellAt(edited, 'r2', 'c2'))
    const elsewhere = TABLE.replace('the third', 'the last')
    assert.deepEqual(follow(TABLE, elsewhere, anchor), cellAt(elsewhere, 'r2', 'c2'))
  })

  test('moves to the whole table when its row or column is removed or ambiguous', () => {
    const anchor = cellAt(TABLE, 'r2', 'c2')
    const rowGone = TABLE.replace('| two | the second | 2 |\n', '')
    assert.deepEqual(follow(TABLE, rowGone, anchor), at(blocks(rowGone)[0]?.key as string))
    const columnGone = TABLE.replaceAll(/^(\|[^|]*)\|[^|]*/gm, '$1')
    assert.deepEqual(follow(TABLE, columnGone, anchor), at(blocks(columnGone)[0]?.key as string))
    const rewritten = TABLE.replace('the second', 'another').replace('the first', 'yet another')
    assert.deepEqual(follow(TABLE, rewritten, anchor), at(blocks(rewritten)[0]?.key as string))
  })

  test('at one of several equal rows stays at that one', () => {
    const twins = '| A |\n| - |\n| same |\n| x |\n| same |\n'
    const after = '| A |\n| - |\n| new |\n| same |\n| x |\n| same |\n'
    assert.deepEqual(follow(twins, after, cellAt(twins, 'r3', 'c1')), cellAt(after, 'r4', 'c1'))
  })
})

describe('a place in a document', () => {
  test('is a block of it, at the top or inside another', () => {
    const { document } = toDocument(PAGE)
    const keys: string[] = []
    const visit = (nodes: readonly unknown[] = []): void => {
      for (const node of nodes as Block[]) {
        if (node.object === 'block') keys.push(node.key as string)
        visit(node.nodes)
      }
    }
    visit(document.nodes)
    assert.ok(keys.length > 6)
    for (const key of [...keys, ...blocks(PAGE).map(block => block.key)])
      assert.equal(checkAnchor(PAGE, key, null), undefined, key)
    for (const key of ['', 'x', `${keys[0]}.7`, 'constructor'])
      assert.equal(checkAnchor(PAGE, key, null)?.field, 'node', key)
    assert.equal(checkAnchor('', 'x', null)?.field, 'node')
  })
})
