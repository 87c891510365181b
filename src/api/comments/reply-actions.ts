// Posting, changing and deleting replies to a comment. Each verb is one transaction.
import { type Author, authorIdOf } from '../../access/principal.ts'
import { missing, orMissing } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { ActionContext } from '../../http/context.ts'
import { requireAuthor } from '../accounts/programs.ts'
import { about, by } from './actions.ts'
import { readBody } from './body.ts'
import { applyEdits, readEdits } from './edits.ts'
import type { CommentAt, ReplyAt } from './place.ts'
import { holdComment, insertReply, lockReply, type ReplyRow, removeReply, updateReply } from './rows.ts'
import type { PostReply, UpdateReply } from './schema.ts'

type About = { comment: string; reply: string; changeRequest: string | null }

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'comment_reply.created': About
    /** `fields`: `body`, `reactions`. */
    'comment_reply.changed': About & { fields: string[] }
    'comment_reply.deleted': About
  }
}

export async function postReply(
  context: ActionContext<Author>,
  at: CommentAt,
  body: PostReply,
): Promise<ReplyRow> {
  const text = await readBody(context, at.space.id, 'body.body', body.body)
  return context.transaction(async trx => {
    if ((await holdComment(trx, at.comment.id)) === undefined) throw missing('comment')
    await requireAuthor(trx, context.principal)
    const row = await insertReply(trx, {
      id: newId(),
      comment_id: at.comment.id,
      body: text,
      posted_by: authorIdOf(context.principal),
    })
    await context.events.append(trx, {
      ...by(context.principal, at),
      type: 'comment_reply.created',
      payload: { ...about(at.comment), reply: row.id },
    })
    return row
  })
}

/** Edits and reacts, all or nothing. Idempotent. */
export async function changeReply(
  context: ActionContext<Author>,
  at: ReplyAt,
  body: UpdateReply,
): Promise<ReplyRow> {
  const { principal, events } = context
  const edits = await readEdits(context, at, at.reply, body)
  return context.transaction(async trx => {
    const row = orMissing(await lockReply(trx, at.reply.id), 'comment reply')
    const { text, fields } = await applyEdits(trx, principal, 'reply_id', row, edits)
    if (fields.length === 0) return row
    await events.append(trx, {
      ...by(principal, at),
      type: 'comment_reply.changed',
      payload: { ...about(at.comment), reply: row.id, fields },
    })
    return text === undefined ? row : updateReply(trx, row.id, text)
  })
}

/** Idempotent: succeeds if already deleted. */
export async function deleteReply(context: ActionContext<Author>, at: ReplyAt): Promise<void> {
  await context.transaction(async trx => {
    if ((await removeReply(trx, at.reply.id)) === undefined) return
    await context.events.append(trx, {
      ...by(context.principal, at),
      type: 'comment_reply.deleted',
      payload: { ...about(at.comment), reply: at.reply.id },
    })
  })
}
