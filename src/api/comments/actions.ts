// Posting, changing and deleting comments. Each verb is one transaction.
import { type Author, authorIdOf } from '../../access/principal.ts'
import { assert } from '../../base/assert.ts'
import { orMissing } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { ActionContext, EventContext, Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { requireAuthor } from '../accounts/programs.ts'
import { findCachedRevision } from '../content/place.ts'
import { headMoved } from '../heads/overtaken.ts'
import { readBody } from './body.ts'
import { applyEdits, readEdits } from './edits.ts'
import type { CommentAt, Discussion } from './place.ts'
import {
  type CommentRow,
  insertComment,
  lockComment,
  lockHead,
  removeComment,
  updateComment,
} from './rows.ts'
import type { PostComment, UpdateComment } from './schema.ts'
import { type CommentTarget, checkTarget, readTarget } from './targets.ts'

type About = { comment: string; changeRequest: string | null }

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'comment.created': About & { review: string | null }
    /** `fields`: `body`, `reactions`. */
    'comment.changed': About & { fields: string[] }
    'comment.resolved': About
    'comment.reopened': About
    'comment.deleted': About
  }
}

// Heads rarely move while a target is checked; one that moves this often is being imported to.
const POST_ATTEMPTS_MAX = 5

/**
 * Comments on a space, a change request, or a target in its content. The target has to exist in the head at the moment
 * of posting, so that the comment can follow it from there.
 *
 * Throws `invalid` for an invalid body or target, `conflict` (head_moved) when the head moves too often to check the
 * target.
 */
export async function postComment(
  context: ActionContext<Author>,
  at: Discussion,
  body: PostComment,
): Promise<CommentRow> {
  const target = readTarget(body)
  const text = await readBody(context, at.space.id, 'body.body', body.body)
  let revisionId = at.changeRequest?.revision_id ?? at.space.revision_id
  for (let attempt = 1; attempt <= POST_ATTEMPTS_MAX; attempt += 1) {
    if (target.page !== null) await checkTargetAt(context, at, revisionId, target)
    const checked = revisionId
    const posted = await context.transaction(async trx => {
      revisionId = await lockHead(trx, at)
      if (target.page !== null && revisionId !== checked) return undefined
      return addComment(trx, context, at, { text, target, revisionId })
    })
    if (posted !== undefined) return posted
  }
  throw headMoved(at.changeRequest === null ? 'space' : 'change request')
}

async function checkTargetAt(
  services: Services,
  { space }: Discussion,
  revisionId: string,
  target: CommentTarget,
): Promise<void> {
  const revision = await findCachedRevision(services, space.id, revisionId)
  assert(revision !== undefined, 'the revision of a head exists')
  await checkTarget(services, space.id, revision.root_hash.toString('hex'), target)
}

/** The comment and its event. The transaction holds the head by `lockHead` or a stronger lock. */
export async function addComment(
  trx: Trx,
  context: EventContext<Author>,
  at: Discussion,
  {
    text,
    target,
    revisionId,
    reviewId = null,
  }: {
    readonly text: string
    readonly target: CommentTarget
    readonly revisionId: string
    /** The review that the comment belongs to. */
    readonly reviewId?: string | null
  },
): Promise<CommentRow> {
  await requireAuthor(trx, context.principal)
  const row = await insertComment(trx, {
    id: newId(),
    space_id: at.space.id,
    change_request_id: at.changeRequest?.id ?? null,
    review_id: reviewId,
    revision_id: revisionId,
    page_id: target.page,
    node: target.node,
    table_record: target.cell?.record ?? null,
    table_definition: target.cell?.definition ?? null,
    range_quote: target.range?.quote ?? null,
    range_prefix: target.range?.prefix ?? null,
    range_suffix: target.range?.suffix ?? null,
    suggestion_before: target.suggestion?.before ?? null,
    suggestion_after: target.suggestion?.after ?? null,
    body: text,
    posted_by: authorIdOf(context.principal),
  })
  await context.events.append(trx, {
    ...by(context.principal, at),
    type: 'comment.created',
    payload: { ...about(row), review: row.review_id },
  })
  return row
}

/** Edits, resolves or reopens, and reacts, all or nothing. Idempotent. */
export async function changeComment(
  context: ActionContext<Author>,
  at: CommentAt,
  body: UpdateComment,
): Promise<CommentRow> {
  const { principal, events } = context
  const edits = await readEdits(context, at, at.comment, body)
  return context.transaction(async trx => {
    const row = orMissing(await lockComment(trx, at.comment.id), 'comment')
    const { text, fields } = await applyEdits(trx, principal, 'comment_id', row, edits)
    const isResolved = row.resolved_at !== null
    const isToggled = body.resolved !== undefined && body.resolved !== isResolved
    if (fields.length > 0)
      await events.append(trx, {
        ...by(principal, at),
        type: 'comment.changed',
        payload: { ...about(row), fields },
      })
    if (isToggled)
      await events.append(trx, {
        ...by(principal, at),
        type: isResolved ? 'comment.reopened' : 'comment.resolved',
        payload: about(row),
      })
    if (text === undefined && !isToggled) return row
    return updateComment(trx, row.id, {
      ...(text === undefined ? {} : { body: text }),
      ...(isToggled ? { resolved_by: isResolved ? null : authorIdOf(principal) } : {}),
    })
  })
}

/** With its replies. Idempotent: succeeds if already deleted. */
export async function deleteComment(context: ActionContext<Author>, at: CommentAt): Promise<void> {
  await context.transaction(async trx => {
    if ((await removeComment(trx, at.comment.id)) === undefined) return
    await context.events.append(trx, {
      ...by(context.principal, at),
      type: 'comment.deleted',
      payload: about(at.comment),
    })
  })
}

export const about = (row: Pick<CommentRow, 'id' | 'change_request_id'>): About => ({
  comment: row.id,
  changeRequest: row.change_request_id,
})

export const by = (principal: Author, { space }: Pick<Discussion, 'space'>) => ({
  organizationId: space.organization_id,
  spaceId: space.id,
  actorId: authorIdOf(principal),
})
