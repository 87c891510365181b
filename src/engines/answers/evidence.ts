// A section that may be cited, read once: its sentences with what each says, and what is named above them.
import { type Clause, clausesOf } from './clauses.ts'
import { dense, denseSentence, termKeysIn } from './marks.ts'
import type { TextReader } from './text-reader.ts'

/** A section that may be cited. */
export type Evidence = {
  readonly title: string
  readonly heading: string
  readonly text: string
  /** The language of its space. */
  readonly language: string | null
}

/** A sentence of the text. `places`: of each key, where it is, and in which clause first. */
export type Unit = {
  readonly dense: string
  readonly clauses: readonly Clause[]
  readonly places: ReadonlyMap<string, Place>
  readonly words: ReadonlySet<string>
  /** Its first telling word; where it begins with a pronoun, that of the sentence before it. */
  readonly subject: string | undefined
  readonly hasPronoun: boolean
}
export type Place = { readonly all: readonly number[]; readonly clause: number }

/** Evidence, read once. */
export type ReadEvidence = {
  readonly language: string | null
  readonly units: readonly Unit[]
  readonly above: ReadonlySet<string>
  readonly terms: ReadonlySet<string>
  /** Without white space, for comparing code. */
  readonly dense: string
  /** The same in small letters, for comparing names. */
  readonly names: string
}

// A long section is read up to here.
const CHARACTERS_MAX = 20_000

export function readEvidence(
  { title, heading, text, language }: Evidence,
  reading: TextReader,
): ReadEvidence {
  const read = text.slice(0, CHARACTERS_MAX)
  const units: Unit[] = []
  for (const line of read.split('\n'))
    for (const { start, end } of reading.sentencesOf(line))
      units.push(toUnit(line.slice(start, end), language, reading, units.at(-1)))
  const whole = `${title}\n${heading}\n${read}`
  const above = [title, heading].flatMap(text => clausesOf(text, language, reading.analyse))
  return {
    language,
    units,
    above: new Set(above.flatMap(({ tokens }) => tokens.map(({ key }) => key))),
    terms: new Set(termKeysIn(whole, language, reading)),
    dense: dense(whole),
    names: dense(whole).toLowerCase(),
  }
}

function toUnit(
  text: string,
  language: string | null,
  { analyse }: TextReader,
  before: Unit | undefined,
): Unit {
  const clauses = clausesOf(text, language, analyse)
  const places = new Map<string, { all: number[]; clause: number }>()
  for (const [clause, { tokens, joints }] of clauses.entries())
    for (const { key, at } of [...tokens, ...joints]) {
      const known = places.get(key)
      if (known === undefined) places.set(key, { all: [at], clause })
      else known.all.push(at)
    }
  const tokens = clauses.flatMap(({ tokens }) => tokens)
  const hasPronoun = PRONOUN.test(text)
  const isPronounFirst = hasPronoun && PRONOUN.test(text.slice(0, BEGINNING_CHARACTERS_MAX))
  return {
    dense: denseSentence(text),
    clauses,
    places,
    words: new Set(tokens.map(({ word }) => word)),
    subject: (isPronounFirst ? before?.subject : undefined) ?? tokens[0]?.key,
    hasPronoun,
  }
}

const BEGINNING_CHARACTERS_MAX = 6
const PRONOUN =
  /(?<!\p{L})(?:it|its|they|them|their|this|that|these|those|he|she|es|er|sie|dies|diese[rsmn]?|il|elle|ils|elles|lo|esto|esta|ello|ellos)(?!\p{L})|它|这|该|これ|それ/iu
