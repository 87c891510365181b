// Whom an event concerns, and as what. Whether they may see it is asked afterwards.
import { sql } from 'kysely'
import type { Services } from '../../http/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { readAddress } from '../comments/addresses.ts'
import type { EventRow } from '../events/rows.ts'
import { listTeamMemberIds } from '../teams/membership.ts'
import type { NotificationKind } from './schema.ts'

/** What a notification leads to, and the kind that it is for each person. */
export type Told = {
  readonly spaceId: string
  readonly changeRequestId: string | null
  readonly commentId: string | null
  readonly replyId: string | null
  readonly pageId: string | null
  readonly people: ReadonlyMap<string, NotificationKind>
}

export type NoticedEvent = Pick<EventRow, 'id' | 'type' | 'space_id' | 'actor_id' | 'payload'>

type Asked = Pick<Services, 'db' | 'compute'>

/** Undefined where nobody is told, as of something that is gone. */
export async function findTold(services: Asked, event: NoticedEvent): Promise<Told | undefined> {
  const { db } = services
  const { type, payload } = event
  switch (type) {
    case 'comment.created':
    case 'comment.changed':
    case 'comment_reply.created':
    case 'comment_reply.changed':
      return toldOfComment(services, event)
    case 'change_request.review_requested': {
      const people = new Set(textsOf(payload.users))
      for (const team of textsOf(payload.teams))
        for (const id of await listTeamMemberIds(db, team)) people.add(id)
      return toldOfChangeRequest(
        event,
        await findChangeRequest(db, payload),
        asAll(people, 'review-requested'),
      )
    }
    case 'change_request.reviewed': {
      const changeRequest = await findChangeRequest(db, payload)
      return toldOfChangeRequest(event, changeRequest, asAll([changeRequest?.created_by], 'review-given'))
    }
    case 'change_request.merged': {
      const changeRequest = await findChangeRequest(db, payload)
      const people = changeRequest && (await listConcernedByMerge(db, changeRequest))
      return toldOfChangeRequest(event, changeRequest, asAll(people ?? [], 'merged'))
    }
    case 'change_request.conflicts_changed': {
      const changeRequest = await findChangeRequest(db, payload)
      const isNew = payload.before === 0
      return toldOfChangeRequest(
        event,
        changeRequest,
        asAll(isNew ? [changeRequest?.created_by] : [], 'conflict'),
      )
    }
    case 'space.git_sync_completed':
      return toldOfImport(db, event)
    default:
      return undefined
  }
}

const asAll = (ids: Iterable<string | undefined>, kind: NotificationKind): Map<string, NotificationKind> =>
  new Map([...ids].flatMap(id => (id === undefined ? [] : [[id, kind] as const])))

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter(one => typeof one === 'string') : []

type ChangeRequest = { readonly id: string; readonly space_id: string; readonly created_by: string }

const findChangeRequest = (db: Db, { changeRequest }: NoticedEvent['payload']) =>
  db
    .selectFrom('change_requests')
    .select(['id', 'space_id', 'created_by'])
    .where('id', '=', String(changeRequest))
    .executeTakeFirst()

const toldOfChangeRequest = (
  { payload }: NoticedEvent,
  changeRequest: ChangeRequest | undefined,
  people: Told['people'],
): Told | undefined =>
  changeRequest && {
    spaceId: changeRequest.space_id,
    changeRequestId: changeRequest.id,
    commentId: typeof payload.comment === 'string' ? payload.comment : null,
    replyId: null,
    pageId: null,
    people,
  }

