// An agent task, for members of its space.
import { allows } from '../../access/policy.ts'
import { Id } from '../../http/list.ts'
import { below } from '../../http/place.ts'
import { inOrganization } from '../organizations/place.ts'
import { findSpaceFor, type SpaceAt } from '../spaces/place.ts'
import { type AgentTaskRow, findTask } from './rows.ts'

export type AgentTaskAt = SpaceAt & { readonly task: AgentTaskRow }

export const onAgentTask = below(inOrganization, {
  subject: 'space',
  path: '/agent-tasks/{agentTaskId}',
  params: { agentTaskId: Id('An agent task.') },
  noun: 'agent task',
  async find(context, { organization }, { agentTaskId }): Promise<AgentTaskAt | undefined> {
    const task = await findTask(context.db, agentTaskId)
    const at = task && (await findSpaceFor(context, task.space_id))
    if (task === undefined || at?.space.organization_id !== organization.id) return undefined
    return { task, space: at.space, role: allows('space', 'access', at.role) ? at.role : null }
  },
  role: (_principal, { role }) => role,
})
