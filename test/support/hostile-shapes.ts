// Inputs that have made parsers slow, made of the tokens of a language: one of them over and over, on one line and on
// many, two in turns, nested, and one that a long run of another never lets end.

import type { Shape } from './growth.ts'
import { runs } from './property-runs.ts'

export type Language = {
  readonly tokens: readonly string[]
  /** What opens and what closes. */
  readonly pairs?: readonly (readonly [string, string])[]
  /** What a text begins with, for all of it to be read. */
  readonly head?: string
}

export type NamedShape = readonly [name: string, shape: Shape]

// No token of any language, so that what is open stays open.
const BAD_END = '\u0001'

const fill = (length: number, piece: string): string =>
  piece.repeat(Math.max(1, Math.floor(length / piece.length)))

export function shapesOf({ tokens, pairs = [], head = '' }: Language): NamedShape[] {
  const named = (parts: string, make: (length: number) => string): NamedShape => [
    parts,
    length => head + make(length),
  ]
  const show = (...parts: readonly string[]) => parts.map(part => JSON.stringify(part)).join(' ')
  const alone = tokens.flatMap(one => [
    named(`${show(one)} over and over`, length => fill(length, one) + BAD_END),
    named(`${show(one)} on lines`, length => fill(length, `${one}\n`)),
  ])
  const nested = pairs.map(([open, close]) =>
    named(`${show(open, close)} nested`, length => fill(length / 2, open) + fill(length / 2, close)),
  )
  const together = tokens.flatMap(one =>
    tokens
      .filter(other => other !== one)
      .flatMap(other => [
        named(`${show(one, other)} in turns`, length => fill(length, one + other) + BAD_END),
        named(`${show(one)} and then ${show(other)}`, length => one + fill(length, other) + BAD_END),
      ]),
  )
  return [...nested, ...alone, ...together]
}

/** So many of them, spread over all; all where a longer run is asked for. */
export function some<T>(all: readonly T[], count: number): readonly T[] {
  const wanted = runs(count)
  return wanted >= all.length
    ? all
    : all.filter(
        (_, index) =>
          Math.floor((index * wanted) / all.length) !== Math.floor(((index + 1) * wanted) / all.length),
      )
}
