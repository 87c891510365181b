// Real documentation, in ../shared/corpus beside the project. A run of the suite takes one page in so many; each test
// takes others, and `node test/torture.ts corpus` takes all.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const CORPUS = join(import.meta.dirname, '../../../shared/corpus')
const PAGES_MIN = 300

export type CorpusPage = { readonly file: string; readonly source: string }

export const skipCorpus: string | false = existsSync(CORPUS) ? false : 'the corpus is not beside the project'

/** One in `every`, unless all are asked for. */
export function isChosen(at: number, every: number, first = 0): boolean {
  const step = Number(process.env.OCTAVO_CORPUS_EVERY ?? every)
  return at % step === first % step
}

/** One page in `every`, from the `first` on. */
export function corpusPages(every: number, first = 0): CorpusPage[] {
  const files = globSync('**/*.md', { cwd: CORPUS }).sort()
  assert.ok(files.length > PAGES_MIN)
  return files
    .filter((_, at) => isChosen(at, every, first))
    .map(file => ({ file, source: readFileSync(join(CORPUS, file), 'utf8') }))
}
