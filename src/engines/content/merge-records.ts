// Three-way merge of one record, field by field. merge-pages.ts merges structure (`parent`, `children`), merge-texts.ts
// documents.
import { type Fields, isObject } from '../../base/objects.ts'
import type { Conflict, Settlement } from './merge-conflicts.ts'
import { isSide } from './merge-conflicts.ts'
import { type AnyRecord, equalRecords, type FileRecord, isSlug, type Key } from './records.ts'
import { mapVersions, type Versions } from './versions.ts'

/** The versions of a record; null where it does not exist. */
export type Triple<T> = Versions<T | null>

/** The versions of a record that exists on both sides; `base` is null if both created it. */
export type TwoSided<T> = { readonly base: T | null; readonly ours: T; readonly theirs: T }

export const isTwoSided = <T>(triple: Triple<T>): triple is TwoSided<T> =>
  triple.ours !== null && triple.theirs !== null

type Values<T = unknown> = Versions<T | undefined>

// A record needs these fields, so the base cannot be taken where both sides created the record.
const REQUIRED: ReadonlySet<string> = new Set(['type', 'title', 'slug', 'name', 'blob'])
// Merged by member: two people may each set one variable.
const NESTED: ReadonlySet<string> = new Set(['layout', 'variables'])
// The oid is git's name for the bytes: it follows them, and a new oid alone changes nothing.
const STRUCTURE_AND_DOCUMENT = ['parent', 'children', 'document', 'oid'] as const
const FILE_BYTES = ['blob', 'size', 'contentType', 'dimensions', 'oid', 'uploadedBy'] as const

/** Merges the fields of a page or a reusable content, without structure and document. */
export const mergeFields = <T extends Fields>(key: Key, triple: TwoSided<T>, settlement: Settlement) =>
  mergeAllBut(STRUCTURE_AND_DOCUMENT, key, triple, settlement)

/** Merges a file. The fields that describe its bytes are merged as one. */
export function mergeFile(key: Key, triple: TwoSided<FileRecord>, settlement: Settlement): FileRecord {
  const { base, ours, theirs } = triple
  const values = {
    base: base === null ? undefined : bytesOf(base),
    ours: bytesOf(ours),
    theirs: bytesOf(theirs),
  }
  const bytes = mergeValue(key, 'blob', values, settlement) ?? values.ours
  const sides = [ours, theirs, base].flatMap(side => (side?.blob === bytes.blob ? [side] : []))
  const [oid] = sides.flatMap(side => side.oid ?? []).sort()
  // Two people may have put the same bytes there.
  const [uploadedBy] = sides.flatMap(side => side.uploadedBy ?? []).sort()
  return {
    ...mergeAllBut(FILE_BYTES, key, triple, settlement),
    ...bytes,
    ...(oid === undefined ? {} : { oid }),
    ...(uploadedBy === undefined ? {} : { uploadedBy }),
  }
}

const bytesOf = ({ blob, size, contentType, dimensions }: FileRecord) => ({
  ...{ blob, size, contentType },
  ...(dimensions === undefined ? {} : { dimensions }),
})

function mergeAllBut<T extends Fields, Name extends string>(
  names: readonly Name[],
  key: Key,
  triple: TwoSided<T>,
  settlement: Settlement,
): Omit<T, Name> {
  const skipped: ReadonlySet<string> = new Set(names)
  const rename = findRename(key, triple)
  const merged = mergeNames(triple, (name, values) => {
    if (skipped.has(name)) return undefined
    if (rename !== undefined && NAMES.includes(name) && isDisputed(values))
      return mergeRenamed(name, values, rename, settlement)
    const merge = NESTED.has(name) ? mergeMembers : mergeValue
    return merge(key, name, values, settlement)
  })
  // Each value comes from the same field of a version, or is a resolution of the same type.
  return merged as Omit<T, Name>
}

