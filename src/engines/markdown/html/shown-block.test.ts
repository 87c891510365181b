import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMarkdown } from '../syntax/syntax.ts'
import { toHtmlBlocks } from './to-html.ts'

async function blockOf(source: string) {
  const shown = await toHtmlBlocks(parseMarkdown(source), {
    blockKey: () => 'a'.repeat(24),
    resolveLink: href => ({ href, isExternal: false, isBroken: false }),
    resolveImage: () => undefined,
  })
  const block = shown.get('a'.repeat(24))
  assert.ok(block !== undefined)
  /** With these words marked, each where it first is. */
  const marking = (...words: readonly string[]) => {
    const ranges = words.map(word => {
      const start = block.words.indexOf(word)
      assert.notEqual(start, -1)
      return { start, end: start + word.length }
    })
    return block.toHtml('ins', ranges).replaceAll(/ data-block="a+"/g, '')
  }
  return { block, marking }
}

test('words are marked where they stand, in whatever element that is', async () => {
  const { marking } = await blockOf('It *rains* and [snows](a) today.')
  assert.equal(
    marking('rains', 'today'),
    '<p>It <em><ins>rains</ins></em> and <a href="a">snows</a> <ins>today</ins>.</p>',
  )
})

test('what reaches over elements is marked in each of them, and the elements stay', async () => {
  const { marking } = await blockOf('It *rains* and **snows** today.')
  assert.equal(
    marking('rains and snows to'),
    '<p>It <em><ins>rains</ins></em><ins> and </ins><strong><ins>snows</ins></strong><ins> to</ins>day.</p>',
  )
})

test('a mark over several lines puts nothing between items of a list or cells of a table', async () => {
  const { block, marking } = await blockOf('* One\n* Two\n* Three')
  const [start, end] = [block.words.indexOf('ne'), block.words.indexOf('hree')]
  assert.equal(
    block.toHtml('del', [{ start, end }]).replaceAll(/ data-block="a+"/g, ''),
    '<ul><li>O<del>ne</del></li><li><del>Two</del></li><li><del>T</del>hree</li></ul>',
  )
  assert.equal(marking(), '<ul><li>One</li><li>Two</li><li>Three</li></ul>')
})

test('a formula is not marked within', async () => {
  const { block } = await blockOf('Take $$a+b$$ now.')
  assert.doesNotMatch(
    block.toHtml('ins', [{ start: 0, end: block.words.length }]),
    /<math[\s\S]*<ins>[\s\S]*<\/math>/,
  )
})

test('marked text is escaped like all other', async () => {
  const { marking } = await blockOf('Say \\<b> & more.')
  assert.equal(marking('<b>'), '<p>Say <ins>&lt;b></ins> &amp; more.</p>')
})
