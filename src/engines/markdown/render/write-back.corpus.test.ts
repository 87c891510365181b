// Real documentation, read as documents, changed in one word or one block and written back.
// `test/conformance/write-back.ts` does so with every word, and with many blocks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corpusPages, skipCorpus as skip } from '../../../../test/support/corpus.ts'
import { editBlocks } from '../../../../test/support/markdown/block-edits.ts'
import { editWords } from '../../../../test/support/markdown/word-edits.ts'

/** Of one page in so many, one leaf in so many, from a page to the next: about 60 of them. */
const EVERY_PAGE = 8
const EVERY_LEAF = 134

test('a word changed in a page of the corpus changes that word and no other byte', { skip }, () => {
  let leaves = 0
  let edits = 0
  for (const { file, source } of corpusPages(EVERY_PAGE, 1)) {
    for (const { changed, path, word, after } of editWords(source, () => leaves++ % EVERY_LEAF === 0)) {
      assert.equal(changed, 'word', `${file}: ${word} in ${path}\n${after}`)
      edits++
    }
  }
  assert.ok(edits > 40)
})

/** Of one page in so many, one place in so many of each kind. */
const EVERY_BLOCK_PAGE = 16
const EVERY_PLACE = 90

test('a block that comes, goes or moves in a page of the corpus leaves every other word, and most of the bytes', {
  skip,
}, () => {
  const places = new Map<string, number>()
  const isChosen = (name: string) => {
    const count = places.get(name) ?? 0
    places.set(name, count + 1)
    return count % EVERY_PLACE === EVERY_PLACE - 1
  }
  let edits = 0
  let anew = 0
  for (const { file, source } of corpusPages(EVERY_BLOCK_PAGE, 5))
    for (const { name, broken, after } of editBlocks(source, isChosen)) {
      assert.ok(broken === undefined || broken === 'bytes', `${file}: ${broken}, ${name}\n${after}`)
      edits++
      if (broken === 'bytes') anew++
    }
  assert.ok(edits > 40)
  assert.ok(anew * 20 < edits, `${anew} of ${edits} spelled other text anew`)
})
