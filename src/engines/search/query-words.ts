// The words of a query.
import { readWords, type Word } from './word-positions.ts'

/** One word, `offset` positions after the first of its term. */
export type QueryWord = {
  /** Folded. */
  readonly text: string
  /** In lower case, with its accents. */
  readonly written: string
  readonly offset: number
  /** Whether the reader may still be typing it. */
  readonly isPrefix: boolean
}

/** Adjacent words, in any form, with the same meaning. */
export type Alternative = {
  readonly words: readonly QueryWord[]
  /** How much a page with them counts, relative to one with the written words. */
  readonly weight: number
}

/** The words of a text in order. The last character of an unspaced run may be followed by any other. */
export function wordsWanted(text: string): Word[] {
  const read: Word[] = []
  readWords(text, word => {
    if (word.kind !== 'whole') read.push(word)
  })
  return read.filter((word, index) => !isEndOfRun(word, read[index - 1]))
}

/** Whether it is the single character that ends a run of several. */
export const isEndOfRun = (word: Word, before: Word | undefined): boolean =>
  word.kind === 'pair' && before?.kind === 'pair' && before.end === word.end && before.start < word.start

export const toQueryWord = ({ text, written }: Word, offset: number): QueryWord => ({
  text,
  written,
  offset,
  isPrefix: false,
})

/** The words with their offsets in the text. */
export function toQueryWords(words: readonly Word[]): QueryWord[] {
  const start = words[0]?.position ?? 0
  return words.map(word => toQueryWord(word, word.position - start))
}
