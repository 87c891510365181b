// Which attributes an answer has (RFC 7644 §3.9). `schemas` and `id` are always among them.
import { isObject } from '../../base/objects.ts'
import { invalidValue } from './failures.ts'

export type Projection = {
  /** Whether the top-level attribute is in the answer, so that what is not need not be read. */
  shows(attribute: string): boolean
  of(resource: Readonly<Record<string, unknown>>): Record<string, unknown>
}

const NAMES_MAX = 100
const ALWAYS: ReadonlySet<string> = new Set(['schemas', 'id'])

export function readProjection(attributes: readonly string[], excluded: readonly string[]): Projection {
  if (attributes.length + excluded.length > NAMES_MAX)
    throw invalidValue(`attributes: name at most ${NAMES_MAX}.`)
  const wanted = attributes.length === 0 ? null : new Set(attributes.map(toName))
  const unwanted = new Set(excluded.map(toName))
  const shows = (path: string): boolean => {
    const [top = ''] = path.split('.')
    if (ALWAYS.has(top)) return true
    if (unwanted.has(path) || unwanted.has(top)) return false
    if (wanted === null) return true
    if (wanted.has(path) || wanted.has(top)) return true
    return path === top && [...wanted].some(name => name.startsWith(`${top}.`))
  }
  const pick = (value: unknown, top: string): unknown => {
    if (Array.isArray(value)) return value.map(one => pick(one, top))
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).filter(([sub]) => shows(`${top}.${sub.toLowerCase()}`)))
  }
  return {
    shows: attribute => shows(attribute.toLowerCase()),
    of: resource =>
      Object.fromEntries(
        Object.entries(resource)
          .filter(([name]) => shows(name.toLowerCase()))
          .map(([name, value]) => [name, pick(value, name.toLowerCase())]),
      ),
  }
}

/** The URI of the schema may precede it (RFC 7644 §3.10). */
const toName = (text: string): string => text.slice(text.lastIndexOf(':') + 1).toLowerCase()
