import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { assertLinear, type Shape } from '../../../test/support/growth.ts'
import { tried } from '../../../test/support/property-runs.ts'
import { type BlockChange, diffDocuments, type SplitBlocks } from './block-diff.ts'

/** Paragraphs and the empty lines between them; a line that begins with '#' is a heading. */
const blocks: SplitBlocks = markdown => {
  let start = 0
  return (markdown.match(/(?:[^\n]+\n?)+|\n+/g) ?? []).map((text, i) => {
    const type = text.startsWith('\n') ? 'gap' : text.startsWith('#') ? 'heading' : 'paragraph'
    const block = { key: `${i}`, type, start, end: start + text.length }
    start = block.end
    return block
  })
}

/** The same, with the sections that headings begin. */
const sections: SplitBlocks = markdown =>
  blocks(markdown).map(block => {
    const level = /^#+/.exec(markdown.slice(block.start, block.end))?.[0].length
    return level === undefined ? block : { ...block, level }
  })

const RAIN = 'Rain falls on the quiet town in the evening'
const SUN = 'Sunlight warms every stone along the river bank'
const WIND = 'Wind carries old leaves across an empty square'
const SNOW = 'Snow covers mountains while everybody sleeps below'

/** The changes as one reads them, without the empty lines: `=` equal, `~` modified, `>` moved, `+`, `-`. */
function changesOf(before: readonly string[], after: readonly string[], split = blocks): string[] {
  const a = before.join('\n\n')
  const b = after.join('\n\n')
  const marks = { equal: '=', modified: '~', moved: '>', inserted: '+', removed: '-' }
  const text = (change: BlockChange): string =>
    change.kind === 'removed'
      ? a.slice(change.before.start, change.before.end)
      : b.slice(change.after.start, change.after.end)
  return diffDocuments(a, b, split)
    .filter(change => text(change).trim() !== '')
    .map(change => {
      const both = change.kind === 'modified' && change.isMoved ? '>' : ''
      return `${both}${marks[change.kind]} ${text(change).trim().split(' ')[0]}`
    })
}

