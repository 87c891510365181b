// Filters and paths of SCIM (RFC 7644 §3.4.2.2 and §3.5.2), as values. Everything is bounded: the text by its length,
// the tree by its levels and comparisons.

/** `uri`: of the schema, as written; null if the attribute is named alone. Names are as written: compare without case. */
export type AttributePath = {
  readonly uri: string | null
  readonly name: string
  readonly sub: string | null
}

export type Operator = (typeof OPERATORS)[number]
export type Comparand = string | number | boolean | null

export type Filter =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly kind: 'not'; readonly filter: Filter }
  | {
      readonly kind: 'compare'
      readonly path: AttributePath
      readonly operator: Operator
      readonly value: Comparand
    }
  | { readonly kind: 'present'; readonly path: AttributePath }
  /** `emails[type eq "work"]`: an element of the attribute that matches. */
  | { readonly kind: 'element'; readonly path: AttributePath; readonly filter: Filter }

/** The target of a change: `name.familyName`, `emails[type eq "work"].value`. */
export type PatchPath = {
  readonly attribute: AttributePath
  readonly filter: Filter | null
  /** Of the elements that the filter chooses. */
  readonly sub: string | null
}

/** What was read, or what is wrong with it, in a sentence. */
export type Parsed<Value> = { readonly value: Value } | { readonly problem: string }

export const FILTER_CHARACTERS_MAX = 4096
export const FILTER_LEVELS_MAX = 16
export const FILTER_COMPARISONS_MAX = 64

const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const

export const parseFilter = (text: string): Parsed<Filter> =>
  parse(text, reader => {
    const filter = reader.alternatives(0)
    reader.end()
    return filter
  })

export const parsePath = (text: string): Parsed<PatchPath> =>
  parse(text, reader => {
    const path = reader.path()
    reader.end()
    return path
  })

function parse<Value>(text: string, read: (reader: Reader) => Value): Parsed<Value> {
  if (text.length > FILTER_CHARACTERS_MAX)
    return { problem: `it has more than ${FILTER_CHARACTERS_MAX} characters` }
  try {
    return { value: read(new Reader(tokensOf(text))) }
  } catch (error) {
    if (error instanceof Problem) return { problem: error.message }
    throw error
  }
}

/** Leaves the recursive reader; never leaves this file. */
class Problem extends Error {}

type Token = {
  readonly kind: 'word' | 'text' | 'sign' | 'end'
  readonly text: string
  /** Counted from 1. */
  readonly at: number
}

const SPACE = /[ \t]+/y
// An attribute with its schema, an operator, a number, or true, false and null.
const WORD = /[A-Za-z0-9$+\-_.:/%~]+/y
// RFC 8259 §7.
const TEXT = /"(?:[^"\\\u0000-\u001f]|\\["\\/bfnrt]|\\u[0-9A-Fa-f]{4})*"/y
const SIGN = /[()[\]]/y

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) at += found.length
    return found
  }
  for (;;) {
    take(SPACE)
    const start = at + 1
    if (at === text.length) {
      tokens.push({ kind: 'end', text: 'the end', at: start })
      return tokens
    }
    const sign = take(SIGN)
    const word = sign === undefined ? take(WORD) : undefined
    const quoted = sign === undefined && word === undefined ? take(TEXT) : undefined
    if (sign !== undefined) tokens.push({ kind: 'sign', text: sign, at: start })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word, at: start })
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted, at: start })
    else if (text[at] === '"')
      throw new Problem(`the text that begins at character ${start} is not one of JSON, or does not end`)
    else throw new Problem(`character ${start} belongs to no filter`)
  }
}

// An attribute of RFC 7643 §2.1, and `$ref`.
const NAME = '[A-Za-z$][A-Za-z0-9_-]*'
const ATTRIBUTE = new RegExp(`^(${NAME})(?:\\.(${NAME}))?$`)
const SUB = new RegExp(`^\\.(${NAME})$`)
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

