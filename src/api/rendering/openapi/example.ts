// An example value for a schema: the document's own, else a realistic one within the bounds.
import { type Fields, isObject, listOf, textOf } from '../../../base/objects.ts'
import { isNumber, numberOf, toNumber, type WrittenNumber } from '../../../base/written-numbers.ts'
import { discriminatorOf } from './discriminator.ts'
import type { ApiDocument } from './document.ts'

// Ids look like this everywhere in Octavo: 20 base62 characters.
const SAMPLE_ID = '4kT8rQ2mZs7XvB1nLc0P'

/** Examples by field name, for fields whose type and format do not suggest one. */
const BY_NAME: Readonly<Record<string, string>> = {
  title: 'Getting started',
  name: 'Getting started',
  label: 'Continuous integration',
  displayName: 'Ada Lovelace',
  description: 'How to begin.',
  email: 'ada@example.com',
  emoji: '1f4d8',
  icon: 'book-open',
  slug: 'getting-started',
  path: 'guides/getting-started',
  query: 'install',
  url: 'https://git.example.com/acme/docs.git',
  ref: 'refs/heads/main',
  oid: '9fceb02d0ae598e95dc970b74767f19372d61af8',
  message: 'What is wrong, and what to do.',
  markdown: '# Getting started\n\nWelcome.\n',
  language: 'en',
  repoName: 'acme/docs',
  contentType: 'image/png',
}

const BY_FORMAT: Readonly<Record<string, string>> = {
  'date-time': '2026-11-21T09:30:00.000Z',
  date: '2026-11-21',
  time: '09:30:00Z',
  email: 'ada@example.com',
  uri: 'https://docs.example.com/guides',
  url: 'https://docs.example.com/guides',
  hostname: 'docs.example.com',
  ipv4: '192.0.2.1',
  uuid: '3f1c9a52-7d04-4b8e-9a41-5c2d6e8f0b13',
  byte: 'T2N0YXZv',
  binary: '…',
}

const DEPTH_MAX = 20
const VALUES_MAX = 240
// Required values are shown beyond that bound, so that the example is valid; oversized documents end here.
const NEEDED_VALUES_MAX = 2_000

/** Replaces an object that would never end: its field is left out, its list is empty. */
const OMITTED = Symbol('omitted')

interface Walk {
  readonly document: ApiDocument
  readonly name: string
  readonly above: readonly unknown[]
  readonly left: { values: number }
  /** A request shows its required fields; a reply shows every field. */
  readonly isRequest: boolean
  /** Whether the value around it would be wrong without this one. */
  readonly isNeeded?: boolean
}

/** What an answer looks like, with every field. */
export const exampleReply = (document: ApiDocument, schema: unknown): unknown =>
  begin(schema, { document, name: '', above: [], left: { values: VALUES_MAX }, isRequest: false })

/**
 * A body that is accepted: the required fields, or if there are none, the first plain ones, so that it is not empty.
 * `name` is the name of a lone value.
 */
export const exampleRequest = (document: ApiDocument, schema: unknown, name = ''): unknown =>
  begin(schema, { document, name, above: [], left: { values: VALUES_MAX }, isRequest: true })

function begin(schema: unknown, on: Walk): unknown {
  const value = walk(schema, on)
  return value === OMITTED ? {} : value
}

const OPTIONAL_SHOWN = 2

function walk(reference: unknown, on: Walk): unknown {
  on.left.values -= 1
  const schema = on.document.resolve(reference)
  if (!isObject(schema)) return null
  const given = givenExample(schema)
  if (given !== undefined) return given
  const least = on.isNeeded === true ? -NEEDED_VALUES_MAX : 0
  const isTooMuch = on.left.values <= least && !isPlain(schema)
  if (on.above.includes(schema) || on.above.length >= DEPTH_MAX || isTooMuch) return OMITTED
  const below = { ...on, above: [...on.above, schema] }
  const choice = listOf(schema.anyOf ?? schema.oneOf).find(one => !isNullSchema(on.document.resolve(one)))
  if (choice !== undefined) return toldApart(withFields(walk(choice, below), schema, below), schema, choice)
  if (Array.isArray(schema.allOf))
    return schema.allOf.reduce<unknown>(
      (whole, part) => join(whole, walk(part, below)),
      withFields(undefined, schema, below),
    )
  switch (typeOf(schema)) {
    case 'object':
      return withFields({}, schema, below)
    case 'array':
      return isObject(schema.items) ? listExample(schema, below) : []
    case 'integer':
    case 'number':
      return numberExample(schema)
    case 'boolean':
      return true
    case 'string':
      return stringExample(schema, on.name)
    default:
      return null
  }
}

function givenExample(schema: Fields): unknown {
  for (const value of [
    schema.example,
    listOf(schema.examples)[0],
    schema.const,
    listOf(schema.enum)[0],
    schema.default,
  ])
    if (value !== undefined) return value
  return undefined
}

