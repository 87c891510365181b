// Real documentation, read as documents, changed in one word and written back. `test/conformance/write-back.ts` does so
// with every word.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corpusPages, skipCorpus as skip } from '../../../../test/support/corpus.ts'
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
