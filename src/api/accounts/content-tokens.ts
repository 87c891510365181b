// Tokens that speak for nobody: each reads one space for a while.
import { sql } from 'kysely'
import { hashToken } from '../../access/principal.ts'
import { newId } from '../../base/ids.ts'
import type { Trx } from '../../platform/db/database.ts'
import { newTokenSecret } from './actions.ts'

/** Writes such a token. Its secret is only in the answer. */
export async function issueContentToken(
  trx: Trx,
  spaceId: string,
  expiresAt: Date,
): Promise<{ id: string; secret: string }> {
  const [id, secret] = [newId(), newTokenSecret()]
  await trx
    .insertInto('tokens')
    .values({
      id,
      kind: 'content',
      space_id: spaceId,
      label: 'Content',
      expires_at: expiresAt,
      secret_hash: hashToken(secret),
    })
    .execute()
  return { id, secret }
}

/** Deletes the content tokens of these spaces. */
export async function removeContentTokens(trx: Trx, spaceIds: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('tokens')
    .where('kind', '=', 'content')
    .where(sql<boolean>`space_id = any(${[...spaceIds]}::text[])`)
    .execute()
}