/** With the value that says which of the alternatives it is. */
function toldApart(value: unknown, schema: Fields, choice: unknown): unknown {
  const discriminator = discriminatorOf(schema)
  const [told] = discriminator?.valuesOf(choice) ?? []
  return discriminator === undefined || told === undefined || !isObject(value)
    ? value
    : { ...value, [discriminator.field]: told }
}

const isNullSchema = (schema: unknown): boolean =>
  isObject(schema) && (schema.type === 'null' || schema.const === null)

function typeOf(schema: Fields): string {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  const named = types.find(type => typeof type === 'string' && type !== 'null')
  if (named !== undefined) return named
  return isObject(schema.properties) ? 'object' : isObject(schema.items) ? 'array' : ''
}

const isPlain = (schema: Fields): boolean =>
  ['string', 'boolean', 'integer', 'number'].includes(typeOf(schema))

const join = (one: unknown, other: unknown): unknown =>
  isObject(one) && isObject(other) ? { ...one, ...other } : one === undefined || one === null ? other : one

function withFields(value: unknown, schema: Fields, on: Walk): unknown {
  if (!isObject(schema.properties)) return value
  const fields = Object.entries(schema.properties).filter(([, field]) => isSent(field, on))
  const required = new Set(listOf(schema.required))
  const chosen = !on.isRequest
    ? fields
    : fields.filter(
        ([name], index) => required.has(name) || (required.size === 0 && isAmongFirst(fields, index, on)),
      )
  const entries = chosen
    .map(([name, field]) => [name, walk(field, { ...on, name, isNeeded: required.has(name) })] as const)
    .filter(([, example]) => example !== OMITTED)
  return join(isObject(value) ? value : undefined, Object.fromEntries(entries))
}

/** A request has no field that only answers have, and an answer none that only requests have. */
function isSent(field: unknown, { document, isRequest }: Walk): boolean {
  const schema = document.resolve(field)
  const marked = [field, schema].filter(isObject)
  return !marked.some(one => (isRequest ? one.readOnly : one.writeOnly) === true)
}

/** Nothing is required: the first two fields of a plain type represent the rest. */
function isAmongFirst(fields: readonly [string, unknown][], index: number, on: Walk): boolean {
  const plain = fields.flatMap(([, field], at) => {
    const schema = on.document.resolve(field)
    return isObject(schema) && isPlain(schema) ? [at] : []
  })
  return on.above.length <= 1 && plain.slice(0, OPTIONAL_SHOWN).includes(index)
}

const listExample = (schema: Fields, on: Walk): unknown[] => {
  if (schema.maxItems === 0) return []
  const count = Math.min(Math.max(numberOf(schema.minItems) ?? 1, 1), 3)
  const item = walk(schema.items, { ...on, name: on.name.replace(/s$/, '') })
  return item === OMITTED ? [] : Array.from({ length: count }, () => item)
}

function numberExample({ minimum, maximum, exclusiveMinimum }: Fields): number | WrittenNumber {
  const least = isNumber(minimum) ? minimum : isNumber(exclusiveMinimum) ? above(exclusiveMinimum) : 1
  const wanted = Number(least) < 1 ? 1 : least
  return isNumber(maximum) && Number(maximum) < Number(wanted) ? maximum : wanted
}

function above(n: number | WrittenNumber): number | WrittenNumber {
  const isWhole = /^-?\d{1,40}$/.test(String(n))
  return isWhole ? toNumber(String(BigInt(String(n)) + 1n)) : Number(n) + 1
}

function stringExample(schema: Fields, name: string): string {
  const format = textOf(schema.format)
  const candidates = [
    Object.hasOwn(BY_FORMAT, format) ? BY_FORMAT[format] : undefined,
    Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined,
    /(?:url|href)$/i.test(name) ? BY_FORMAT.uri : undefined,
    SAMPLE_ID,
    'example',
    'docs.example.com',
    'guides/getting-started.md',
    'a',
  ]
  const minLength = numberOf(schema.minLength)
  const maxLength = numberOf(schema.maxLength)
  const fits = (text: string): boolean =>
    (maxLength === undefined || text.length <= maxLength) &&
    (minLength === undefined || text.length >= minLength)
  const found = candidates.find(
    candidate => candidate !== undefined && fits(candidate) && matchesPattern(schema, candidate),
  )
  if (found !== undefined) return found
  const length = minLength === undefined ? 1 : Math.max(0, Math.min(minLength, 200))
  return SAMPLE_ID.repeat(Math.ceil(length / SAMPLE_ID.length)).slice(0, length)
}

// A pattern in a foreign document may be built to take forever. Only patterns that cannot are tried: short, without a
// repeated group, with few repetitions; and they are tried on short strings of ours.
const PATTERN_TRIED_MAX = 120
const REPETITIONS_TRIED_MAX = 3

function matchesPattern(schema: Fields, text: string): boolean {
  const pattern = textOf(schema.pattern)
  if (pattern === '') return true
  const repetitions = pattern.match(/[*+{]/g)?.length ?? 0
  if (pattern.length > PATTERN_TRIED_MAX || repetitions > REPETITIONS_TRIED_MAX || /\)[*+{]/.test(pattern))
    return false
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return false
  }
}
