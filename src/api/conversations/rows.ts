// SQL over conversations.
import { type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../platform/db/database.ts'
import { NEWEST_FIRST, page } from '../../platform/db/page.ts'
import type { Conversations } from '../../platform/db/tables.ts'
import type { ConversationPart, ListConversations } from './schema.ts'

declare module '../../platform/db/tables.ts' {
  interface ColumnValues {
    'conversations.attributes': Record<string, string>
    'conversations.parts': ConversationPart[]
  }
}

// Without parts, which may be large.
const COLUMNS = ['id', 'organization_id', 'source', 'subject', 'url', 'created_at', 'processed_at'] as const
export type ConversationRow = Pick<Selectable<Conversations>, (typeof COLUMNS)[number]>

export const findConversation = (
  db: Db,
  organizationId: string,
  id: string,
): Promise<ConversationRow | undefined> =>
  db
    .selectFrom('conversations')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()

export const findDetails = (db: Db, id: string) =>
  db
    .selectFrom('conversations')
    .select(['parts', 'attributes', 'is_dated'])
    .where('id', '=', id)
    .executeTakeFirst()

/** Newest first. */
export function listConversations(
  db: Db,
  organizationId: string,
  { page: token, limit, ...filters }: ListConversations,
) {
  let query = db.selectFrom('conversations').select(COLUMNS).where('organization_id', '=', organizationId)
  if (filters.source !== undefined) query = query.where('source', '=', filters.source)
  const question = { list: 'conversations', organization: organizationId, ...filters }
  return page(query, { question, by: NEWEST_FIRST, page: token, limit })
}

export type NewConversation = {
  readonly id: string
  readonly external_id: string
  readonly subject: string | null
  readonly url: string | null
  readonly attributes: Readonly<Record<string, string>> | null
  readonly parts: readonly ConversationPart[]
  readonly characters: number
  readonly created_at: string
  readonly is_dated: boolean
}

/**
 * Known conversations are replaced and wait to be read again; a date that is now absent is kept. Unchanged ones are not
 * touched.
 */
export const upsertConversations = (
  trx: Trx,
  organizationId: string,
  source: string,
  conversations: readonly NewConversation[],
) =>
  sql`insert into conversations (id, organization_id, source, external_id, subject, url, attributes, parts, characters,
      created_at, is_dated)
    select id, ${organizationId}, ${source}, external_id, subject, url, attributes, parts, characters, created_at, is_dated
    from jsonb_to_recordset(${JSON.stringify(conversations)}::jsonb) as one (id text, external_id text, subject text,
      url text, attributes jsonb, parts jsonb, characters integer, created_at timestamptz, is_dated boolean)
    on conflict on constraint conversations_source_key do update set
      subject = excluded.subject, url = excluded.url, attributes = excluded.attributes, parts = excluded.parts,
      characters = excluded.characters, processed_at = null, version = conversations.version + 1,
      created_at = case when excluded.is_dated then excluded.created_at else conversations.created_at end,
      is_dated = excluded.is_dated or conversations.is_dated
    where (conversations.subject, conversations.url, conversations.attributes, conversations.parts)
        is distinct from (excluded.subject, excluded.url, excluded.attributes, excluded.parts)
      or (excluded.is_dated and (conversations.created_at <> excluded.created_at or not conversations.is_dated))`.execute(
    trx,
  )

/** Its issues are deleted too. */
export const removeConversation = (trx: Trx, id: string) =>
  trx.deleteFrom('conversations').where('id', '=', id).returning('id').executeTakeFirst()

export type WaitingConversation = Pick<
  Selectable<Conversations>,
  'id' | 'version' | 'subject' | 'parts' | 'created_at' | 'characters'
>

/** Waiting to be read: about `charactersMax` in total, but at least one. */
export async function findWaiting(
  db: Db,
  organizationId: string,
  countMax: number,
  charactersMax: number,
): Promise<WaitingConversation[]> {
  const { rows } = await sql<WaitingConversation>`
    with waiting as materialized (
      select id, characters from conversations
      where organization_id = ${organizationId} and processed_at is null order by id limit ${countMax}
    ), taken as materialized (
      select id, sum(characters) over (order by id) - characters as before from waiting
    )
    select one.id, one.version, one.subject, one.parts, one.created_at, one.characters
    from taken cross join lateral (select * from conversations where conversations.id = taken.id offset 0) as one
    where taken.before < ${charactersMax} order by one.id`.execute(db)
  return rows
}

/** Locks those that have not changed since they were read, and marks them as processed. Returns their ids. */
export async function markProcessed(
  trx: Trx,
  read: readonly { readonly id: string; readonly version: number }[],
  at: Date,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    update conversations set processed_at = ${at}
    from unnest(${read.map(({ id }) => id)}::text[], ${read.map(({ version }) => version)}::integer[]) as one (id, version)
    where conversations.id = one.id and conversations.version = one.version and processed_at is null
    returning conversations.id`.execute(trx)
  return new Set(rows.map(({ id }) => id))
}
