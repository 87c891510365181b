// The tokens of an organization's directory: made and revoked by admins.
import { conflict } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { SignedInContext } from '../../http/operation.ts'
import { boundExpiry, type IssuedToken, newTokenSecret, readExpiry } from '../accounts/actions.ts'
import { countScimTokens, insertToken, removeScimToken } from '../accounts/rows.ts'
import type { CreateSCIMToken } from './schema.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'scim_token.created': { token: string; label: string }
    'scim_token.deleted': { token: string; label: string }
  }
}

/** One for each directory, and one more of each while it is renewed. */
export const TOKENS_MAX = 20

export async function createScimToken(
  context: SignedInContext,
  organizationId: string,
  body: CreateSCIMToken,
): Promise<IssuedToken> {
  const expires_at = boundExpiry(context.principal, readExpiry(body.expiresAt ?? null))
  const secret = newTokenSecret()
  return context.transaction(async trx => {
    if ((await countScimTokens(trx, organizationId)) >= TOKENS_MAX)
      throw conflict('tokens_too_many', `This organization has ${TOKENS_MAX} SCIM tokens. Revoke one first.`)
    const token = { id: newId(), kind: 'scim', organization_id: organizationId, label: body.label } as const
    const row = await insertToken(trx, { ...token, expires_at }, secret)
    await context.events.append(trx, {
      type: 'scim_token.created',
      organizationId,
      actorId: context.principal.user.id,
      payload: { token: row.id, label: row.label },
    })
    return { row, secret }
  })
}

/** Idempotent: succeeds if already revoked. */
export async function deleteScimToken(
  context: SignedInContext,
  organizationId: string,
  id: string,
): Promise<void> {
  await context.transaction(async trx => {
    const removed = await removeScimToken(trx, organizationId, id)
    if (removed === undefined) return
    await context.events.append(trx, {
      type: 'scim_token.deleted',
      organizationId,
      actorId: context.principal.user.id,
      payload: { token: id, label: removed.label },
    })
  })
}
