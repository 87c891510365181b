// The stretches of a text that match a query, by the same forms of words as the search.
import { addUnder } from '../../base/lists.ts'
import { withSynonyms } from './alternative-words.ts'
import { type Language, stemsOf } from './language.ts'
import type { Query, QueryTerm } from './query-terms.ts'
import type { QueryWord } from './query-words.ts'
import { alternativesOf, readingAs, readingsOf } from './readings.ts'
import type { RankedPages } from './search.ts'
import { skipWords } from './skip-words.ts'
import { isStopWord } from './stop-words.ts'
import { foldWord, isUnspaced, readWords, type Word } from './word-positions.ts'

export type Stretch = { readonly start: number; readonly end: number }

export type Highlighter = {
  /** The stretches in order; none touches another. */
  mark(text: string): Stretch[]
  /** The start of the first stretch; undefined if there is none. Skips most of a text unread. */
  first(text: string): number | undefined
}

export function highlighter(
  query: Query,
  found: Pick<RankedPages, 'corrections'> | undefined,
  language: Language,
): Highlighter {
  const wanted = wantedTerms(withSynonyms(query, [language]), language).flatMap(term =>
    wantedWords(term, found, language),
  )
  const { initials, beginningWith } = beginningsOf(wanted, language)
  const mark = (text: string): Stretch[] => {
    if (wanted.length === 0) return []
    const words: Word[] = []
    readWords(text, word => words.push(word))
    return merged(text, stretchesIn(words, beginningWith, language))
  }
  return {
    mark,
    first(text) {
      let known: number | undefined
      const skip = (from: number) =>
        skipWords(text, from, initials, (run, at) => {
          const some = beginningWith({ text: foldWord(run), written: run.toLowerCase(), kind: 'word' })
          if (some.some(row => row.length === 1)) known = at
          return some.length > 0
        })
      let length = LOOKED_AT_FIRST
      for (let from = skip(0); from < text.length; ) {
        if (from === known) return from
        const [first] = mark(text.slice(from, lastBlank(text, from + length + OVERLAP_CHARACTERS)))
        if (first !== undefined) return from + first.start
        from = skip(behindWord(text, lastBlank(text, from + length)))
        length = Math.min(2 * length, LOOKED_AT_ONCE)
      }
      return undefined
    },
  }
}

// A text may be long: each portion that is read is twice as long as the last.
const LOOKED_AT_FIRST = 40
const LOOKED_AT_ONCE = 1_200
/** The overlap of two portions, for words that belong together. */
const OVERLAP_CHARACTERS = 100
// How far a cut may move to reach a blank; scripts without blanks are cut where they are.
const SHIFT_CHARACTERS_MAX = 20

const WORDLY = /[\p{L}\p{N}\p{M}_-]/u

/** The end of the word at an index, so that no part of a word is read by itself. */
function behindWord(text: string, index: number): number {
  let end = index
  while (end < text.length && end < index + OVERLAP_CHARACTERS && isInWord(text, end)) end += 1
  return end
}

const isInWord = (text: string, at: number): boolean =>
  WORDLY.test(text.charAt(at)) && !isUnspaced(text.charAt(at))

/** The last blank before an index, if it is near. */
export function lastBlank(text: string, index: number): number {
  if (index >= text.length) return text.length
  const from = Math.max(0, index - SHIFT_CHARACTERS_MAX)
  const blank = text.slice(from, index + 1).lastIndexOf(' ')
  return blank >= 0 ? from + blank : index
}

/** Stop words are marked only if a query has no others. */
function wantedTerms({ terms }: Query, language: Language): readonly QueryTerm[] {
  const telling = terms.filter(
    ({ kind, text, isWanted }) => isWanted && (kind !== 'word' || !isStopWord(text, language)),
  )
  return telling.length > 0 ? telling : terms
}

/** Adjacent words. */
type MatcherSequence = readonly Matcher[]
type Matcher = { readonly word: QueryWord; readonly stems: ReadonlySet<string>; readonly offset: number }

