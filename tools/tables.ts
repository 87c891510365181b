// Generates src/platform/db/tables.ts (types for Kysely) and src/platform/db/schema.sql (to read) from an embedded
// database that was migrated from nothing. `--check` compares instead of writing and exits with 1 when they differ.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '../src/platform/db/database.ts'
import { openMemory } from '../src/platform/db/embedded.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { embeddedDatabase } from '../src/platform/db/open.ts'
import { createLog } from '../src/platform/log.ts'
import { type DeclaredColumns, renderSchema, renderTables, type Schema } from './schema.ts'

const FOLDER = join(import.meta.dirname, '../src/platform/db')

async function readSchema(db: Db): Promise<Schema> {
  const tables = await sql<Schema['tables'][number]>`
    select c.relname as name,
      (select jsonb_agg(jsonb_build_object(
          'name', a.attname,
          'type', format_type(a.atttypid, a.atttypmod),
          'isNullable', not a.attnotnull,
          'fallback', pg_get_expr(d.adbin, d.adrelid),
          'identity', a.attidentity,
          'generated', a.attgenerated
        ) order by a.attnum)
        from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      coalesce((select jsonb_agg(jsonb_build_object('name', k.conname, 'definition', pg_get_constraintdef(k.oid))
          order by position(k.contype in 'pucf'), k.conname)
        from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'c', 'f')), '[]') as constraints,
      coalesce((select jsonb_agg(pg_get_indexdef(i.indexrelid) order by pg_get_indexdef(i.indexrelid))
        from pg_index i where i.indrelid = c.oid
          and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.conrelid = c.oid
            and k.contype in ('p', 'u'))), '[]') as indexes,
      coalesce((select jsonb_agg(pg_get_triggerdef(t.oid) order by t.tgname)
        from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal), '[]') as triggers
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    order by c.relname collate "C"`.execute(db)
  const functions = await sql<{ definition: string }>`
    select pg_get_functiondef(p.oid) as definition from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by p.proname collate "C"`.execute(db)
  return { tables: tables.rows, functions: functions.rows.map(row => row.definition) }
}

/** The columns that sources declare values of, in `declare module '….tables.ts' { interface ColumnValues { … } }`. */
function findDeclaredColumns(): DeclaredColumns {
  const paths = globSync('src/**/*.ts', { cwd: join(import.meta.dirname, '..') })
  const texts = paths.map(path => readFileSync(join(import.meta.dirname, '..', path), 'utf8'))
  const bodies = texts.flatMap(
    text => /^declare module [^\n]*tables\.ts' \{\n[\s\S]*?^\}/m.exec(text)?.[0] ?? [],
  )
  return new Set(
    bodies.flatMap(body => [...body.matchAll(/^ {4}'([a-z_.]+)':/gm)].map(([, name = '']) => name)),
  )
}

const database = embeddedDatabase(await openMemory(), createLog('warn'))
await migrate(database)
const schema = await readSchema(database.db)
await database.close()

const files = { 'tables.ts': renderTables(schema, findDeclaredColumns()), 'schema.sql': renderSchema(schema) }
for (const [name, text] of Object.entries(files)) {
  const path = join(FOLDER, name)
  if (!process.argv.includes('--check')) writeFileSync(path, text)
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`src/platform/db/${name} is not what the migrations make. Run: node tools/tables.ts`)
    process.exitCode = 1
  }
}
