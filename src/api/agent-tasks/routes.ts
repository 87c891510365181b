// Agent tasks: content to write because customers ask for it.
import { toList } from '../../http/list.ts'
import { mount, operationsOf } from '../../http/operation.ts'
import { created } from '../../http/replies.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { onSpace, type SpaceAt } from '../spaces/place.ts'
import { changeTask, createTask } from './actions.ts'
import { type AgentTaskAt, onAgentTask } from './place.ts'
import { listTasks } from './rows.ts'
import { AgentTask, AgentTasks, ChangeAgentTask, CreateAgentTask, ListAgentTasks } from './schema.ts'
import { toAgentTask } from './wire.ts'

const inOrganizationOperation = operationsOf<'organization', OrganizationAt>()
const onSpaceOperation = operationsOf<'space', SpaceAt>()
const operation = operationsOf<'space', AgentTaskAt>()

const tag = 'Conversations'
const writing = { tag, may: 'edit', scope: 'change-request:write' } as const

export const agentTaskOperations = [
  ...mount(
    [inOrganization],
    [
      inOrganizationOperation({
        id: 'listAgentTasks',
        method: 'GET',
        path: '/agent-tasks',
        summary: 'List agent tasks of an organization',
        description: 'Of the spaces that you are a member of, latest change first.',
        tag,
        may: 'view',
        scope: 'space:read',
        query: ListAgentTasks,
        reply: AgentTasks,
        run: async ({ context, at: { organization }, query }) =>
          toList(
            await listTasks(context.db, organization.id, context.principal, query),
            toAgentTask,
            context,
          ),
      }),
    ],
  ),
  ...mount(
    [onSpace],
    [
      onSpaceOperation({
        ...writing,
        id: 'createAgentTask',
        method: 'POST',
        path: '/agent-tasks',
        summary: 'Create an agent task',
        description:
          'Octavo extension. It waits in the backlog until somebody opens a change request with its id as `agentTaskId`.',
        body: CreateAgentTask,
        reply: AgentTask,
        status: 201,
        run: async ({ context, at, body }) => {
          const wire = toAgentTask(context, await createTask(context, at.space, body))
          return created(wire)
        },
      }),
    ],
  ),
  ...mount(
    [onAgentTask],
    [
      operation({
        id: 'getAgentTask',
        method: 'GET',
        path: '',
        summary: 'Get an agent task',
        tag,
        may: 'access',
        scope: 'space:read',
        reply: AgentTask,
        run: async ({ context, at }) => toAgentTask(context, at.task),
      }),
      operation({
        ...writing,
        id: 'updateAgentTask',
        method: 'PATCH',
        path: '',
        summary: 'Change an agent task',
        description:
          'Sets its status, unless it is completed. Its change request also changes the status: to started while it is open, to completed when it is merged, and back to backlog when it is archived.',
        body: ChangeAgentTask,
        reply: AgentTask,
        failures: [409],
        run: async ({ context, at, body }) => toAgentTask(context, await changeTask(context, at, body)),
      }),
    ],
  ),
]
