// Writing change requests: one verb, one transaction. Their content is written by edits and merges.
import { isDeepStrictEqual } from 'node:util'
import type { Selectable } from 'kysely'
import { type Author, authorIdOf } from '../../access/principal.ts'
import { assert } from '../../base/assert.ts'
import { conflict, missing, orMissing } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { JSONDocument } from '../../engines/markdown/document/document.ts'
import type { ActionContext, EventContext, Services } from '../../http/context.ts'
import { type Preconditions, requireUnchanged } from '../../http/preconditions.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { ChangeRequests } from '../../platform/db/tables.ts'
import { requireAuthor } from '../accounts/programs.ts'
import { insertRevision, type NewRevision } from '../spaces/revisions.ts'
import { findSpace, lockSpace, type SpaceRow } from '../spaces/rows.ts'
import { readDescription } from './description.ts'
import type { ChangeRequestAt } from './place.ts'
import {
  type ChangeRequestRow,
  findAgentTask,
  findChangeRequest,
  insertChangeRequest,
  lockChangeRequest,
  nextNumber,
  updateChangeRequest,
} from './rows.ts'
import type { ChangeChangeRequest, CreateChangeRequest, Status } from './schema.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** `agentTask`: the task it is opened for. The listener for tasks links the two, or refuses. */
    'change_request.created': { changeRequest: string; number: number; agentTask?: string }
    /** `fields` are those that changed; `status` is its new value, if it is one of them. */
    'change_request.changed': { changeRequest: string; fields: string[]; status?: Status }
  }
}

/**
 * Opens a draft on the head of the space: a new revision with the same root, whatever the size of the space. If opened
 * for an agent task, it belongs to the cluster of issues that the task answers.
 *
 * Throws `missing` for an agent task of another space, `conflict` for a task with a change request.
 */
export async function createChangeRequest(
  context: ActionContext<Author>,
  { id: spaceId }: SpaceRow,
  { subject = '', description, agentTaskId }: CreateChangeRequest,
  start?: Start,
): Promise<ChangeRequestRow> {
  const document = description && (await readDescription(context, spaceId, description))
  return context.transaction(async trx => {
    // Under the lock, so that numbers are consecutive and the change request starts from the head.
    const locked = await lockSpace(trx, spaceId)
    const space = orMissing(locked && (await findSpace(trx, spaceId)), 'space')
    const task = agentTaskId === undefined ? undefined : await findAgentTask(trx, spaceId, agentTaskId)
    if (agentTaskId !== undefined && task === undefined) throw missing('agent task')
    await start?.insert(trx)
    await requireAuthor(trx, context.principal)
    const initialRevisionId = start?.revisionId ?? space.revision_id
    return openChangeRequest(trx, context.events, {
      space,
      createdBy: authorIdOf(context.principal),
      status: 'draft',
      subject,
      description: document,
      initialRevisionId,
      revision: { root: start?.root ?? space.root_hash.toString('hex'), parents: [initialRevisionId] },
      task,
    })
  })
}

/** The initial content of a change request, made from a revision of the space. */
export type Start = {
  readonly revisionId: string
  readonly root: string
  readonly insert: (trx: Trx) => Promise<unknown>
}

type NewChangeRequest = {
  readonly space: Pick<SpaceRow, 'id' | 'organization_id'>
  readonly createdBy: string
  readonly status: 'draft' | 'open'
  readonly subject: string
  readonly description?: JSONDocument | undefined
  /** The revision of the space that it starts from. */
  readonly initialRevisionId: string
  /** Its own first revision, whose content is stored. */
  readonly revision: Pick<NewRevision, 'root' | 'parents' | 'git'>
  readonly task?: { readonly id: string; readonly cluster_id: string | null } | undefined
}

