// Three-way merge of one record, field by field. Structure (`parent`, `children`) is left to merge-tree.ts, and the
// text of documents to merge-documents.ts: what a document becomes is asked of the function that is passed in.
import type { Conflict, Settlement } from './merge-conflicts.ts'
import { isSide } from './merge-conflicts.ts'
import { type AnyRecord, equalRecords, isSlug, type Key } from './records.ts'

/** A record in its three versions; null where it does not stand. */
export type Triple<T = AnyRecord> = {
  readonly base: T | null
  readonly ours: T | null
  readonly theirs: T | null
}

/** The fields of a record that is an object. */
export type Fields = { readonly [name: string]: unknown }

/** Fields that are one thing, told under the name of the first. */
type Unit = { readonly name: string; readonly fields: readonly string[] }

const FILE_BYTES: Unit = { name: 'blob', fields: ['blob', 'size', 'contentType', 'dimensions'] }
// Without these a record is none: where both sides made it there is no base that could be taken.
const REQUIRED: ReadonlySet<string> = new Set(['type', 'title', 'slug', 'name', 'blob'])
// Merged by member: two people may each set one variable.
const NESTED: ReadonlySet<string> = new Set(['layout', 'variables'])
const STRUCTURE: ReadonlySet<string> = new Set(['parent', 'children'])
// What git calls the bytes, the oid, follows from them: it goes where they go, and to learn of it changes nothing.
const DOCUMENT: ReadonlySet<string> = new Set(['document', 'oid'])

/**
 * The merged fields of a record that stands on both sides, without structure and document. `base` is without fields
 * where both sides made it.
 */
export function mergeFields(key: Key, triple: Triple<Fields>, settlement: Settlement): Fields {
  const { base, ours, theirs } = triple
  const unit = key.startsWith('file/') ? FILE_BYTES : undefined
  const merged = mergeNames(triple, (name, values) => {
    if (STRUCTURE.has(name) || DOCUMENT.has(name) || unit?.fields.includes(name)) return undefined
    const merge = NESTED.has(name) ? mergeMembers : mergeValue
    return merge(key, name, values, settlement)
  })
  if (unit === undefined) return merged
  const parts = { base: pick(base, unit), ours: pick(ours, unit), theirs: pick(theirs, unit) }
  const bytes = mergeValue(key, unit.name, parts, settlement) as Fields
  const [oid] = [ours, theirs, base]
    .flatMap(side => (side?.blob === bytes.blob && typeof side?.oid === 'string' ? side.oid : []))
    .sort()
  return { ...merged, ...bytes, ...(oid === undefined ? {} : { oid }) }
}

/** Whether two versions of a record say the same; what git calls their bytes is nothing that they say. */
export function sayTheSame(a: AnyRecord | null, b: AnyRecord | null): boolean {
  const said = (record: AnyRecord | null): unknown => {
    if (typeof record !== 'object' || record === null) return record
    const { oid: _, ...fields } = record as Fields
    return fields
  }
  return equalRecords(said(a), said(b))
}

type Values = { readonly base: unknown; readonly ours: unknown; readonly theirs: unknown }

/** What becomes of each name that a side has. A name may be any text, `__proto__` too. */
function mergeNames(
  { base, ours, theirs }: Triple<Fields>,
  merge: (name: string, values: Values) => unknown,
): Fields {
  const names = new Set([ours, theirs].flatMap(fields => Object.keys(fields ?? {})))
  const members = [...names].map(name => {
    const of = (fields: Fields | null) =>
      fields !== null && Object.hasOwn(fields, name) ? fields[name] : undefined
    return [name, merge(name, { base: of(base), ours: of(ours), theirs: of(theirs) })] as const
  })
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

/** One value; undefined stands for none. */
export function mergeValue(key: Key, field: string, values: Values, settlement: Settlement): unknown {
  const { base, ours, theirs } = values
  if (equalRecords(ours, theirs) || equalRecords(theirs, base)) return ours
  if (equalRecords(ours, base)) return theirs
  // Both touched the page: it is as old as the older tells, and as new as the newer.
  if (field === 'updatedAt') return String(ours ?? '') > String(theirs ?? '') ? ours : theirs
  if (field === 'createdAt') return String(ours ?? '\uffff') < String(theirs ?? '\uffff') ? ours : theirs
  const conflict: Conflict = {
    kind: 'field',
    key,
    field,
    base: base ?? null,
    ours: ours ?? null,
    theirs: theirs ?? null,
  }
  const take = settlement.take(conflict)
  if (take === undefined) return ours
  if (isSide(take) && !(values[take] === undefined && REQUIRED.has(field))) return values[take]
  if (!isSide(take) && 'value' in take && isLike(field, take.value, values)) return take.value
  settlement.refuse(conflict)
  return ours
}

/** A value from outside has to be of a kind that the field has on some side. */
const isLike = (field: string, value: unknown, values: Values): boolean =>
  (typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) &&
  (field === 'slug' ? isSlug(value) : value !== '') &&
  Object.values(values).some(one => typeof one === typeof value)

function mergeMembers(key: Key, field: string, values: Values, settlement: Settlement): Fields | undefined {
  const [base, ours, theirs] = [values.base, values.ours, values.theirs].map(value => (value ?? {}) as Fields)
  const merged = mergeNames({ base, ours, theirs } as Triple<Fields>, (name, members) =>
    mergeValue(key, `${field}.${name}`, members, settlement),
  )
  return Object.keys(merged).length === 0 ? undefined : merged
}

const pick = (fields: Fields | null, { fields: names }: Unit): Fields | undefined =>
  fields === null
    ? undefined
    : Object.fromEntries(names.flatMap(name => (fields[name] === undefined ? [] : [[name, fields[name]]])))
