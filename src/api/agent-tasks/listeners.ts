// Tasks follow their change requests: opening one for a task starts the task, merging it completes the task, and
// archiving it returns the task to the backlog.
import { conflict, orMissing } from '../../base/errors.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { Event, Events } from '../../platform/events/append.ts'
// These events are declared there.

import type { Status } from '../change-requests/schema.ts'

// The appended events are declared there.

import { forgetClustersIn, holdsTask, lockTask, moveTasksOf, updateTask } from './rows.ts'
import type { TaskStatus } from './schema.ts'

/** The transitions of tasks by the status of their change request. Canceled tasks stay canceled. */
const FOLLOWING: Readonly<Record<Status, { readonly from: readonly TaskStatus[]; readonly to: TaskStatus }>> =
  {
    draft: { from: ['backlog'], to: 'started' },
    open: { from: ['backlog'], to: 'started' },
    archived: { from: ['started'], to: 'backlog' },
    merged: { from: ['backlog', 'started'], to: 'completed' },
  }

export function listenAsAgentTasks(events: Events): void {
  events.within('change_request.created', async (trx, event, following) => {
    const { agentTask, changeRequest } = event.payload
    if (agentTask === undefined) return
    await begin(trx, agentTask, changeRequest)
    await appendChanges(trx, following, event, [agentTask], 'started')
  })
  events.within('change_request.changed', (trx, event, following) =>
    event.payload.status === undefined
      ? Promise.resolve()
      : follow(trx, following, event, event.payload.changeRequest, event.payload.status),
  )
  events.within('change_request.merged', (trx, event, following) =>
    follow(trx, following, event, event.payload.changeRequest, 'merged'),
  )
  events.within('space.leaving', async (trx, { spaceId }) => {
    if (spaceId) await forgetClustersIn(trx, [spaceId])
  })
  events.within('collection.leaving', async (trx, { payload }) => {
    await forgetClustersIn(trx, payload.spaces)
  })
}

/** Throws `conflict` for a completed task, and for one whose change request is a draft, open or merged. */
async function begin(trx: Trx, taskId: string, changeRequestId: string): Promise<void> {
  const task = orMissing(await lockTask(trx, taskId), 'agent task')
  const { status, change_request_id: current } = task
  if (status === 'completed' || (current !== null && (await holdsTask(trx, current))))
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
  await appendChanges(
    trx,
    events,
    event,
    moved.map(({ id }) => id),
    to,
  )
}

async function appendChanges(
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
