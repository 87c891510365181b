// Questions that the documentation answers, made of its headings.

/** A heading with the language of its space, if the space has one. */
export type Topic = { readonly heading: string; readonly language: string | null }

const HEADING_CHARACTERS_MAX = 90
const HEADING_CHARACTERS_MIN = 2

// Headings that many pages have say nothing by themselves.
const GENERIC =
  /^(?:overview|introduction|intro|summary|examples?|notes?|parameters?|request|response|requests|responses|details|steps|usage|description|prerequisites|requirements|next steps|see also|related.*|conclusion|reference|faqs?|resources|contents?|table of contents|before you begin|getting started|important|tips?|warning|syntax|options|properties|fields|schema|errors?|changelog|other|general|概述|介绍|简介|示例|参数|说明|总结|前言|注意|注意事项|步骤|目录|常见问题|更新日志|其他|einleitung|übersicht|beispiele?)$/iu

const HAN = /\p{Script=Han}/u
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const HANGUL = /\p{Script=Hangul}/u
const CYRILLIC = /\p{Script=Cyrillic}/u

const IMPERATIVE =
  /^(?:set up|add|allow|apply|assign|authenticate|build|call|change|check|choose|clear|clone|configure|connect|convert|copy|create|customize|customise|debug|define|delete|deploy|disable|display|download|edit|embed|enable|export|fetch|filter|generate|get|handle|hide|implement|import|initialize|initialise|insert|install|integrate|invite|limit|list|load|lock|log|manage|map|merge|migrate|monitor|move|obtain|open|override|pass|prevent|preview|publish|query|remove|rename|render|replace|reset|restore|restrict|retrieve|revoke|run|save|schedule|search|secure|select|send|share|show|start|stop|store|style|submit|switch|sync|test|track|translate|trigger|uninstall|update|upgrade|upload|use|validate|verify|view|write) (?!.*\?$)/i
const GERUND =
  /^(?:(?!string|thing|setting|pricing|billing|warning|nothing|anything|everything|meeting|heading|padding|spacing|routing|caching|logging|hosting|onboarding)[a-z]{2,})ing (?=\S)/i

const ABOUT_ENGLISH = (name: string): string => `What should I know about “${name}”?`

/** A question about a heading that is a name, by language. */
const ABOUT: Readonly<Record<string, (name: string) => string>> = {
  en: ABOUT_ENGLISH,
  de: name => `Was sollte ich über „${name}“ wissen?`,
  fr: name => `Que faut-il savoir sur « ${name} » ?`,
  es: name => `¿Qué debo saber sobre «${name}»?`,
  it: name => `Che cosa c’è da sapere su «${name}»?`,
  pt: name => `O que devo saber sobre “${name}”?`,
  nl: name => `Wat moet ik weten over ‘${name}’?`,
  sv: name => `Vad bör jag veta om ”${name}”?`,
  ru: name => `Что нужно знать о «${name}»?`,
  zh: name => `关于“${name}”，文档是怎么说的？`,
  ja: name => `「${name}」について教えてください。`,
  ko: name => `“${name}”에 대해 알려 주세요.`,
}

/** Undefined for a heading that does not make a question. */
export function toQuestion({ heading, language }: Topic): string | undefined {
  const name = withoutNumber(heading).replace(/\s+/g, ' ').trim()
  if (name.length > HEADING_CHARACTERS_MAX || name.length < HEADING_CHARACTERS_MIN) return undefined
  if (!/\p{L}{2}|\p{Script=Han}/u.test(name) || GENERIC.test(name.replace(/[:：.]$/, ''))) return undefined
  if (/[?？]$/.test(name)) return name
  const plain = name.replace(/[:：.。]$/, '')
  const of = languageOf(plain, language)
  if (of === 'zh' && /^(?:如何|怎么|怎样|什么是|为什么)/.test(plain)) return `${plain}？`
  if (of === 'en') {
    const how = /^how to (.+)$/i.exec(plain)?.[1]
    if (how !== undefined) return `How do I ${startLow(how)}?`
    if (IMPERATIVE.test(`${plain} `)) return `How do I ${startLow(plain)}?`
    if (GERUND.test(plain)) return `How does ${startLow(plain)} work?`
  }
  return (ABOUT[of] ?? ABOUT_ENGLISH)(plain)
}

function languageOf(text: string, language: string | null): string {
  if (KANA.test(text)) return 'ja'
  if (HANGUL.test(text)) return 'ko'
  if (HAN.test(text)) return language?.startsWith('ja') === true ? 'ja' : 'zh'
  if (CYRILLIC.test(text)) return 'ru'
  const named = language?.slice(0, 2) ?? 'en'
  return Object.hasOwn(ABOUT, named) && !/^(?:zh|ja|ko|ru)$/.test(named) ? named : 'en'
}

const withoutNumber = (heading: string): string =>
  heading
    .replace(/^(?:\p{Extended_Pictographic}|\u{fe0f}|\u{200d}|\s)+/u, '')
    .replace(/^(?:step )?\d{1,3}(?:\.\d{1,3}){0,4}[.):：]?\s+/i, '')

/** Lowers only a capital that the word has for being first; `API` and `JavaScript` stay. */
const startLow = (text: string): string =>
  /^[A-Z][a-z]+(?![A-Za-z])/.test(text) ? `${text[0]?.toLowerCase()}${text.slice(1)}` : text
