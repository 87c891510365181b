// Whether a text supports a sentence. The words of the sentence must be close to each other in the text, and what a
// single word can falsify must match exactly: numbers, code, terms, and negation.
import { isAskingWord } from './asking-words.ts'
import { partsOf } from './code-spans.ts'
import type { Analyse } from './question.ts'

/** A section that may be cited. */
export type Evidence = {
  readonly title: string
  readonly heading: string
  readonly text: string
  /** The language of its space. */
  readonly language: string | null
}

/** `sentencesOf`: the places of a paragraph's sentences. `termsIn`: glossary terms, as they are written in a text. */
export type TextReader = {
  readonly analyse: Analyse
  readonly sentencesOf: (text: string) => readonly { readonly start: number; readonly end: number }[]
  readonly termsIn: (text: string) => Iterable<string>
}

type Unit = { readonly keys: ReadonlySet<string>; readonly isDenied: boolean }

/** Evidence, read once. */
export type ReadEvidence = {
  readonly language: string | null
  readonly units: readonly Unit[]
  readonly above: ReadonlySet<string>
  readonly numbers: ReadonlySet<string>
  readonly terms: ReadonlySet<string>
  /** Without white space, for comparing code. */
  readonly dense: string
}

// The share of a claim's words that must be in the same few sentences.
const SHARE_MIN = 0.7
const WINDOW_UNITS = 3
// One word claims nothing.
const KEYS_MIN = 2
// A long section is read up to here.
const CHARACTERS_MAX = 20_000

export function readEvidence(
  { title, heading, text, language }: Evidence,
  reading: TextReader,
): ReadEvidence {
  const read = text.slice(0, CHARACTERS_MAX)
  const units = read
    .split('\n')
    .flatMap(line =>
      reading.sentencesOf(line).map(({ start, end }) => toUnit(line.slice(start, end), language, reading)),
    )
  const whole = `${title}\n${heading}\n${read}`
  return {
    language,
    units,
    above: new Set([...keysOf(title, language, reading), ...keysOf(heading, language, reading)]),
    numbers: new Set(numbersIn(whole)),
    terms: new Set(termKeysIn(whole, language, reading)),
    dense: dense(whole),
  }
}

const toUnit = (text: string, language: string | null, reading: TextReader): Unit => ({
  keys: new Set(keysOf(text, language, reading)),
  isDenied: denies(text),
})

/** Whether the evidence supports a sentence of an answer, which may have code in backticks. */
export function supports(evidence: ReadEvidence, sentence: string, reading: TextReader): boolean {
  if (numbersIn(sentence).some(number => !evidence.numbers.has(number))) return false
  if (codeIn(sentence).some(code => !evidence.dense.includes(dense(code)))) return false
  if (addressesIn(sentence).some(address => !evidence.dense.includes(dense(address)))) return false
  // A term that is translated or paraphrased is not the one in the passage.
  if (termKeysIn(sentence, evidence.language, reading).some(key => !evidence.terms.has(key))) return false
  const claim = toUnit(sentence, evidence.language, reading)
  const { size } = claim.keys
  if (size < KEYS_MIN) return false
  const { units, above } = evidence
  return units.some((unit, at) => {
    const window = units.slice(at, at + WINDOW_UNITS)
    const has = (key: string) => above.has(key) || window.some(({ keys }) => keys.has(key))
    if (count(claim.keys, has) < SHARE_MIN * size) return false
    const closest = window.reduce(
      (best, one) => (shared(one, claim) > shared(best, claim) ? one : best),
      unit,
    )
    return closest.isDenied === claim.isDenied
  })
}

/** Whether every line of a block of code is in the evidence. */
export const supportsCode = (evidence: ReadEvidence, code: string): boolean =>
  code.split('\n').every(line => evidence.dense.includes(dense(line)))

const shared = ({ keys }: Unit, claim: Unit): number => count(claim.keys, key => keys.has(key))

const count = (keys: ReadonlySet<string>, has: (key: string) => boolean): number => {
  let found = 0
  for (const key of keys) if (has(key)) found += 1
  return found
}

function* keysOf(text: string, language: string | null, { analyse }: TextReader): Generator<string> {
  for (const { word, key } of analyse(text, language)) if (!isAskingWord(word)) yield key
}

/** The same for all forms of a term. */
const termKeysIn = (text: string, language: string | null, { analyse, termsIn }: TextReader): string[] =>
  Array.from(termsIn(text), term => Array.from(analyse(term, language), ({ key }) => key).join(' '))

const dense = (text: string): string => text.replace(/\s+/g, '')

const codeIn = (sentence: string): string[] => Array.from(partsOf(sentence), ({ code }) => code ?? '')

/** What programs turn into a link even if it is not written as one. */
const ADDRESS =
  /(?:\b[a-z][a-z\d+.-]{0,20}:\/\/|\bwww\.|\bmailto:|[\w.+-]{1,64}@[\w-]{1,63}\.)[^\s()[\]<>`]+/gi

const addressesIn = (sentence: string): string[] =>
  (sentence.match(ADDRESS) ?? []).map(address => address.replace(/[.,;:!?。，；：！？*_]{1,4}$/, ''))

// Words that also mean something else (`one`, `once`, `dos`) are left out.
const NUMBER_WORDS: ReadonlyMap<string, string> = new Map(
  [
    ['zero', '', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
    ['', '', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun', 'zehn', 'elf', 'zwölf'],
    ['', '', 'deux', 'trois', 'quatre', 'cinq', '', 'sept', 'huit', 'neuf', 'dix', 'onze', 'douze'],
    ['', '', '', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve', 'diez', '', 'doce'],
    ['', '', '两', '三', '四', '五', '六', '七', '八', '九', '十'],
  ].flatMap(words => words.flatMap((word, value) => (word === '' ? [] : [[word, String(value)] as const]))),
)
const NUMBER = /\d+(?:[.,:]\d+)*|\p{L}+/gu
// In text without spaces, a number is inside a run of letters.
const HAN_NUMBER = /[两三四五六七八九十]/g

/** The numbers in a text, in digits. */
const numbersIn = (text: string): string[] => [
  ...(text.toLowerCase().match(NUMBER) ?? []).flatMap(word => {
    if (/^\d/.test(word)) return word
    if (word === 'twice') return '2'
    return NUMBER_WORDS.get(word) ?? []
  }),
  ...(text.match(HAN_NUMBER) ?? []).flatMap(word => NUMBER_WORDS.get(word) ?? []),
]

const DENIAL =
  /(?<!\p{L})(?:not|no|never|none|neither|nor|cannot|without|nicht|keine?[mnrs]?|nie|niemals|ohne|ne|pas|jamais|sans(?! serif)|nunca|sin|non(?!-)|senza|não|nunca|sem|niet|geen|nooit|zonder|inte|aldrig|utan|не|нет|без)(?!\p{L})|n['’]t(?!\p{L})|不|没|无法|未|勿|ない|ません|않/iu

const denies = (text: string): boolean => DENIAL.test(text)
