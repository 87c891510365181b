// Texts as sparse vectors of length one: their words, and parts of words, so that forms of a word are similar in any
// language. Rare terms weigh more (TF-IDF). All vectors are in three arrays.

import { uint32At } from '../../base/typed-arrays.ts'
import { distinctiveWords } from './common-words.ts'

export type Vectors = {
  readonly count: number
  readonly terms: number
  /** The terms of text `i` are from `starts[i]` up to before `starts[i + 1]`, the heaviest first. */
  readonly starts: Uint32Array
  readonly ids: Uint32Array
  readonly weights: Float32Array
}

// Per text; the lightest terms are left out.
const TERMS_MAX = 150

/** Takes time in proportion to the texts. */
export function buildVectors(texts: readonly string[]): Vectors {
  const vocabulary = new Vocabulary()
  const counted = texts.map(text => vocabulary.count(text))
  const { entries } = vocabulary
  const rarities = entries.map(entry => rarityOf(entry, texts.length))
  const size = counted.reduce((sum, { length }) => sum + Math.min(length / 2, TERMS_MAX), 0)
  const ids = new Uint32Array(size)
  const weights = new Float32Array(size)
  const starts = new Uint32Array(texts.length + 1)
  let place = 0
  for (const [at, counts] of counted.entries()) {
    for (const [id, weight] of heaviest(counts, entries, rarities)) {
      ids[place] = id
      weights[place] = weight
      place += 1
    }
    starts[at + 1] = place
  }
  const { length: terms } = entries
  return { count: texts.length, terms, starts, ids: ids.slice(0, place), weights: weights.slice(0, place) }
}

/** The ids of the terms of a text, each followed by its count. */
type Counts = Uint32Array

type Term = readonly [id: number, weight: number]

type Entry = { readonly id: number; readonly isPart: boolean; texts: number }

// The beginning of a text says what it is about.
const WORDS_MAX = 120

/** Each term with its number, whether it is a part of a word, and how many texts have it. */
class Vocabulary {
  readonly #entries = new Map<string, Entry>()

  /** In the order of their numbers. */
  get entries(): readonly Entry[] {
    return [...this.#entries.values()]
  }

  count(text: string): Counts {
    const counts = new Map<number, number>()
    for (const word of distinctiveWords(text).slice(0, WORDS_MAX)) {
      this.#add(counts, word, false)
      for (const part of partsOf(word)) this.#add(counts, part, true)
    }
    return Uint32Array.from([...counts].flat())
  }

  #add(counts: Map<number, number>, term: string, isPart: boolean): void {
    const entry = this.#entries.get(term) ?? { id: this.#entries.size, isPart, texts: 0 }
    this.#entries.set(term, entry)
    const count = counts.get(entry.id) ?? 0
    if (count === 0) entry.texts += 1
    counts.set(entry.id, count + 1)
  }
}

const PART_LETTERS = 4

/** Each run of four letters in a longer word; runs at its ends are marked. */
function* partsOf(word: string): Generator<string> {
  if (word.length < PART_LETTERS) return
  const framed = `^${word}$`
  for (let at = 0; at + PART_LETTERS <= framed.length; at++) yield `~${framed.slice(at, at + PART_LETTERS)}`
}

// A part of a word says less than the word.
const PART_WEIGHT = 0.5
// A term in a larger share of texts says nothing; with few texts, each word may still be a topic.
const SHARE_MAX = 0.5
const TEXTS_OF_TERM_MIN = 8
const IDF_MIN = 0.1

/** The weight of a term that a text has once. */
function rarityOf({ texts, isPart }: Entry, count: number): number {
  if (texts > Math.max(TEXTS_OF_TERM_MIN, SHARE_MAX * count)) return 0
  return Math.max(IDF_MIN, Math.log((count + 1) / (texts + 0.5))) * (isPart ? PART_WEIGHT : 1)
}

/** The heaviest terms of a vector of length one. Terms of this text alone count for the length, but are left out. */
function heaviest(counts: Counts, entries: readonly Entry[], rarities: readonly number[]): Term[] {
  const terms: Term[] = []
  let square = 0
  for (let at = 0; at < counts.length; at += 2) {
    const id = uint32At(counts, at)
    const weight = (1 + Math.log(uint32At(counts, at + 1))) * (rarities[id] ?? 0)
    square += weight * weight
    if (weight > 0 && (entries[id]?.texts ?? 0) > 1) terms.push([id, weight])
  }
  const length = Math.sqrt(square)
  return terms
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, TERMS_MAX)
    .map(([id, weight]) => [id, weight / length])
}
