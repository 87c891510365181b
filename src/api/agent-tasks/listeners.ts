// What becomes of tasks when change requests do: whoever opens one for a task starts it, merging it completes the task,
// archiving it gives the task back.
import { conflict, missing } from '../../base/errors.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { Event, Events } from '../../platform/events/append.ts'
// What is listened to is declared there.
import type {} from '../change-requests/actions.ts'
import type { Status } from '../change-requests/schema.ts'
import type {} from '../merges/actions.ts'
import type {} from '../moves/transfer.ts'
// So is what is told.
import type {} from './actions.ts'
import { forgetClustersIn, lockTask, moveTasksOf, updateTask } from './rows.ts'
import type { TaskStatus } from './schema.ts'

/** What the tasks of a change request become, and which of them. A task that somebody canceled stays canceled. */
const FOLLOWING: Readonly<Record<Status, { readonly from: readonly TaskStatus[]; readonly to: TaskStatus }>> =
  {
    draft: { from: ['backlog'], to: 'started' },
    open: { from: ['backlog'], to: 'started' },
    archived: { from: ['started'], to: 'backlog' },
    merged: { from: ['backlog', 'started'], to: 'completed' },
  }

export function listenAsAgentTasks(events: Events): void {
  events.within('change_request.created', async (trx, event, told) => {
    const { agentTask, changeRequest } = event.payload
    if (agentTask === undefined) return
    await begin(trx, agentTask, changeRequest)
    await tell(trx, told, event, [agentTask], 'started')
  })
  events.within('change_request.changed', (trx, event, told) =>
    event.payload.status === undefined
      ? Promise.resolve()
      : follow(trx, told, event, event.payload.changeRequest, event.payload.status),
  )
  events.within('change_request.merged', (trx, event, told) =>
    follow(trx, told, event, event.payload.changeRequest, 'merged'),
  )
  events.within('space.leaving', async (trx, { spaceId }) => {
    if (spaceId) await forgetClustersIn(trx, [spaceId])
  })
  events.within('collection.leaving', async (trx, { payload }) => {
    await forgetClustersIn(trx, payload.spaces)
  })
}

/** Throws `conflict` for a task that is done, and for one that a change request is open for. */
async function begin(trx: Trx, taskId: string, changeRequestId: string): Promise<void> {
  const task = await lockTask(trx, taskId)
  if (task === undefined) throw missing('agent task')
  if (task.status === 'completed' || (task.status === 'started' && task.change_request_id !== null))
    throw conflict(
      'agent_task_taken',
      'body.agentTaskId: this task has a change request already, which is open or merged.',
    )
  await updateTask(trx, taskId, { status: 'started', change_request_id: changeRequestId })
}

async function follow(
  trx: Trx,
  events: Events,
  event: Event,
  changeRequestId: string,
  status: Status,
): Promise<void> {
  const { from, to } = FOLLOWING[status]
  const moved = await moveTasksOf(trx, changeRequestId, from, to)
  await tell(
    trx,
    events,
    event,
    moved.map(({ id }) => id),
    to,
  )
}

async function tell(
  trx: Trx,
  events: Events,
  { organizationId, spaceId, actorId }: Event,
  tasks: readonly string[],
  status: TaskStatus,
): Promise<void> {
  for (const task of tasks)
    await events.append(trx, {
      type: 'agent_task.changed',
      organizationId,
      spaceId,
      actorId,
      payload: { task, status },
    })
}
