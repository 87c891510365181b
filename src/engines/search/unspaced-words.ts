// Weights for character pairs of queries in scripts without spaces, by the words of a dictionary. Dictionaries differ
// and lack names and terms, so pages are indexed by pairs of characters; the dictionary decides how much each pair of a
// query counts.
import { isEverydayUnspacedWord } from './everyday-words.ts'
import { isUnspacedStopWord } from './stop-words.ts'
import { isUnspaced, type Word } from './word-positions.ts'

/** For a pair that crosses two words, or belongs to one that says nothing. */
const CROSSING_WEIGHT = 0.3
/** For a pair that the dictionary splits, though nothing in the pair says so. */
const JOINT_WEIGHT = 0.4
const EVERYDAY_WEIGHT = 0.4

export type PairWeight = {
  /** At most 1. */
  readonly weight: number
  /** Whether a page should have it. */
  readonly isWanted: boolean
}

/** The weight of each pair of a run within a text: that of the word around it. */
export function weighPairs(text: string, pairs: readonly Word[]): PairWeight[] {
  const words = cutsOf(text)
  const weights = pairs.map(
    pair =>
      words.find(word => word.start <= pair.start && pair.end <= word.end)?.weight ??
      (FUNCTIONAL.test(pair.text) ? CROSSING_WEIGHT : JOINT_WEIGHT),
  )
  const hasWords = weights.some(weight => weight > CROSSING_WEIGHT)
  return weights.map(weight => ({
    weight: hasWords ? weight : 1,
    isWanted: !hasWords || weight > CROSSING_WEIGHT,
  }))
}

/** How many words of such scripts a text has, including those that say nothing. */
export const countUnspacedWords = (text: string): number =>
  cutsOf(text).filter(({ isUnspaced }) => isUnspaced).length

type Cut = {
  readonly start: number
  readonly end: number
  readonly isUnspaced: boolean
  readonly weight: number
}

// The dictionaries of Chinese, Japanese, Thai, Lao, Khmer and Burmese are the same for every locale.
const SEGMENTER = new Intl.Segmenter('zh', { granularity: 'word' })

const cutsOf = (text: string): readonly Cut[] =>
  Array.from(SEGMENTER.segment(text), ({ segment, index }) => ({
    start: index,
    end: index + segment.length,
    isUnspaced: isUnspaced(segment),
    weight: weightOf(segment),
  }))

function weightOf(word: string): number {
  if (!isUnspaced(word) || isUnspacedStopWord(word)) return CROSSING_WEIGHT
  return isEverydayUnspacedWord(word) ? EVERYDAY_WEIGHT : 1
}

// Characters that are more often function words than parts of others: a pair with one of them crosses two words.
const FUNCTIONAL =
  /[的了和与把被让给从在是里到时我你他她它们有没不也都就吗呢吧要会能可这那个之其或及等为对向上下中后前去来很怎么如何哪几多少什做用请想所地得着过还又再并且但则只はがをにでともへのやかられるたてなだしす]/u