// What a thing is called. The first that both changed stands for all of them: a rename is one conflict.
const NAMES: readonly string[] = ['title', 'name', 'slug', 'file']

export const isDisputed = ({ base, ours, theirs }: Values): boolean =>
  !equalRecords(ours, theirs) && !equalRecords(ours, base) && !equalRecords(theirs, base)

/** The conflict of a record that both sides renamed; undefined for others. */
export function findRename(key: Key, triple: TwoSided<Fields>): Conflict | undefined {
  for (const field of NAMES) {
    const values = mapVersions<Fields | null, unknown>(triple, fields => fields?.[field])
    if (isDisputed(values)) return fieldConflict(key, field, values)
  }
  return undefined
}

/** The first name is settled by itself; the others are those of the side that is taken for it. */
function mergeRenamed(name: string, values: Values, rename: Conflict, settlement: Settlement): unknown {
  if (name === rename.field) return mergeValue(rename.key, name, values, settlement)
  const take = settlement.take(rename)
  return take !== undefined && isSide(take) ? (values[take] ?? values.ours) : values.ours
}

const fieldConflict = (key: Key, field: string, { base, ours, theirs }: Values): Conflict => ({
  ...{ kind: 'field', key, field },
  ...{ base: base ?? null, ours: ours ?? null, theirs: theirs ?? null },
})

/** Whether nothing is lost when one version is deleted instead of the other: only the oid or the mode differs. */
export const isSameToDelete = (a: AnyRecord | null, b: AnyRecord | null): boolean =>
  equalRecords(withoutBlob(a), withoutBlob(b))

const withoutBlob = (record: AnyRecord | null): unknown =>
  typeof record === 'object' && record !== null
    ? { ...record, oid: undefined, isExecutable: undefined }
    : record

/** Merges each name that a side has. A name may be any text, even `__proto__`. */
function mergeNames(triple: Triple<Fields>, merge: (name: string, values: Values) => unknown): Fields {
  const names = new Set([triple.ours, triple.theirs].flatMap(fields => Object.keys(fields ?? {})))
  const members = [...names].map(name => {
    const values = mapVersions(triple, fields =>
      fields !== null && Object.hasOwn(fields, name) ? fields[name] : undefined,
    )
    return [name, merge(name, values)] as const
  })
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

/** Merges one value; undefined means that it is absent. */
export function mergeValue<T>(
  key: Key,
  field: string,
  values: Values<T>,
  settlement: Settlement,
): T | undefined {
  const { base, ours, theirs } = values
  if (equalRecords(ours, theirs) || equalRecords(theirs, base)) return ours
  if (equalRecords(ours, base)) return theirs
  // Both edited the page: take the earlier creation and the later update.
  if (field === 'updatedAt') return String(ours ?? '') > String(theirs ?? '') ? ours : theirs
  if (field === 'createdAt') return String(ours ?? '\uffff') < String(theirs ?? '\uffff') ? ours : theirs
  const conflict = fieldConflict(key, field, values)
  const take = settlement.take(conflict)
  if (take === undefined) return ours
  if (isSide(take) && !(values[take] === undefined && REQUIRED.has(field))) return values[take]
  if (!isSide(take) && 'value' in take && isLike(field, take.value, values)) return take.value
  settlement.refuse(conflict)
  return ours
}

/** A value from outside must have the type that the field has in a version. */
const isLike = <T>(field: string, value: unknown, values: Values<T>): value is T =>
  (typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) &&
  (field === 'slug' ? isSlug(value) : value !== '') &&
  Object.values(values).some(one => typeof one === typeof value)

function mergeMembers(key: Key, field: string, values: Values, settlement: Settlement): Fields | undefined {
  const members = mapVersions(values, value => (isObject(value) ? value : null))
  const merged = mergeNames(members, (name, one) => mergeValue(key, `${field}.${name}`, one, settlement))
  return Object.keys(merged).length === 0 ? undefined : merged
}
