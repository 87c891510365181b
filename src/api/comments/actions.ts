// What people do with comments. Each verb is one transaction; what a reply needs stands in reply-actions.ts.
import { type Author, authorIdOf } from '../../access/principal.ts'
import { assert } from '../../base/assert.ts'
import { missing } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { ActionContext, EventContext, Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { requireAuthor } from '../accounts/programs.ts'
import { findCachedRevision } from '../content/place.ts'
import { headMoved } from '../heads/retry.ts'
import { readBody } from './body.ts'
import { requireFields } from './fields.ts'
import type { CommentAt, Discussion } from './place.ts'
import { changeReactions, readReactions } from './reactions.ts'
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

// A head that moves while a place in it is being looked for is rare; one that moves so often is being imported to.
const POST_ATTEMPTS_MAX = 5

/**
 * Says something about a space or a change request, or about a place in its content, which has to be there at the
 * moment of posting: then the comment can follow it.
 *
 * Throws `invalid` for a body or a target that is none, `conflict` (head_moved) when the content changes too often to
 * find the place in it.
 */
export async function postComment(
  context: ActionContext<Author>,
  at: Discussion,
  body: PostComment,
): Promise<CommentRow> {
  const target = readTarget(body)
  const said = { text: await readBody(context, at.space.id, 'body.body', body.body), target }
  let revisionId = at.changeRequest?.revision_id ?? at.space.revision_id
  for (let attempt = 1; attempt <= POST_ATTEMPTS_MAX; attempt += 1) {
    if (said.target.page !== null) await checkTargetAt(context, at, revisionId, said.target)
    const checked = revisionId
    const posted = await context.transaction(async trx => {
      revisionId = await lockHead(trx, at)
      if (said.target.page !== null && revisionId !== checked) return undefined
      return addComment(trx, context, at, { ...said, revisionId })
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
  assert(revision !== undefined, 'the revision of a head is there')
  await checkTarget(services, space.id, revision.root_hash.toString('hex'), target)
}

/** The comment and its event, in the transaction of whoever says it, who holds the head: by `lockHead` or a stronger lock. */
export async function addComment(
  trx: Trx,
  context: EventContext<Author>,
  at: Discussion,
  said: {
    readonly text: string
    readonly target: CommentTarget
    readonly revisionId: string
    /** The review it is given with. */
    readonly reviewId?: string
  },
): Promise<CommentRow> {
  await requireAuthor(trx, context.principal)
  const row = await insertComment(trx, {
    id: newId(),
    space_id: at.space.id,
    change_request_id: at.changeRequest?.id ?? null,
    review_id: said.reviewId ?? null,
    revision_id: said.revisionId,
    page_id: said.target.page,
    node: said.target.node,
    table_record: said.target.cell?.record ?? null,
    table_definition: said.target.cell?.definition ?? null,
    body: said.text,
    posted_by: authorIdOf(context.principal),
  })
  await context.events.append(trx, {
    ...by(context.principal, at),
    type: 'comment.created',
    payload: { ...about(row), review: row.review_id },
  })
  return row
}

/** Edits, resolves or reopens, and reacts, all or nothing. What is so already is left as it is. */
export async function changeComment(
  context: ActionContext<Author>,
  at: CommentAt,
  body: UpdateComment,
): Promise<CommentRow> {
  requireFields(context.principal, at.role, at.comment, body)
  const text = body.body && (await readBody(context, at.space.id, 'body.body', body.body))
  const reactions = readReactions(body)
  return context.transaction(async trx => {
    const row = await lockComment(trx, at.comment.id)
    if (row === undefined) throw missing('comment')
    const isEdited = text !== undefined && text !== row.body
    await requireAuthor(trx, context.principal)
    const isReacted = await changeReactions(
      trx,
      'comment_id',
      row.id,
      authorIdOf(context.principal),
      reactions,
    )
    const isResolved = row.resolved_at !== null
    const isToggled = body.resolved !== undefined && body.resolved !== isResolved
    if (isEdited || isReacted) {
      const fields = [...(isEdited ? ['body'] : []), ...(isReacted ? ['reactions'] : [])]
      await context.events.append(trx, {
        ...by(context.principal, at),
        type: 'comment.changed',
        payload: { ...about(row), fields },
      })
    }
    if (isToggled) {
      await context.events.append(trx, {
        ...by(context.principal, at),
        type: isResolved ? 'comment.reopened' : 'comment.resolved',
        payload: about(row),
      })
    }
    if (!isEdited && !isToggled) return row
    return updateComment(trx, row.id, {
      ...(isEdited ? { body: text } : {}),
      ...(isToggled ? { resolved_by: isResolved ? null : authorIdOf(context.principal) } : {}),
    })
  })
}

/** With its replies. One that is gone already is no matter. */
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
