// Fields of a request that an operation does not declare. They are ignored, so that a program written for another
// version still works, and named in the answer, so that a typo does not look like success. An object of which nothing
// would be used cannot have been meant that way and is refused.
//
// A body is walked once, along the tree of names that its schema declares. Cost: the body's fields as far as the
// schema reaches. Open parts of schemas, such as a document's nodes, are not checked.

import type { TSchema } from 'typebox'
import { type Failure, invalid } from '../base/errors.ts'
import { isObject } from '../base/objects.ts'
import { fieldsOfSchema, NO_FIELDS, type SchemaFields } from './schema-fields.ts'

export const IGNORED_HEADER = 'octavo-ignored'
const HEADER_CHARACTERS_MAX = 2000
const NAME_CHARACTERS_MAX = 60

/** A place in a body: field names and list indexes. */
type Path = readonly (string | number)[]

/** The names of ignored fields, bounded and in ASCII. */
export class IgnoredFields {
  readonly #names: string[] = []
  #characters = 0
  #isFull = false

  addField(path: Path, name: string): void {
    if (!this.#isFull) this.#add(toText(path) + (path.length === 0 ? '' : '.') + encodeName(name))
  }

  addParameter(name: string): void {
    if (!this.#isFull) this.#add(`?${encodeName(name)}`)
  }

  /** `changes[0].colour, ?verbose`; `...` at the end if there are more. Undefined if nothing is ignored. */
  toHeader(): string | undefined {
    if (this.#names.length === 0) return undefined
    return [...this.#names, ...(this.#isFull ? ['...'] : [])].join(', ')
  }

  #add(name: string): void {
    this.#characters += name.length + 2
    this.#isFull = this.#names.length > 0 && this.#characters > HEADER_CHARACTERS_MAX
    if (!this.#isFull) this.#names.push(name)
  }
}

const toText = (path: Path): string =>
  path
    .map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at === 0 ? '' : '.'}${encodeName(part)}`))
    .join('')

/** Percent-encodes characters that have a meaning in a header or in this notation, and cuts long names. */
const encodeName = (name: string): string =>
  encodeURIComponent(name.slice(0, NAME_CHARACTERS_MAX).toWellFormed()).replaceAll('.', '%2E')

/**
 * Collects a body's ignored fields. To be called with a body that matches the schema.
 *
 * @throws Failure invalid `body_misplaced` for an object of which nothing would be used.
 */
export type IgnoredFieldsCheck = (body: unknown, ignored: IgnoredFields) => void

/**
 * @param schema absent: the operation takes no body
 * @param isOptional the operation works without a body; an unknown body makes no difference
 */
export function ignoredFieldsCheck(schema: TSchema | undefined, isOptional: boolean): IgnoredFieldsCheck {
  const known = schema === undefined ? NO_FIELDS : fieldsOfSchema(schema)
  return (body, ignored) => {
    if (known !== undefined) walk(known, body, [], isOptional || schema === undefined, ignored)
  }
}

function walk(
  known: SchemaFields,
  value: unknown,
  path: Path,
  isOptional: boolean,
  ignored: IgnoredFields,
): void {
  if (Array.isArray(value)) {
    const { items } = known
    if (items !== undefined)
      for (const [index, item] of value.entries()) walk(items, item, [...path, index], false, ignored)
    return
  }
  if (!isObject(value)) return
  if (known.discriminated !== undefined) {
    const meant = known.discriminated.words.get(value[known.discriminated.by])
    if (meant !== undefined) walk(meant, value, path, isOptional, ignored)
    return
  }
  const { fields, addresses } = known
  if (fields === undefined) return
  let isUsed = false
  let hasUnknown = false
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue
    if (fields.has(name)) {
      isUsed ||= !addresses.has(name)
      const below = fields.get(name)
      if (below !== undefined) walk(below, value[name], [...path, name], false, ignored)
    } else {
      hasUnknown = true
      ignored.addField(path, name)
    }
  }
  if (hasUnknown && !isUsed && !isOptional && fields.size > addresses.size)
    throw misplaced(value, path, known)
}

const NAMES_TOLD_MAX = 10

function misplaced(object: object, path: Path, { fields, addresses }: SchemaFields): Failure {
  const known = [...(fields?.keys() ?? [])].filter(name => !addresses.has(name))
  const unknown = Object.keys(object).filter(name => fields?.has(name) !== true)
  const where = ['body', ...path].join('.')
  const isDocument = 'nodes' in object && fields?.has('document') === true
  return invalid(
    'body_misplaced',
    `${where}: nothing of this is known here: ${list(unknown.map(encodeName))}. It takes ${list(known)}.${
      isDocument ? ` A rich document belongs into ${where}.document.` : ''
    }`,
  )
}

const list = (names: readonly string[]): string =>
  names.slice(0, NAMES_TOLD_MAX).join(', ') + (names.length > NAMES_TOLD_MAX ? ' and more' : '')
