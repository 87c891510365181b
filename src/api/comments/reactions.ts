// Reactions: which emoji are valid, and adding and removing them.
import { sql } from 'kysely'
import { conflict, invalid } from '../../base/errors.ts'
import type { Trx } from '../../platform/db/database.ts'
import { readEmoji } from '../spaces/emoji.ts'
import type { UpdateReply } from './schema.ts'

/** Different ones on one comment or reply. */
export const EMOJI_PER_COMMENT_MAX = 32

export type ReactionTarget = 'comment_id' | 'reply_id'
export type Reactions = { readonly added: readonly string[]; readonly removed: readonly string[] }

// Every emoji that Unicode recommends for interchange, sequences included (UTS #51, ED-27).
const EMOJI = /^\p{RGI_Emoji}$/v
// U+FE0F selects the emoji presentation of a character that also has a text form: ❤ is sent with it or without.
const PICTURE = '\u{fe0f}'

/** Throws `invalid` for a text that is not an emoji, and for an emoji in both lists. */
export function readReactions(body: Pick<UpdateReply, 'addedReactions' | 'removedReactions'>): Reactions {
  const read = (field: 'addedReactions' | 'removedReactions') => [
    ...new Set((body[field] ?? []).map((text, index) => readReaction(`body.${field}.${index}`, text))),
  ]
  const added = read('addedReactions')
  const removed = read('removedReactions')
  const both = added.find(emoji => removed.includes(emoji))
  if (both !== undefined) {
    throw invalid(
      'reaction_ambiguous',
      `body.addedReactions: ${both} is in removedReactions as well. Send it in one of the two.`,
    )
  }
  return { added, removed }
}

/** The emoji in the spelling that is stored: as a character, with U+FE0F where it belongs. */
function readReaction(where: string, text: string): string {
  const emoji = readEmoji(text)
  if (EMOJI.test(emoji)) return emoji
  if (EMOJI.test(emoji + PICTURE)) return emoji + PICTURE
  throw invalid(
    'emoji_unknown',
    `${where}: ${JSON.stringify(text)} is no emoji. Send the character itself, such as 👍, not its name.`,
  )
}

/**
 * Adds and removes one person's reactions to a comment or reply, which the caller has locked. Idempotent. Returns
 * whether anything changed.
 */
export async function changeReactions(
  trx: Trx,
  target: ReactionTarget,
  id: string,
  userId: string,
  { added, removed }: Reactions,
): Promise<boolean> {
  const of = { target, id, userId }
  const taken = removed.length === 0 ? 0n : await removeReactions(trx, of, removed)
  const given = added.length === 0 ? 0n : await insertReactions(trx, of, added)
  if (given > 0n && (await countEmoji(trx, target, id)) > EMOJI_PER_COMMENT_MAX) {
    throw conflict(
      'reactions_full',
      `There are ${EMOJI_PER_COMMENT_MAX} different reactions here already. React with one of them.`,
    ).withValues({ max: EMOJI_PER_COMMENT_MAX })
  }
  return taken + given > 0n
}

/** One person's reactions to a comment or reply. */
type ReactionOwner = { readonly target: ReactionTarget; readonly id: string; readonly userId: string }

async function insertReactions(trx: Trx, of: ReactionOwner, emoji: readonly string[]): Promise<bigint> {
  const rows = emoji.map((one, index) => ({
    [of.target]: of.id,
    emoji: one,
    user_id: of.userId,
    // In the order in which they were sent.
    reacted_at: sql<Date>`clock_timestamp() + ${index} * interval '1 microsecond'`,
  }))
  const result = await trx
    .insertInto('reactions')
    .values(rows)
    .onConflict(already => already.doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows ?? 0n
}

async function removeReactions(trx: Trx, of: ReactionOwner, emoji: readonly string[]): Promise<bigint> {
  const result = await trx
    .deleteFrom('reactions')
    .where(of.target, '=', of.id)
    .where('user_id', '=', of.userId)
    .where('emoji', 'in', [...emoji])
    .executeTakeFirst()
  return result.numDeletedRows
}

async function countEmoji(trx: Trx, target: ReactionTarget, id: string): Promise<number> {
  const row = await trx
    .selectFrom('reactions')
    .select(({ fn }) => fn.count<number>('emoji').distinct().as('count'))
    .where(target, '=', id)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
