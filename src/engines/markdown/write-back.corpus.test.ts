// Real documentation, read as documents, changed in one word and written back. `test/conformance/write-back.ts` does so
// with every word.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { editWords } from './render/any/word-edits.ts'

const CORPUS = join(import.meta.dirname, '../../../../shared/corpus')
const skip = existsSync(CORPUS) ? false : 'the corpus is not beside the project'

/** Of one page in so many, one leaf in so many, from a page to the next: about 150 of them. */
const EVERY_PAGE = 3
const EVERY_LEAF = 134

test('a word changed in a page of the corpus changes that word and no other byte', { skip }, () => {
  let leaves = 0
  let edits = 0
  const files = globSync('**/*.md', { cwd: CORPUS }).sort()
  for (const file of files.filter((_, at) => at % EVERY_PAGE === 0)) {
    const source = readFileSync(join(CORPUS, file), 'utf8')
    for (const { changed, path, word, after } of editWords(source, () => leaves++ % EVERY_LEAF === 0)) {
      assert.equal(changed, 'word', `${file}: ${word} in ${path}\n${after}`)
      edits++
    }
  }
  assert.ok(edits > 100)
})
