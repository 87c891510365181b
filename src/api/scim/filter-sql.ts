// Filters of SCIM as conditions of SQL: values are parameters, and attributes are looked up in a table of those that
// there are. Null counts as absent, so that every condition is true or false.
import { type RawBuilder, sql } from 'kysely'
import type { AttributePath, Comparand, Filter, Operator } from '../../engines/scim/filter.ts'
import { invalidFilter, unknownAttribute } from './failures.ts'

type Condition = RawBuilder<boolean>

export type Attribute =
  /** `equals`: finds a value by an index. */
  | {
      readonly kind: 'text'
      readonly column: RawBuilder<string | null>
      readonly isCaseExact: boolean
      readonly equals?: (value: string) => Condition
    }
  | { readonly kind: 'boolean'; readonly column: RawBuilder<boolean> }
  | { readonly kind: 'time'; readonly column: RawBuilder<Date> }
  /** References to other resources, by id. */
  | { readonly kind: 'references'; readonly has: (id: string) => Condition; readonly hasAny: Condition }

/** By name in lower case: `username`, `name.familyname`, `emails`, `emails.value`. */
export type Attributes = {
  /** The URI of the schema. */
  readonly schema: string
  readonly byName: ReadonlyMap<string, Attribute>
}

export function filterToSql(filter: Filter, attributes: Attributes): Condition {
  return toSql(filter, path => findAttribute(attributes, path, ''))

  function toSql(one: Filter, find: (path: AttributePath) => Attribute): Condition {
    switch (one.kind) {
      case 'and':
      case 'or': {
        const conditions = one.filters.map(each => toSql(each, find))
        return sql<boolean>`(${sql.join(conditions, one.kind === 'and' ? sql` and ` : sql` or `)})`
      }
      case 'not':
        return sql<boolean>`(not ${toSql(one.filter, find)})`
      case 'present':
        return isPresent(find(one.path))
      case 'compare':
        return compare(find(one.path), one.path, one.operator, one.value)
      case 'element': {
        // The attribute itself has to be one that there is.
        find(one.path)
        return toSql(one.filter, path => findAttribute(attributes, path, `${nameOf(one.path)}.`))
      }
    }
  }
}

const nameOf = ({ name, sub }: AttributePath): string =>
  (sub === null ? name : `${name}.${sub}`).toLowerCase()

function findAttribute({ schema, byName }: Attributes, path: AttributePath, prefix: string): Attribute {
  const isOwn = path.uri === null || path.uri.toLowerCase() === schema.toLowerCase()
  const attribute = isOwn ? byName.get(prefix + nameOf(path)) : undefined
  if (attribute === undefined) throw unknownAttribute(writtenOf(path))
  return attribute
}

const writtenOf = ({ uri, name, sub }: AttributePath): string =>
  `${uri === null ? '' : `${uri}:`}${name}${sub === null ? '' : `.${sub}`}`.slice(0, 100)

function isPresent(attribute: Attribute): Condition {
  if (attribute.kind === 'references') return attribute.hasAny
  return sql<boolean>`(${attribute.column} is not null)`
}

function compare(attribute: Attribute, path: AttributePath, operator: Operator, value: Comparand): Condition {
  const refuse = (wanted: string) => invalidFilter(`${writtenOf(path)} ${operator}: ${wanted}`)
  // An attribute that is null has no value (RFC 7643 §2.5).
  if (value === null) {
    if (operator === 'eq') return sql<boolean>`(not ${isPresent(attribute)})`
    if (operator === 'ne') return isPresent(attribute)
    throw refuse('null is compared by eq and ne alone')
  }
  switch (attribute.kind) {
    case 'references':
      if (typeof value !== 'string') throw refuse('this is compared with a text')
      if (operator === 'eq') return attribute.has(value)
      throw refuse('this is compared by eq alone')
    case 'boolean': {
      const wanted = readBoolean(value)
      if (wanted === undefined) throw refuse('this is compared with true or false')
      if (operator === 'eq') return sql<boolean>`(${attribute.column} = ${wanted})`
      if (operator === 'ne') return sql<boolean>`(${attribute.column} <> ${wanted})`
      throw refuse('this is compared by eq and ne alone')
    }
    case 'time': {
      const time = typeof value === 'string' ? new Date(value) : undefined
      const year = time?.getUTCFullYear()
      if (time === undefined || year === undefined || !(year >= 0 && year <= 9999))
        throw refuse('this is compared with a date and time')
      const order = ORDERS[operator]
      if (order === undefined) throw refuse('times have no parts')
      // On the wire times have milliseconds.
      const shown = sql`date_trunc('milliseconds', ${attribute.column})`
      return sql<boolean>`(${shown} ${order} ${time.toISOString()}::timestamptz)`
    }
    case 'text':
      if (typeof value !== 'string') throw refuse('this is compared with a text')
      return compareText(attribute, operator, value)
  }
}

/** Entra sends "True" and "False". */
const readBoolean = (value: Comparand): boolean | undefined => {
  if (typeof value === 'boolean') return value
  const word = typeof value === 'string' ? value.toLowerCase() : ''
  return word === 'true' || word === 'false' ? word === 'true' : undefined
}

const ORDERS: Readonly<Partial<Record<Operator, RawBuilder<unknown>>>> = {
  eq: sql`=`,
  ne: sql`<>`,
  gt: sql`>`,
  ge: sql`>=`,
  lt: sql`<`,
  le: sql`<=`,
}

function compareText(
  { column, isCaseExact, equals }: Extract<Attribute, { kind: 'text' }>,
  operator: Operator,
  value: string,
): Condition {
  if (operator === 'eq' && equals !== undefined) return equals(value)
  const has = isCaseExact ? sql<string>`${column}` : sql<string>`lower(${column})`
  const wanted = isCaseExact ? sql<string>`${value}::text` : sql<string>`lower(${value}::text)`
  switch (operator) {
    case 'eq':
      return sql<boolean>`(${has} is not distinct from ${wanted})`
    case 'ne':
      return sql<boolean>`(${has} is distinct from ${wanted})`
    case 'co':
      return sql<boolean>`coalesce(strpos(${has}, ${wanted}) > 0, false)`
    case 'sw':
      return sql<boolean>`coalesce(starts_with(${has}, ${wanted}), false)`
    case 'ew':
      return sql<boolean>`coalesce(right(${has}, length(${wanted})) = ${wanted}, false)`
    default:
      return sql<boolean>`coalesce(${has} collate "C" ${ORDERS[operator] ?? sql`=`} ${wanted} collate "C", false)`
  }
}