async function listConcernedByMerge(db: Db, { id, space_id, created_by }: ChangeRequest): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select reviewer_id as user_id from reviews where change_request_id = ${id}
    union select user_id from watches
      where space_id = ${space_id} and page_id is null and (change_request_id is null or change_request_id = ${id})`.execute(
    db,
  )
  return [created_by, ...rows.map(({ user_id }) => user_id)]
}

/** Who began it; and those who watch the space, of whom only its admins are told (`writing.ts`). */
async function toldOfImport(
  db: Db,
  { space_id, payload, actor_id }: NoticedEvent,
): Promise<Told | undefined> {
  if (space_id === null || payload.state !== 'failure' || payload.direction !== 'import') return undefined
  const watching = await db
    .selectFrom('watches')
    .select('user_id')
    .where('space_id', '=', space_id)
    .where('page_id', 'is', null)
    .where('change_request_id', 'is', null)
    .execute()
  const people = asAll(
    watching.map(({ user_id }) => user_id),
    'import-failed',
  )
  if (actor_id !== null) people.set(actor_id, 'import-failed')
  return { spaceId: space_id, changeRequestId: null, commentId: null, replyId: null, pageId: null, people }
}

type Comment = {
  readonly id: string
  readonly space_id: string
  readonly change_request_id: string | null
  readonly review_id: string | null
  readonly page_id: string | null
  readonly body: string
}

async function toldOfComment(services: Asked, event: NoticedEvent): Promise<Told | undefined> {
  const { db } = services
  const { type, payload } = event
  const isReply = type.startsWith('comment_reply.')
  const comment = await db
    .selectFrom('comments')
    .select(['id', 'space_id', 'change_request_id', 'review_id', 'page_id', 'body'])
    .where('id', '=', String(payload.comment))
    .executeTakeFirst()
  const reply = isReply
    ? await db
        .selectFrom('comment_replies')
        .select(['id', 'body'])
        .where('id', '=', String(payload.reply))
        .executeTakeFirst()
    : undefined
  if (comment === undefined || (isReply && reply === undefined)) return undefined
  const mentioned = await listMentioned(services, comment.space_id, (reply ?? comment).body)
  const people = asAll(mentioned, 'mention')
  if (type.endsWith('.created')) {
    // A review is told of as such, with its text.
    const concerned = comment.review_id !== null && !isReply ? [] : await listConcernedByComment(db, comment)
    for (const id of concerned) if (!people.has(id)) people.set(id, 'comment')
  } else for (const id of await listMentionedBefore(db, comment.id, reply?.id)) people.delete(id)
  return {
    spaceId: comment.space_id,
    changeRequestId: comment.change_request_id,
    commentId: comment.id,
    replyId: reply?.id ?? null,
    pageId: comment.page_id,
    people,
  }
}

/** A hostile text may name everybody: more than these are not told. */
const MENTIONED_MAX = 50

/** The people whom a text links to, as the composer of comments writes a mention: `[@Name](/users/id)`. */
async function listMentioned({ compute }: Asked, spaceId: string, markdown: string): Promise<string[]> {
  if (!markdown.includes('/users/')) return []
  const outcome = await compute.run('destinations', spaceId, { markdown })
  if (outcome.kind !== 'done') return []
  const ids = outcome.value.flatMap(({ destination }) => {
    const address = readAddress(destination)
    return address?.kind === 'user' ? [address.user] : []
  })
  return [...new Set(ids)].slice(0, MENTIONED_MAX)
}

const listMentionedBefore = async (db: Db, commentId: string, replyId: string | undefined) =>
  (
    await db
      .selectFrom('notifications')
      .select('user_id')
      .where('comment_id', '=', commentId)
      .where('reply_id', replyId === undefined ? 'is' : '=', replyId ?? null)
      .where('kind', '=', 'mention')
      .execute()
  ).map(({ user_id }) => user_id)

/** Whose change request it is, who takes part in the discussion, and who watches. */
async function listConcernedByComment(db: Db, comment: Comment): Promise<string[]> {
  const { id, space_id, change_request_id, page_id } = comment
  const { rows } = await sql<{ user_id: string }>`
    with discussion as (
      select id, posted_by from comments where id = ${id} or change_request_id = ${change_request_id}::text)
    select posted_by as user_id from discussion
    union select comment_replies.posted_by from comment_replies join discussion
      on discussion.id = comment_replies.comment_id
    union select created_by from change_requests where id = ${change_request_id}::text
    union select user_id from watches where space_id = ${space_id}
      and (page_id is null or page_id = ${page_id}::text)
      and (change_request_id is null or change_request_id = ${change_request_id}::text)`.execute(db)
  return rows.map(({ user_id }) => user_id)
}