describe('the diff of a document', () => {
  it('lists inserted, removed and equal blocks in reading order', () => {
    assert.deepEqual(changesOf([RAIN, SUN, WIND], [RAIN, WIND, SNOW]), [
      '= Rain',
      '- Sunlight',
      '= Wind',
      '+ Snow',
    ])
    assert.deepEqual(changesOf([], [RAIN]), ['+ Rain'])
    assert.deepEqual(changesOf([RAIN], []), ['- Rain'])
  })

  it('pairs a block with what it became', () => {
    const wetter = RAIN.replace('quiet', 'noisy')
    assert.deepEqual(changesOf([SUN, RAIN, WIND], [SUN, wetter, WIND]), ['= Sunlight', '~ Rain', '= Wind'])
    assert.deepEqual(changesOf([SUN, RAIN], [SNOW, wetter]), ['- Sunlight', '+ Snow', '~ Rain'])
    assert.deepEqual(changesOf([RAIN], [SNOW, wetter, WIND]), ['+ Snow', '~ Rain', '+ Wind'])
  })

  it('pairs a heading with what it became while a block below it stayed, and only then', () => {
    const changes = (before: readonly string[], after: readonly string[]) =>
      changesOf(before, after, sections)
    assert.deepEqual(changes(['## Setup', RAIN, '## End'], ['## Setup now', RAIN, '## End']), [
      '~ ##',
      '= Rain',
      '= ##',
    ])
    assert.deepEqual(changes(['## Setup here now', RAIN], ['## Setup here then', SUN]), [
      '- ##',
      '+ ##',
      '- Rain',
      '+ Sunlight',
    ])
  })

  it('pairs a block that is there twice with that below the same heading, under whatever title', () => {
    const before = ['# One', '## Setup', RAIN, '## Usage', RAIN, SUN]
    const after = ['# Two', '## Usage', RAIN, WIND, '## Setup', RAIN]
    assert.deepEqual(changesOf(before, after, sections), [
      '- #',
      '+ #',
      '= ##',
      '= Rain',
      '- Sunlight',
      '+ Wind',
      '> ##',
      '> Rain',
    ])
  })

  it('lists a block in another place once, as moved', () => {
    assert.deepEqual(changesOf([RAIN, SUN, WIND, SNOW], [SNOW, RAIN, SUN, WIND]), [
      '> Snow',
      '= Rain',
      '= Sunlight',
      '= Wind',
    ])
  })

  it('finds a block again that was moved and edited', () => {
    const wetter = RAIN.replace('quiet', 'noisy')
    assert.deepEqual(changesOf([RAIN, SUN, WIND], [SUN, WIND, wetter]), ['= Sunlight', '= Wind', '>~ Rain'])
  })

  it('ignores blank lines around a block, but not its indentation', () => {
    const whole: SplitBlocks = markdown => [{ key: 'k', type: 'paragraph', start: 0, end: markdown.length }]
    const kindOf = (before: string, after: string) =>
      diffDocuments(before, after, whole).map(({ kind }) => kind)
    assert.deepEqual(kindOf('\r\n \nsome words', 'some words \n\n'), ['equal'])
    assert.deepEqual(kindOf('some words', '    some words'), ['modified'])
  })

  it('works in scripts without spaces', () => {
    assert.deepEqual(
      changesOf(['安装完成以后请重新启动服务器', RAIN], ['安装完成之后请重新启动服务器', RAIN]),
      ['~ 安装完成之后请重新启动服务器', '= Rain'],
    )
  })

  it('is nothing but equal blocks for a document that did not change', () => {
    assert.ok(diffDocuments(RAIN, RAIN, blocks).every(({ kind }) => kind === 'equal'))
    assert.deepEqual(diffDocuments('', '', blocks), [])
  })

  it('leads from one document to the other, and uses every block once', () => {
    const words = fc.constantFrom('rain', 'sun', 'wind', 'snow', 'a', 'b')
    const paragraph = fc.array(words, { minLength: 1, maxLength: 5 }).map(list => list.join(' '))
    const document = fc.array(fc.oneof(paragraph, fc.constant(''), fc.constant('# h')), { maxLength: 14 })
    fc.assert(
      fc.property(document, document, (before, after) => {
        const [a, b] = [before.join('\n'), after.join('\n')]
        const changes = diffDocuments(a, b, blocks)
        const afters = changes.flatMap(change => ('after' in change ? [change.after] : []))
        assert.equal(afters.map(({ start, end }) => b.slice(start, end)).join(''), b)
        const befores = changes.flatMap(change => ('before' in change ? [change.before] : []))
        const inOrder = befores.sort((x, y) => x.start - y.start)
        assert.equal(inOrder.map(({ start, end }) => a.slice(start, end)).join(''), a)
        for (const change of changes) {
          if (change.kind !== 'equal' && change.kind !== 'moved') continue
          const text = a.slice(change.before.start, change.before.end).trim()
          assert.equal(text, b.slice(change.after.start, change.after.end).trim())
        }
      }),
      tried(120),
    )
  })

  it('is linear for documents that have little in common', async () => {
    const pages = (word: string, count: number) =>
      Array.from(
        { length: count },
        (_, i) => `${word} ${i} ${'some words that all of them share '.repeat(5)}`,
      ).join('\n\n')
    const both: Shape<[string, string]> = count => [pages('alpha', count), pages('beta', count)]
    await assertLinear('diffDocuments', ([a, b]) => diffDocuments(a, b, blocks), both, 16_384)
    assert.ok(diffDocuments(...both(6000), blocks).length > 6000)
  })

  it('pairs only the beginning and end of a document of hundreds of thousands of blocks', () => {
    const marks = (count: number, sign: string) => `${sign}\n\n`.repeat(count)
    const changes = diffDocuments(
      marks(2_000, 'a') + marks(150_000, 'b') + marks(3, 'd'),
      marks(2_000, 'a') + marks(150_000, 'c') + marks(3, 'd'),
      blocks,
    )
    const count = (kind: string): number => changes.filter(change => change.kind === kind).length
    assert.deepEqual([count('equal'), count('modified'), count('moved')], [4_007, 0, 0])
    assert.equal(count('removed'), 299_999)
    assert.equal(count('inserted'), 299_999)
  })

  it('refuses a splitter that loses text', () => {
    assert.throws(
      () => diffDocuments('abc', 'abc', () => [{ key: 'a', type: 't', start: 0, end: 2 }]),
      /to the end/,
    )
    assert.throws(
      () => diffDocuments('abc', 'abc', () => [{ key: 'a', type: 't', start: 1, end: 3 }]),
      /without gaps/,
    )
  })
})
