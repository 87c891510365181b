// Opening a space to visitors and closing it again. Each verb is one transaction.
import { findVisitorKeys, type VisitorKey } from '../../access/proofs.ts'
import { now } from '../../base/clock.ts'
import { conflict, orMissing } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { ActionContext, EventContext } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { type ContentTokenRow, issueContentToken, removeContentToken } from '../accounts/content-tokens.ts'
import { lockSpace, type SpaceRow, updateSpace } from '../spaces/rows.ts'
import {
  countShareLinks,
  insertFirstKey,
  insertKey,
  insertShareLink,
  lockShareLink,
  removeRetiredKeys,
  removeShareLink,
  retireKeys,
  type ShareLinkRow,
  updateShareLink,
} from './rows.ts'
import {
  type ChangePublishingAuth,
  type ChangeShareLink,
  CONTENT_TOKEN_SECONDS_DEFAULT,
  type CreateContentToken,
  type CreateShareLink,
  type RegenerateKey,
} from './schema.ts'

export const SHARE_LINKS_MAX = 1000
/** An invalid token is tried with each of them, so they are few. */
export const KEYS_MAX = 5

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'share_link.created': { link: string; name: string }
    'share_link.changed': { link: string; name: string; active: boolean; fields: string[] }
    'share_link.deleted': { link: string; name: string }
    'visitor_key.rotated': { key: string; graceSeconds: number }
    'content_token.created': { token: string; expiresAt: string }
    'content_token.deleted': { token: string }
  }
}

export async function createShareLink(
  context: ActionContext,
  space: SpaceRow,
  { name }: CreateShareLink,
): Promise<ShareLinkRow> {
  return context.transaction(async trx => {
    const { append } = await within(trx, context, space)
    if ((await countShareLinks(trx, space.id)) >= SHARE_LINKS_MAX)
      throw conflict(
        'share_links_full',
        `The space has ${SHARE_LINKS_MAX} share links. Delete one that is no longer needed.`,
      ).withValues({ max: SHARE_LINKS_MAX })
    const link = await insertShareLink(trx, {
      id: newId(),
      space_id: space.id,
      name,
      created_by: context.principal.user.id,
    })
    await append('share_link.created', { link: link.id, name })
    return link
  })
}

export async function changeShareLink(
  context: ActionContext,
  space: SpaceRow,
  id: string,
  body: ChangeShareLink,
): Promise<ShareLinkRow> {
  return context.transaction(async trx => {
    const { append } = await within(trx, context, space)
    const link = orMissing(await lockShareLink(trx, id), 'share link')
    const change = { name: body.name ?? link.name, is_active: body.active ?? link.is_active }
    const fields = [
      ...(change.is_active === link.is_active ? [] : ['active']),
      ...(change.name === link.name ? [] : ['name']),
    ]
    if (fields.length === 0) return link
    await append('share_link.changed', { link: id, name: change.name, active: change.is_active, fields })
    return updateShareLink(trx, id, change)
  })
}

/** Its key stops working, and no later link gets the same. */
export async function deleteShareLink(context: ActionContext, space: SpaceRow, id: string): Promise<void> {
  await context.transaction(async trx => {
    const { append } = await within(trx, context, space)
    const link = await removeShareLink(trx, id)
    if (link !== undefined) await append('share_link.deleted', { link: id, name: link.name })
  })
}

/** Sets where a browser without a token is redirected. */
export async function changePublishingAuth(
  context: ActionContext,
  space: SpaceRow,
  { fallbackURL }: ChangePublishingAuth,
): Promise<Pick<SpaceRow, 'visitor_fallback_url'>> {
  return context.transaction(async trx => {
    const { current, append } = await within(trx, context, space)
    if (fallbackURL === undefined || fallbackURL === current.visitor_fallback_url) return current
    await updateSpace(trx, space.id, { visitor_fallback_url: fallbackURL, updated_at: now() })
    await append('space.changed', { fields: ['fallbackURL'] })
    return { visitor_fallback_url: fallbackURL }
  })
}

/** Makes a new key for the tokens of visitors. Earlier ones end after the grace period, unless they end sooner. */
export async function rotateKey(
  context: ActionContext,
  space: SpaceRow,
  { graceSeconds = 0 }: RegenerateKey,
): Promise<VisitorKey[]> {
  return context.transaction(async trx => {
    // Under the lock of the space, so that two rotations have an order.
    const { append } = await within(trx, context, space)
    await removeRetiredKeys(trx, space.id, now())
    const live = await findVisitorKeys(trx, space.id)
    if (graceSeconds > 0 && live.length >= KEYS_MAX)
      throw conflict(
        'visitor_keys_full',
        `body.graceSeconds: ${KEYS_MAX} keys are in use already. Wait until one has retired, or let the grace be 0, which ends all of them.`,
      )
    if (live.some(({ id }) => id === space.id)) await insertFirstKey(trx, space.id, space.created_at)
    await retireKeys(trx, space.id, new Date(now().getTime() + graceSeconds * 1000))
    const key = newId()
    await insertKey(trx, { id: key, space_id: space.id, created_by: context.principal.user.id })
    await append('visitor_key.rotated', { key, graceSeconds })
    return findVisitorKeys(trx, space.id)
  })
}

/**
 * A temporary token that reads one space and acts for nobody. It ends with the token it is made with, and as soon as
 * its maker is no longer an admin of the space.
 */
export async function createContentToken(
  context: ActionContext,
  space: SpaceRow,
  { lifetimeSeconds = CONTENT_TOKEN_SECONDS_DEFAULT }: CreateContentToken,
): Promise<{ row: ContentTokenRow; secret: string }> {
  const { user, expiresAt: end, session } = context.principal
  const tokenId = context.principal.tokenId ?? session?.token?.id ?? null
  const wanted = now().getTime() + lifetimeSeconds * 1000
  const expiresAt = new Date(Math.min(wanted, end?.getTime() ?? wanted))
  return context.transaction(async trx => {
    const { append } = await within(trx, context, space)
    const issued = await issueContentToken(trx, space.id, { userId: user.id, tokenId }, expiresAt)
    await append('content_token.created', { token: issued.row.id, expiresAt: expiresAt.toISOString() })
    return issued
  })
}

/** Nobody reads with it any more. */
export async function deleteContentToken(context: ActionContext, space: SpaceRow, id: string): Promise<void> {
  await context.transaction(async trx => {
    const { append } = await within(trx, context, space)
    const removed = await removeContentToken(trx, space.id, id)
    if (removed !== undefined) await append('content_token.deleted', { token: id })
  })
}

/** Locks the space and appends the events of a write to it. */
async function within(trx: Trx, { events, principal }: EventContext, { id }: SpaceRow) {
  const current = orMissing(await lockSpace(trx, id), 'space')
  const about = { organizationId: current.organization_id, spaceId: id, actorId: principal.user.id }
  return {
    current,
    append: <T extends VisitorEvent>(
      type: T,
      payload: import('../../platform/events/append.ts').EventPayloads[T],
    ): Promise<void> => events.append(trx, { ...about, type, payload }),
  }
}

type VisitorEvent =
  | 'share_link.created'
  | 'share_link.changed'
  | 'share_link.deleted'
  | 'visitor_key.rotated'
  | 'content_token.created'
  | 'content_token.deleted'
  | 'space.changed'