function wantedWords(
  term: QueryTerm,
  found: Pick<RankedPages, 'corrections'> | undefined,
  language: Language,
): MatcherSequence[] {
  const read = found?.corrections.find(({ written }) => written === term.text)?.read ?? []
  const parts = term.kind === 'joined' ? term.words.map(word => [{ ...word, offset: 0 }]) : []
  const readings = [...readingsOf(term), ...read.map(text => readingAs(text, 1)), ...alternativesOf(term)]
  return [
    ...readings.map(({ words, isExact }) => words.map(word => toMatcher(word, isExact, language))),
    ...parts.map(words => words.map(word => toMatcher(word, false, language))),
  ]
}

const toMatcher = (word: QueryWord, isExact: boolean, language: Language): Matcher => ({
  word,
  stems: new Set(isExact ? [] : stemsOf(word.written, language)),
  offset: word.offset,
})

const NONE: readonly MatcherSequence[] = []

type FirstWord = Pick<Word, 'text' | 'written' | 'kind'>

/** Looks up the wanted sequences that begin with a word: most words of a text begin none. */
function beginningsOf(wanted: readonly MatcherSequence[], language: Language) {
  const byText = new Map<string, MatcherSequence[]>()
  const byStem = new Map<string, MatcherSequence[]>()
  const open: { readonly prefix: string; readonly one: MatcherSequence }[] = []
  for (const one of wanted) {
    const [first] = one
    if (first === undefined) continue
    addUnder(byText, first.word.text, one)
    for (const stem of first.stems) addUnder(byStem, stem, one)
    if (first.word.isPrefix) open.push({ prefix: first.word.text, one })
  }
  const find = ({ text, written, kind }: FirstWord): readonly MatcherSequence[] => {
    const found = new Set(byText.get(text))
    for (const { prefix, one } of open) if (text.startsWith(prefix)) found.add(one)
    if (byStem.size > 0 && kind !== 'pair')
      for (const stem of stemsOf(written, language)) for (const one of byStem.get(stem) ?? []) found.add(one)
    return [...found]
  }
  // All forms of a word begin with the same letter. Most words begin with another one, and are skipped.
  const initials = new Set([...byText.keys(), ...byStem.keys()].map(text => text.charCodeAt(0)))
  // The texts of search results have many words in common.
  const known = new Map<string, readonly MatcherSequence[]>()
  const beginningWith = (word: FirstWord): readonly MatcherSequence[] => {
    if (!initials.has(word.text.charCodeAt(0))) return NONE
    const name = word.kind === 'pair' ? ` ${word.text}` : word.written
    const before = known.get(name)
    if (before !== undefined) return before
    const found = find(word)
    known.set(name, found)
    return found
  }
  return { initials, beginningWith }
}

const isMatch = ({ word, stems }: Matcher, { text, written, kind }: Word, language: Language): boolean =>
  text === word.text ||
  (word.isPrefix && text.startsWith(word.text)) ||
  (stems.size > 0 && kind !== 'pair' && stemsOf(written, language).some(stem => stems.has(stem)))

function* stretchesIn(
  words: readonly Word[],
  beginningWith: (word: FirstWord) => readonly MatcherSequence[],
  language: Language,
): Generator<Stretch> {
  for (const [index, first] of words.entries()) {
    for (const [matcher, ...others] of beginningWith(first)) {
      if (matcher === undefined) continue
      let end: number | undefined = first.end
      for (const other of others) {
        end = endOfWordAt(words, index, first.position + other.offset - matcher.offset, other, language)
        if (end === undefined) break
      }
      if (end !== undefined) yield { start: first.start, end }
    }
  }
}

function endOfWordAt(
  words: readonly Word[],
  from: number,
  position: number,
  matcher: Matcher,
  language: Language,
): number | undefined {
  let at = from
  for (let word = words[at]; word !== undefined && word.position <= position; word = words[++at])
    if (word.position === position && isMatch(matcher, word, language)) return word.end
  return undefined
}

/** Joins stretches that overlap, or that only the joints of an identifier separate. */
function merged(text: string, stretches: Iterable<Stretch>): Stretch[] {
  const all: { start: number; end: number }[] = []
  for (const { start, end } of [...stretches].sort(
    (one, other) => one.start - other.start || other.end - one.end,
  )) {
    const last = all.at(-1)
    if (last !== undefined && (start <= last.end || /^[-_]$/.test(text.slice(last.end, start))))
      last.end = Math.max(last.end, end)
    else all.push({ start, end })
  }
  return all
}
