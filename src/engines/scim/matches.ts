// Whether an element of a multi-valued attribute matches a filter (RFC 7644 §3.4.2.2), without a database.
import type { Comparand, Filter } from './filter.ts'

export type Element = Readonly<Record<string, string | boolean>>

/** The names of the element are in lower case; values are compared without case. An attribute it lacks matches nothing. */
export function matches(filter: Filter, element: Element): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.filters.every(one => matches(one, element))
    case 'or':
      return filter.filters.some(one => matches(one, element))
    case 'not':
      return !matches(filter.filter, element)
    case 'present':
      return Object.hasOwn(element, filter.path.name.toLowerCase())
    case 'element':
      return false
    case 'compare': {
      const name = filter.path.name.toLowerCase()
      const has = Object.hasOwn(element, name) ? element[name] : undefined
      return compare(filter.operator, fold(has ?? null), fold(filter.value))
    }
  }
}

const fold = (value: Comparand) => (typeof value === 'string' ? value.toLowerCase() : value)

function compare(operator: string, has: Comparand, wanted: Comparand): boolean {
  if (operator === 'eq') return has === wanted
  if (operator === 'ne') return has !== wanted
  if (typeof has !== 'string' || typeof wanted !== 'string') return false
  switch (operator) {
    case 'co':
      return has.includes(wanted)
    case 'sw':
      return has.startsWith(wanted)
    case 'ew':
      return has.endsWith(wanted)
    case 'gt':
      return has > wanted
    case 'ge':
      return has >= wanted
    case 'lt':
      return has < wanted
    default:
      return has <= wanted
  }
}
