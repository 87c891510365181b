// Reads the text of one `{% tag %}`: its name, its attributes, and the ranges of their values.
import { blockNamed, schemaOf } from '../blocks/schemas.ts'
import type { Position, Tag, Word } from './ast.ts'
import { matchAt } from './sticky.ts'

export type TagText = {
  readonly name: string
  /** `{% endname %}`. */
  readonly isEnd: boolean
  readonly argument: string
  readonly word: Word | undefined
  readonly attributes: Readonly<Record<string, string | boolean>>
  readonly ranges: Readonly<Record<string, Position>>
}

/**
 * Whether a tag without an end tag is a tag, and not text: blocks that need no content, and variables.
 */
export function mayStandAlone(name: string): boolean {
  const block = blockNamed(name)
  return name === 'vars' || name.startsWith('@') || (block !== undefined && !schemaOf(block).isPair)
}

const NAME = /^\{%-?\s*(end)?([A-Za-z@][\w@/-]*)/
/** White space, and a key where there is one. */
const ATTRIBUTE = /\s*(?:([A-Za-z_@:][\w.:-]*)(\s*=(?!=)\s*)?)?/y
const WORD = /[^\s"'“”]+|["'“”]/y

/** Reads `text`, which begins at `start` of the source. Undefined where it has no name. */
export function parseTag(text: string, start: number): TagText | undefined {
  const [head, end, name] = NAME.exec(text) ?? []
  if (head === undefined || name === undefined) return undefined
  const close = text.endsWith('-%}') ? text.length - 3 : text.length - 2
  const attributes: [string, string | boolean][] = []
  const ranges: [string, Position][] = []
  const from = Math.min(head.length, close)
  let word: Word | undefined
  for (let at = from; at < close; ) {
    const [written = '', key, equals] = matchAt(ATTRIBUTE, text, at) ?? []
    if (word === undefined && equals === undefined)
      word = readWord(text, at + written.length - (key?.length ?? 0), close, start)
    at += written.length
    if (key === undefined) {
      // A quoted or bare word without a key, as in `{% include "x.md" %}`.
      at = readQuoted(text, at, close)?.next ?? at + (matchAt(WORD, text, at)?.[0].length ?? 1)
    } else if (equals === undefined) attributes.push([key, true])
    else {
      const value = readQuoted(text, at, close) ?? readBare(text, at, close)
      attributes.push([key, text.slice(value.start, value.end).replace(/\\(["\\])/g, '$1')])
      ranges.push([key, { start: start + value.start, end: start + value.end }])
      at = value.next
    }
  }
  return {
    name,
    isEnd: end !== undefined,
    argument: text.slice(from, close).trim(),
    word,
    attributes: firstOfEach(attributes),
    ranges: firstOfEach(ranges),
  }
}

/** An object of the pairs, in order; the first pair of a name counts, as in HTML. */
export function firstOfEach<T>(pairs: readonly (readonly [string, T])[]): Record<string, T> {
  const first = new Map<string, T>()
  for (const [name, value] of pairs) if (!first.has(name)) first.set(name, value)
  return Object.fromEntries(first)
}

/** How a tag opens, as it would be written, and if it was closed, how it closes. */
export function writtenTag({ name, argument, attributes, isClosed }: Tag): [open: string, close: string] {
  // An element that stands for a tag has no argument.
  const pairs = Object.entries(attributes).map(([key, value]) => (value === true ? key : `${key}="${value}"`))
  const inside = argument.trim() || pairs.join(' ')
  return [`{% ${name}${inside === '' ? '' : ` ${inside}`} %}`, isClosed ? `{% end${name} %}` : '']
}

type Value = Position & { readonly next: number }

// Word processors curl one quote of a pair or both, so an opening quote may be closed by another kind.
function readQuoted(text: string, at: number, close: number): Value | undefined {
  const open = at < close ? text[at] : undefined
  const start = at + 1
  const until = (end: number): Value | undefined => (end === -1 ? undefined : { start, end, next: end + 1 })
  if (open === '“' || open === '”') return until(find(/["“”]/, text, start, close))
  if (open !== '"' && open !== "'") return undefined
  const same = closing(text, start, close, open)
  const curly = find(/[“”]/, text, start, same === -1 ? close : same)
  // `a="full” b="x"`: the next straight quote opens the value of `b`.
  const opensAnother = same !== -1 && text[same - 1] === '='
  return until(same === -1 || (opensAnother && curly !== -1) ? curly : same)
}

function closing(text: string, from: number, close: number, quote: string): number {
  for (let at = from; at < close; at++) {
    const next = text[at] === '\\' ? text[at + 1] : undefined
    if (next === '\\' || (next === quote && at + 2 < close)) at++
    else if (text[at] === quote) return at
  }
  return -1
}

function find(pattern: RegExp, text: string, from: number, to: number): number {
  const at = text.slice(from, to).search(pattern)
  return at === -1 ? -1 : from + at
}

function readBare(text: string, start: number, close: number): Value {
  const blank = find(/\s/, text, start, close)
  const end = blank === -1 ? Math.max(start, close) : blank
  return { start, end, next: Math.max(end, start + 1) }
}

function readWord(text: string, at: number, close: number, offset: number): Word | undefined {
  if (at >= close) return undefined
  const { start, end } = readQuoted(text, at, close) ?? readBare(text, at, close)
  return { value: text.slice(start, end), start: offset + start, end: offset + end }
}

/**
 * The path in `{% include "../.gitbook/includes/note.md" %}`, also where it is the value of `url` or `src`, or of the
 * only attribute.
 */
export function includedPath({ attributes, word }: Tag): string {
  const { url, src } = attributes
  const values = [url, src, word?.value, soleValue(attributes)]
  return values.find(value => typeof value === 'string') ?? ''
}

/** Where that path is in the source. */
export const includedRange = ({ ranges, word }: Tag): Position | undefined =>
  ranges.url ?? ranges.src ?? word ?? soleValue(ranges)

function soleValue<T>(values: Readonly<Record<string, T>>): T | undefined {
  const [first, ...others] = Object.values(values)
  return others.length === 0 ? first : undefined
}
