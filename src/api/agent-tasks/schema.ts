// The wire of agent tasks: content to be written in a space, by a person or a program.
import { type Static, Type } from 'typebox'
import { dates, ListOf, model, OneOf, PageOf, Url } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'
import { RichDocument } from '../../http/rich-document.ts'

export const TASK_STATUSES = ['backlog', 'started', 'completed', 'canceled'] as const
export type TaskStatus = (typeof TASK_STATUSES)[number]

const Title = Type.String({ minLength: 1, maxLength: 200 })
const Description = Type.String({ maxLength: 4000 })

export const AgentTask = model('AgentTask', {
  object: OneOf(['agent-task']),
  id: Type.String(),
  title: Title,
  description: Description,
  instructions: RichDocument,
  status: OneOf(TASK_STATUSES),
  ...dates,
  cluster: Type.Optional(Type.String({ description: 'The cluster of issues that it addresses.' })),
  space: Type.String(),
  changeRequest: Type.Optional(Type.String({ description: 'The change request for it.' })),
  urls: Type.Object({ location: Url, app: Url }),
})
export type AgentTask = Static<typeof AgentTask>

export const AgentTasks = ListOf(AgentTask)

export const ListAgentTasks = PageOf({
  cluster: Type.Optional(RefTo('issuesCluster')),
  space: Type.Optional(RefTo('space')),
  status: Type.Optional(Type.Array(OneOf(TASK_STATUSES), { maxItems: TASK_STATUSES.length })),
})
export type ListAgentTasks = Static<typeof ListAgentTasks>

export const CreateAgentTask = Type.Object({
  title: Title,
  description: Type.Optional(Description),
  instructions: Type.Optional(RichDocument),
  cluster: Type.Optional(RefTo('issuesCluster')),
})
export type CreateAgentTask = Static<typeof CreateAgentTask>

export const INSTRUCTIONS_BYTES_MAX = 64 * 1024

export const ChangeAgentTask = Type.Object({ status: OneOf(['backlog', 'started', 'canceled']) })
export type ChangeAgentTask = Static<typeof ChangeAgentTask>
