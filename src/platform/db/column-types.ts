// The values that columns of certain types take and return.
import type { ColumnType } from 'kysely'
import type { Json } from '../../base/canonical.ts'

/** A column that the database fills in if it is left out. */
export type Filled<T> =
  T extends ColumnType<infer Select, infer Insert, infer Update>
    ? ColumnType<Select, Insert | undefined, Update>
    : ColumnType<T, T | undefined, T>
export type Timestamp = ColumnType<Date, Date | string, Date | string>
export type Bytes = ColumnType<Buffer, Uint8Array, Uint8Array>
/** Read as a value, written as JSON text: `pg` would write an array as a PostgreSQL array. */
export type Jsonb<Value = Json> = ColumnType<Value, string, string>
