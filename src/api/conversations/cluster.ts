// Clusters the issues of an organization: all of them anew, in the pool, and then writes the differences.
import { newId } from '../../base/ids.ts'
import { matchGroups } from '../../engines/conversations/matching.ts'
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { moveTasksToClusters } from '../agent-tasks/rows.ts'
import { moveToClusters } from '../change-requests/rows.ts'
import { describeChanged } from './describe.ts'
import { findBodies, findCompared } from './issue-rows.ts'
import {
  absorbClusters,
  findPlaced,
  insertClusters,
  lockClusters,
  markChanged,
  placeIssues,
  removeEmptyClusters,
} from './written-clusters.ts'

/** The newest. Older issues stay in their clusters. */
const ISSUES_COMPARED_MAX = 20_000
const ISSUES_COMPARED_MIN = 1_000
// In one message to the pool.
const BODIES_AT_ONCE = 1_000

export async function clusterIssues(
  services: Services,
  organizationId: string,
  signal: AbortSignal,
): Promise<void> {
  const { ids, groups } = await findGroups(services, organizationId)
  signal.throwIfAborted()
  await services.transaction(trx => writeGroups(trx, organizationId, ids, groups))
  await describeChanged(services, organizationId, signal)
}

/** Halves the number of issues until the pool can take them. */
async function findGroups(
  services: Pick<Services, 'db' | 'compute' | 'log'>,
  organizationId: string,
): Promise<{ ids: readonly string[]; groups: readonly (readonly number[])[] }> {
  for (let most = ISSUES_COMPARED_MAX; most >= ISSUES_COMPARED_MIN; most /= 2) {
    const issues = await findCompared(services.db, organizationId, most)
    const ids = issues.map(({ id }) => id)
    const textsFrom = (place: number) => findBodies(services.db, ids.slice(place, place + BODIES_AT_ONCE))
    const outcome = await services.compute.run(
      'issueClusters',
      organizationId,
      { count: ids.length },
      { textsFrom },
    )
    if (outcome.kind === 'done') return { ids, groups: outcome.value }
    services.log.warn({ organization: organizationId, issues: ids.length }, 'issues are too many to compare')
  }
  return { ids: [], groups: [] }
}

/** A cluster is identified by the issues that it keeps. Tasks and change requests of an absorbed one move along. */
async function writeGroups(
  trx: Trx,
  organizationId: string,
  ids: readonly string[],
  groups: readonly (readonly number[])[],
): Promise<void> {
  await lockClusters(trx, organizationId)
  const placed = await findPlaced(trx, ids)
  const before = ids.map(id => placed.get(id)?.cluster_id ?? null)
  const isPlaced = ids.map(id => placed.has(id))
  const present = groups.map(places => places.filter(place => isPlaced[place]))
  const matching = matchGroups(before, present)
  const fresh: string[] = []
  const clusters = matching.ids.map((id, group) => {
    if (id !== null || present[group]?.length === 0) return id
    const made = newId()
    fresh.push(made)
    return made
  })
  const changes = changesOf(ids, before, present, clusters)
  await insertClusters(trx, organizationId, fresh)
  if (changes.clusterOf.size > 0) await placeIssues(trx, changes.clusterOf)
  const absorbed = new Map<string, string>()
  for (const [id, group] of matching.absorbed) {
    const into = clusters[group]
    if (into) absorbed.set(id, into)
  }
  if (absorbed.size > 0) {
    await absorbClusters(trx, absorbed)
    await moveTasksToClusters(trx, absorbed)
    await moveToClusters(trx, absorbed)
  }
  await markChanged(trx, [...changes.clusters, ...absorbed.values()])
  await removeEmptyClusters(trx, organizationId)
}

/** Issues that changed their cluster, and the clusters that gained or lost one. */
function changesOf(
  ids: readonly string[],
  before: readonly (string | null)[],
  groups: readonly (readonly number[])[],
  clusters: readonly (string | null)[],
): { clusterOf: Map<string, string | null>; clusters: Set<string> } {
  const after: (string | null)[] = ids.map(() => null)
  for (const [group, places] of groups.entries())
    for (const place of places) after[place] = clusters[group] ?? null
  const clusterOf = new Map<string, string | null>()
  const changed = new Set<string>()
  for (const [place, id] of ids.entries()) {
    const [from, to] = [before[place] ?? null, after[place] ?? null]
    if (from === to) continue
    clusterOf.set(id, to)
    for (const cluster of [from, to]) if (cluster !== null) changed.add(cluster)
  }
  return { clusterOf, clusters: changed }
}
