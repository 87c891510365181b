// Groups of synonymous wordings: a search for one of them finds the others.
import { type Language, stemsOf } from './language.ts'
import { type Alternative, toQueryWords, wordsWanted } from './query-words.ts'
import type { Word } from './word-positions.ts'

/** One or several words of a language. */
export type Wording = { readonly text: string; readonly language: Language }

/** A value that can be kept and used for any number of queries. */
export type Thesaurus = {
  /** Keyed by the stems of a wording. */
  readonly alternatives: ReadonlyMap<string, readonly Alternative[]>
  readonly languages: readonly Language[]
  /** The number of words in the longest wording that begins with a word, by its stem. */
  readonly longest: ReadonlyMap<string, number>
}

/** A range of words of a query, and its alternatives. */
export type Substitution = {
  readonly from: number
  readonly to: number
  readonly alternatives: readonly Alternative[]
}

/** Anything longer is a sentence. */
const WORDING_WORDS_MAX = 8
/** Each one is searched for. */
const ALTERNATIVES_MAX = 16

/**
 * The wordings of a group mean the same. `weight`: how much a page with another wording counts, relative to one with
 * the written wording, above 0 and at most 1. `most`: the number of alternatives that are kept for one wording.
 */
export function thesaurusOf(
  groups: Iterable<readonly Wording[]>,
  weight: number,
  most = ALTERNATIVES_MAX,
): Thesaurus {
  const steps = thesaurusSteps(groups, weight, most)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** The same, one step for each group: other work may run between them. */
export function* thesaurusSteps(
  groups: Iterable<readonly Wording[]>,
  weight: number,
  most = ALTERNATIVES_MAX,
): Generator<void, Thesaurus> {
  const alternatives = new Map<string, Alternative[]>()
  const longest = new Map<string, number>()
  const languages = new Set<Language>()
  for (const group of groups) {
    const read = group.flatMap(({ text, language }) => {
      const words = wordsWanted(text)
      const [first] = words
      if (first === undefined || words.length > WORDING_WORDS_MAX) return []
      return { first, words, language, alternative: { words: toQueryWords(words), weight } }
    })
    for (const { first, words, language } of read) {
      languages.add(language)
      for (const stem of stemsAt(first, language))
        longest.set(stem, Math.max(longest.get(stem) ?? 0, words.length))
      const others = read.filter(other => !isWrittenAlike(words, other.words))
      for (const key of keysOf(words, language)) {
        const known = alternatives.get(key) ?? []
        alternatives.set(key, known)
        for (const { words: other, alternative } of others)
          if (known.length < most && !known.some(one => isWrittenAlike(other, one.words)))
            known.push(alternative)
      }
    }
    yield
  }
  return { alternatives, languages: [...languages], longest }
}

type WordText = { readonly text: string }

const isWrittenAlike = (words: readonly WordText[], others: readonly WordText[]): boolean =>
  words.length === others.length && words.every(({ text }, index) => text === others[index]?.text)

/** With the accents of the words and without them. */
const keysOf = (words: readonly Word[], language: Language): ReadonlySet<string> =>
  new Set([0, -1].map(which => words.map(word => stemAt(word, language, which)).join(' ')))

const stemsAt = (word: Word, language: Language): ReadonlySet<string> =>
  new Set([0, -1].map(which => stemAt(word, language, which)))

const stemAt = (word: Word, language: Language, which: number): string =>
  `${language} ${stemsOf(word.written, language).at(which) ?? word.text}`

/** The entries for a row of words; the longest wording wins at each word. */
export function* substitutionsIn(thesaurus: Thesaurus, words: readonly Word[]): Generator<Substitution> {
  for (let from = 0; from < words.length; ) {
    const found = longestAt(thesaurus, words, from)
    if (found !== undefined) yield found
    from = found?.to ?? from + 1
  }
}

function longestAt(
  { alternatives, languages, longest }: Thesaurus,
  words: readonly Word[],
  from: number,
): Substitution | undefined {
  const first = words[from]
  if (first === undefined) return undefined
  // Most words do not begin a wording: what follows them is not looked up.
  const beginning = languages.flatMap(language => {
    const most = Math.max(...Array.from(stemsAt(first, language), stem => longest.get(stem) ?? 0))
    return most === 0 ? [] : [{ language, most }]
  })
  const most = Math.max(0, ...beginning.map(one => one.most))
  for (let to = Math.min(words.length, from + most); to > from; to--) {
    const asked = words.slice(from, to)
    const keys = new Set(beginning.flatMap(({ language }) => [...keysOf(asked, language)]))
    const found = [...keys].flatMap(key => alternatives.get(key) ?? [])
    if (found.length > 0) return { from, to, alternatives: found.slice(0, ALTERNATIVES_MAX) }
  }
  return undefined
}
