// An answer as a model writes it, sentence by sentence. A sentence is taken over when a section that was given to the
// model supports it, with a link to that section, whichever the model named; every other sentence is left out. Nothing
// of the model's markup but lists, emphasis and code gets through.
import { changeWords, partsOf } from './code-spans.ts'
import { type Evidence, type ReadEvidence, readEvidence } from './evidence.ts'
import { supports, supportsCode } from './support.ts'
import type { TextReader } from './text-reader.ts'

/** What the model writes when the sections do not answer the question. */
export const NOTHING = 'NO_ANSWER'

// What goes on for longer without an end is no sentence.
const LINE_CHARACTERS_MAX = 2_000

// A citation, and the first word of the next sentence: with it the sentence before is known to be over.
const BEGINNING_CHARACTERS_MAX = 20

const FENCE = /^\s*(?:```|~~~)/
/** What a block of code says that it is written in; a line with anything else may be no fence where it is read. */
const FENCE_LANGUAGE = /^\s*(?:```|~~~)([\w+#.-]{1,30})\s*$/
const HEADING = /^\s*#{1,6}\s/
const PREFIX = /^\s*(?:(?:[-*+]|\d{1,3}[.)])\s+|>\s?)?/
const CITATION = /\\[\s\S]|\[(\d{1,3}(?:,\s?\d{1,3})*)\]/g
// After the sentence that they belong to: they are moved in front of its end.
const CITATIONS_AFTER = /([.!?。！？])(\s?)((?:\s?\[\d{1,3}(?:,\s?\d{1,3})*\])+)/g

export class Draft {
  readonly #evidence: readonly ReadEvidence[]
  readonly #reading: TextReader
  readonly #cite: (evidence: number, number: number) => string
  readonly #lines: string[] = []
  /** Places in the evidence, in the order they were first cited. */
  readonly #cited: number[] = []
  #rest = ''
  #fence: string[] | undefined
  /** The line that is being written: what of it is taken over, and where its next sentence begins. */
  #line: { text: string; hasSentence: boolean; isBegun: boolean } = {
    text: '',
    hasSentence: false,
    isBegun: false,
  }
  #dropped = 0
  #saysNothing = false

  /** `cite`: a link to a section, with the number that it is cited by. */
  constructor(
    evidence: readonly Evidence[],
    reading: TextReader,
    cite: (evidence: number, number: number) => string,
  ) {
    this.#evidence = evidence.map(one => readEvidence(one, reading))
    this.#reading = reading
    this.#cite = cite
  }

  /** What was taken over so far. */
  get markdown(): string {
    const line = this.#line.hasSentence ? [this.#line.text] : []
    return [...this.#lines, ...line].join('\n').trim()
  }

  /** Places in the evidence of what is cited. */
  get cited(): readonly number[] {
    return this.#cited
  }

  /** Sentences and blocks of code that nothing supports. */
  get dropped(): number {
    return this.#dropped
  }

  /** The model wrote that the sections do not answer the question. */
  get saysNothing(): boolean {
    return this.#saysNothing
  }

  /** True when more was taken over. */
  add(piece: string): boolean {
    const before = this.#taken
    this.#rest += piece
    this.#sinceEnd = /[\n.!?。！？]/.test(piece) ? 0 : this.#sinceEnd + piece.length
    if (this.#sinceEnd > BEGINNING_CHARACTERS_MAX && this.#rest.length <= LINE_CHARACTERS_MAX) return false
    for (let end = this.#rest.indexOf('\n'); end !== -1; end = this.#rest.indexOf('\n')) {
      this.#addLine(this.#rest.slice(0, end))
      this.#rest = this.#rest.slice(end + 1)
    }
    this.#addSentences()
    if (this.#rest.length > LINE_CHARACTERS_MAX) {
      this.#takeAll(this.#rest)
      this.#rest = ''
    }
    return this.#taken > before
  }

  end(): void {
    this.#addLine(this.#rest)
    this.#rest = ''
    if (this.#fence !== undefined) this.#dropped += 1
    this.#fence = undefined
  }

  #taken = 0
  /** Characters since a sentence may have ended. */
  #sinceEnd = 0

  #addLine(line: string): void {
    if (this.#fence !== undefined) {
      this.#fence.push(line)
      if (FENCE.test(line)) this.#endFence(this.#fence)
      return
    }
    if (FENCE.test(line) && !this.#line.isBegun) {
      this.#fence = [line]
      return
    }
    if (!HEADING.test(line) && line.trim() !== '') this.#takeAll(line)
    this.#endLine(line.trim() === '')
  }

  /** Of a line that is not there whole: a sentence is over when the next one has begun. */
  #addSentences(): void {
    if (this.#fence !== undefined || FENCE.test(this.#rest) || HEADING.test(this.#rest)) return
    const text = withCitationsInside(this.#rest)
    const spans = this.#reading.sentencesOf(text)
    const last = spans.at(-1)
    if (spans.length < 2 || last === undefined || !/^[\p{L}\p{N}`*"“«(]/u.test(text.slice(last.start))) return
    this.#takeAll(text.slice(0, last.start))
    this.#rest = text.slice(last.start)
  }

  #takeAll(text: string): void {
    const prefix = this.#line.isBegun ? '' : (PREFIX.exec(text)?.[0] ?? '')
    if (!this.#line.isBegun) this.#line = { text: prefix, hasSentence: false, isBegun: true }
    const body = withCitationsInside(text.slice(prefix.length))
    if (body.trim().replace(/[.`*]/g, '') === NOTHING) {
      this.#saysNothing = true
      return
    }
    for (const { start, end } of this.#reading.sentencesOf(body)) this.#take(body.slice(start, end))
  }

  #take(sentence: string): void {
    const named: number[] = []
    const withoutCitations = changeWords(sentence, words =>
      words.replace(CITATION, (part, numbers: string | undefined) => {
        if (numbers === undefined) return part
        named.push(...numbers.split(',').map(Number))
        return ''
      }),
    )
    const plain = plainOf(withoutCitations)
    const supporting = this.#findSupport(plain, named)
    if (supporting === undefined) {
      this.#dropped += 1
      return
    }
    const gap = this.#line.hasSentence ? ' ' : ''
    this.#line.text += `${gap}${withoutBlocks(plain)} ${this.#citation(supporting)}`
    this.#line.hasSentence = true
    this.#taken += 1
  }

  /** Those that the model named come first. */
  #findSupport(sentence: string, named: readonly number[]): number | undefined {
    const places = this.#evidence.keys()
    const order = new Set([...named.map(number => number - 1), ...places])
    return [...order].find(place => {
      const evidence = this.#evidence[place]
      return evidence !== undefined && supports(evidence, sentence, this.#reading)
    })
  }

  #citation(place: number): string {
    const known = this.#cited.indexOf(place)
    if (known === -1) this.#cited.push(place)
    return this.#cite(place, known === -1 ? this.#cited.length : known + 1)
  }

  #endFence(lines: readonly string[]): void {
    this.#fence = undefined
    const code = lines.slice(1, -1)
    const place = this.#evidence.findIndex(evidence => supportsCode(evidence, code.join('\n')))
    if (place === -1 || code.every(line => line.trim() === '')) {
      this.#dropped += 1
      return
    }
    const [, language = ''] = FENCE_LANGUAGE.exec(lines[0] ?? '') ?? []
    this.#lines.push(`\`\`\`${language}`, ...code, '```', '', this.#citation(place), '')
    this.#taken += 1
  }

  #endLine(isBlank: boolean): void {
    if (this.#line.hasSentence) this.#lines.push(this.#line.text)
    if (isBlank && this.#lines.length > 0 && this.#lines.at(-1) !== '') this.#lines.push('')
    this.#line = { text: '', hasSentence: false, isBegun: false }
  }
}

/** Links and pictures give their words. */
const withoutLinks = (text: string): string => text.replace(/!?\[([^[\]]{0,500})\]\([^()]{0,2000}\)/g, '$1')

const withCitationsInside = (text: string): string => withoutLinks(text).replace(CITATIONS_AFTER, '$3$1$2')

const MARKUP = /\\[\s\S]|[<[\]]/g

/** Escapes HTML, and brackets that would begin a link or a picture. Code is left as it is in the section. */
const plainOf = (sentence: string): string =>
  changeWords(sentence, words => words.replace(MARKUP, escapeMark))
    .replace(/\s+/g, ' ')
    .replace(/ ([.!?。！？,;:])/g, '$1')
    .trim()

// `&` begins a character reference of `{` (HTML, 13.5).
const BLOCKS =
  /\\[\s\S]|&(?=(?:lcub|lbrace|#0{0,4}123|#[xX]0{0,4}7[bB]);)|(?<=\{)%|(?<=%)\}|\$(?=\$)|(?<=\$)\$/g
/**
 * Between the braces of an expression, which is of the space, the page or the visitor; other double braces are words,
 * as those of Helm and Jinja. Expressions are found after escapes and character references are undone.
 */
const EXPRESSION = /(?<brace>\\?\{)(?=\\?\{\s?(?:(?:space|page|visitor)\\?\.|[a-z]{0,7}&))|\\[\s\S]/g

/** Escapes what would be read as a tag, a formula or an expression. */
const withoutBlocks = (sentence: string): string =>
  Array.from(partsOf(sentence), ({ text, code }) =>
    code === undefined
      ? text
          .replace(BLOCKS, escapeMark)
          .replace(EXPRESSION, (part, brace: string | undefined) =>
            brace === undefined ? part : `${part}<!-- -->`,
          )
      : closedCode(text, code),
  ).join('')

const escapeMark = (part: string): string => (part.length === 1 ? `\\${part}` : part)

/** Even in code `{%` begins a tag where `%}` is behind it. */
function closedCode(part: string, code: string): string {
  if (code.lastIndexOf('{%') <= code.lastIndexOf('%}')) return part
  const words = code
    .replace(/^ (.*) $/, '$1')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('`', '&#96;')
    .replaceAll('{%', '{&#37;')
  return `<code>${words}</code>`
}
