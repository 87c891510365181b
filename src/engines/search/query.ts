// Parses a reader's query, once for all languages.
import { withThesauri } from './alternative-words.ts'
import type { Query, QueryTerm } from './query-terms.ts'
import { isEndOfRun, type QueryWord, toQueryWord, toQueryWords, wordsWanted } from './query-words.ts'
import type { Thesaurus } from './thesaurus.ts'
import { emptyHash, hashWord } from './title-hash.ts'
import { countUnspacedWords, weighPairs } from './unspaced-words.ts'
import { readWords, type Word } from './word-positions.ts'

const QUERY_CHARACTERS_MAX = 512
/**
 * In all terms. A longer query was pasted, and its first words find the page just as well. Each word of an identifier
 * or a phrase is searched for at every position of a page: 256 of them took a second on a page of 100,000.
 */
export const QUERY_WORDS_MAX = 32
/** Including words that say nothing. */
const ROW_WORDS_MAX = 64

/** The closing mark for each opening quotation mark. */
const QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  '“': '”',
  '„': '“”',
  '«': '»',
  '「': '」',
  '『': '』',
}

type QueryPart = { readonly text: string; readonly isQuoted: boolean }

/** Splits a text into quoted and other parts. An unclosed quotation mark is text: somebody may still be typing. */
function* piecesOf(text: string): Generator<QueryPart> {
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const ends = QUOTES[text.charAt(at)]
    if (ends === undefined) continue
    const places = Array.from(ends, end => text.indexOf(end, at + 1)).filter(place => place >= 0)
    if (places.length === 0) continue
    const end = Math.min(...places)
    yield { text: text.slice(from, at), isQuoted: false }
    yield { text: text.slice(at + 1, end), isQuoted: true }
    from = end + 1
    at = end
  }
  yield { text: text.slice(from), isQuoted: false }
}

export type QueryOptions = {
  /** Alternatives to words besides those that the engine knows: the glossary of an organization. */
  readonly thesauri?: readonly Thesaurus[]
}

export function parseQuery(text: string, { thesauri = [] }: QueryOptions = {}): Query {
  const asked = text.slice(0, QUERY_CHARACTERS_MAX).toWellFormed()
  const terms = new Map<string, QueryTerm>()
  const rows: Word[][] = []
  let words = 0
  let left = QUERY_WORDS_MAX
  const add = (written: QueryTerm) => {
    const term = beginningOf(written, left)
    const key = `${term.kind === 'phrase' ? '"' : ''}${term.text}`
    if (term.text !== '' && !terms.has(key)) {
      terms.set(key, term)
      left -= term.words.length
    }
    if (term.kind !== 'pair') words += 1
  }
  for (const piece of piecesOf(asked)) {
    if (piece.isQuoted) add(toPhrase(piece.text))
    else {
      for (const term of plainTerms(piece.text)) add(term)
      words += countUnspacedWords(piece.text)
      rows.push(wordsWanted(piece.text).slice(0, ROW_WORDS_MAX))
    }
  }
  const query = {
    text: asked,
    terms: endingOpen([...terms.values()], asked),
    rows,
    words,
    titleHash: titleHashOf(asked),
  }
  return withThesauri(query, thesauri)
}

function titleHashOf(text: string): number {
  let hash = emptyHash
  readWords(text, word => {
    if (word.kind !== 'whole') hash = hashWord(hash, word.text)
  })
  return hash
}

/** Makes the last word a prefix if it may continue. */
function endingOpen(terms: readonly QueryTerm[], text: string): readonly QueryTerm[] {
  const last = terms.at(-1)
  if (
    last === undefined ||
    last.kind === 'pair' ||
    last.kind === 'phrase' ||
    !/[\p{L}\p{N}\p{M}]$/u.test(text)
  )
    return terms
  const words = last.words.map((word, index) =>
    index === last.words.length - 1 ? { ...word, isPrefix: true } : word,
  )
  return [...terms.slice(0, -1), { ...last, words }]
}

/** Words that have to be adjacent. */
function toPhrase(text: string): QueryTerm {
  const words = toQueryWords(wordsWanted(text))
  return toTerm('phrase', words.map(word => word.text).join(' '), words)
}

const toTerm = (
  kind: QueryTerm['kind'],
  text: string,
  words: readonly QueryWord[],
  whole?: string,
): QueryTerm => ({ kind, text, words, whole, weight: 1, isWanted: true, alternatives: [] })

/** The first words of a term that has more. */
function beginningOf(term: QueryTerm, wordsMax: number): QueryTerm {
  if (term.words.length <= wordsMax) return term
  const words = term.words.slice(0, wordsMax)
  return { ...term, text: words.map(word => word.text).join(' '), words, whole: undefined }
}

/** A word of a term by itself. */
export const toWordTerm = (word: QueryWord): QueryTerm => toTerm('word', word.text, [{ ...word, offset: 0 }])

function* plainTerms(text: string): Generator<QueryTerm> {
  // Apostrophes separate words: "l'installation", "the user's".
  for (const chunk of text.split(/[\s'’‘`"“”„«»]+/)) {
    const runs: Word[][] = []
    let whole: Word | undefined
    readWords(chunk, word => {
      if (word.kind === 'whole') whole = word.span > (whole?.span ?? 0) ? word : whole
      else if (runs.at(-1)?.[0]?.kind === word.kind) runs.at(-1)?.push(word)
      else runs.push([word])
    })
    for (const run of runs) {
      if (run[0]?.kind === 'pair') yield* pairTerms(chunk, run)
      else yield wordTerm(run, whole)
    }
  }
}

function wordTerm(run: readonly Word[], whole: Word | undefined): QueryTerm {
  const words = toQueryWords(run)
  const text = words.map(word => word.text).join(' ')
  if (run.length === 1) return toTerm('word', text, words)
  const isWhole = whole?.position === run[0]?.position && whole?.span === run.length
  return toTerm('joined', text, words, isWhole ? whole.text : undefined)
}

function* pairTerms(chunk: string, run: readonly Word[]): Generator<QueryTerm> {
  const pairs = run.filter((word, index) => !isEndOfRun(word, run[index - 1]))
  const weights = weighPairs(chunk, pairs)
  for (const [index, pair] of pairs.entries()) {
    const isSingle = [...pair.text].length === 1
    const word = { ...toQueryWord(pair, 0), isPrefix: isSingle }
    yield { ...toTerm('pair', pair.text, [word]), ...weights[index] }
  }
}
