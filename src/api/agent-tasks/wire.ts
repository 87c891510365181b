// Converts rows of agent tasks to their wire format.
import { seesClusters } from '../../access/sees-clusters.ts'
import type { Context } from '../../http/context.ts'
import type { AgentTaskRow } from './rows.ts'
import type { AgentTask } from './schema.ts'

/** As the caller may see it. */
export const toAgentTask = (
  { urls, principal }: Pick<Context, 'urls' | 'principal'>,
  row: AgentTaskRow,
): AgentTask => ({
  object: 'agent-task',
  id: row.id,
  title: row.title,
  description: row.description,
  instructions: row.instructions,
  status: row.status,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  ...(row.cluster_id !== null && seesClusters(principal, row.organization_id)
    ? { cluster: row.cluster_id }
    : {}),
  space: row.space_id,
  ...(row.change_request_id === null ? {} : { changeRequest: row.change_request_id }),
  urls: {
    location: urls.api(`/orgs/${row.organization_id}/agent-tasks/${row.id}`),
    // Its change request, or before there is one, its space.
    app:
      row.change_request_number === null
        ? urls.space(row.space_id)
        : urls.changeRequest(row.space_id, row.change_request_number),
  },
})
