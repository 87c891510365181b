// The names in mentions of somebody who was erased. A mention is a link to the person, `[@Name](/users/id)`.
import { sql } from 'kysely'
import type { Trx } from '../../platform/db/database.ts'
import { DELETED_PERSON } from '../accounts/rows.ts'

// A text has up to 20,000 characters.
const SCANNED_AT_ONCE = 500

/**
 * Replaces the name in mentions of a person in the next comments after one, or from the first. Returns the last that
 * was looked at; undefined: there are no more.
 */
export async function replaceMentionsInComments(
  trx: Trx,
  userId: string,
  after: string | undefined,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    with scanned as materialized (
      select id, body from comments where id > ${after ?? ''} order by id limit ${SCANNED_AT_ONCE}),
    replaced as (
      update comments set body = ${withoutName(userId)} from scanned
      where comments.id = scanned.id and scanned.body like ${linkTo(userId)})
    select id from scanned order by id desc limit 1`.execute(trx)
  return rows[0]?.id
}

/** As `replaceMentionsInComments`, in replies. */
export async function replaceMentionsInReplies(
  trx: Trx,
  userId: string,
  after: string | undefined,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    with scanned as materialized (
      select id, body from comment_replies where id > ${after ?? ''} order by id limit ${SCANNED_AT_ONCE}),
    replaced as (
      update comment_replies set body = ${withoutName(userId)} from scanned
      where comment_replies.id = scanned.id and scanned.body like ${linkTo(userId)})
    select id from scanned order by id desc limit 1`.execute(trx)
  return rows[0]?.id
}

// Ids are letters and digits, which neither pattern reads as anything else.
const linkTo = (userId: string): string => `%](/users/${userId})%`

const withoutName = (userId: string) => sql`regexp_replace(scanned.body,
  ${`\\[@(?:[^\\[\\]\\\\]|\\\\.)*\\]\\(/users/${userId}\\)`}, ${`[@${DELETED_PERSON}](/users/${userId})`}, 'g')`
