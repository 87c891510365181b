// Schemas become checks, and the errors of a check become one sentence that names the field.
import type { TObject, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { TLocalizedValidationError as ValidationError } from 'typebox/error'
import { Value } from 'typebox/value'
import { type FailureValues, invalid } from '../base/errors.ts'
import { chosenAlternativesIn } from './discriminated-union.ts'
import { type IgnoredFields, ignoredFieldsCheck } from './ignored-fields.ts'
import { ID_PATTERN, SHOWN_URL_PATTERN } from './list.ts'

export type Check = (value: unknown) => boolean

export const compileCheck = (schema: TSchema): Check => {
  const compiled = compileLater(schema)
  return value => compiled().Check(value)
}

/** Compiled on first use: compiling the schemas of all operations takes a tenth of a start. */
function compileLater(schema: TSchema): () => Validator {
  let compiled: Validator | undefined
  return () => (compiled ??= Compile(schema))
}

/**
 * Checks one part of a request; returns the value without undeclared fields, which are named in `ignored`, or throws
 * `invalid`.
 */
export type Reader = (value: unknown, ignored: IgnoredFields) => unknown

/** Reads a body: unknown properties are ignored, wrong ones are named. */
export function bodyReader(schema: TSchema, isOptional: boolean): Reader {
  const compiled = compileLater(schema)
  const walk = ignoredFieldsCheck(schema, isOptional)
  return (value, ignored) => {
    const given = value === undefined || value === null ? (isOptional ? {} : undefined) : value
    if (given === undefined) throw invalid('body_missing', 'body: this operation needs a JSON body.')
    if (!compiled().Check(given)) {
      const { message, values } = describeWrong('body', schema, compiled(), given)
      throw invalid('body_invalid', message).withValues(values)
    }
    walk(given, ignored)
    return Value.Clean(schema, given)
  }
}

// Finding the words for an error costs a hundred times as much as detecting it.
const BEGINNING_VALUES = 1_000

/** The same value with shorter lists if it has many values: its errors mostly show in the first ones. */
function beginningOf(given: unknown): unknown {
  let left = BEGINNING_VALUES
  const copy = (value: unknown): unknown => {
    left -= 1
    if (typeof value !== 'object' || value === null) return value
    if (!Array.isArray(value))
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)]))
    const items: unknown[] = []
    for (const item of value) {
      if (left <= 0 && items.length > 0) break
      items.push(copy(item))
    }
    return items
  }
  return copy(given)
}

/** An operation without a body ignores what is sent. */
export function noBodyReader(): Reader {
  const walk = ignoredFieldsCheck(undefined, true)
  return (value, ignored) => walk(value, ignored)
}

/** One sentence, and the bound if one is exceeded. */
type Wrong = { readonly message: string; readonly values: FailureValues | undefined }

/** What is wrong with a value that `check` refuses. */
function describeWrong(part: string, schema: TSchema, check: Validator, given: unknown): Wrong {
  const beginning = beginningOf(given)
  const wrong = check.Check(beginning) ? given : beginning
  return describeChosen(part, schema, wrong) ?? describe(part, check.Errors(wrong))
}

/** What is wrong with the first object of a discriminated union. */
function describeChosen(part: string, schema: TSchema, given: unknown): Wrong | undefined {
  for (const { path, value, schema: chosen } of chosenAlternativesIn(schema, given)) {
    if (!Value.Check(chosen, value)) return describe([part, ...path].join('.'), Value.Errors(chosen, value))
  }
  return undefined
}

/** Reads a query: text becomes the number, boolean or list that the schema asks for; a repeated scalar is refused. */
export function queryReader(schema: TObject): Reader {
  const compiled = compileLater(schema)
  const declared = Object.entries<TSchema>(schema.properties)
  const known = new Set([...declared.map(([name]) => name), ...READ_BY_ADMISSION])
  return (value, ignored) => {
    // The result of Node's query parser.
    const given = value as Record<string, string | string[]>
    for (const name in given) if (!known.has(name)) ignored.addParameter(name)
    const read: Record<string, unknown> = {}
    for (const [name, property] of declared) {
      const text = given[name]
      if (text !== undefined) read[name] = coerce(text, property)
    }
    if (!compiled().Check(read))
      throw invalid('query_invalid', describe('query', compiled().Errors(read)).message)
    return read
  }
}

// A visitor's proof; operations do not declare it in their queries.
const READ_BY_ADMISSION = ['shareKey']

type Described = TSchema & {
  type?: string
  items?: Described
  anyOf?: Described[]
}

function coerce(text: string | string[], schema: Described): unknown {
  if (schema.type === 'array') {
    const items = Array.isArray(text) ? text : [text]
    return items.map(item => coerce(item, schema.items ?? {}))
  }
  if (Array.isArray(text)) return text
  const types = (schema.anyOf ?? [schema]).map(option => option.type)
  if ((types.includes('integer') || types.includes('number')) && /^-?\d+(\.\d+)?$/.test(text))
    return Number(text)
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

/** About the most telling error: the deepest path, and the plainest keyword there. */
function describe(part: string, errors: readonly ValidationError[]): Wrong {
  const ranked = [...errors].sort((a, b) => depth(b) - depth(a) || rank(a) - rank(b))
  const first = ranked[0]
  const values = first?.keyword === 'maxLength' ? { max: Number(first.params.limit) } : undefined
  return { message: sayWrong(part, first, errors), values }
}

function sayWrong(
  part: string,
  first: ValidationError | undefined,
  errors: readonly ValidationError[],
): string {
  if (first === undefined) return `${part}: this does not have the documented shape.`
  const path = first.instancePath.split('/').slice(1).map(unescapePointer)
  if (first.keyword === 'required' && first.params.requiredProperties[0] !== undefined) {
    return `${[part, ...path, first.params.requiredProperties[0]].join('.')}: this is required.`
  }
  const where = [part, ...path].join('.')
  if (first.keyword === 'enum') {
    return `${where}: must be one of ${first.params.allowedValues.map(String).join(', ')}.`
  }
  return `${where}: ${alternatives(first, errors)}.`
}

const depth = (error: ValidationError): number => error.instancePath.split('/').length
const rank = (error: ValidationError): number => (error.keyword === 'anyOf' ? 1 : 0)

const NO_ID = `must match pattern "${ID_PATTERN}"`
const NOT_SHOWN = `must match pattern "${SHOWN_URL_PATTERN}"`

/** If every alternative of a union is refused in one place, all of them are named. */
function alternatives(first: ValidationError, errors: readonly ValidationError[]): string {
  const messages = errors
    .filter(error => error.instancePath === first.instancePath && error.keyword !== 'anyOf')
    .map(error => {
      if (error.keyword === 'const') return `must be ${String(error.params.allowedValue)}`
      if (error.keyword === 'enum')
        return `must be one of ${error.params.allowedValues.map(String).join(', ')}`
      // An undeclared field where no others are allowed.
      if (error.keyword === 'boolean') return 'there is no such field'
      if (error.message === NO_ID) return 'must be an id, which has no slash'
      if (error.message === NOT_SHOWN)
        return 'must be an address that begins with http:// or https://, without a user and a password'
      return error.message
    })
  return [...new Set(messages)].join(', or ') || first.message
}

const unescapePointer = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~')
