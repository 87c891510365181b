// The words that a text asks for.
import { readWords, type Word } from './word-positions.ts'

/** One word, `offset` positions after the first of its term. */
export type QueryWord = {
  /** Folded. */
  readonly text: string
  /** In lower case with its accents. */
  readonly written: string
  readonly offset: number
  /** The reader may still be typing it. */
  readonly isPrefix: boolean
}

/** Words beside each other, in any form, that mean what is asked for. */
export type Alternative = {
  readonly words: readonly QueryWord[]
  /** What a page that has them counts of one that has what is written. */
  readonly weight: number
}

/** The words of a text in their order. The last character of an unspaced run may be followed by any. */
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

/** With the offsets that they have in their text. */
export function toQueryWords(words: readonly Word[]): QueryWord[] {
  const start = words[0]?.position ?? 0
  return words.map(word => toQueryWord(word, word.position - start))
}
