// Comments and replies as wire objects, with the people who took part.

import { findMemberAccess } from '../../access/member-access.ts'
import { specSightOf } from '../../access/spec-sight.ts'
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

type Reads = Pick<
  Context,
  'compute' | 'contents' | 'db' | 'rowCache' | 'decisions' | 'urls' | 'principal' | 'rendering'
>

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
  at: Discussion,
  rows: readonly CommentRow[],
  format: Format | undefined,
): Promise<Comment[]> {
  const view = await viewOf(context, at, format, rows, await findParticipantsOfComments(context.db, rows))
  return inTurns(rows, row => toComment(view, row))
}

export async function readComment(
  context: Reads,
  at: Discussion,
  row: CommentRow,
  format: Format | undefined,
): Promise<Comment> {
  const participants = await findParticipantsOfComments(context.db, [row])
  return toComment(await viewOf(context, at, format, [row], participants), row)
}

export async function readReplies(
  context: Reads,
  at: CommentAt,
  { format, ...query }: PageQuery & { format?: Format },
): Promise<List<CommentReply>> {
  const page = await listReplies(context.db, at.comment.id, query)
  const participants = await findParticipantsOfReplies(context.db, page.items)
  const view = await viewOf(context, at, format, page.items, participants)
  const replies = await inTurns(page.items, row => toReply(view, at.comment, row))
  return toList({ ...page, items: replies }, reply => reply)
}

export async function readReply(
  context: Reads,
  at: CommentAt,
  row: ReplyRow,
  format: Format | undefined,
): Promise<CommentReply> {
  const participants = await findParticipantsOfReplies(context.db, [row])
  const view = await viewOf(context, at, format, [row], participants)
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

async function viewOf(
  context: Reads,
  at: Discussion,
  format: Format | undefined,
  rows: readonly (CommentRow | ReplyRow)[],
  participants: Participants,
): Promise<CommentsContext> {
  const { compute, urls, principal } = context
  const users = new Map([...participants.people].map(([id, person]) => [id, toUser(urls, person)]))
  return {
    ...{ services: { compute }, urls, principal, role: at.role, participants, users },
    format: format === 'document' ? 'document' : 'markdown',
    htmls: format === 'html' ? await renderBodies(context, at, rows) : new Map(),
  }
}

/** What the bodies name is that of the content which is discussed, as it is now. */
async function renderBodies(
  { contents, rendering, principal }: Reads,
  { space, changeRequest }: Discussion,
  rows: readonly (CommentRow | ReplyRow)[],
): Promise<ReadonlyMap<string, string>> {
  const root = (changeRequest ?? space).root_hash.toString('hex')
  const sight = changeRequest === null ? 'published' : specSightOf(principal, space.organization_id)
  const content = await contents.shown(space.id, root, sight)
  const place = { space, content, changeRequest: changeRequest?.number ?? null }
  const htmls = await rendering.texts.render(
    place,
    rows.map(({ id, body }) => ({ markdown: body, idPrefix: `${id}.` })),
  )
  return new Map(rows.map(({ id }, index) => [id, htmls[index] ?? '']))
}
