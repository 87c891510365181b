// What a list is asked for (RFC 7644 §3.4.2): by the address, or by the body of `.search`.
import { listOf } from '../../base/objects.ts'
import { type Filter, parseFilter } from '../../engines/scim/filter.ts'
import { fieldOf } from '../../engines/scim/patch.ts'
import { invalidFilter, invalidValue } from './failures.ts'
import { type Projection, readProjection } from './projection.ts'

/** Resources of one page. */
export const COUNT_MAX = 200
const COUNT_DEFAULT = 100

export type ListQuery = {
  readonly filter: Filter | null
  /** From 0. */
  readonly offset: number
  readonly count: number
  readonly projection: Projection
}

export const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
// Beyond what anybody has, and within an integer of the database.
const INDEX_MAX = 2 ** 31 - 1

/** `asked`: the query of the address, whose values are texts, or the body of `.search`. */
export function readListQuery(asked: unknown): ListQuery {
  const filter = fieldOf(asked, 'filter')
  return {
    filter: filter === undefined || filter === null || filter === '' ? null : readFilter(filter),
    // Less than 1 counts as 1, and a negative count as 0 (RFC 7644 §3.4.2.4).
    offset: Math.max(1, readInteger(fieldOf(asked, 'startindex'), 'startIndex', 1)) - 1,
    count: Math.min(COUNT_MAX, Math.max(0, readInteger(fieldOf(asked, 'count'), 'count', COUNT_DEFAULT))),
    projection: readProjectionOf(asked),
  }
}

function readFilter(value: unknown): Filter {
  if (typeof value !== 'string') throw invalidFilter('this must be one text')
  const parsed = parseFilter(value)
  if ('problem' in parsed) throw invalidFilter(parsed.problem)
  return parsed.value
}

export const readProjectionOf = (asked: unknown): Projection =>
  readProjection(
    namesOf('attributes', fieldOf(asked, 'attributes')),
    namesOf('excludedAttributes', fieldOf(asked, 'excludedattributes')),
  )

function namesOf(field: string, value: unknown): readonly string[] {
  if (value === undefined || value === null) return []
  const names = typeof value === 'string' ? value.split(',') : listOf(value)
  const texts = names.filter(name => typeof name === 'string').map(name => name.trim())
  if (names.length !== texts.length || (names.length === 0 && !Array.isArray(value)))
    throw invalidValue(`${field}: send names of attributes.`)
  return texts.filter(name => name !== '')
}

function readInteger(value: unknown, field: string, absent: number): number {
  if (value === undefined || value === null || value === '') return absent
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !/^[+-]?\d{1,15}$/.test(text))
    throw invalidValue(`${field}: this must be a whole number.`)
  return Math.max(-1, Math.min(INDEX_MAX, Number(text)))
}
