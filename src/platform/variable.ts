// One environment variable: how its text is read, and what documents say about it.

/**
 * Parses a variable's text; undefined if it is not allowed. Every command reads all variables, so no schemas are
 * involved.
 */
type Parse<T> = (text: string) => T | undefined

export const anything: Parse<string> = text => text

export const matching =
  (pattern: RegExp, lengthMax = Number.POSITIVE_INFINITY): Parse<string> =>
  text =>
    pattern.test(text) && text.length <= lengthMax ? text : undefined

export const integer =
  (min: number, max = Number.MAX_VALUE): Parse<number> =>
  text => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  }

export const list =
  (pattern: RegExp): Parse<readonly string[]> =>
  text => {
    const parts = text.split(',').map(part => part.trim())
    const items = parts.filter(part => part !== '')
    return items.every(item => pattern.test(item)) ? items : undefined
  }

/** How a provider of OpenID Connect answers (OAuth 2.0 Form Post Response Mode). */
export const RESPONSE_MODES = ['query', 'form_post'] as const
export type ResponseMode = (typeof RESPONSE_MODES)[number]

export const trueOrFalse: Parse<boolean> = text =>
  text === 'true' ? true : text === 'false' ? false : undefined

/** One environment variable. */
export interface Variable {
  readonly name: string
  /** The value if it is not set, as written in a shell; absent: none. */
  readonly fallback?: string
  readonly meaning: string
  /** The rest of the sentence "NAME has to be …". */
  readonly allowed: string
  readonly parse: Parse<unknown>
  /** Never printed. */
  readonly secret?: true
}
