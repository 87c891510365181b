import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { diffDocuments } from './block-diff.ts'
import { undoBlocks } from './block-undo.ts'

/** Paragraphs, separated by blank lines; a key is the text and the number of equal ones before it. */
function paragraphs(text: string) {
  const seen = new Map<string, number>()
  const starts = [0, ...[...text.matchAll(/(?:\r?\n){2,}/g)].map(({ index, 0: gap }) => index + gap.length)]
  return starts
    .filter((start, i) => i === 0 || start < text.length)
    .map((start, i, all) => {
      const end = all[i + 1] ?? text.length
      const bare = text.slice(start, end).trim()
      const count = seen.get(bare) ?? 0
      seen.set(bare, count + 1)
      return { key: count === 0 ? bare : `${bare}-${count}`, type: 'paragraph', start, end }
    })
    .filter(({ start, end }) => end > start)
}

const undo = (before: string, after: string, ...keys: string[]) => undoBlocks(before, after, keys, paragraphs)

const ALPHA = 'alpha one two three four five'
const BETA = 'beta six seven eight nine ten'
const GAMMA = 'gamma red green blue black white'
const DELTA = 'delta north south east west up'

test('an inserted block goes, and the others stay byte for byte', () => {
  const before = `${ALPHA}\n\n\n${BETA}\n`
  const after = `${ALPHA}\n\n\n${GAMMA}\n\n${BETA}\n`
  assert.deepEqual(undo(before, after, GAMMA), { document: before, unknown: [] })
})

test('a removed block returns to its place', () => {
  const before = `${ALPHA}\n\n${BETA}\n\n${GAMMA}\n`
  assert.equal(undo(before, `${ALPHA}\n\n${GAMMA}\n`, BETA).document, before)
  assert.equal(undo(before, `${ALPHA}\n\n${BETA}\n`, GAMMA).document, before)
  assert.equal(undo(before, `${BETA}\n\n${GAMMA}\n`, ALPHA).document, before)
})

test('a modified block has its old text again, by its new key or its old one', () => {
  const before = `${ALPHA}\n\n${BETA}\n`
  const changed = `${BETA} and more`
  const after = `${ALPHA}\n\n${changed}\n\n${DELTA}\n`
  const expected = `${ALPHA}\n\n${BETA}\n\n${DELTA}\n`
  assert.equal(undo(before, after, changed).document, expected)
  assert.equal(undo(before, after, BETA).document, expected)
})

test('a moved block returns to its place', () => {
  const before = `${ALPHA}\n\n${BETA}\n\n${GAMMA}\n\n${DELTA}\n`
  const after = `${BETA}\n\n${GAMMA}\n\n${DELTA}\n\n${ALPHA}\n`
  assert.equal(undo(before, after, ALPHA).document, before)
})

test('restored text is not joined to its neighbours', () => {
  // The last block of each document has no blank line after it.
  const before = `${ALPHA}\n\n${BETA}`
  const after = `${ALPHA}\n\n${GAMMA}`
  const { document } = undo(before, after, BETA)
  assert.deepEqual(new Set(document.split('\n\n')), new Set([ALPHA, BETA, GAMMA]))
  const back = undo(`${ALPHA}\r\n\r\n${BETA}`, `${GAMMA}\r\n`, BETA).document
  assert.deepEqual(new Set(back.trim().split('\r\n\r\n')), new Set([BETA, GAMMA]))
})

test('a key that names no change is reported', () => {
  assert.deepEqual(undo(`${ALPHA}\n`, `${ALPHA}\n\n${BETA}\n`, ALPHA, 'none'), {
    document: `${ALPHA}\n\n${BETA}\n`,
    unknown: [ALPHA, 'none'],
  })
})

const document = fc
  .array(fc.constantFrom(ALPHA, BETA, GAMMA, DELTA, `${ALPHA} more`, `${BETA} less`), { maxLength: 8 })
  .map(words => words.map(word => `${word}\n`).join('\n'))

test('undoing nothing changes nothing, undoing all gives the blocks before', () => {
  fc.assert(
    fc.property(document, document, (before, after) => {
      assert.equal(undo(before, after).document, after)
      const changes = diffDocuments(before, after, paragraphs)
      const keys = changes.flatMap(change =>
        change.kind === 'equal' ? [] : ['after' in change ? change.after.key : change.before.key],
      )
      const { document: undone, unknown } = undo(before, after, ...keys)
      assert.deepEqual(unknown, [])
      const words = (text: string) => text.split('\n').filter(line => line !== '')
      // Two changes may have one key; then one of them is undone.
      if (new Set(keys).size === keys.length) assert.deepEqual(words(undone), words(before))
    }),
    { numRuns: 300 },
  )
})
