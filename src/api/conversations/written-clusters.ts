// SQL over clusters of issues, as they are written.
import { sql } from 'kysely'
import type { Described, Description } from '../../engines/conversations/description.ts'
import { DEFAULT_ICON } from '../../engines/conversations/icons.ts'
import type { Trx } from '../../platform/db/database.ts'

/**
 * For clusters with a deleted or changed issue, whose words may be in their description: they take the words of a
 * remaining issue and wait for a new description. Deletes clusters without issues.
 */
export async function forgetWordsOf(trx: Trx, clusterIds: readonly string[]): Promise<void> {
  if (clusterIds.length === 0) return
  const ids = [...clusterIds].sort()
  await sql`delete from conversation_clusters where id = any(${ids}::text[])
    and not exists (select from conversation_issues where cluster_id = conversation_clusters.id)`.execute(trx)
  await sql`update conversation_clusters set label = one.title, summary = one.summary, state = 'pending', updated_at = clock_timestamp()
    from unnest(${ids}::text[]) as cluster (id) cross join lateral (
      select title, summary from conversation_issues where cluster_id = cluster.id order by created_at, id limit 1) as one
    where conversation_clusters.id = cluster.id`.execute(trx)
}

/**
 * Serializes what changes the words of clusters, or reads these to describe them. Taken first, before conversations,
 * issues and clusters are locked: the statements that follow see what everybody before has written.
 */
export const lockClusters = (trx: Trx, organizationId: string) =>
  trx.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute()

/** An issue with its cluster. */
export type PlacedIssue = { readonly id: string; readonly cluster_id: string | null }

/** The issues that still exist, by id. */
export async function findPlaced(
  trx: Trx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PlacedIssue>> {
  const { rows } = await sql<PlacedIssue>`
    select id, cluster_id from conversation_issues where id = any(${[...ids]}::text[])`.execute(trx)
  return new Map(rows.map(row => [row.id, row]))
}

/** Waiting for a description. */
export const insertClusters = (trx: Trx, organizationId: string, ids: readonly string[]) =>
  sql`insert into conversation_clusters (id, organization_id, label, summary, icon, state)
    select id, ${organizationId}, '', '', ${DEFAULT_ICON}, 'pending' from unnest(${[...ids]}::text[]) as one (id)`.execute(
    trx,
  )

export const placeIssues = (trx: Trx, clusterOf: ReadonlyMap<string, string | null>) =>
  sql`update conversation_issues set cluster_id = one.cluster_id
    from unnest(${[...clusterOf.keys()]}::text[], ${[...clusterOf.values()]}::text[]) as one (id, cluster_id)
    where conversation_issues.id = one.id`.execute(trx)

/** Moves the remaining issues of absorbed clusters. */
export const absorbClusters = (trx: Trx, moved: ReadonlyMap<string, string>) =>
  sql`update conversation_issues set cluster_id = one.into
    from unnest(${[...moved.keys()]}::text[], ${[...moved.values()]}::text[]) as one (cluster, into)
    where conversation_issues.cluster_id = one.cluster`.execute(trx)

export const markChanged = (trx: Trx, ids: readonly string[]) =>
  sql`update conversation_clusters set state = 'pending', updated_at = clock_timestamp()
    where id = any(${[...ids].sort()}::text[])`.execute(trx)

export const removeEmptyClusters = (trx: Trx, organizationId: string) =>
  sql`delete from conversation_clusters where organization_id = ${organizationId}
    and not exists (select from conversation_issues where cluster_id = conversation_clusters.id)`.execute(trx)

/** `changed_at`: when its issues last changed, to the microsecond. */
export type UndescribedCluster = {
  readonly id: string
  readonly changed_at: string
  readonly issues: readonly Described[]
}

/**
 * Waiting for a description, or left by a process that died; each with its newest issues. `lockClusters` comes before:
 * a statement that waits for the row of a cluster still reads the issues that were there when it began.
 */
export async function takeUndescribed(
  trx: Trx,
  organizationId: string,
  countMax: number,
  issuesMax: number,
): Promise<UndescribedCluster[]> {
  const { rows } = await sql<UndescribedCluster>`
    with taken as (
      update conversation_clusters set state = 'analysing' where id = any(array(
        select id from conversation_clusters where organization_id = ${organizationId} and state <> 'described'
        order by id limit ${countMax} for no key update))
      returning id, updated_at
    )
    select taken.id, to_json(updated_at) #>> '{}' as changed_at, coalesce((select jsonb_agg(jsonb_build_object('title', one.title, 'summary', one.summary)) from (
        select title, summary from conversation_issues where cluster_id = taken.id
        order by created_at desc, id limit ${issuesMax}) as one), '[]') as issues
    from taken`.execute(trx)
  return rows
}

/**
 * Skips clusters that changed meanwhile, also where another job has taken them since: these descriptions may quote a
 * deleted conversation.
 */
export const describeClusters = (
  trx: Trx,
  descriptions: readonly (Omit<UndescribedCluster, 'issues'> & Description)[],
) =>
  sql`update conversation_clusters set label = one.label, summary = one.summary, icon = one.icon, state = 'described',
      updated_at = case when (conversation_clusters.label, conversation_clusters.summary) is distinct from (one.label, one.summary)
        then clock_timestamp() else updated_at end
    from jsonb_to_recordset(${JSON.stringify(descriptions)}::jsonb) as one (id text, changed_at timestamptz, label text, summary text, icon text)
    where conversation_clusters.id = one.id and state = 'analysing' and updated_at = one.changed_at`.execute(
    trx,
  )
