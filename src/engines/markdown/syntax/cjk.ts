// Chinese, Japanese and Korean have no spaces between words, and CommonMark decides by spaces and punctuation where
// emphasis and bare addresses end: the stars of `这是**想做的。**所以` and the sentence behind `https://example.com。` are
// read otherwise than they are meant. What is meant is what the public amendment to CommonMark says
// (https://github.com/tats-u/markdown-cjk-friendly, specification.md, on asterisks and tildes), and that an address ends
// before such punctuation.
//
// Here the parser is made to read it so: a character beside a run of delimiters, or behind an address, is replaced by
// one of the same length that the parser takes for a letter, for punctuation or for a space, as the rule wants, and put
// back into what the parser makes of it.
import type { Position } from './ast.ts'
import { hasCjk, isCjk, isSign, pointAt, pointBefore } from './characters.ts'
import { matchAt } from './sticky.ts'

export type Replacement = Position & { readonly text: string }

export type Disguised = {
  /** In order; each is as long as its span. */
  readonly replacements: readonly Replacement[]
  /** Puts the characters of the source back. */
  readonly restore: (value: string) => string
}

// Runs of delimiters, each of one sign, and what takes a delimiter its meaning.
const RUN_OR_ESCAPE = /\\[!-/:-@[-`{-~]|\*+|~+/g

// The punctuation that ends an address: all of it but the full-width signs that people put into addresses.
const ENDS = '、。〈〉《》「」『』【】〔〕〖〗〘〙〚〛〝〞〟！（），：；？［］｛｝｡｢｣､“”‘’…—'
const ADDRESS = new RegExp(`(?:https?:\\/\\/|www\\.)[^\\s<>${ENDS}]*`, 'giu')
const ENDS_ADDRESS = new RegExp(`[${ENDS}]`, 'u')
// In a link, a definition, angle brackets or an attribute, an address is as long as its syntax says.
const IN_SYNTAX = /(?:\]\([ \t]{0,9}|\]:[ \t]{0,9}|[<"'=])$/
const REST_IN_SYNTAX = /[^\s<>)]*/y

type Kind = 'letter' | 'sign' | 'space'

export function disguiseCjk(source: string): Disguised {
  const asItIs = { replacements: [], restore: (value: string) => value }
  if (!hasCjk(source)) return asItIs
  const wanted = new Map<number, readonly [char: string, kind: Kind]>()
  for (const [at, char, kind] of [...behindAddresses(source), ...besideRuns(source)])
    if (!wanted.has(at)) wanted.set(at, [char, kind])
  if (wanted.size === 0) return asItIs
  const standIns = new StandIns(source)
  const replacements = [...wanted]
    .sort(([a], [b]) => a - b)
    .flatMap(([start, [char, kind]]) => {
      const text = standIns.of(char, kind)
      return text === undefined ? [] : [{ start, end: start + char.length, text }]
    })
  return { replacements, restore: value => standIns.restore(value) }
}

type Wanted = readonly [at: number, char: string, kind: Kind]

/** A run of delimiters between two characters; undefined is the beginning or the end of the text. */
type Run = Position & { readonly before: string | undefined; readonly after: string | undefined }

/**
 * Beside punctuation of other scripts, a run is taken for one between two signs; everywhere else for one between
 * letters. Both can begin and end emphasis, as the amendment says. Runs with one character between them agree on what
 * it is.
 */
function* besideRuns(source: string): Generator<Wanted> {
  for (const runs of chainsOf(source)) {
    const isBesideSign = runs.some(({ before, after }) => isOtherSign(before) || isOtherSign(after))
    for (const { start, end, before, after } of runs) {
      const kindBefore = kindOf(before, isBesideSign)
      const kindAfter = kindOf(after, isBesideSign)
      if (before !== undefined && kindBefore !== undefined) yield [start - before.length, before, kindBefore]
      if (after !== undefined && kindAfter !== undefined) yield [end, after, kindAfter]
    }
  }
}

/** Runs of which each shares a character with the next. */
function* chainsOf(source: string): Generator<Run[]> {
  let chain: Run[] = []
  for (const { 0: run, index: start } of source.matchAll(RUN_OR_ESCAPE)) {
    if (run.startsWith('\\')) continue
    const end = start + run.length
    const last = chain.at(-1)
    if (last !== undefined && last.end + (last.after?.length ?? 0) < start) {
      yield chain
      chain = []
    }
    chain.push({ start, end, before: pointBefore(source, start), after: pointAt(source, end) })
  }
  if (chain.length > 0) yield chain
}

const isOtherSign = (char: string | undefined): boolean => isSign(char) && !isCjk(char)

/** What a character beside a run is to be taken for; undefined for what it is. */
function kindOf(char: string | undefined, isBesideSign: boolean): Kind | undefined {
  if (!isCjk(char) || isSign(char) === isBesideSign) return undefined
  return isBesideSign ? 'sign' : 'letter'
}

/** The first sign in each address that is not a part of it. */
function* behindAddresses(source: string): Generator<Wanted> {
  let from = 0
  for (const { 0: address, index: start } of source.matchAll(ADDRESS)) {
    if (start < from) continue
    const end = start + address.length
    if (IN_SYNTAX.test(source.slice(Math.max(0, start - 12), start)))
      from = end + (matchAt(REST_IN_SYNTAX, source, end)?.[0].length ?? 0)
    else if (ENDS_ADDRESS.test(source.charAt(end))) yield [end, source.charAt(end), 'space']
  }
}

// Characters of each kind and length that few pages have: private use; symbols of Braille, the Yijing, radicals and
// logic, and of Tai Xuan Jing beyond the basic plane; white space of typesetters.
const CANDIDATES: Readonly<Record<Kind, readonly (readonly [first: number, last: number])[]>> = {
  letter: [[0xe000, 0xf8ff]],
  sign: [
    [0x2800, 0x28ff],
    [0x4dc0, 0x4dff],
    [0x2f00, 0x2fd5],
    [0x2a00, 0x2aff],
    [0x1d300, 0x1d356],
  ],
  space: [
    [0x2000, 0x200a],
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x1680, 0x1680],
    [0x3000, 0x3000],
    [0xa0, 0xa0],
  ],
}
const ANY_STAND_IN =
  /[\ue000-\uf8ff\u2800-\u28ff\u4dc0-\u4dff\u2f00-\u2fd5\u2a00-\u2aff\u2000-\u200a\u2028\u2029\u202f\u205f\u1680\u3000\xa0]|\ud834[\udf00-\udf56]/g

/** Characters that the source does not have, each for one character of it and one kind. */
class StandIns {
  readonly #taken: ReadonlySet<string>
  readonly #known = new Map<string, string | undefined>()
  readonly #originals = new Map<string, string>()
  readonly #free = new Map<string, Iterator<string>>()

  constructor(source: string) {
    this.#taken = new Set(source.match(ANY_STAND_IN))
  }

  /** Undefined if the source has all that there are. */
  of(char: string, kind: Kind): string | undefined {
    const key = `${kind} ${char}`
    if (this.#known.has(key)) return this.#known.get(key)
    const pool = `${kind} ${char.length}`
    const free = this.#free.get(pool) ?? this.#candidates(kind, char.length)
    this.#free.set(pool, free)
    const { value, done } = free.next()
    const standIn = done === true ? undefined : value
    this.#known.set(key, standIn)
    if (standIn !== undefined) this.#originals.set(standIn, char)
    return standIn
  }

  *#candidates(kind: Kind, length: number): Generator<string, undefined> {
    for (const [first, last] of CANDIDATES[kind])
      for (let code = first; code <= last; code++) {
        const char = String.fromCodePoint(code)
        if (char.length === length && !this.#taken.has(char)) yield char
      }
  }

  restore(value: string): string {
    return value.replace(ANY_STAND_IN, standIn => this.#originals.get(standIn) ?? standIn)
  }
}
