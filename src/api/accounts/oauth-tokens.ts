// The access tokens of programs that a person lets act for them (`oauth`). A grant has one at a time, and ends with it.
import { hashToken } from '../../access/principal.ts'
import { newId } from '../../base/ids.ts'
import type { Trx } from '../../platform/db/database.ts'
import { newTokenSecret } from './actions.ts'

export type AccessToken = {
  readonly grantId: string
  readonly userId: string
  readonly label: string
  readonly scopes: readonly string[]
  readonly organizationId: string | null
  readonly expiresAt: Date
}

/** Replaces the one before it. The secret is only in the answer. */
export async function replaceAccessToken(trx: Trx, token: AccessToken): Promise<string> {
  await trx.deleteFrom('tokens').where('oauth_grant_id', '=', token.grantId).execute()
  const secret = newTokenSecret()
  await trx
    .insertInto('tokens')
    .values({
      ...{ id: newId(), user_id: token.userId, oauth_grant_id: token.grantId, label: token.label },
      ...{ scopes: [...token.scopes], organization_id: token.organizationId, expires_at: token.expiresAt },
      secret_hash: hashToken(secret),
    })
    .execute()
  return secret
}
