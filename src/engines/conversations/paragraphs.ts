// The paragraphs and sentences of a message: its own words, as a customer wrote them.
import { htmlToText, isHtml } from './html-text.ts'
import { ownLines } from './mail.ts'
import { markdownToText } from './markdown-text.ts'

/** Its sentences, in order. */
export type Paragraph = readonly string[]

// A longer email says what it is about at the beginning.
const BODY_CHARACTERS_MAX = 100_000
const SENTENCES_MAX = 200

export function paragraphsOf(body: string): Paragraph[] {
  const read = body.slice(0, BODY_CHARACTERS_MAX)
  const lines = ownLines(isHtml(read) ? htmlToText(read) : markdownToText(read))
  const paragraphs: string[][] = []
  let current: string[] = []
  const close = () => {
    const sentences = sentencesIn(current)
    if (sentences.length > 0) paragraphs.push(sentences)
    current = []
  }
  for (const line of lines) {
    if (line === '' || ITEM.test(line)) close()
    if (line !== '') current.push(line.replace(ITEM, ''))
  }
  close()
  let left = SENTENCES_MAX
  return paragraphs.flatMap(sentences => {
    const taken = sentences.slice(0, left)
    left -= taken.length
    return taken.length === 0 ? [] : [taken]
  })
}

const ITEM = /^(?:[-*•–]|\d{1,2}[.)]) +/

/** Rejoins lines that an email program broke; a line that is not prose stays a line. */
function sentencesIn(lines: readonly string[]): string[] {
  const joined: string[] = []
  for (const line of lines) {
    const last = joined.at(-1)
    const goesOn = /^\p{Ll}/u.test(line) || (last?.length ?? 0) >= BROKEN_CHARACTERS_MIN
    if (last !== undefined && goesOn && !/[.!?:;。！？：]$/.test(last))
      joined[joined.length - 1] = `${last} ${line}`
    else joined.push(line)
  }
  return joined.flatMap(splitSentences)
}
const BROKEN_CHARACTERS_MIN = 50

const SENTENCE_END = /(?<![.!?…])[.!?…]+["'”»)]?(?=\s)|(?<![。！？])[。！？]+[」』”]?/gu

function splitSentences(text: string): string[] {
  const sentences: string[] = []
  let from = 0
  for (const { 0: mark, index } of text.matchAll(SENTENCE_END)) {
    const to = index + mark.length
    // "e.g. this", "Dr. No", "v. 2": no sentence begins with a small letter, or ends after a word this short.
    if (/^\s\p{Ll}/u.test(text.slice(to, to + 2)) || (mark === '.' && index - from < 3)) continue
    sentences.push(text.slice(from, to).trim())
    from = to
  }
  sentences.push(text.slice(from).trim())
  return sentences.filter(sentence => /[\p{L}\p{N}]/u.test(sentence))
}