class Reader {
  readonly #tokens: readonly Token[]
  #next = 0
  #comparisons = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  end(): void {
    const token = this.#take()
    if (token.kind !== 'end') throw unexpected(token, 'and, or, or the end')
  }

  /** `or` binds weakest (RFC 7644 §3.4.2.2). */
  alternatives(level: number): Filter {
    return this.#joined('or', () => this.#joined('and', () => this.#term(level)))
  }

  path(): PatchPath {
    const attribute = toAttribute(this.#take())
    if (!this.#isSign('[')) return { attribute, filter: null, sub: null }
    this.#take()
    const filter = this.alternatives(1)
    this.#expect(']')
    const [, sub = null] = SUB.exec(this.#peek().text) ?? []
    if (sub !== null) this.#take()
    return { attribute, filter, sub }
  }

  #joined(kind: 'and' | 'or', read: () => Filter): Filter {
    const first = read()
    const filters = [first]
    while (this.#isWord(kind)) {
      this.#take()
      filters.push(read())
    }
    return filters.length === 1 ? first : { kind, filters }
  }

  #term(level: number): Filter {
    if (level > FILTER_LEVELS_MAX)
      throw new Problem(`it is nested more than ${FILTER_LEVELS_MAX} levels deep`)
    if (this.#isSign('(')) return this.#group(level)
    if (this.#isWord('not') && this.#tokens[this.#next + 1]?.text === '(') {
      this.#take()
      return { kind: 'not', filter: this.#group(level) }
    }
    const path = toAttribute(this.#take())
    if (this.#isSign('[')) {
      this.#take()
      const filter = this.alternatives(level + 1)
      this.#expect(']')
      return { kind: 'element', path, filter }
    }
    this.#comparisons += 1
    if (this.#comparisons > FILTER_COMPARISONS_MAX)
      throw new Problem(`it has more than ${FILTER_COMPARISONS_MAX} comparisons`)
    const token = this.#take()
    const word = token.kind === 'word' ? token.text.toLowerCase() : ''
    if (word === 'pr') return { kind: 'present', path }
    const operator = OPERATORS.find(one => one === word)
    if (operator === undefined) throw unexpected(token, `pr, ${OPERATORS.join(', ')}`)
    return { kind: 'compare', path, operator, value: toComparand(this.#take()) }
  }

  #group(level: number): Filter {
    this.#expect('(')
    const filter = this.alternatives(level + 1)
    this.#expect(')')
    return filter
  }

  #expect(sign: string): void {
    const token = this.#take()
    if (token.kind !== 'sign' || token.text !== sign) throw unexpected(token, sign)
  }

  #isSign = (sign: string): boolean => this.#peek().kind === 'sign' && this.#peek().text === sign

  #isWord = (word: string): boolean =>
    this.#peek().kind === 'word' && this.#peek().text.toLowerCase() === word

  #peek(): Token {
    // The last token is the end, which is never passed.
    return this.#tokens[this.#next] as Token
  }

  #take(): Token {
    const token = this.#peek()
    if (token.kind !== 'end') this.#next += 1
    return token
  }
}

const unexpected = ({ text, at }: Token, wanted: string) =>
  new Problem(`${wanted} is expected at character ${at}, where it has ${text}`)

/** The schema's URI has dots and digits of its own, and ends at the last colon (RFC 7644 §3.10). */
function toAttribute(token: Token): AttributePath {
  if (token.kind !== 'word') throw unexpected(token, 'an attribute')
  const colon = token.text.lastIndexOf(':')
  const match = ATTRIBUTE.exec(token.text.slice(colon + 1))
  if (match === null || colon === 0) throw unexpected(token, 'an attribute')
  const [, name = '', sub = null] = match
  return { uri: colon === -1 ? null : token.text.slice(0, colon), name, sub }
}

function toComparand(token: Token): Comparand {
  if (token.kind === 'text') return readText(token)
  const word = token.text.toLowerCase()
  if (token.kind === 'word') {
    // Entra writes True and False.
    if (word === 'true' || word === 'false') return word === 'true'
    if (word === 'null') return null
    if (NUMBER.test(token.text)) return Number(token.text)
  }
  throw unexpected(token, 'a text in double quotes, a number, true, false or null')
}

function readText(token: Token): string {
  const text: unknown = JSON.parse(token.text)
  // The database stores neither.
  if (typeof text === 'string' && text.isWellFormed() && !text.includes('\u0000')) return text
  throw unexpected(token, 'a text of whole characters')
}
