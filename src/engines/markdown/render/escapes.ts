// Finds words of a line that would be read as markup, and escapes them. Every rule looks at what is around a character:
// `snake_case`, `2 * 3`, `a [note]` and `R&D` stay as they are.
import {
  blockSignAt,
  CHARACTER_REFERENCE,
  decodeReferences,
  FENCE,
  HEADING_ID,
  isEscapable,
  looseFlanksOf,
  matchAt,
  pointAt,
  pointBefore,
  trimEndOf,
} from '../syntax/syntax.ts'
import { partOfAddress, partOfName } from './implicit-markup.ts'
import { KIND, type LineText } from './line-text.ts'

/** What a line is part of: in each, different characters begin a block or end the line. */
export type LineContext = 'paragraph' | 'heading' | 'cell'

/**
 * Emojis, variables and bare addresses are found in text after its escapes are undone, so a backslash does not prevent
 * them. A comment between two characters does, in every Markdown parser.
 */
export const APART = '<!-- -->'

/** The line as Markdown. `hasLabels` says that the page defines links, so that brackets alone may be one. */
export function escapeLine(line: LineText, context: LineContext, hasLabels: boolean): string {
  const marks = new Escapes(line)
  if (context === 'paragraph') marks.lineStarts()
  marks.backslashes()
  marks.emphasis()
  marks.runs('`', 1)
  marks.runs('$', 2)
  marks.brackets(hasLabels)
  marks.tagsAndReferences(context === 'cell')
  marks.found()
  marks.tagsBeforeComments()
  if (context === 'heading') marks.headingEnd()
  // Links without a target may have left white space at an end, and at the beginning it would be indentation.
  const written = trimEndOf(marks.write().replace(/^[ \t]+/, ''))
  return context === 'cell' ? written.replaceAll('|', '\\|') : written
}

type Run = { readonly start: number; readonly end: number; readonly isWords: boolean }

class Escapes {
  readonly #text: string
  readonly #kinds: Uint8Array
  readonly #before = new Map<number, string>()

  constructor({ text, kinds }: LineText) {
    this.#text = text
    this.#kinds = kinds
  }

