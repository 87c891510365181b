// What a backup is: a gzipped tar file that begins with what made it and ends with what has to be in it.
//
//   octavo-backup.json       the version of this format, and the migrations of the database
//   tables/<table>/<n>.json  its rows, some at a time
//   blobs/<sha256>           the bytes of a file
//   end.json                 how many there were, and the hash of everything before

import { type Failure, invalid } from '../../base/errors.ts'
import { type Fields, isObject } from '../../base/objects.ts'

export const FORMAT = 1
export const HEADER = 'octavo-backup.json'
export const END = 'end.json'

export const JSON_BYTES_MAX = 4 * 1024 * 1024
/** Rows are written together up to this size; a single row may exceed it. */
export const PORTION_BYTES = 1024 * 1024
/** A portion has to fit in one JavaScript string. */
export const PORTION_BYTES_MAX = 384 * 1024 * 1024

export type BackupHeader = {
  readonly format: number
  /** The version of the program that made it. */
  readonly octavo: string
  readonly madeAt: string
  readonly migrations: readonly { readonly name: string; readonly checksum: string }[]
}

export type BackupEnd = {
  /** Rows of each table. */
  readonly tables: Readonly<Record<string, number>>
  readonly blobs: number
  /** Blobs whose bytes did not match their name when the backup was made. */
  readonly damaged: readonly string[]
  /**
   * SHA-256 of the names and sizes of all entries before, and of the bytes of all but blobs, which are named by their
   * hash.
   */
  readonly sha256: string
}

export type EntryName =
  | { readonly kind: 'header' | 'end' }
  | { readonly kind: 'rows'; readonly table: string }
  | { readonly kind: 'blob'; readonly sha256: string }

const ROWS = /^tables\/([a-z][a-z0-9_]{0,62})\/\d{1,10}\.json$/
const BLOB = /^blobs\/([0-9a-f]{64})$/

export const rowsName = (table: string, portion: number): string => `tables/${table}/${portion}.json`
export const BLOBS = 'blobs/'
export const blobName = (sha256: string): string => `${BLOBS}${sha256}`

/** Names are matched, and never become paths. */
export function parseName(name: string): EntryName | undefined {
  if (name === HEADER) return { kind: 'header' }
  if (name === END) return { kind: 'end' }
  const [, table] = ROWS.exec(name) ?? []
  if (table !== undefined) return { kind: 'rows', table }
  const [, sha256] = BLOB.exec(name) ?? []
  return sha256 === undefined ? undefined : { kind: 'blob', sha256 }
}

/** Undefined if it is not a header of any version. */
export function parseHeader(text: string): BackupHeader | undefined {
  const value = parseObject(text)
  if (value === undefined) return undefined
  const { format, octavo, madeAt, migrations } = value
  if (!Number.isInteger(format)) return undefined
  if (format !== FORMAT) return { format: Number(format), octavo: '', madeAt: '', migrations: [] }
  const isWhole =
    typeof octavo === 'string' &&
    typeof madeAt === 'string' &&
    Array.isArray(migrations) &&
    migrations.every(one => typeof one?.name === 'string' && typeof one.checksum === 'string')
  // TypeScript does not narrow an object by its members.
  return isWhole ? (value as unknown as BackupHeader) : undefined
}

export function parseEnd(text: string): BackupEnd | undefined {
  const value = parseObject(text)
  if (value === undefined) return undefined
  const { tables, blobs, damaged, sha256 } = value
  const isWhole =
    typeof tables === 'object' &&
    tables !== null &&
    Object.values(tables).every(Number.isSafeInteger) &&
    Number.isSafeInteger(blobs) &&
    Array.isArray(damaged) &&
    damaged.every(hash => typeof hash === 'string') &&
    typeof sha256 === 'string'
  // TypeScript does not narrow an object by its members.
  return isWhole ? (value as unknown as BackupEnd) : undefined
}

function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const foreign = (path: string, cause?: unknown): Failure =>
  invalid('backup_foreign', `${path} is not a backup of Octavo.`, cause)

export const truncated = (path: string, cause?: unknown): Failure =>
  invalid('backup_truncated', `${path} ends too early: the rest of the backup is missing.`, cause)

export const damaged = (path: string, what: string, cause?: unknown): Failure =>
  invalid('backup_damaged', `${path} is damaged: ${what}`, cause)

export const newerFormat = (path: string, why: string): Failure =>
  invalid(
    'backup_newer',
    `${path} was made by a newer version of Octavo: ${why} Restore it with that version or a later one.`,
  )
