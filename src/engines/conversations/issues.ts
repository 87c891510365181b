// What a customer asks for or complains about, in their own sentences. A conversation has one issue, and another one
// each time the customer turns to something else.
import { distinctiveWords } from './common-words.ts'
import { paragraphsOf } from './paragraphs.ts'
import { withoutPrivateWords } from './private-words.ts'

export type Message = { readonly role: 'user' | 'assistant' | 'team-member'; readonly body: string }

export type Issue = {
  readonly title: string
  readonly summary: string
  /** The text by which it is compared with other issues. */
  readonly body: string
}

export const ISSUES_MAX = 5
export const TITLE_CHARACTERS_MAX = 120
export const SUMMARY_CHARACTERS_MAX = 600
export const ISSUE_BODY_CHARACTERS_MAX = 1_200
const SUMMARY_SENTENCES_MAX = 3
const BODY_SENTENCES_MAX = 8
const MESSAGES_MAX = 200

type Sentence = { readonly text: string; readonly strength: number; readonly place: number }
type Topic = { readonly sentences: Sentence[]; readonly words: Set<string> }

/** In the order in which they came up. Empty if the customer said nothing. */
export function issuesOf(subject: string | null, messages: readonly Message[]): Issue[] {
  const named = cleanSubject(subject ?? '')
  const topics: Topic[] = []
  let place = 0
  const said = messages.filter(({ role }) => role === 'user').slice(0, MESSAGES_MAX)
  for (const { body } of said)
    for (const paragraph of paragraphsOf(body))
      addTo(
        topics,
        paragraph.map(text => toSentence(text, place++)),
      )
  const [first] = topics
  if (first === undefined) return named === '' ? [] : [toIssue(named, { sentences: [], words: new Set() })]
  return topics.map((topic, at) => toIssue(at === 0 ? named : '', topic))
}

// A question or complaint with this many words that no earlier issue had begins another issue.
const NEW_WORDS_MIN = 4

/** A paragraph goes to the issue with which it shares words, else to the last; or it begins one. */
function addTo(topics: Topic[], sentences: readonly Sentence[]): void {
  const words = new Set(sentences.flatMap(({ text }) => distinctiveWords(text)).map(stemOf))
  const near = nearest(topics, words)
  const isStrong = sentences.some(({ strength }) => strength >= STRONG)
  const isOther = near.shared === 0 && isStrong && words.size >= NEW_WORDS_MIN
  // Text before the first question belongs to it.
  const isIntroduced = topics.length === 1 && topics[0]?.sentences.every(({ strength }) => strength < STRONG)
  if (topics.length === 0 || (isOther && !isIntroduced && topics.length < ISSUES_MAX)) {
    topics.push({ sentences: [...sentences], words })
    return
  }
  const topic = near.topic ?? topics.at(-1)
  topic?.sentences.push(...sentences)
  for (const word of words) topic?.words.add(word)
}

function nearest(topics: readonly Topic[], words: ReadonlySet<string>): { topic?: Topic; shared: number } {
  let best: { topic?: Topic; shared: number } = { shared: 0 }
  for (const topic of topics) {
    let shared = 0
    for (const word of words) if (topic.words.has(word)) shared += 1
    if (shared > best.shared) best = { topic, shared }
  }
  return best
}

/** Forms of one word mostly begin alike. */
const stemOf = (word: string): string =>
  /^[\p{Script=Latin}\p{Script=Cyrillic}]/u.test(word) ? word.slice(0, 6) : word