  #isWord(at: number): boolean {
    const kind = this.#kinds[at]
    return kind === KIND.words || kind === KIND.label
  }

  #escape(at: number): void {
    const before = this.#before.get(at) ?? ''
    if (!before.endsWith('\\')) this.#before.set(at, `${before}\\`)
  }

  /** The text with its escapes. */
  write(): string {
    const pieces: string[] = []
    let from = 0
    for (const [at, before] of [...this.#before].sort(([a], [b]) => a - b)) {
      pieces.push(this.#text.slice(from, at), before)
      from = at
    }
    pieces.push(this.#text.slice(from))
    return pieces.join('')
  }

  /** A backslash stands for itself unless it is before something that it escapes. */
  backslashes(): void {
    const text = this.#text
    for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at + 1)) {
      const next = text[at + 1]
      if (this.#isWord(at) && isEscapable(next)) this.#escape(at)
    }
  }

  /** Runs of one character, each of one kind. */
  *#runsOf(char: string): Generator<Run> {
    const text = this.#text
    let at = text.indexOf(char)
    while (at !== -1) {
      const isWords = this.#isWord(at)
      let end = at + 1
      while (text[end] === char && this.#isWord(end) === isWords) end++
      yield { start: at, end, isWords }
      at = text.indexOf(char, end)
    }
  }

  /** Asterisks, underscores and tildes that could open emphasis which something after them closes, or close it. */
  emphasis(): void {
    for (const char of '*_~') {
      const text = this.#text
      const runs = [...this.#runsOf(char)]
        .filter(run => run.isWords || this.#kinds[run.start] === KIND.delimiter)
        .map(run => ({
          ...run,
          ...looseFlanksOf(char, pointBefore(text, run.start), pointAt(text, run.end)),
          touches: run.isWords && (text[run.start - 1] === char || text[run.end] === char),
        }))
      let closers = runs.filter(run => run.canClose).length
      let openers = 0
      for (const run of runs) {
        if (run.canClose) closers--
        if (run.isWords && (run.touches || (run.canOpen && closers > 0) || (run.canClose && openers > 0)))
          for (let at = run.start; at < run.end; at++) this.#escape(at)
        if (run.canOpen) openers++
      }
    }
  }

  /** Backticks and pairs of dollars that a run of the same length after them would close. */
  runs(char: '`' | '$', least: number): void {
    const lengths = new Set<number>()
    let after = 0
    for (const run of [...this.#runsOf(char)].reverse()) {
      const length = run.end - run.start
      const touches = this.#text[run.start - 1] === char || this.#text[run.end] === char
      if (run.isWords && (touches || (length >= least && lengths.has(length))))
        for (let at = run.start; at < run.end; at++) this.#escape(at)
      // A backslash does not keep a backtick from ending code: in an escaped run, each backtick counts by itself.
      lengths.add(this.#before.has(run.start) ? 1 : length)
      if (this.#text[run.end] === char) lengths.add(1 + after)
      after = length
    }
  }

  /** Brackets that would be a link or a footnote, and those that would end the link around them. */
  brackets(hasLabels: boolean): void {
    const text = this.#text
    let scope: { isLink: boolean; open: number[] } = { isLink: false, open: [] }
    const around: (typeof scope)[] = []
    for (const { index: at } of text.matchAll(/[[\]!(]/g)) {
      const kind = this.#kinds[at]
      if (kind === KIND.linkStart) {
        around.push(scope)
        scope = { isLink: true, open: [] }
        // Words in brackets that begin with a caret would be the name of a footnote.
        if (text[at + 1] === '^' && this.#isWord(at + 1)) this.#escape(at + 1)
      } else if (kind === KIND.linkEnd) {
        for (const open of scope.open) this.#escape(open)
        scope = around.pop() ?? scope
      } else if (!this.#isWord(at)) continue
      else if (text[at] === '[') scope.open.push(at)
      else if (text[at] === '!') {
        if (text[at + 1] === '[' && !this.#isWord(at + 1)) this.#escape(at)
      } else if (text[at] === '(') {
        if (text[at - 1] === ']' && !this.#isWord(at - 1)) this.#escape(at)
      } else {
        const open = scope.open.pop()
        if (open === undefined) {
          if (scope.isLink) this.#escape(at)
          continue
        }
        if (text[at + 1] !== '(' && text[open + 1] !== '^' && !hasLabels) continue
        this.#escape(open)
        // It would be paired with a bracket before it.
        if (scope.isLink || scope.open.length > 0) this.#escape(at)
      }
    }
  }

  /** The comments that keep characters apart can end a tag, too. */
  tagsBeforeComments(): void {
    let last = -1
    for (const [at, before] of this.#before) if (before.startsWith(APART) && at > last) last = at
    if (last !== -1) this.#tags(last)
  }

  /** `<` before what is a tag, if something after it ends that: up to `lastClose`. */
  #tags(lastClose: number): void {
    const text = this.#text
    for (const { index: at } of text.matchAll(/</g)) {
      if (!this.#isWord(at)) continue
      const isStart = at === 0 || text[at - 1] === '\n'
      const isOpen = /[A-Za-z/!?]/.test(text[at + 1] ?? '')
      if ((isOpen && (isStart || at < lastClose)) || matchAt(EMAIL_IN_BRACKETS, text, at)) this.#escape(at)
    }
  }

  /** `<` before what is a tag, `&` before a reference, `{` before a tag of GitBook. */
  tagsAndReferences(hasNeighbours: boolean): void {
    const text = this.#text
    const lastTagEnd = hasNeighbours ? text.length : text.lastIndexOf('%}')
    // Below the first line, the marker of a quote around it can also end a tag.
    this.#tags(Math.max(text.lastIndexOf('>'), text.lastIndexOf('\n')))
    for (const { 0: char, index: at } of text.matchAll(/[&{]/g)) {
      if (!this.#isWord(at)) continue
      if (char === '&') {
        const reference = matchAt(REFERENCE, text, at)?.[0]
        if (reference !== undefined && decodeReferences(reference) !== reference) this.#escape(at)
      } else if (text[at + 1] === '%' && at < lastTagEnd) this.#escape(at + 1)
    }
  }

  /** What is found in text once it is parsed: emojis, variables, and addresses that become links. */
  found(): void {
    const text = this.#text
    const isEscapedAhead = this.#escapedAhead()
    let isLinked = false
    let from = 0
    for (const { index: at } of text.matchAll(/[:{@w]/gi)) {
      for (; from < at; from++)
        if (this.#kinds[from] === KIND.linkStart) isLinked = true
        else if (this.#kinds[from] === KIND.linkEnd) isLinked = false
      if (!this.#isWord(at)) continue
      const isLabel = this.#kinds[at] === KIND.label
      // The words of a label are the same as a link, unless it takes their escapes into its address.
      const isLink = isLinked || (isLabel && !isEscapedAhead(at))
      const part =
        (isLabel ? undefined : partOfName(text, at)) ?? (isLink ? undefined : partOfAddress(text, at))
      if (part !== undefined) this.#before.set(part, APART + (this.#before.get(part) ?? ''))
    }
  }

  /** For places in ascending order: whether anything is escaped between there and the next white space. */
  #escapedAhead(): (at: number) => boolean {
    const places = [...this.#before.keys()].sort((a, b) => a - b)
    const spaces = /\s|$/g
    let next = 0
    let space = -1
    const place = () => places[next] ?? Number.POSITIVE_INFINITY
    return at => {
      while (place() < at) next++
      if (space < at) space = matchAt(spaces, this.#text, at)?.index ?? at
      return place() < space
    }
  }

  /** Words at the start of a line that would begin a block, or turn the line above into a heading. */
  lineStarts(): void {
    let start = 0
    for (const line of this.#text.split('\n')) {
      if (line !== '' && this.#isWord(start)) this.#lineStart(line, start)
      start += line.length + 1
    }
  }

  #lineStart(line: string, start: number): void {
    const isFirst = start === 0
    const run = FENCE.exec(line)
    for (let at = start; at < start + (run?.[0].length ?? 0); at++) if (this.#isWord(at)) this.#escape(at)
    const sign = blockSignAt(line, isFirst)
    if (sign !== undefined) this.#escape(start + sign)
    // The rest of a run after its first character could end emphasis.
    if (sign === 0 && /[*_]/.test(line.charAt(0)))
      for (let at = start + 1; this.#text[at] === line[0] && this.#isWord(at); at++) this.#escape(at)
    if (isFirst && line.startsWith('[') && this.#text.includes(']:')) this.#escape(start)
  }

  /** Number signs at the end of a heading would be taken for its closing sequence, and `{#words}` for its id. */
  headingEnd(): void {
    const text = this.#text
    const id = HEADING_ID.exec(text.trimEnd())?.index
    if (id !== undefined && this.#isWord(id)) this.#escape(id)
    let start = text.length
    while (text[start - 1] === '#') start--
    if (start < text.length && this.#isWord(start) && /^(?:|[ \t])$/.test(text[start - 1] ?? ''))
      this.#escape(start)
  }
}

const REFERENCE = new RegExp(CHARACTER_REFERENCE, 'y')
const EMAIL_IN_BRACKETS = /<[\w.!#$%&'*+/=?^`{|}~-]{1,254}@/y
