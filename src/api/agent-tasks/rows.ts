// SQL over agent tasks.
import { type Insertable, type Selectable, sql } from 'kysely'
import type { UserPrincipal } from '../../access/principal.ts'
import { personOf } from '../../access/roles.ts'
import { seesClusters } from '../../access/sees-clusters.ts'
import type { JSONDocument } from '../../engines/markdown/document/document.ts'
import { countRows } from '../../platform/db/count.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { page } from '../../platform/db/page.ts'
import type { AgentTasks } from '../../platform/db/tables.ts'
import { accessibleSpaces } from '../spaces/rows.ts'
import type { ListAgentTasks, TaskStatus } from './schema.ts'

declare module '../../platform/db/tables.ts' {
  interface ColumnValues {
    'agent_tasks.instructions': JSONDocument
  }
}

/** A task with its organization and the number of its change request. */
export type AgentTaskRow = Selectable<AgentTasks> & {
  readonly organization_id: string
  readonly change_request_number: number | null
}

const selectTasks = (db: Db | Trx) =>
  db
    .selectFrom('agent_tasks')
    .selectAll('agent_tasks')
    .select([
      sql<string>`(select organization_id from spaces where spaces.id = agent_tasks.space_id)`.as(
        'organization_id',
      ),
      sql<number | null>`(select number from change_requests
        where change_requests.id = agent_tasks.change_request_id)`.as('change_request_number'),
    ])

export const findTask = (db: Db | Trx, id: string): Promise<AgentTaskRow | undefined> =>
  selectTasks(db).where('agent_tasks.id', '=', id).executeTakeFirst()

/** Of the spaces that the caller is a member of, latest change first. */
export function listTasks(
  db: Db,
  organizationId: string,
  principal: UserPrincipal,
  { page: token, limit, ...filters }: ListAgentTasks,
) {
  const person = personOf(principal)
  const { cluster, space, status } = filters
  let query = selectTasks(db).where(
    'agent_tasks.space_id',
    'in',
    accessibleSpaces(db, organizationId, person),
  )
  if (cluster !== undefined)
    query = query.where(
      seesClusters(principal, organizationId)
        ? sql<boolean>`agent_tasks.cluster_id = ${cluster}`
        : sql<boolean>`false`,
    )
  if (space !== undefined) query = query.where('agent_tasks.space_id', '=', space)
  if (status !== undefined)
    query = query.where(sql<boolean>`agent_tasks.status = any(${[...status]}::text[])`)
  return page(query, {
    question: { list: 'agent tasks', organization: organizationId, person: person.userId, ...filters },
    by: [
      ['updated_at', 'desc'],
      ['id', 'desc'],
    ],
    page: token,
    limit,
  })
}

export const insertTask = (trx: Trx, row: Insertable<AgentTasks>) =>
  trx.insertInto('agent_tasks').values(row).execute()

/** The row, locked until the transaction ends. */
export const lockTask = (trx: Trx, id: string): Promise<Selectable<AgentTasks> | undefined> =>
  trx.selectFrom('agent_tasks').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** Whether a task belongs to this change request: until that is archived, regardless of the task's status. */
export async function holdsTask(trx: Trx, changeRequestId: string): Promise<boolean> {
  const one = trx.selectFrom('change_requests').where('id', '=', changeRequestId)
  return (await countRows(one.where('status', '<>', 'archived'))) > 0
}

const CHANGED = { updated_at: sql<Date>`clock_timestamp()` }

export const updateTask = (
  trx: Trx,
  id: string,
  change: { readonly status: TaskStatus; readonly change_request_id?: string },
) =>
  trx
    .updateTable('agent_tasks')
    .set({ ...change, ...CHANGED })
    .where('id', '=', id)
    .execute()

/** Moves the tasks of a change request with a status in `from` to the status `to`; returns them. */
export const moveTasksOf = (
  trx: Trx,
  changeRequestId: string,
  from: readonly TaskStatus[],
  to: TaskStatus,
): Promise<{ id: string }[]> =>
  trx
    .updateTable('agent_tasks')
    .set({ status: to, ...CHANGED })
    .where('change_request_id', '=', changeRequestId)
    .where(sql<boolean>`status = any(${[...from]}::text[])`)
    .returning('id')
    .execute()

/** Moves the tasks of absorbed clusters. */
export const moveTasksToClusters = (trx: Trx, moved: ReadonlyMap<string, string>) =>
  sql`update agent_tasks set cluster_id = one.into
    from unnest(${[...moved.keys()]}::text[], ${[...moved.values()]}::text[]) as one (cluster, into)
    where agent_tasks.cluster_id = one.cluster`.execute(trx)

/** Clusters belong to one organization, and these spaces leave it. */
export const forgetClustersIn = (trx: Trx, spaceIds: readonly string[]) =>
  sql`update agent_tasks set cluster_id = null
    where space_id = any(${[...spaceIds]}::text[]) and cluster_id is not null`.execute(trx)

export async function hasCluster(db: Db | Trx, organizationId: string, id: string): Promise<boolean> {
  const clusters = db.selectFrom('conversation_clusters').where('organization_id', '=', organizationId)
  return (await countRows(clusters.where('id', '=', id))) > 0
}