/** Inserts the rows of a new change request. The caller has locked the space, so that numbers are consecutive. */
export async function openChangeRequest(
  trx: Trx,
  events: Services['events'],
  { space, createdBy, status, subject, description, initialRevisionId, revision, task }: NewChangeRequest,
): Promise<ChangeRequestRow> {
  const id = newId()
  const revisionId = newId()
  const number = await nextNumber(trx, space.id)
  await insertChangeRequest(trx, {
    ...{ id, number, status, subject },
    space_id: space.id,
    ...(description === undefined ? {} : { description: JSON.stringify(description) }),
    revision_id: revisionId,
    revision_initial_id: initialRevisionId,
    conversations_issues_cluster: task?.cluster_id ?? null,
    created_by: createdBy,
  })
  await insertRevision(trx, {
    ...revision,
    id: revisionId,
    spaceId: space.id,
    type: 'edits',
    createdBy,
    changeRequestId: id,
  })
  await events.append(trx, {
    type: 'change_request.created',
    organizationId: space.organization_id,
    spaceId: space.id,
    actorId: createdBy,
    payload: { changeRequest: id, number, ...(task === undefined ? {} : { agentTask: task.id }) },
  })
  return getWritten(trx, id)
}

/**
 * Sets the fields in the body. A merged change request keeps its status; its subject and description can still change.
 * A body that changes nothing writes nothing and emits no event.
 */
export async function changeChangeRequest(
  context: ActionContext<Author> & Pick<Preconditions, 'ifMatch'>,
  at: ChangeRequestAt,
  body: ChangeChangeRequest,
): Promise<ChangeRequestRow> {
  const wanted = await readChange(context, at.space.id, body)
  return context.transaction(async trx => {
    const locked = orMissing(await lockChangeRequest(trx, at.changeRequest.id), 'change request')
    requireUnchanged(context, locked.updated_at)
    await applyChange(trx, context, at, locked, wanted)
    return getWritten(trx, locked.id)
  })
}

/** The fields that can be set, checked as far as possible without the row. */
export type Change = {
  readonly subject: string | undefined
  readonly description: JSONDocument | undefined
  readonly status: ChangeChangeRequest['status'] | undefined
}

/** Throws `invalid` for a description that is not a document, `too_large` beyond its bound. */
export async function readChange(
  services: Pick<Services, 'compute'>,
  spaceId: string,
  { subject, description, status }: ChangeChangeRequest,
): Promise<Change> {
  const document = description && (await readDescription(services, spaceId, description))
  return { subject, description: document, status }
}

/** Writes what differs and emits one event. Throws `conflict` for the status of a merged change request. */
export async function applyChange(
  trx: Trx,
  { events, principal }: EventContext<Author>,
  { space }: Pick<ChangeRequestAt, 'space'>,
  locked: Selectable<ChangeRequests>,
  wanted: Change,
): Promise<void> {
  if (wanted.status !== undefined && locked.status === 'merged') {
    throw conflict(
      'change_request_merged',
      'body.status: this change request was merged, which is final. Open another for further changes.',
    )
  }
  const fields = (['subject', 'description', 'status'] as const).filter(
    field => wanted[field] !== undefined && !isDeepStrictEqual(wanted[field], locked[field]),
  )
  if (fields.length === 0) return
  const values = { ...wanted, description: JSON.stringify(wanted.description) }
  await updateChangeRequest(trx, locked.id, Object.fromEntries(fields.map(field => [field, values[field]])))
  await events.append(trx, {
    type: 'change_request.changed',
    organizationId: space.organization_id,
    spaceId: space.id,
    actorId: authorIdOf(principal),
    payload: {
      changeRequest: locked.id,
      fields,
      ...(fields.includes('status') && wanted.status !== undefined ? { status: wanted.status } : {}),
    },
  })
}

async function getWritten(trx: Trx, id: string): Promise<ChangeRequestRow> {
  const row = await findChangeRequest(trx, id)
  assert(row !== undefined, 'a change request that was just written exists')
  return row
}
