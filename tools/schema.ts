// A database's schema as text: types for Kysely, and SQL to read. Deterministic, so that both can be compared.

export interface Column {
  readonly name: string
  /** As format_type() spells it: `timestamp with time zone`, `text[]`. */
  readonly type: string
  readonly isNullable: boolean
  readonly fallback: string | null
  readonly identity: string
  readonly generated: string
}

export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  readonly constraints: readonly { readonly name: string; readonly definition: string }[]
  readonly indexes: readonly string[]
  readonly triggers: readonly string[]
}

export interface Schema {
  readonly tables: readonly Table[]
  readonly functions: readonly string[]
}

/** `table.column` of those whose values the owner of the table declares. */
export type DeclaredColumns = ReadonlySet<string>

// What `pg` gives for a column, and what it takes: see platform/db/open.ts.
const TYPES: Readonly<Record<string, string>> = {
  text: 'string',
  boolean: 'boolean',
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  real: 'number',
  'double precision': 'number',
  bytea: 'Bytes',
  'timestamp with time zone': 'Timestamp',
  date: 'string',
  tsvector: 'string',
  'text[]': 'string[]',
  'integer[]': 'number[]',
  'bytea[]': 'Buffer[]',
}

const HEAD = `// Made by tools/tables.ts from the migrations. Do not edit.
import type { Bytes, Filled, Jsonb, Timestamp } from './column-types.ts'

/**
 * What a column holds where its type in the database says less: JSON of some shape, text that is one of some words.
 * The owner of the table declares it, and tools/tables.ts finds the names:
 *
 *     declare module '../../platform/db/tables.ts' {
 *       interface ColumnValues { 'spaces.merge_rules': SpaceMergeRules }
 *     }
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the owners, as shown above
export interface ColumnValues {}
`

export function renderTables({ tables }: Schema, declared: DeclaredColumns): string {
  const columns = new Set(tables.flatMap(table => table.columns.map(({ name }) => `${table.name}.${name}`)))
  const unknown = [...declared].find(name => !columns.has(name))
  if (unknown !== undefined) throw new Error(`ColumnValues declares ${unknown}: there is no such column`)
  const interfaces = tables.map(table => {
    const fields = table.columns.map(column => `  ${column.name}: ${typeOf(table, column, declared)}\n`)
    return `\nexport interface ${typeName(table.name)} {\n${fields.join('')}}\n`
  })
  const all = tables.map(table => `  ${table.name}: ${typeName(table.name)}\n`)
  return `${HEAD}${interfaces.join('')}\nexport interface Tables {\n${all.join('')}}\n`
}

function typeOf(table: Table, column: Column, declared: DeclaredColumns): string {
  const name = `${table.name}.${column.name}`
  const value = declared.has(name) ? `ColumnValues['${name}']` : undefined
  let type =
    column.type === 'jsonb'
      ? `Jsonb${value === undefined ? '' : `<${value}>`}`
      : (value ?? wordsOf(table, column.name) ?? TYPES[column.type])
  if (type === undefined) throw new Error(`${name}: tools/schema.ts has no type for ${column.type}`)
  if (column.isNullable) type = `${type} | null`
  const isFilled = column.fallback !== null || column.identity !== '' || column.generated !== ''
  return isFilled ? `Filled<${type}>` : type
}

// `check (role in ('admin', …))` comes back as CHECK ((role = ANY (ARRAY['admin'::text, …]))): the type is its words.
function wordsOf(table: Table, column: string): string | undefined {
  for (const { definition } of table.constraints) {
    const list = new RegExp(`^CHECK \\(\\(${column} = ANY \\(ARRAY\\[(.*)\\]\\)\\)\\)$`).exec(definition)?.[1]
    const words = list?.match(/'[^']*'(?=::text)/g)
    if (words) return words.join(' | ')
  }
  return undefined
}

const typeName = (table: string): string =>
  table.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

export function renderSchema({ tables, functions }: Schema): string {
  const parts = ['-- Made by tools/tables.ts from the migrations, to be read. Do not edit.\n']
  for (const table of tables) {
    const lines = [
      ...table.columns.map(columnLine),
      ...table.constraints.map(({ name, definition }) => `constraint ${name} ${definition}`),
    ]
    parts.push(
      `create table ${table.name} (\n  ${lines.join(',\n  ')}\n);\n${statements([...table.indexes, ...table.triggers])}`,
    )
  }
  return [...parts, ...functions.map(text => `${text.trim()};\n`)].join('\n')
}

const statements = (all: readonly string[]): string =>
  all.map(text => `${text.replaceAll('public.', '')};\n`).join('')

function columnLine(column: Column): string {
  const words = [column.name, column.type]
  if (!column.isNullable) words.push('not null')
  if (column.identity !== '')
    words.push(`generated ${column.identity === 'a' ? 'always' : 'by default'} as identity`)
  if (column.fallback !== null) {
    words.push(
      column.generated === ''
        ? `default ${column.fallback}`
        : `generated always as (${column.fallback}) stored`,
    )
  }
  return words.join(' ')
}
