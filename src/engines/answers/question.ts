// What a question asks for: its kind, and the words that a text needs to answer it.
import { askingWordsOf, UNSPACED_ASKING_WORDS } from './asking-words.ts'

/** `word` is the folded word as written; `key` is the same for all its forms. */
export type Term = { readonly word: string; readonly key: string }
/** `language`: the language of the text's space. */
export type Analyse = (text: string, language: string | null) => Iterable<Term>

/** `how`: steps are wanted. `what`: a definition. `where`: a place. `amount`: a number. */
export type QuestionKind = 'how' | 'what' | 'where' | 'amount' | 'other'

/**
 * One way to match a word of the question: a text has all of these words, each under any of its keys. `weight` is below
 * 1 for a different word that is likely meant.
 */
export type Reading = { readonly words: readonly ReadonlySet<string>[]; readonly weight: number }

/** `weight`: how well the word distinguishes texts. */
export type AskedTerm = {
  readonly word: string
  readonly weight: number
  readonly readings: readonly Reading[]
}

export type Question = { readonly kind: QuestionKind; readonly terms: readonly AskedTerm[] }

const KINDS: readonly (readonly [QuestionKind, RegExp])[] = [
  [
    'amount',
    /(?<!\p{L})(?:how (?:long|many|much|often|large|big|wide|high|fast|old)|maximum|minimum|at most|at least|when does|wie (?:lange|viele?|oft|groß)|combien|cuánt[oa]s?|quant[oaie]s?|hoeveel|hur (?:många|mycket|länge)|сколько)(?!\p{L})|多少|多久|多大|多长|几个|几次|几天|最多|最少|至少/iu,
  ],
  [
    'how',
    /^(?:how (?:do|can|to|should|would|does|is|are)|wie (?!viel)|comment|cómo|como|come|hoe|hur|как)(?!\p{L})|如何|怎么|怎样|どうやって|어떻게/iu,
  ],
  [
    'what',
    /^(?:what(?:'s| is| are| does)|was (?:ist|sind)|qu['’]est|que(?:l|lle)?s? (?:es|son|est|sont)|qué|cos['’]|che cosa|o que|wat (?:is|zijn)|vad|что)(?!\p{L})|什么是|是什么|とは|무엇/iu,
  ],
  ['where', /^(?:where|wo|où|dónde|dove|onde|waar|var|где)(?!\p{L})|哪里|在哪|どこ|어디/iu],
]

export const kindOf = (question: string): QuestionKind =>
  KINDS.find(([, pattern]) => pattern.test(question.trim()))?.[0] ?? 'other'

const RUN = /[\p{L}\p{M}\p{N}]+/gu

/** A question without its asking words: empty if it has no others. `fold` folds words as asking words are folded. */
export function askedAbout(question: string, fold: (word: string) => string): string {
  const askingWords = askingWordsOf(Array.from(question.matchAll(RUN), ([run]) => fold(run)))
  const spaced = withWordsApart(question)
  const rest = spaced.replace(RUN, (run, at: number) =>
    askingWords.has(fold(run)) && !isPartOfName(spaced, at, at + run.length) ? ' ' : run,
  )
  return /[\p{L}\p{N}]/u.test(rest) ? rest.trim() : ''
}

/** `on_start`, `is-open` and `app.use` are names. */
const isPartOfName = (text: string, start: number, end: number): boolean =>
  /[_-]/.test(text[start - 1] ?? '') ||
  /[_-]/.test(text[end] ?? '') ||
  (text[start - 1] === '.' && /\S/.test(text[start - 2] ?? '')) ||
  (text[end] === '.' && /[\p{L}\p{N}]/u.test(text[end + 1] ?? ''))

const saysNothing = (word: string): boolean =>
  UNSPACED_ASKING_WORDS.has(word) || [...word].every(character => UNSPACED_ASKING_WORDS.has(character))

const UNSPACED_RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}]+/gu

// It has one dictionary for Chinese and Japanese.
const WORDS = new Intl.Segmenter('zh', { granularity: 'word' })

/**
 * Separates words that are written without spaces, and drops those that say nothing. Words that the dictionary does not
 * know come as single characters: adjacent ones are one word.
 */
const withWordsApart = (text: string): string =>
  text.replace(UNSPACED_RUN, run => {
    const words: string[] = []
    let isOpen = false
    for (const { segment } of WORDS.segment(run)) {
      const isStop = saysNothing(segment)
      const isSingle = segment.length === 1 && !isStop
      if (isSingle && isOpen) words.push(`${words.pop()}${segment}`)
      else if (!isStop) words.push(segment)
      isOpen = isSingle
    }
    const telling = words.filter(word => word.length > 1)
    return ` ${(telling.length > 0 ? telling : words).join(' ')} `
  })
