// The difference between two versions of a text by words, for people to read.
import { matchSequences } from './sequences.ts'

export type WordRun = { readonly kind: 'equal' | 'removed' | 'inserted'; readonly text: string }

// Runs of letters and digits, runs of white space, and every other character by itself. In scripts without spaces every
// character is a word, so that a changed sentence is not one long word.
const WORDS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}\p{M}\p{N}_]+|\s+|./gsu

// A longer text is reported as removed and inserted as a whole.
const CHARACTERS_MAX = 200_000

/**
 * The runs in order: without the removed ones they are `after`, without the inserted ones `before`. White space or a
 * single character between two changes counts as changed with them, so that runs stay readable.
 */
export function diffWords(before: string, after: string): WordRun[] {
  if (before.length + after.length > CHARACTERS_MAX) return join([removed(before), inserted(after)])
  const a = before.match(WORDS) ?? []
  const b = after.match(WORDS) ?? []
  const runs: WordRun[] = []
  let i = 0
  let j = 0
  for (const [nextA, nextB] of [...matchSequences(a, b), [a.length, b.length] as const]) {
    runs.push(removed(a.slice(i, nextA).join('')), inserted(b.slice(j, nextB).join('')))
    const equal = a[nextA]
    if (equal !== undefined) runs.push({ kind: 'equal', text: equal })
    i = nextA + 1
    j = nextB + 1
  }
  return join(withoutIslands(join(runs)))
}

const removed = (text: string): WordRun => ({ kind: 'removed', text })
const inserted = (text: string): WordRun => ({ kind: 'inserted', text })

const HAS_WORD = /[\p{L}\p{N}]/u

/** Equal runs without a word between two changes become part of both. */
const withoutIslands = (runs: readonly WordRun[]): WordRun[] =>
  runs.flatMap((run, at) => {
    const isIsland =
      run.kind === 'equal' &&
      at > 0 &&
      at < runs.length - 1 &&
      !run.text.includes('\n') &&
      !HAS_WORD.test(run.text)
    return isIsland ? [removed(run.text), inserted(run.text)] : [run]
  })

/** Joins adjacent runs of one kind; between two equal runs, removed text comes first. */
function join(runs: readonly WordRun[]): WordRun[] {
  const joined: WordRun[] = []
  let gone = ''
  let come = ''
  const flush = () => {
    if (gone !== '') joined.push(removed(gone))
    if (come !== '') joined.push(inserted(come))
    gone = ''
    come = ''
  }
  for (const { kind, text } of runs) {
    if (kind === 'removed') gone += text
    else if (kind === 'inserted') come += text
    else {
      const last = joined.at(-1)
      if (gone === '' && come === '' && last?.kind === 'equal') {
        joined[joined.length - 1] = { kind, text: last.text + text }
        continue
      }
      flush()
      joined.push({ kind, text })
    }
  }
  flush()
  return joined
}
