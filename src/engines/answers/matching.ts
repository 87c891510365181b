// The words of a question that occur in a text.
import type { Analyse, Question, Reading } from './question.ts'

/** How much of each term a text has, by the term's place in the question: 1 for the word itself. */
export type Matched = ReadonlyMap<number, number>

export type Match = (text: string, language: string | null) => Matched

// Words of a long text that are far apart say little together, so a text is read in stretches of this many words.
const STRETCH_WORDS = 25

type KeyPosition = { readonly key: string; readonly at: number }

export function matcher({ terms }: Question, analyse: Analyse): Match {
  const weights = new Map<string, number>()
  for (const { weight, readings } of terms)
    for (const reading of readings)
      for (const keys of reading.words)
        for (const key of keys) {
          const share = (weight * reading.weight) / reading.words.length
          weights.set(key, Math.max(weights.get(key) ?? 0, share))
        }
  const strengthOf = (keys: ReadonlySet<string>, readings: readonly Reading[]): number =>
    readings.reduce(
      (best, { words, weight }) => (weight > best && words.every(word => hasAny(keys, word)) ? weight : best),
      0,
    )
  return (text, language) => {
    const places: KeyPosition[] = []
    let words = 0
    for (const { key } of analyse(text, language)) {
      words += 1
      if (weights.has(key)) places.push({ key, at: words })
    }
    if (places.length === 0) return NONE
    const keys = words <= STRETCH_WORDS ? new Set(places.map(({ key }) => key)) : bestStretch(places, weights)
    const matched = new Map<number, number>()
    for (const [place, { readings }] of terms.entries()) {
      const strength = strengthOf(keys, readings)
      if (strength > 0) matched.set(place, strength)
    }
    return matched
  }
}

function hasAny(keys: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean {
  for (const key of wanted) if (keys.has(key)) return true
  return false
}

const NONE: Matched = new Map()

/** The keys in the stretch that covers most of the question. */
function bestStretch(
  places: readonly KeyPosition[],
  weights: ReadonlyMap<string, number>,
): ReadonlySet<string> {
  const inside = new Map<string, number>()
  let best: ReadonlySet<string> = new Set()
  let most = 0
  let weight = 0
  let first = 0
  for (const { key, at } of places) {
    const count = inside.get(key) ?? 0
    if (count === 0) weight += weights.get(key) ?? 0
    inside.set(key, count + 1)
    for (let passed = places[first]; passed !== undefined && passed.at <= at - STRETCH_WORDS; ) {
      const left = passed.key
      passed = places[++first]
      const rest = (inside.get(left) ?? 1) - 1
      if (rest > 0) inside.set(left, rest)
      else {
        inside.delete(left)
        weight -= weights.get(left) ?? 0
      }
    }
    if (weight <= most) continue
    most = weight
    best = new Set(inside.keys())
  }
  return best
}