const QUESTION = /[?？;]["'”»)]?$|[?？]/
const FAULT =
  /\b(?:error|errors|exception|failed|fails?|failure|broken|crash\p{L}{0,4}|stuck|wrong|bug|timeout|denied|forbidden|invalid|missing|unable|denies|refuse\p{L}?|fehler|kaputt|defekt|fehlgeschlagen|erreur|échoue|échec|panne|error|fallo|falla|errore|guasto|erro|falha|fout|mislukt|fel|trasig|ошибк\p{L}|сбой)\b|\b[45]\d\d\b|\b\p{Lu}[\p{L}\d]{2,40}(?:Error|Exception)\b|\bE[A-Z]{4,12}\b|报错|错误|失败|异常|エラー|失敗|오류|실패/iu
const DENIAL =
  /\b(?:not|no longer|cannot|can't|won't|doesn't|don't|didn't|isn't|never|nicht|kein\p{L}?|pas|plus|jamais|no|nunca|non|não|niet|geen|inte|kan ikke|не|нет|nie)\b|n't\b|不能|无法|没有|不了|不会|ない|できません|ません|안 |못/iu
const WISH =
  /\b(?:how|why|where|what|which|is it possible|would like|need|want|wie|warum|wo|möchte|comment|pourquoi|voudrais|cómo|por qué|quisiera|come|perché|vorrei|como|gostaria|hoe|waarom|hur|varför|как|почему|хочу)\b|如何|怎么|为什么|请问|どう|なぜ|어떻게|왜/iu
const FORMALITY =
  /^(?:thank|thanks|merci|danke|gracias|grazie|obrigad|bedankt|tack|спасибо|谢谢|ありがとう|감사)|hope (?:this|you)|looking forward|any help|appreciate|could you (?:please )?help(?: me)?[?.]?$|let me know/iu
const STRONG = 3

function toSentence(written: string, place: number): Sentence {
  const text = withoutPrivateWords(written)
  const telling = distinctiveWords(text).length
  const strength =
    (QUESTION.test(text) ? 3 : 0) +
    (FAULT.test(text) ? 3 : 0) +
    (DENIAL.test(text) ? 2 : 0) +
    (WISH.test(text) ? 1 : 0) +
    Math.min(telling, 8) / 4 -
    (telling === 0 ? 4 : 0) -
    (FORMALITY.test(text) ? 4 : 0) -
    (text.length > 400 ? 1 : 0)
  return { text, strength, place }
}

/** Stronger first, then in the order of the conversation. */
const byStrength = (a: Sentence, b: Sentence): number => b.strength - a.strength || a.place - b.place
const byPlace = (a: Sentence, b: Sentence): number => a.place - b.place

function toIssue(subject: string, { sentences }: Topic): Issue {
  const best = [...sentences].sort(byStrength)
  const [strongest] = best
  const isTelling = distinctiveWords(subject).length >= 2 || strongest === undefined
  const title = shorten(
    subject !== '' && isTelling ? subject : (strongest?.text ?? subject),
    TITLE_CHARACTERS_MAX,
  )
  const take = (count: number) =>
    best
      .slice(0, count)
      .sort(byPlace)
      .map(({ text }) => text)
      .join(' ')
  const summary = shorten(take(SUMMARY_SENTENCES_MAX), SUMMARY_CHARACTERS_MAX)
  const body = shorten(`${subject}\n${take(BODY_SENTENCES_MAX)}`.trim(), ISSUE_BODY_CHARACTERS_MAX)
  return { title, summary: summary === '' ? title : summary, body: body === '' ? title : body }
}

// Re: AW: [#123] Fwd: …
const PREFIX =
  /^(?:(?:re|aw|antw|sv|vs|fwd?|wg|tr|rv|rif|enc|回复|转发|答复|返信|회신)\s?(?:\[\d{1,4}\])?\s?[:：]|\[[^\]]{1,40}\]|\(?#\d{1,12}\)?)\s{0,5}/iu

function cleanSubject(subject: string): string {
  let text = subject.replaceAll(/\s+/g, ' ').trim().slice(0, 512)
  for (let round = 0; round < 10 && PREFIX.test(text); round++) text = text.replace(PREFIX, '')
  return withoutPrivateWords(text)
}

/** Cut between words. */
export function shorten(text: string, charactersMax: number): string {
  const flat = text.replaceAll(/[^\S\n]+/g, ' ').trim()
  if (flat.length <= charactersMax) return flat
  const cut = flat.slice(0, charactersMax - 1).toWellFormed()
  const space = cut.lastIndexOf(' ')
  return `${(space > charactersMax / 2 ? cut.slice(0, space) : cut).replaceAll('\ufffd', '').trimEnd()}…`
}
