// What a reader asks for, read once for all languages.

import {
  type Alternative,
  isEndOfRun,
  type QueryWord,
  toQueryWord,
  toQueryWords,
  wordsWanted,
} from './query-words.ts'
import { isUnspacedStopWord } from './stop-words.ts'
import { type Substitution, substitutionsIn, type Thesaurus } from './thesaurus.ts'
import { emptyHash, hashWord } from './title-hash.ts'
import { isUnspaced, readWords, type Word } from './words.ts'

export const QUERY_CHARACTERS_MAX = 512
/** A query with more is a paste; its first words find the page as well. */
export const QUERY_TERMS_MAX = 32
/** Others are looked for in place of so many words; with those that say nothing they are more than the terms. */
const MEANT_WORDS_MAX = 64

/**
 * A wanted thing: a word, a pair of characters of a script without spaces, or several words beside each other:
 * an identifier (`pg_stat_activity`), a compound (`two-factor`), or a phrase in quotes.
 */
export type QueryTerm = {
  readonly kind: 'word' | 'pair' | 'joined' | 'phrase'
  /** Folded; that of words beside each other has blanks between them. */
  readonly text: string
  readonly words: readonly QueryWord[]
  /** Words beside each other as one: `maxconnections`. */
  readonly whole: string | undefined
  /** Below 1 for pairs of characters that belong to two words, or to one that says nothing. */
  readonly weight: number
  /** What else may be meant by it. */
  readonly alternatives: readonly Alternative[]
}

export type Query = {
  readonly text: string
  readonly terms: readonly QueryTerm[]
  /** See `title-hash.ts`. */
  readonly titleHash: number
}

/** What ends a quotation that begins so. */
const QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  '“': '”',
  '„': '“”',
  '«': '»',
  '「': '」',
  '『': '』',
}

type Piece = { readonly text: string; readonly isQuoted: boolean }

/** What stands in quotes and what does not. A quotation that does not end is none: it may still be typed. */
function* piecesOf(text: string): Generator<Piece> {
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
  /** What else words may be met by, beside what the engine knows itself: the glossary of an organization. */
  readonly thesauri?: readonly Thesaurus[]
}

export function parseQuery(text: string, { thesauri = [] }: QueryOptions = {}): Query {
  const asked = text.slice(0, QUERY_CHARACTERS_MAX).toWellFormed()
  const terms = new Map<string, PlainTerm>()
  const substitutions: NamedSubstitution[] = []
  const add = (term: PlainTerm) => {
    const key = `${term.kind === 'phrase' ? '"' : ''}${term.text}`
    if (terms.size < QUERY_TERMS_MAX && term.text !== '' && !terms.has(key)) terms.set(key, term)
  }
  for (const piece of piecesOf(asked)) {
    if (piece.isQuoted) add(toPhrase(piece.text))
    else {
      for (const term of plainTerms(piece.text)) add(term)
      substitutions.push(...namedSubstitutions(piece.text, thesauri))
    }
  }
  const meant = [...terms.values()].map(term => ({
    ...term,
    alternatives: alternativesFor(term, substitutions),
  }))
  return { text: asked, terms: endingOpen(meant, asked), titleHash: titleHashOf(asked) }
}

type PlainTerm = Omit<QueryTerm, 'alternatives'>

type NamedSubstitution = { readonly names: ReadonlySet<string> } & Pick<Substitution, 'alternatives'>

function* namedSubstitutions(text: string, thesauri: readonly Thesaurus[]): Generator<NamedSubstitution> {
  const words = wordsWanted(text).slice(0, MEANT_WORDS_MAX)
  for (const thesaurus of thesauri)
    for (const { from, to, alternatives } of substitutionsIn(thesaurus, words))
      yield { names: new Set(words.slice(from, to).map(word => word.text)), alternatives }
}

/** What stands for several words meets each of them. */
const alternativesFor = (
  { kind, words }: PlainTerm,
  substitutions: readonly NamedSubstitution[],
): Alternative[] =>
  kind === 'phrase'
    ? []
    : substitutions
        .filter(({ names }) => words.every(({ text }) => names.has(text)))
        .flatMap(({ alternatives }) => alternatives)

function titleHashOf(text: string): number {
  let hash = emptyHash
  readWords(text, word => {
    if (word.kind !== 'whole') hash = hashWord(hash, word.text)
  })
  return hash
}

/** Where the last word may go on, it is a prefix. */
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

/** Words that have to stand beside each other. */
function toPhrase(text: string): PlainTerm {
  const words = toQueryWords(wordsWanted(text))
  return {
    kind: 'phrase',
    text: words.map(word => word.text).join(' '),
    words,
    whole: undefined,
    weight: 1,
  }
}

function* plainTerms(text: string): Generator<PlainTerm> {
  // Apostrophes part words: "l'installation", "the user's".
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

function wordTerm(run: readonly Word[], whole: Word | undefined): PlainTerm {
  const first = run[0]!
  const words = run.map(word => toQueryWord(word, word.position - first.position))
  const text = words.map(word => word.text).join(' ')
  if (run.length === 1) return { kind: 'word', text, words, whole: undefined, weight: 1 }
  const isWhole = whole?.position === first.position && whole.span === run.length
  return { kind: 'joined', text, words, whole: isWhole ? whole.text : undefined, weight: 1 }
}

/** Pairs of characters that lie within one word count in full. */
function* pairTerms(chunk: string, run: readonly Word[]): Generator<PlainTerm> {
  const pairs = run.filter((word, index) => !isEndOfRun(word, run[index - 1]))
  const words = unspacedWords(chunk)
  const isWithin = (pair: Word) =>
    words.some(word => word.start <= pair.start && pair.end <= word.end && !word.isStop)
  const hasWords = pairs.some(isWithin)
  for (const pair of pairs) {
    const isSingle = [...pair.text].length === 1
    const weight = !hasWords || isWithin(pair) ? 1 : CROSSING_WEIGHT
    const word = { ...toQueryWord(pair, 0), isPrefix: isSingle }
    yield { kind: 'pair', text: pair.text, words: [word], whole: undefined, weight }
  }
}

const CROSSING_WEIGHT = 0.25

type Cut = { readonly start: number; readonly end: number; readonly isStop: boolean }

// The dictionaries of Chinese, Japanese, Thai, Lao, Khmer and Burmese are the same for every locale.
const SEGMENTER = new Intl.Segmenter('zh', { granularity: 'word' })

const unspacedWords = (text: string): readonly Cut[] =>
  Array.from(SEGMENTER.segment(text), ({ segment, index }) => ({
    start: index,
    end: index + segment.length,
    isStop: !isUnspaced(segment) || isUnspacedStopWord(segment),
  }))
