// An agent task, for members of its space.
import { Type } from 'typebox'
import { allows, type RoleOn } from '../../access/policy.ts'
import { Id } from '../../http/list.ts'
import type { Place } from '../../http/place.ts'
import { inOrganization } from '../organizations/place.ts'
import { findSpaceFor } from '../spaces/place.ts'
import type { SpaceRow } from '../spaces/rows.ts'
import { type AgentTaskRow, findTask } from './rows.ts'

export type AgentTaskAt = {
  readonly task: AgentTaskRow
  readonly space: SpaceRow
  /** On the space. */
  readonly role: RoleOn<'space'> | null
}

export const onAgentTask: Place<'space', AgentTaskAt> = {
  name: 'agentTask',
  subject: 'space',
  path: `${inOrganization.path}/agent-tasks/{agentTaskId}`,
  params: Type.Object({ ...inOrganization.params.properties, agentTaskId: Id('An agent task.') }),
  noun: 'agent task',
  async find(context, { organizationId, agentTaskId = '' }) {
    const task = await findTask(context.db, agentTaskId)
    const at = task && (await findSpaceFor(context, task.space_id))
    if (task === undefined || at === undefined || at.space.organization_id !== organizationId)
      return undefined
    return { task, space: at.space, role: allows('space', 'access', at.role) ? at.role : null }
  },
  role: (_principal, { role }) => role,
}
