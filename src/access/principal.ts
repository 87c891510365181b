// Who asks: a bearer token becomes a principal, with everything that decides roles, in one query.
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { sha256 } from '../base/canonical.ts'
import { now } from '../base/clock.ts'
import type { Changes } from '../platform/db/changes.ts'
import type { Db } from '../platform/db/open.ts'
import type { Users } from '../platform/db/tables.ts'
import { createFresh } from '../platform/fresh.ts'
import type { MemberRole } from './policy.ts'

export type UserRow = Selectable<Users>

/** A person (or a program with a person's token). `memberships`: organization id → role there, null for a guest. */
export type UserPrincipal = {
  readonly kind: 'user'
  readonly user: UserRow
  readonly tokenId: string
  /** null: the token is not narrowed */
  readonly scopes: readonly string[] | null
  readonly expiresAt: Date | null
  readonly memberships: ReadonlyMap<string, MemberRole | null>
}

export type Principal = UserPrincipal | { readonly kind: 'anonymous' }

export const ANONYMOUS: Principal = { kind: 'anonymous' }

export interface Principals {
  /** The principal of a bearer token, or undefined when it is unknown, expired or revoked. */
  find(token: string): Promise<UserPrincipal | undefined>
  /** Tokens used since the last call, with the time of their last use. */
  takeUses(): Map<string, Date>
}

// A principal with its memberships is about 1 KB: some ten MB at the most.
const PRINCIPALS_MAX = 10_000

/** Tokens are 256 random bits, so one round of SHA-256 at rest is enough: there is nothing to guess. */
export const hashToken = (token: string): Buffer => Buffer.from(sha256(token), 'hex')

export function createPrincipals(db: Db, changes: Changes): Principals {
  const known = createFresh<string, UserPrincipal>(changes, PRINCIPALS_MAX)
  let uses = new Map<string, Date>()
  return {
    async find(token) {
      const hash = hashToken(token)
      const principal = await known.get(hash.toString('base64'), () => load(db, hash))
      if (principal === undefined) return undefined
      const at = now()
      if (principal.expiresAt !== null && principal.expiresAt <= at) return undefined
      uses.set(principal.tokenId, at)
      return principal
    },
    takeUses() {
      const taken = uses
      uses = new Map()
      return taken
    },
  }
}

async function load(db: Db, hash: Buffer): Promise<UserPrincipal | undefined> {
  const row = await db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .selectAll('users')
    .select(['tokens.id as token_id', 'tokens.scopes', 'tokens.expires_at'])
    .select(
      sql<{ organization: string; role: MemberRole | null }[] | null>`(
        select json_agg(json_build_object('organization', organization_id, 'role', role))
        from members where members.user_id = users.id and not members.disabled)`.as('memberships'),
    )
    .where('tokens.secret_hash', '=', hash)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { token_id, scopes, expires_at, memberships, ...user } = row
  return {
    kind: 'user',
    user,
    tokenId: token_id,
    scopes,
    expiresAt: expires_at,
    memberships: new Map((memberships ?? []).map(m => [m.organization, m.role])),
  }
}
