// Comments and replies as wire objects, with the people who took part.

import { findMemberAccess } from '../../access/member-access.ts'
import type { Context } from '../../http/context.ts'
import { type List, toList } from '../../http/list.ts'
import type { PageQuery } from '../../platform/db/page.ts'
import { toUser } from '../accounts/wire.ts'
import type { Member } from '../members/schema.ts'
import { toMember } from '../members/wire.ts'
import { inTurns } from './body.ts'
import { listCommenters } from './commenters.ts'
import { findParticipantsOfComments, findParticipantsOfReplies, type Participants } from './participants.ts'
import { type CommentAt, type Discussion, discussionId } from './place.ts'
import { type CommentRow, listComments, listReplies, type ReplyRow } from './rows.ts'
import type { Comment, CommentReply, Format, ListComments } from './schema.ts'
import { type CommentsContext, toComment, toReply } from './wire.ts'

type Reads = Pick<Context, 'compute' | 'db' | 'rowCache' | 'decisions' | 'urls' | 'principal'>
type WithRole = Pick<Discussion, 'role'>

export async function readComments(
  context: Reads,
  at: Discussion,
  query: ListComments,
): Promise<List<Comment>> {
  const page = await listComments(context.db, discussionId(at), query)
  const comments = await toComments(context, at, page.items, query.format)
  return toList({ ...page, items: comments }, comment => comment)
}

/** In the order of the rows. */
export async function toComments(
  context: Reads,
  at: WithRole,
  rows: readonly CommentRow[],
  format: Format | undefined,
): Promise<Comment[]> {
  const view = viewOf(context, at, format, await findParticipantsOfComments(context.db, rows))
  return inTurns(rows, row => toComment(view, row))
}

export async function readComment(
  context: Reads,
  at: WithRole,
  row: CommentRow,
  format: Format | undefined,
): Promise<Comment> {
  return toComment(viewOf(context, at, format, await findParticipantsOfComments(context.db, [row])), row)
}

export async function readReplies(
  context: Reads,
  at: CommentAt,
  { format, ...query }: PageQuery & { format?: Format },
): Promise<List<CommentReply>> {
  const page = await listReplies(context.db, at.comment.id, query)
  const view = viewOf(context, at, format, await findParticipantsOfReplies(context.db, page.items))
  const replies = await inTurns(page.items, row => toReply(view, at.comment, row))
  return toList({ ...page, items: replies }, reply => reply)
}

export async function readReply(
  context: Reads,
  at: CommentAt,
  row: ReplyRow,
  format: Format | undefined,
): Promise<CommentReply> {
  const view = viewOf(context, at, format, await findParticipantsOfReplies(context.db, [row]))
  return toReply(view, at.comment, row)
}

export async function readCommenters(
  context: Reads,
  at: Discussion,
  query: PageQuery,
): Promise<List<Member>> {
  const organizationId = at.space.organization_id
  const rows = await listCommenters(context.db, organizationId, discussionId(at), query)
  const ids = rows.items.map(({ id }) => id)
  const accessOf = await findMemberAccess(context, organizationId, ids)
  return toList(rows, row => toMember(context.urls, row, accessOf(row.id)))
}

function viewOf(
  { compute, urls, principal }: Reads,
  { role }: WithRole,
  format: Format = 'markdown',
  participants: Participants,
): CommentsContext {
  const users = new Map([...participants.people].map(([id, person]) => [id, toUser(urls, person)]))
  return { services: { compute }, urls, principal, role, format, participants, users }
}
