// Numbers that JavaScript does not spell as they are written: 9007199254740993, 1.10 and 1e400. What people wrote in a
// description of an interface is shown as they wrote it.

// In Node 24, and not yet in the types (https://tc39.es/proposal-json-parse-with-source).
const { rawJSON } = JSON as typeof JSON & { readonly rawJSON: (json: string) => object }
const parse = JSON.parse as (
  text: string,
  reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown

/** RFC 8259 §6. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** A number as it is written in JSON, which is also how JSON.stringify writes it. */
export class WrittenNumber {
  readonly #source: string

  constructor(source: string) {
    this.#source = source
  }

  toJSON(): object {
    return rawJSON(this.#source)
  }

  toString(): string {
    return this.#source
  }

  valueOf(): number {
    return Number(this.#source)
  }
}

export const isNumber = (value: unknown): value is number | WrittenNumber =>
  typeof value === 'number' || value instanceof WrittenNumber

/** As precisely as a double holds it; undefined for any other value. */
export const numberOf = (value: unknown): number | undefined => (isNumber(value) ? Number(value) : undefined)

/** Whether JSON can have the number as it is written, and JavaScript would write it in another way. */
export const isSpelledOtherwise = (source: string): boolean =>
  JSON_NUMBER.test(source) && String(Number(source)) !== source

/** The number that JSON text is. */
export const toNumber = (source: string): number | WrittenNumber =>
  isSpelledOtherwise(source) ? new WrittenNumber(source) : Number(source)

// Only these can be spelled otherwise: many digits, small fractions, a zero at the end, exponents, -0. Most documents
// have none, and a reviver takes ten times as long.
const SPELLED_OTHERWISE = /\d[\d.]{15}|\.0{5}|\.\d*0(?!\d)|\d[eE][-+\d]|-0/

/**
 * The value of a JSON text, in which `toValue` says what stands for a number that JavaScript would spell otherwise.
 *
 * @throws SyntaxError
 */
export function parseWritten(text: string, toValue: (source: string) => unknown = toNumber): unknown {
  if (!SPELLED_OTHERWISE.test(text)) return JSON.parse(text)
  try {
    return parse(text, (_, value, { source }) =>
      source !== undefined && typeof value === 'number' && isSpelledOtherwise(source)
        ? toValue(source)
        : value,
    )
  } catch (error) {
    // Revivers recurse. What nests so deeply is shown nowhere.
    if (error instanceof RangeError) return JSON.parse(text)
    throw error
  }
}
