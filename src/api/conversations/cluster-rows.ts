// SQL over clusters of issues, for reading.
import { type Selectable, sql } from 'kysely'
import type { Principal } from '../../access/principal.ts'
import { personOf } from '../../access/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import { page } from '../../platform/db/page.ts'
import type { ConversationClusters } from '../../platform/db/tables.ts'
import { accessibleSpaces } from '../spaces/rows.ts'
import type { ListClusters, SortKey } from './schema.ts'

/** A cluster with its counts; tasks that the reader may see. */
export type ClusterRow = Selectable<ConversationClusters> & {
  readonly issues: number
  readonly conversations: number
  readonly tasks_total: number
  readonly tasks_backlog: number
  readonly tasks_started: number
  readonly tasks_completed: number
  readonly tasks_canceled: number
}

const issuesOf = sql`from conversation_issues where conversation_issues.cluster_id = conversation_clusters.id`
// Looked up in one value: a subquery would scan all tasks for each cluster.
const taskCount = (name: 'total' | 'backlog' | 'started' | 'completed' | 'canceled') =>
  sql<number>`coalesce(((select jsonb_object_agg(cluster_id, to_jsonb(tasks)) from tasks)
    -> conversation_clusters.id ->> ${sql.lit(name)})::integer, 0)`.as(`tasks_${name}`)

/** Does not count tasks of spaces that the reader is not a member of. */
const selectClusters = (db: Db, organizationId: string, principal: Principal) =>
  db
    .with(
      cte => cte('tasks').materialized(),
      with_ =>
        with_
          .selectFrom('agent_tasks')
          .where('agent_tasks.cluster_id', 'is not', null)
          .where('agent_tasks.space_id', 'in', accessibleSpaces(db, organizationId, personOf(principal)))
          .groupBy('agent_tasks.cluster_id')
          .select([
            'agent_tasks.cluster_id',
            sql<number>`count(*)`.as('total'),
            sql<number>`count(*) filter (where status = 'backlog')`.as('backlog'),
            sql<number>`count(*) filter (where status = 'started')`.as('started'),
            sql<number>`count(*) filter (where status = 'completed')`.as('completed'),
            sql<number>`count(*) filter (where status = 'canceled')`.as('canceled'),
          ]),
    )
    .selectFrom('conversation_clusters')
    .selectAll('conversation_clusters')
    .select([
      sql<number>`(select count(*)::integer ${issuesOf})`.as('issues'),
      sql<number>`(select count(distinct conversation_id)::integer ${issuesOf})`.as('conversations'),
      taskCount('total'),
      taskCount('backlog'),
      taskCount('started'),
      taskCount('completed'),
      taskCount('canceled'),
    ])
    .where('conversation_clusters.organization_id', '=', organizationId)

export const findCluster = (
  db: Db,
  organizationId: string,
  principal: Principal,
  id: string,
): Promise<ClusterRow | undefined> =>
  selectClusters(db, organizationId, principal).where('conversation_clusters.id', '=', id).executeTakeFirst()

const COLUMNS = {
  updatedAt: 'updated_at',
  issues: 'issues',
  conversations: 'conversations',
  tasksTotal: 'tasks_total',
  tasksBacklog: 'tasks_backlog',
  tasksStarted: 'tasks_started',
} as const satisfies Record<SortKey, keyof ClusterRow>

export function listClusters(
  db: Db,
  organizationId: string,
  principal: Principal,
  { page: token, limit, order = 'desc', orderBy = 'updatedAt', status }: ListClusters,
) {
  const all = selectClusters(db, organizationId, principal)
  return page(status === undefined ? all : all.where('conversation_clusters.state', '=', status), {
    question: {
      list: 'clusters',
      organization: organizationId,
      person: personOf(principal).userId,
      status: status ?? null,
    },
    by: [
      [COLUMNS[orderBy], order],
      ['id', order],
    ],
    page: token,
    limit,
  })
}

/** Issues of a cluster by source and week. */
export type IssueCount = {
  readonly cluster_id: string
  readonly source: string
  /** 0: the week that ends at `now`; 13: everything older. */
  readonly weeks_ago: number
  readonly count: number
}

export async function countIssuesByWeek(
  db: Db,
  clusterIds: readonly string[],
  now: Date,
  weeks: number,
): Promise<IssueCount[]> {
  if (clusterIds.length === 0) return []
  const { rows } = await sql<IssueCount>`
    select cluster_id, source, weeks_ago, count(*)::integer as count from (
      select issue.cluster_id,
        (select source from conversations where conversations.id = issue.conversation_id) as source,
        least(${weeks}::integer, greatest(0, floor(extract(epoch from ${now}::timestamptz - issue.created_at) / 604800)))::integer
          as weeks_ago
      from conversation_issues as issue where issue.cluster_id = any(${[...clusterIds]}::text[])
    ) as one group by cluster_id, source, weeks_ago`.execute(db)
  return rows
}
