// Short support questions whose topics are known. A topic is a page of real documentation: its questions are made of
// sentences of that page, put into the words that customers begin and end with. They are made when they are needed, so
// that nothing of the documentation is kept here.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../measure.ts'

export type Labelled = { readonly text: string; readonly topic: number }

const CORPUS = join(ROOT, '../shared/corpus')
export const isCorpusThere = (): boolean => existsSync(CORPUS)

const SOURCES = [
  { folder: 'beefree-sdk-docs', topics: 28, sentence: /[^.!?]{40,180}[.!?]/g, language: 'en' },
  { folder: 'dify-docs-zh', topics: 12, sentence: /[^。！？\n]{14,80}[。！？]/g, language: 'zh' },
] as const
type Language = (typeof SOURCES)[number]['language']

const QUESTIONS_PER_TOPIC_MIN = 20
const QUESTIONS_PER_TOPIC_MAX = 45
const SENTENCES_MIN = 24

const OPENINGS: Readonly<Record<Language, readonly string[]>> = {
  en: [
    ...['', '', 'Hi, ', 'Hello team, ', 'Good morning. ', 'Quick question: ', 'Not sure if this is a bug: '],
    ...['Could you help me understand this? ', 'I read that ', 'Your documentation says: ', 'We need this: '],
    ...['It does not work for us: ', 'How exactly does it work that ', 'Our customer complains. '],
  ],
  zh: [
    '',
    '',
    '您好，',
    '请问，',
    '你好，我想问一下：',
    '文档里说：',
    '我们这边不行：',
    '有个问题：',
    '不太明白，',
  ],
}
const ENDINGS: Readonly<Record<Language, readonly string[]>> = {
  en: [
    ...['', '', ' Is that right?', ' How do I do that?', ' It fails with an error for me.', ' Thanks!'],
    ...[
      ' Can you explain?',
      ' We are on the latest version.',
      ' What are we doing wrong?',
      ' Please advise.',
    ],
  ],
  zh: [
    '',
    '',
    ' 谢谢！',
    ' 应该怎么做？',
    ' 是这样吗？',
    ' 麻烦帮忙看一下。',
    ' 一直报错。',
    ' 请尽快回复。',
  ],
}

/** Draws numbers of 0 to 1, the same for the same seed (mulberry32). */
export function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function shuffled<T>(values: readonly T[], seed: number): T[] {
  const next = dice(seed)
  const copy = [...values]
  for (let at = copy.length - 1; at > 0; at--) {
    const other = Math.floor(next() * (at + 1))
    const value = copy[at] as T
    copy[at] = copy[other] as T
    copy[other] = value
  }
  return copy
}

/** Questions in 40 topics, 20 to 45 of each, in the order of their topics; `per` makes so many of each instead. */
export function labelledQuestions(seed: number, per?: number): Labelled[] {
  const next = dice(seed)
  const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T
  const questions: Labelled[] = []
  let topic = 0
  for (const { language, ...source } of SOURCES) {
    for (const sentences of topicsOf(source)) {
      const span = QUESTIONS_PER_TOPIC_MAX - QUESTIONS_PER_TOPIC_MIN
      const count = per ?? QUESTIONS_PER_TOPIC_MIN + Math.floor(next() * (span + 1))
      const pool = shuffled(sentences, seed + topic)
      for (let at = 0; at < count; at++) {
        const sentence = pool[at % pool.length] as string
        // Some say more than one thing.
        const more = next() < 0.25 ? ` ${pick(sentences)}` : ''
        questions.push({
          text: `${pick(OPENINGS[language])}${sentence}${more}${pick(ENDINGS[language])}`,
          topic,
        })
      }
      topic += 1
    }
  }
  return questions
}

/** The sentences of pages that have enough of them, of as different folders as there are. */
function topicsOf({ folder, topics, sentence }: Omit<(typeof SOURCES)[number], 'language'>): string[][] {
  const pages = globSync('**/*.md', { cwd: join(CORPUS, folder) })
    .filter(path => !/SUMMARY|ATTRIBUTION|LICENSE|change-log|videos\/|(?:^|\/)README\.md$/.test(path))
    .sort()
    .map(path => ({
      path,
      sentences: sentencesIn(readFileSync(join(CORPUS, folder, path), 'utf8'), sentence),
    }))
    .filter(({ sentences }) => sentences.length >= SENTENCES_MIN)
  const step = Math.max(1, pages.length / topics)
  return Array.from({ length: topics }, (_, at) => pages[Math.floor(at * step)]?.sentences ?? []).filter(
    ({ length }) => length > 0,
  )
}

function sentencesIn(markdown: string, sentence: RegExp): string[] {
  const prose = markdown
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replaceAll(/```[\s\S]*?```/g, '\n')
    .replaceAll(/\{%[^%]*%\}|<[^>]*>|^\|.*$|^#.*$/gm, '\n')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_`>]/g, '')
  const found = prose
    .split(/\n{2,}|\n(?=[-*\d])/)
    .flatMap(paragraph => paragraph.replaceAll(/\s+/g, ' ').match(sentence) ?? [])
    .map(one => one.replace(/^[\s\-–•\d.)]+/, '').trim())
  return [...new Set(found)].filter(one => one.length >= 14)
}
