// Creating and changing agent tasks. Each verb is one transaction.
import { seesClusters } from '../../access/sees-clusters.ts'
import { assert } from '../../base/assert.ts'
import { conflict, invalid, orMissing, tooLarge } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { JSONDocument } from '../../engines/markdown/document/document.ts'
import type { SignedInContext } from '../../http/operation.ts'
import { checkSentDocument } from '../../http/rich-document.ts'
import type { Trx } from '../../platform/db/database.ts'
import { storable } from '../../platform/db/text.ts'
import type { SpaceRow } from '../spaces/rows.ts'
import type { AgentTaskAt } from './place.ts'
import { type AgentTaskRow, findTask, hasCluster, insertTask, lockTask, updateTask } from './rows.ts'
import {
  type ChangeAgentTask,
  type CreateAgentTask,
  INSTRUCTIONS_BYTES_MAX,
  type TaskStatus,
} from './schema.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'agent_task.created': { task: string }
    'agent_task.changed': { task: string; status: TaskStatus }
  }
}

const NO_INSTRUCTIONS: JSONDocument = { object: 'document', data: { schemaVersion: 8 }, nodes: [] }

export async function createTask(
  context: SignedInContext,
  { id: spaceId, organization_id: organizationId }: SpaceRow,
  { title, description = '', instructions = NO_INSTRUCTIONS, cluster }: CreateAgentTask,
): Promise<AgentTaskRow> {
  const json = JSON.stringify(instructions)
  if (Buffer.byteLength(json) > INSTRUCTIONS_BYTES_MAX)
    throw tooLarge(
      'instructions_too_large',
      `body.instructions: at most ${INSTRUCTIONS_BYTES_MAX} bytes of JSON. Put longer text into a page.`,
    )
  if (instructions !== NO_INSTRUCTIONS)
    await checkSentDocument(context, spaceId, 'body.instructions', instructions)
  return context.transaction(async trx => {
    const isSeen =
      cluster === undefined ||
      (seesClusters(context.principal, organizationId) && (await hasCluster(trx, organizationId, cluster)))
    if (!isSeen)
      throw invalid(
        'cluster_unknown',
        'body.cluster: the organization has no such cluster of issues, or you may not see it.',
      )
    const id = newId()
    await insertTask(trx, {
      id,
      space_id: spaceId,
      title: storable(title),
      description: storable(description),
      instructions: json,
      cluster_id: cluster ?? null,
      created_by: context.principal.user.id,
    })
    await context.events.append(trx, {
      type: 'agent_task.created',
      organizationId,
      spaceId,
      actorId: context.principal.user.id,
      payload: { task: id },
    })
    return getTask(trx, id)
  })
}

/** Idempotent: the status that it already has changes nothing and appends no event. */
export async function changeTask(
  context: SignedInContext,
  { task, space }: AgentTaskAt,
  { status }: ChangeAgentTask,
): Promise<AgentTaskRow> {
  return context.transaction(async trx => {
    const locked = orMissing(await lockTask(trx, task.id), 'agent task')
    if (locked.status === 'completed')
      throw conflict(
        'agent_task_completed',
        'body.status: the change request of this task was merged, which is final. Make another task.',
      )
    if (locked.status !== status) {
      await updateTask(trx, locked.id, { status })
      await context.events.append(trx, {
        type: 'agent_task.changed',
        organizationId: space.organization_id,
        spaceId: space.id,
        actorId: context.principal.user.id,
        payload: { task: locked.id, status },
      })
    }
    return getTask(trx, locked.id)
  })
}

async function getTask(trx: Trx, id: string): Promise<AgentTaskRow> {
  const row = await findTask(trx, id)
  assert(row !== undefined, 'a task that was just written is there')
  return row
}
