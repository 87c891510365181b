// Visitors' proofs, beside or instead of a token of their own, and whether they open a space. The rows that decide
// are cached, so a visitor's read needs no query.

import { now } from '../base/clock.ts'
import type { InvalidatingCache } from '../platform/cache/cache.ts'
import type { Db } from '../platform/db/database.ts'
import type { SigningKeys } from '../platform/keys/signing-keys.ts'
import type { LinkUses } from './link-uses.ts'
import { listVisitorKeys, readShareKey } from './visitor-secrets.ts'

export type Proofs = {
  /** The key of a share link. */
  readonly shareKey: string | null
  /** A JSON Web Token signed with a visitor key of the space. */
  readonly visitorToken: string | null
}

export const NO_PROOFS: Proofs = { shareKey: null, visitorToken: null }
export const hasProof = ({ shareKey, visitorToken }: Proofs): boolean =>
  shareKey !== null || visitorToken !== null

export type ProofServices = {
  readonly db: Db
  readonly rowCache: InvalidatingCache<object>
  readonly signingKey: SigningKeys
  readonly linkUses: LinkUses
}

/**
 * Applies to every token from outside. A cookie holds at most 4096 bytes with its name and attributes (RFC 6265
 * §6.1).
 */
export const VISITOR_TOKEN_CHARACTERS_MAX = 3072
/** Tokens cannot be revoked, but the server that signs them can issue new ones. */
export const VISITOR_TOKEN_DAYS_MAX = 30
/** Allowed between two clocks. */
const CLOCK_SKEW_SECONDS = 30
const DAY_SECONDS = 24 * 60 * 60

/** Whether one of the proofs opens the space. */
export async function fits(
  services: ProofServices,
  { shareKey, visitorToken }: Proofs,
  space: { readonly id: string; readonly visibility: string },
  at: Date = now(),
): Promise<boolean> {
  if (space.visibility === 'share-link') return shareKey !== null && isShared(services, space.id, shareKey)
  if (space.visibility === 'visitor-auth')
    return visitorToken !== null && isVouchedFor(services, space.id, visitorToken, at)
  return false
}

/** The key is checked first, so that guesses cost no query. */
async function isShared(
  { db, rowCache, signingKey, linkUses }: ProofServices,
  spaceId: string,
  key: string,
): Promise<boolean> {
  const id = readShareKey(signingKey, key)
  if (id === undefined) return false
  const load = () =>
    db.selectFrom('share_links').select(['space_id', 'is_active']).where('id', '=', id).executeTakeFirst()
  const link = await rowCache.get(`share-link:${id}`, load, () => [id])
  const isOpen = link?.space_id === spaceId && link.is_active
  if (isOpen) linkUses.note(id)
  return isOpen
}

/** A key that signs visitors' tokens. `retires_at`: from then on its tokens are refused. */
export type VisitorKey = { readonly id: string; readonly retires_at: Date | null }

/**
 * The keys of a space that are not retired, newest first. The first key of a space has the space's id, and gets a row
 * only once it is replaced.
 */
export async function findVisitorKeys(db: Db, spaceId: string): Promise<VisitorKey[]> {
  const rows = await db
    .selectFrom('visitor_keys')
    .select(['id', 'retires_at'])
    .where('space_id', '=', spaceId)
    .where(({ eb, or }) => or([eb('retires_at', 'is', null), eb('retires_at', '>', now())]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.length === 0 ? [{ id: spaceId, retires_at: null }] : rows
}

async function isVouchedFor(
  { db, rowCache, signingKey }: ProofServices,
  spaceId: string,
  token: string,
  at: Date,
): Promise<boolean> {
  const load = () => findVisitorKeys(db, spaceId)
  const keys = await rowCache.get(`visitor-keys:${spaceId}`, load, () => [spaceId])
  for (const { id, retires_at } of keys ?? []) {
    if (retires_at !== null && retires_at <= at) continue
    for (const key of listVisitorKeys(signingKey, id)) if (await isSignedWith(key, token, at)) return true
  }
  return false
}

/**
 * RFC 7519, and RFC 8725 §3.1: the server chooses the algorithm, not the token. All invalid tokens are refused alike,
 * and none is a server error.
 */
async function isSignedWith(key: string, token: string, at: Date): Promise<boolean> {
  // Only spaces read with such a token need the library.
  const { jwtVerify } = await import('jose')
  const latest = at.getTime() / 1000 + VISITOR_TOKEN_DAYS_MAX * DAY_SECONDS + CLOCK_SKEW_SECONDS
  return jwtVerify(token, Buffer.from(key), {
    algorithms: ['HS256'],
    requiredClaims: ['exp'],
    clockTolerance: CLOCK_SKEW_SECONDS,
    currentDate: at,
  }).then(
    ({ payload }) => payload.exp !== undefined && payload.exp <= latest,
    () => false,
  )
}
