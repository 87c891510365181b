// The rows of a database as text that both engines write and read alike: every value in PostgreSQL's own spelling.
import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import { PORTION_BYTES } from './format.ts'

export type Table = {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

// Rows requested at once: an embedded database answers in one piece.
const SIZES_AT_ONCE = 5_000

/** All tables but the list of migrations, without generated columns. */
export async function listTables(db: Db | Trx): Promise<Table[]> {
  const { rows } = await sql<Table>`
    select c.relname as name,
      jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod))
        order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> 'migrations'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    group by c.relname order by c.relname`.execute(db)
  return rows
}

/** Fixes the spelling of values in this transaction, whatever the server's settings. */
export const spellPlainly = (trx: Trx) =>
  sql`select set_config(name, value, true) from (values
      ('datestyle', 'ISO, YMD'), ('timezone', 'UTC'), ('intervalstyle', 'postgres'),
      ('bytea_output', 'hex'), ('extra_float_digits', '1'),
      ('idle_in_transaction_session_timeout', '0'), ('statement_timeout', '0')) as settings (name, value)
  `.execute(trx)

/**
 * The rows of a table, each as a JSON object of texts, in arrays of up to PORTION_BYTES unless a single row is
 * larger. Two cursors move through the table side by side: the sizes from one determine how many rows to fetch from
 * the other.
 */
export async function* readRows(trx: Trx, table: Table): AsyncGenerator<{ count: number; json: string }> {
  const columns = table.columns.map(({ name }) => sql`${sql.ref(name)}::text as ${sql.ref(name)}`)
  const from = sql.table(table.name)
  // Both cursors follow the file's order. If they did not, portions would be larger or smaller, but nothing would be
  // lost.
  await sql`set local synchronize_seqscans = off`.execute(trx)
  await sql`declare sizes no scroll cursor for select ${sum(table.columns.map(sizeOf))} as size from ${from}`.execute(
    trx,
  )
  await sql`declare contents no scroll cursor for
    select row_to_json(r)::text as row from (select ${sql.join(columns)} from ${from}) r`.execute(trx)
  for (;;) {
    const { rows: sizes } = await sql<{ size: number }>`
      fetch ${sql.lit(SIZES_AT_ONCE)} from sizes`.execute(trx)
    for (const count of groups(sizes.map(({ size }) => size))) {
      const { rows } = await sql<{ row: string }>`fetch ${sql.lit(count)} from contents`.execute(trx)
      yield { count: rows.length, json: `[${rows.map(({ row }) => row).join(',\n')}]` }
    }
    if (sizes.length < SIZES_AT_ONCE) break
  }
  await sql`close sizes`.execute(trx)
  await sql`close contents`.execute(trx)
}

type Column = Table['columns'][number]

// The length of a text or of bytes is known without reading them; other types are spelled out to be measured.
const sizeOf = ({ name, type }: Column): RawBuilder<number> => {
  const column = sql.ref(name)
  if (type === 'text') return sql`octet_length(${column})`
  if (type === 'bytea') return sql`2 * octet_length(${column})`
  if (type === 'tsvector') return sql`8 * pg_column_size(${column})`
  if (type === 'jsonb' || type.endsWith('[]')) return sql`octet_length(${column}::text)`
  return sql`32`
}

const sum = (sizes: readonly RawBuilder<number>[]) =>
  sql`(${sql.join(
    sizes.map(size => sql`coalesce(${size}, 0)`),
    sql` + `,
  )})::int8`

/** Group lengths for items of these sizes. */
export function* groups(sizes: readonly number[]): Generator<number> {
  let count = 0
  let bytes = 0
  for (const size of sizes) {
    if (count > 0 && bytes + size > PORTION_BYTES) {
      yield count
      count = 0
      bytes = 0
    }
    count += 1
    bytes += size
  }
  if (count > 0) yield count
}

/** Inserts a portion of `readRows`. */
export async function insertRows(trx: Trx, { name, columns }: Table, json: string): Promise<void> {
  const names = sql.join(columns.map(column => sql.ref(column.name)))
  const values = columns.map(column => sql`r.${sql.ref(column.name)}::${sql.raw(column.type)}`)
  const texts = columns.map(column => sql`${sql.ref(column.name)} text`)
  await sql`insert into ${sql.table(name)} (${names}) overriding system value
    select ${sql.join(values)} from json_to_recordset(${json}::json) as r (${sql.join(texts)})`.execute(trx)
}

/** Moves each sequence behind the highest number in its column. */
export async function moveSequences(trx: Trx): Promise<void> {
  const { rows } = await sql<{ table: string; column: string; sequence: string }>`
    select * from (
      select c.relname as table, a.attname as column,
        pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
        and a.attnum > 0 and not a.attisdropped) as columns
    where sequence is not null`.execute(trx)
  for (const { table, column, sequence } of rows)
    await sql`select setval(${sequence}::regclass, coalesce(max(${sql.ref(column)}), 1), count(*) > 0)
      from ${sql.table(table)}`.execute(trx)
}

export async function countRows(trx: Trx, { name }: Table): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(trx)
  return rows[0]?.count ?? 0
}
