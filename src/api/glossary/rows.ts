// SQL over glossaries and their entries.
import { type Selectable, sql } from 'kysely'
import { countRows } from '../../platform/db/count.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { NEWEST_FIRST, type PageQuery, page } from '../../platform/db/page.ts'
import type { GlossaryEntries } from '../../platform/db/tables.ts'
import type { GlossaryTranslations } from './schema.ts'

declare module '../../platform/db/tables.ts' {
  interface ColumnValues {
    'glossary_entries.translations': GlossaryTranslations
  }
}

export type EntryRow = Selectable<GlossaryEntries>

/** Newest first. */
export const listEntries = (db: Db, organizationId: string, query: PageQuery) =>
  page(db.selectFrom('glossary_entries').selectAll().where('organization_id', '=', organizationId), {
    question: { list: 'glossary', organization: organizationId },
    by: NEWEST_FIRST,
    ...query,
  })

export const findEntry = (db: Db, organizationId: string, id: string): Promise<EntryRow | undefined> =>
  db
    .selectFrom('glossary_entries')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()

/** Increments the version of a glossary. Locks its row until the transaction ends. */
export const moveVersion = (trx: Trx, organizationId: string) =>
  sql`insert into glossaries (organization_id) values (${organizationId})
    on conflict (organization_id) do update set version = glossaries.version + 1`.execute(trx)

/** Undefined if the organization never had entries. */
export const findVersion = async (db: Db, organizationId: string): Promise<string | undefined> => {
  const row = await db
    .selectFrom('glossaries')
    .select('version')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return row?.version.toString()
}

export async function listTranslations(db: Db, organizationId: string): Promise<GlossaryTranslations[]> {
  const rows = await db
    .selectFrom('glossary_entries')
    .select('translations')
    .where('organization_id', '=', organizationId)
    .execute()
  return rows.map(row => row.translations)
}

/** The ids that are entries of the organization. */
export async function findKnownIds(
  trx: Trx,
  organizationId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('glossary_entries')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [...ids])
    .execute()
  return new Set(rows.map(row => row.id))
}

type Entry = { readonly id: string; readonly translations: GlossaryTranslations }

export const upsertEntries = (trx: Trx, organizationId: string, entries: readonly Entry[]) =>
  sql`insert into glossary_entries (id, organization_id, translations)
    select id, ${organizationId}, translations
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as entry (id text, translations jsonb)
    on conflict (id) do update set translations = excluded.translations, updated_at = now()`.execute(trx)

export const removeEntries = (trx: Trx, organizationId: string, ids: readonly string[]) =>
  trx
    .deleteFrom('glossary_entries')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [...ids])
    .execute()

export const countEntries = (trx: Trx, organizationId: string): Promise<number> =>
  countRows(trx.selectFrom('glossary_entries').where('organization_id', '=', organizationId))
