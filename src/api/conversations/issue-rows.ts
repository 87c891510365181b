// SQL over the issues of conversations.
import { type Selectable, sql } from 'kysely'
import { countRows } from '../../platform/db/count.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { NEWEST_FIRST, page } from '../../platform/db/page.ts'
import type { ConversationIssues } from '../../platform/db/tables.ts'
import type { ConversationRow } from './rows.ts'
import type { ListIssues } from './schema.ts'

/** An issue with its conversation. */
export type IssueRow = Pick<
  Selectable<ConversationIssues>,
  | 'id'
  | 'organization_id'
  | 'conversation_id'
  | 'cluster_id'
  | 'title'
  | 'summary'
  | 'created_at'
  | 'ingested_at'
> & { readonly conversation: ConversationJson }

type ConversationJson = {
  [Column in keyof ConversationRow]: ConversationRow[Column] extends Date
    ? string
    : Date extends ConversationRow[Column]
      ? string | null
      : ConversationRow[Column]
}

// The subquery runs for the issues of a page only.
const selectIssues = (db: Db) =>
  db
    .selectFrom('conversation_issues')
    .select(['id', 'organization_id', 'conversation_id', 'cluster_id', 'title', 'summary'])
    .select(['created_at', 'ingested_at'])
    .select(
      sql<ConversationJson>`(select jsonb_build_object('id', one.id, 'organization_id', one.organization_id,
        'source', one.source, 'subject', one.subject, 'url', one.url, 'created_at', one.created_at,
        'processed_at', one.processed_at) from conversations as one where one.id = conversation_issues.conversation_id)`.as(
        'conversation',
      ),
    )

export const findIssue = (db: Db, organizationId: string, id: string): Promise<IssueRow | undefined> =>
  selectIssues(db).where('id', '=', id).where('organization_id', '=', organizationId).executeTakeFirst()

/** Newest first. */
export function listIssues(db: Db, organizationId: string, { page: token, limit, ...filters }: ListIssues) {
  let query = selectIssues(db).where('organization_id', '=', organizationId)
  if (filters.cluster !== undefined) query = query.where('cluster_id', '=', filters.cluster)
  if (filters.conversation !== undefined) query = query.where('conversation_id', '=', filters.conversation)
  const question = { list: 'conversation issues', organization: organizationId, ...filters }
  return page(query, { question, by: NEWEST_FIRST, page: token, limit })
}

export type NewIssue = {
  readonly id: string
  readonly conversation_id: string
  readonly position: number
  readonly title: string
  readonly summary: string
  readonly body: string
  readonly created_at: Date
}

/**
 * The clusters whose description may quote a conversation: those with its issues, and those waiting for a new
 * description, which its issues may just have left.
 */
export async function findQuoting(
  trx: Trx,
  { id, organization_id }: Pick<ConversationRow, 'id' | 'organization_id'>,
): Promise<string[]> {
  const waiting = await trx
    .selectFrom('conversation_clusters')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('state', '<>', 'described')
    .execute()
  const own = await findReworded(trx, [id], [])
  return [...new Set([...own, ...waiting.map(cluster => cluster.id)])]
}

/** The clusters with an issue of these conversations whose words differ in `issues`. */
export async function findReworded(
  trx: Trx,
  conversationIds: readonly string[],
  issues: readonly NewIssue[],
): Promise<string[]> {
  const words = JSON.stringify(
    issues.map(({ conversation_id, position, title, summary }) => ({
      conversation_id,
      position,
      title,
      summary,
    })),
  )
  const { rows } = await sql<{ cluster_id: string }>`
    select distinct cluster_id from conversation_issues as issue
    where conversation_id = any(${[...conversationIds]}::text[]) and cluster_id is not null and not exists (
      select from jsonb_to_recordset(${words}::jsonb) as one (conversation_id text, position integer, title text, summary text)
      where one.conversation_id = issue.conversation_id and one.position = issue.position
        and one.title = issue.title and one.summary = issue.summary)`.execute(trx)
  return rows.map(({ cluster_id }) => cluster_id)
}

/**
 * Replaces the issues of these conversations. An issue at the same position keeps its id and cluster: clusters are
 * identified by the issues that they keep.
 */
export async function replaceIssues(
  trx: Trx,
  organizationId: string,
  conversationIds: readonly string[],
  issues: readonly NewIssue[],
): Promise<void> {
  const kept = JSON.stringify(issues.map(({ conversation_id, position }) => ({ conversation_id, position })))
  await sql`delete from conversation_issues
    where conversation_id = any(${[...conversationIds]}::text[]) and not exists (
      select from jsonb_to_recordset(${kept}::jsonb) as one (conversation_id text, position integer)
      where one.conversation_id = conversation_issues.conversation_id
        and one.position = conversation_issues.position)`.execute(trx)
  if (issues.length === 0) return
  await sql`insert into conversation_issues (id, organization_id, conversation_id, position, title, summary, body, created_at)
    select id, ${organizationId}, conversation_id, position, title, summary, body, created_at
    from jsonb_to_recordset(${JSON.stringify(issues)}::jsonb) as one (id text, conversation_id text, position integer,
      title text, summary text, body text, created_at timestamptz)
    order by conversation_id, position
    on conflict on constraint conversation_issues_position_key do update set title = excluded.title,
      summary = excluded.summary, body = excluded.body, created_at = excluded.created_at`.execute(trx)
}

/** The newest issues of an organization. */
export const findCompared = (db: Db, organizationId: string, countMax: number) =>
  db
    .selectFrom('conversation_issues')
    .select('id')
    .where('organization_id', '=', organizationId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(countMax)
    .execute()

/** The text that issues are compared by, in the order of the ids; empty if deleted. */
export async function findBodies(db: Db, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ body: string }>`
    select coalesce((select body from conversation_issues where conversation_issues.id = one.id), '') as body
    from unnest(${[...ids]}::text[]) with ordinality as one (id, place) order by place`.execute(db)
  return rows.map(({ body }) => body)
}

export const countIssues = (db: Db | Trx, organizationId: string): Promise<number> =>
  countRows(db.selectFrom('conversation_issues').where('organization_id', '=', organizationId))
