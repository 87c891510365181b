// A person lets a program act for them, and ends that.
import { hashToken, type UserPrincipal } from '../../access/principal.ts'
import { now } from '../../base/clock.ts'
import { conflict, forbidden } from '../../base/errors.ts'
import { newId, newSecret } from '../../base/ids.ts'
import type { ActionContext } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { Events } from '../../platform/events/append.ts'
import { readBounds } from '../accounts/actions.ts'
import type { AuthorizationRequest, Offer } from './requests.ts'
import { countGrants, type GrantOwner, insertGrant, putUsedClient, removeGrant } from './rows.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'authorization.created': { authorization: string; client: string; name: string; scopes: string[] }
    'authorization.deleted': { authorization: string; client: string; why: AuthorizationEnd }
  }
}

/** By the person, by the client, or because one of its secrets was used twice. */
export type AuthorizationEnd = 'revoked' | 'given_back' | 'code_reused' | 'refresh_token_reused'

/** RFC 6749 §4.1.2 asks for at most ten. */
const CODE_MINUTES = 2
const GRANTS_MAX = 200

export type Consent = { readonly offer: Offer; readonly organizationId: string | null }

/** Returns the code, which the browser takes to the client. */
export async function allowProgram(
  context: ActionContext,
  { client, redirectUri, challenge, resource }: AuthorizationRequest,
  { offer, organizationId: wanted }: Consent,
): Promise<string> {
  const { user, scopes } = context.principal
  if (scopes !== null) throw forbidden('A session of a narrowed token lets no program act for you.')
  const { organizationId, expiresAt } = await readBounds(context, { expiresAt: null, organizationId: wanted })
  const code = newSecret()
  await context.transaction(async trx => {
    if ((await countGrants(trx, user.id)) >= GRANTS_MAX)
      throw conflict(
        'authorizations_full',
        `You let ${GRANTS_MAX} programs act for you, which is the most. Revoke one in your account first.`,
      )
    if (!(await putUsedClient(trx, client)))
      throw conflict('client_gone', 'This program is no longer registered here. Begin again in the program.')
    const id = newId()
    await insertGrant(trx, {
      ...{ id, user_id: user.id, client_id: client.id, scopes: [...offer.scopes], resource },
      ...{ organization_id: organizationId, expires_at: expiresAt },
      code_hash: hashToken(code),
      code_expires_at: new Date(now().getTime() + CODE_MINUTES * 60_000),
      ...{ code_redirect_uri: redirectUri, code_challenge: challenge },
    })
    await context.events.append(trx, {
      type: 'authorization.created',
      ...(organizationId === null ? {} : { organizationId }),
      actorId: user.id,
      payload: { authorization: id, client: client.id, name: client.name, scopes: [...offer.scopes] },
    })
  })
  return code
}

export const ownerOf = ({ user, onlyIn }: UserPrincipal): GrantOwner => ({ userId: user.id, onlyIn })

/** Idempotent: succeeds for one that has ended, or is not theirs. */
export const revokeAuthorization = (context: ActionContext, id: string): Promise<void> =>
  context.transaction(trx => endGrant(trx, context.events, ownerOf(context.principal), id, 'revoked'))

export async function endGrant(
  trx: Trx,
  events: Events,
  owner: GrantOwner,
  id: string,
  why: AuthorizationEnd,
): Promise<void> {
  const removed = await removeGrant(trx, owner, id)
  if (removed === undefined) return
  await events.append(trx, {
    type: 'authorization.deleted',
    ...(removed.organization_id === null ? {} : { organizationId: removed.organization_id }),
    actorId: owner.userId,
    payload: { authorization: id, client: removed.client_id, why },
  })
}
