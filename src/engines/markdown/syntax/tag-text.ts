// Reads the text of one `{% tag %}`: its name, its attributes, and where their values stand.
import type { Position, Tag } from './ast.ts'

export type TagText = {
  readonly name: string
  /** `{% endname %}`. */
  readonly isEnd: boolean
  readonly argument: string
  readonly attributes: Readonly<Record<string, string | boolean>>
  readonly ranges: Readonly<Record<string, Position>>
}

// These stand alone when no end tag follows. Any other tag without its end is text that somebody wrote.
const MAY_STAND_ALONE: ReadonlySet<string> = new Set([
  'content-ref',
  'embed',
  'file',
  'include',
  'openapi',
  'openapi-operation',
  'openapi-schemas',
  'openapi-webhook',
  'page-ref',
  'vars',
])

/** Whether a tag without an end tag is a tag. `{% @name/block %}` is a block of an integration. */
export const mayStandAlone = (name: string): boolean => MAY_STAND_ALONE.has(name) || name.startsWith('@')

const NAME = /^\{%-?\s*(end)?([A-Za-z@][\w@/-]*)/
const KEY = /[A-Za-z_@:][\w.:-]*/y
const EQUALS = /\s*=(?!=)\s*/y
const BLANK = /\s+/y
const WORD = /[^\s"'“”]+|["'“”]/y

/** Reads `text`, which stands at `start` of the source. Undefined where it has no name. */
export function parseTag(text: string, start: number): TagText | undefined {
  const head = NAME.exec(text)
  if (!head) return undefined
  const close = text.endsWith('-%}') ? text.length - 3 : text.length - 2
  const attributes: [string, string | boolean][] = []
  const ranges: [string, Position][] = []
  let at = Math.min(head[0].length, close)
  const from = at
  while (at < close) {
    const blank = match(BLANK, text, at)
    if (blank) at += blank.length
    const key = match(KEY, text, at)
    if (key === undefined) {
      // A quoted or bare word that is nobody's value, as in `{% include "x.md" %}`.
      const quoted = readQuoted(text, at, close)
      at = quoted ? quoted.next : at + (match(WORD, text, at)?.length ?? 1)
      continue
    }
    at += key.length
    const equals = match(EQUALS, text, at)
    if (equals === undefined) {
      attributes.push([key, true])
      continue
    }
    at += equals.length
    const value = readQuoted(text, at, close) ?? readBare(text, at, close)
    attributes.push([key, text.slice(value.start, value.end).replace(/\\(["\\])/g, '$1')])
    ranges.push([key, { start: start + value.start, end: start + value.end }])
    at = value.next
  }
  return {
    name: head[2]!,
    isEnd: head[1] !== undefined,
    argument: text.slice(from, close).trim(),
    attributes: firstOfEach(attributes),
    ranges: firstOfEach(ranges),
  }
}

/** An object of pairs, in their order, in which the first pair of a name counts, as in HTML. */
export function firstOfEach<T>(pairs: readonly (readonly [string, T])[]): Record<string, T> {
  const first = new Map<string, T>()
  for (const [name, value] of pairs) if (!first.has(name)) first.set(name, value)
  return Object.fromEntries(first)
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

type Value = { start: number; end: number; next: number }

const STRAIGHT = '"\''
const CURLY = '“”'

// Word processors curl one quote of a pair or both, so an opening quote may be closed by another sort.
function readQuoted(text: string, at: number, close: number): Value | undefined {
  const open = text[at]
  if (open === undefined || at >= close || !(STRAIGHT + CURLY).includes(open)) return undefined
  const start = at + 1
  const until = (end: number): Value => ({ start, end, next: end + 1 })
  if (STRAIGHT.includes(open)) {
    const same = closing(text, start, close, open)
    const curly = firstOf(text, start, same === -1 ? close : same, CURLY)
    // `a="full” b="x"`: the next straight quote opens the value of `b`.
    const opensAnother = same !== -1 && text[same - 1] === '='
    if (same !== -1 && !(opensAnother && curly !== -1)) return until(same)
    return curly === -1 ? undefined : until(curly)
  }
  const end = firstOf(text, start, close, `"${CURLY}`)
  return end === -1 ? undefined : until(end)
}

function closing(text: string, from: number, close: number, quote: string): number {
  for (let at = from; at < close; at++) {
    if (text[at] === '\\' && text[at + 1] === '\\') at++
    else if (text[at] === '\\' && text[at + 1] === quote && at + 2 < close) at++
    else if (text[at] === quote) return at
  }
  return -1
}

function firstOf(text: string, from: number, to: number, chars: string): number {
  for (let at = from; at < to; at++) if (chars.includes(text[at]!)) return at
  return -1
}

function readBare(text: string, at: number, close: number): Value {
  let end = at
  while (end < close && !/\s/.test(text[end]!)) end++
  return { start: at, end, next: Math.max(end, at + 1) }
}

/** The path in `{% include "../.gitbook/includes/note.md" %}`. */
export const includedPath = (tag: Tag): string =>
  /["“”]([^"“”]+)["“”]/.exec(tag.argument)?.[1] ?? tag.argument.trim()
