// How values of PostgreSQL become values of JavaScript; the same for both engines because both go through `pg`.
import { type CustomTypesConfig, types } from 'pg'

const { builtins } = types

type Parse = (text: string) => unknown

// Counts and sizes are numbers here; one beyond 2^53 stays a string rather than losing digits.
const parseInteger: Parse = text => {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : text
}
const asText: Parse = text => text

const PARSERS = new Map<number, Parse>([
  [builtins.INT8, parseInteger],
  // a day has no time zone, so it is no Date
  [builtins.DATE, asText],
])

/** text, text[], int4, int8 (number while exact), bool, bytea (Buffer), timestamptz (Date), jsonb (value), date (text). */
export const typeParsers: CustomTypesConfig = {
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && PARSERS.get(id)) ||
    types.getTypeParser(id, format as 'text')) as typeof types.getTypeParser,
}
