// What a question asks for: its kind, and the words that a text has to have to answer it.
import { askingWordsOf, UNSPACED_ASKING_WORDS } from './asking-words.ts'

/** How words are told apart: `word` as it is written, folded; `key` is the same for all forms of a word. */
export type Term = { readonly word: string; readonly key: string }
/** `language`: what the space of the text says it is written in. */
export type Analyse = (text: string, language: string | null) => Iterable<Term>

/** `how`: steps are wanted. `what`: a definition. `where`: a place. `amount`: a number. */
export type QuestionKind = 'how' | 'what' | 'where' | 'amount' | 'other'

/** `keys`: those that the word has in any of the languages of what is asked. */
export type AskedTerm = { readonly word: string; readonly keys: ReadonlySet<string> }

export type Question = {
  readonly kind: QuestionKind
  /** The words that are asked about, each once in whatever form, in their order. */
  readonly terms: readonly AskedTerm[]
}

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

/** `languages`: those of the spaces that are asked. */
export function readQuestion(
  text: string,
  languages: readonly (string | null)[],
  analyse: Analyse,
): Question {
  const plain = text.trim()
  const kind = KINDS.find(([, pattern]) => pattern.test(plain))?.[0] ?? 'other'
  const all = termsIn(plain, languages, analyse)
  const askingWords = askingWordsOf(all.map(({ word }) => word))
  const asked = termsIn(withWordsApart(plain), languages, analyse).filter(
    ({ word }) => !askingWords.has(word),
  )
  return { kind, terms: asked.length > 0 ? asked : all }
}

const UNSPACED_RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}]+/gu

// Its dictionary is the same for Chinese and Japanese.
const WORDS = new Intl.Segmenter('zh', { granularity: 'word' })

/**
 * Where words are written without spaces, those that say nothing are left out and the others stand apart. What the
 * dictionary does not know comes as single characters: those beside each other are one word.
 */
const withWordsApart = (text: string): string =>
  text.replace(UNSPACED_RUN, run => {
    const words: string[] = []
    let isOpen = false
    for (const { segment } of WORDS.segment(run)) {
      const isStop = UNSPACED_ASKING_WORDS.has(segment)
      const isSingle = segment.length === 1 && !isStop
      if (isSingle && isOpen) words.push(`${words.pop()}${segment}`)
      else if (!isStop) words.push(segment)
      isOpen = isSingle
    }
    const telling = words.filter(word => word.length > 1)
    return ` ${(telling.length > 0 ? telling : words).join(' ')} `
  })

function termsIn(text: string, languages: readonly (string | null)[], analyse: Analyse): AskedTerm[] {
  const readings = languages.map(language => [...analyse(text, language)])
  const seen = new Set<string>()
  return (readings[0] ?? []).flatMap(({ word }, at) => {
    const keys = new Set(readings.map(reading => (reading[at] as Term).key))
    if ([...keys].every(key => seen.has(key))) return []
    for (const key of keys) seen.add(key)
    return [{ word, keys }]
  })
}
