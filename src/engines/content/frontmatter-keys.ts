// The source of a YAML map, cut at its top-level keys. Each key has its lines and the comments directly above it, byte
// for byte; joined, the parts are the source.

export type KeyPart = {
  /** The blank lines before it. */
  readonly before: string
  readonly text: string
}

export type KeyParts = {
  /** In their order: the keys, and comments that are followed by a blank line or by no key. */
  readonly parts: ReadonlyMap<string, KeyPart>
  /** The blank lines at the end. */
  readonly after: string
}

const KEY_PREFIX = '.'
/** The name of a key by its id; undefined for comments. */
export const nameOfKey = (id: string): string | undefined =>
  id.startsWith(KEY_PREFIX) ? id.slice(KEY_PREFIX.length) : undefined

/** Undefined for what is no plain map of unique keys, one below the other without indentation. */
export function cutKeys(yaml: string): KeyParts | undefined {
  const cutter = new Cutter()
  const lines = yaml.split(/(?<=\n)/)
  return lines.every(line => cutter.add(line)) && cutter.isClosed ? cutter.end() : undefined
}

class Cutter {
  readonly #parts = new Map<string, { before: string; text: string }>()
  /** Blank lines and comments of which it is not known yet what they belong to. */
  #waiting: string[] = []
  #last: { text: string } | undefined
  /** The sign that has to follow in the lines of the last key. */
  #closing: string | undefined
  readonly #comments = new Map<string, number>()

  /** False for a line that cannot be cut. */
  add(line: string): boolean {
    const words = line.trim()
    if (words === '' || line.startsWith('#')) {
      this.#waiting.push(line)
      return true
    }
    if (words.includes('\r') || ANCHOR.test(line) || KEEPING.test(line)) return false
    return /^(?:[ \t]|-\s)/.test(line) ? this.#continue(line) : this.#begin(line, words)
  }

  get isClosed(): boolean {
    return this.#closing === undefined
  }

  /** Comments and blank lines within a value belong to it. */
  #continue(line: string): boolean {
    if (this.#last === undefined) return false
    this.#last.text += this.#waiting.join('') + line
    this.#waiting = []
    if (this.#closing !== undefined && line.includes(this.#closing)) this.#closing = undefined
    return true
  }

  #begin(line: string, words: string): boolean {
    const colon = words.search(KEY_END)
    const name = colon === -1 ? undefined : nameOf(words.slice(0, colon).trimEnd())
    if (name === undefined || this.#parts.has(KEY_PREFIX + name) || !this.isClosed) return false
    const value = words.slice(colon + 1).trimStart()
    const closing = CLOSING[value.charAt(0)]
    this.#closing = closing !== undefined && value.includes(closing, 1) ? undefined : closing
    const { before, comments } = this.#takeWaiting()
    const part = { before, text: comments + line }
    this.#parts.set(KEY_PREFIX + name, part)
    this.#last = part
    return true
  }

  /** Adds comments with a blank line below them, and returns those without one. */
  #takeWaiting(): { before: string; comments: string } {
    let [before, comments] = ['', '']
    for (const line of this.#waiting) {
      if (line.trim() !== '') comments += line
      else if (comments === '') before += line
      else {
        this.#addComments(before, comments)
        before = line
        comments = ''
      }
    }
    this.#waiting = []
    return { before, comments }
  }

  /** Comments are known by their text, and how often it came before. */
  #addComments(before: string, text: string): void {
    const nth = this.#comments.get(text) ?? 0
    this.#comments.set(text, nth + 1)
    this.#parts.set(`#${nth}${text}`, { before, text })
  }

  end(): KeyParts {
    const { before, comments } = this.#takeWaiting()
    if (comments === '') return { parts: this.#parts, after: before }
    this.#addComments(before, comments)
    return { parts: this.#parts, after: '' }
  }
}

const KEY_END = /:(?:\s|$)/

// What has an anchor or an alias cannot be cut: a value may be written at another key.
const ANCHOR = /(?:^|[:\-?[{,])[ \t]*[&*][^\s]/
// The header of a block whose value has the blank lines below it. Cut by key, these would stay where the next key was.
const KEEPING = /\s[|>]\d?\+\d?(?:\s|$)/
const CLOSING: Readonly<Record<string, string>> = { '"': '"', "'": "'", '[': ']', '{': '}' }
/** The signs with which no plain key begins. */
const INDICATORS = new Set('-?:,[]{}#&*!|>%@`')

/** The name that is written as this key; undefined for none, or for one with escapes. */
function nameOf(key: string): string | undefined {
  const [first = ''] = key
  if (first === '"' || first === "'") {
    const name = key.slice(1, -1)
    return key.length > 1 && key.endsWith(first) && !/["'\\]/.test(name) ? name : undefined
  }
  return first === '' || INDICATORS.has(first) || key.includes(' #') ? undefined : key
}
