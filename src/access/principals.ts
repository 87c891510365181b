// A bearer token or a browser session is resolved to its principal, with everything that decides roles.
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { sha256 } from '../base/canonical.ts'
import { type Clock, now } from '../base/clock.ts'
import { createInvalidatingCache, entries } from '../platform/cache/cache.ts'
import type { Changes } from '../platform/db/changes.ts'
import type { Db } from '../platform/db/database.ts'
import { namePerson } from '../platform/fairness/party.ts'
import { allows, type MemberRole } from './policy.ts'
import {
  type Factor,
  hashToken,
  type InstallationPrincipal,
  isOwn,
  isVouched,
  type Memberships,
  type Principals,
  SESSION_IDLE_DAYS_MAX,
  type SessionMethod,
  type TokenPrincipal,
  type UserPrincipal,
  type UserRow,
} from './principal.ts'
import { findRoleOfPerson } from './roles.ts'

// A principal with its memberships takes some 1.5 KB.
const PRINCIPALS_BYTES_MAX = 16 * 2 ** 20
// As many as the limit on requests counts.
const KNOWN_MAX = 50_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * A principal, with the ids of the rows it is made of: they are announced when something that decides about it
 * changes.
 */
interface Loaded<One extends TokenPrincipal = TokenPrincipal> {
  readonly principal: One
  readonly ids: readonly string[]
}

const idsOf = ({ ids }: Loaded) => ids

export function createPrincipals(db: Db, changes: Changes, clock: Clock = now): Principals {
  const cache = createInvalidatingCache<Loaded>(changes, PRINCIPALS_BYTES_MAX)
  const uses = { token: new Map<string, Date>(), session: new Map<string, Date>() }
  // What requests count for, by the hash of a token or session that was found, until it is found no more.
  const known = new LRUCache<string, string>(entries(KNOWN_MAX))
  const remember = (key: string, caller: string | undefined) => {
    if (caller === undefined) known.delete(key)
    else known.set(key, caller)
  }
  const isCurrent = ({ expiresAt }: TokenPrincipal) => expiresAt === null || expiresAt > clock()
  const take = (kind: keyof typeof uses) => {
    const taken = uses[kind]
    uses[kind] = new Map()
    return taken
  }
  return {
    async find(token) {
      const hash = sha256(token)
      const load = () => loadToken(db, Buffer.from(hash, 'hex'))
      const principal = (await cache.get(`token:${hash}`, load, idsOf))?.principal
      const isFound = principal !== undefined && isCurrent(principal)
      remember(`token ${hash}`, isFound ? `token ${hash}` : undefined)
      if (!isFound) return undefined
      if (principal.tokenId !== null) uses.token.set(principal.tokenId, clock())
      namePerson(personOf(principal))
      return principal
    },
    async findSession(secret) {
      const hash = hashToken(secret)
      // An unused session ends by the clock, not by a write, so it is looked up once an hour.
      const hour = Math.floor(clock().getTime() / HOUR_MS)
      const key = `session:${hash.toString('base64')}:${hour}`
      const principal = (await cache.get(key, () => loadSession(db, hash, clock()), idsOf))?.principal
      const isFound = principal !== undefined && isCurrent(principal)
      remember(`session ${hash.toString('hex')}`, isFound ? `session ${principal.session?.id}` : undefined)
      if (!isFound) return undefined
      if (principal.session !== null) uses.session.set(principal.session.id, clock())
      namePerson(principal.user.id)
      return principal
    },
    knownToken: token => known.get(`token ${sha256(token)}`),
    knownSession: secret => known.get(`session ${sha256(secret)}`),
    async findPerson(userId) {
      await changes.catchUp()
      return (await cache.get(`person:${userId}`, () => loadPerson(db, userId), idsOf))?.principal
    },
    takeUses: () => take('token'),
    takeSessionUses: () => take('session'),
  }
}

type MembershipJson =
  | { organization: string; role: MemberRole | null; sso: boolean; factor: boolean | null }[]
  | null

const membershipsOfUser = sql<MembershipJson>`(
  select json_agg(json_build_object('organization', organization_id, 'role', role, 'sso', sso, 'factor', (
    select second_factor from organizations where organizations.id = members.organization_id)))
  from members where members.user_id = users.id and not members.disabled)`

const toMemberships = (rows: MembershipJson, onlyIn: string | null): Memberships =>
  new Map(
    (rows ?? [])
      .filter(row => onlyIn === null || row.organization === onlyIn)
      .map(row => [row.organization, row.role]),
  )

/**
 * What a session opens. One of a password or a passkey opens no organization whose identity provider signs the member
 * in. Unless a provider vouched for it, it has to show a second factor where one is demanded: these are `lacking`.
 */
function toOpened(
  rows: MembershipJson,
  onlyIn: string | null,
  { method, factor }: { readonly method: SessionMethod; readonly factor: Factor | null },
) {
  const asked = (rows ?? []).filter(
    row => (onlyIn === null || row.organization === onlyIn) && !(row.sso && isOwn(method)),
  )
  const isLacking = (row: (typeof asked)[number]) =>
    factor === null && row.factor === true && !isVouched(method)
  return {
    memberships: toMemberships(
      asked.filter(row => !isLacking(row)),
      null,
    ),
    lacking: asked.filter(isLacking).map(row => row.organization),
  }
}

async function loadToken(db: Db, hash: Buffer): Promise<Loaded | undefined> {
  const row = await db
    .selectFrom('tokens')
    .leftJoin('users', 'users.id', 'tokens.user_id')
    .select(['tokens.id', 'tokens.kind', 'tokens.scopes', 'tokens.expires_at', 'tokens.organization_id'])
    .select(sql<UserJson | null>`to_jsonb(users)`.as('user'))
    .select(membershipsOfUser.as('memberships'))
    .select(
      sql<{ name: string; organization_id: string } | null>`(
        select to_jsonb(one) from integrations as one where one.name = tokens.integration)`.as('integration'),
    )
    .select(
      sql<InstallationJson | null>`(
        select jsonb_build_object('id', one.id, 'integration', one.integration, 'organization', one.organization_id,
          'status', one.status, 'scopes', one.scopes, 'spaces', case one.space_selection when 'all' then null else (
            select coalesce(jsonb_agg(space_id), '[]') from installation_spaces as chosen
            where chosen.installation_id = one.id) end)
        from installations as one where one.id = tokens.installation_id)`.as('installation'),
    )
    .where('tokens.secret_hash', '=', hash)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const common = { tokenId: row.id, expiresAt: row.expires_at }
  if (row.user !== null) {
    const principal: UserPrincipal = {
      kind: 'user',
      user: toUserRow(row.user),
      session: null,
      scopes: row.scopes,
      onlyIn: row.organization_id,
      memberships: toMemberships(row.memberships, row.organization_id),
      ...common,
    }
    return { principal, ids: [row.id, row.user.id] }
  }
  if (row.integration !== null) {
    const { name, organization_id } = row.integration
    const principal = {
      kind: 'integration',
      integration: name,
      organizationId: organization_id,
      ...common,
    } as const
    return { principal, ids: [row.id, name] }
  }
  if (row.installation !== null) {
    const principal = toInstallation(row.installation, common)
    return principal && { principal, ids: [row.id, row.installation.id] }
  }
  if (row.kind === 'scim' && row.organization_id !== null) {
    const organizationId = row.organization_id
    return { principal: { kind: 'scim', organizationId, ...common }, ids: [row.id, organizationId] }
  }
  return row.kind === 'content' ? loadContent(db, common) : undefined
}

/** Depends on whatever the role of its maker depends on, which the version of the organization announces. */
async function loadContent(
  db: Db,
  token: { tokenId: string; expiresAt: Date | null },
): Promise<Loaded | undefined> {
  const row = await db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.created_by')
    .innerJoin('spaces', 'spaces.id', 'tokens.space_id')
    .select(['users.id as user_id', 'spaces.id as space_id', 'spaces.organization_id'])
    .select(membershipsOfUser.as('memberships'))
    .where('tokens.id', '=', token.tokenId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { user_id, space_id, organization_id } = row
  const maker = { userId: user_id, memberships: toMemberships(row.memberships, organization_id) }
  const { role } = await findRoleOfPerson(db, maker, organization_id, { kind: 'space', id: space_id })
  // as the operation that makes them asks for
  if (role === null || !allows('space', 'admin', role)) return undefined
  const ids = [token.tokenId, user_id, space_id, organization_id]
  return { principal: { kind: 'content', spaceId: space_id, ...token }, ids }
}

type InstallationJson = {
  id: string
  integration: string
  organization: string
  status: string
  scopes: string[]
  spaces: string[] | null
}

/** Undefined if paused or not set up yet. */
function toInstallation(
  row: InstallationJson,
  common: { tokenId: string; expiresAt: Date | null },
): InstallationPrincipal | undefined {
  if (row.status !== 'active') return undefined
  return {
    kind: 'installation',
    installationId: row.id,
    integration: row.integration,
    organizationId: row.organization,
    scopes: row.scopes,
    spaces: row.spaces === null ? null : new Set(row.spaces),
    ...common,
  }
}

type UserJson = { [Column in keyof UserRow]: UserRow[Column] extends Date ? string : UserRow[Column] }

const toUserRow = (user: UserJson): UserRow => ({
  ...user,
  created_at: new Date(user.created_at),
  email_verified_at: user.email_verified_at === null ? null : new Date(user.email_verified_at),
})

async function loadPerson(db: Db, userId: string): Promise<Loaded<UserPrincipal> | undefined> {
  const row = await db
    .selectFrom('users')
    .selectAll('users')
    .select(membershipsOfUser.as('memberships'))
    .where('users.id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { memberships, ...user } = row
  const nothing = { tokenId: null, session: null, scopes: null, expiresAt: null, onlyIn: null }
  const principal = { kind: 'user', user, ...nothing, memberships: toMemberships(memberships, null) } as const
  return { principal, ids: [userId] }
}

async function loadSession(db: Db, hash: Buffer, time: Date): Promise<Loaded<UserPrincipal> | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('tokens', 'tokens.id', 'sessions.token_id')
    .selectAll('users')
    .select([
      'sessions.id as session_id',
      'sessions.token_id',
      'sessions.method',
      'sessions.factor',
      'sessions.organization_id',
      'sessions.expires_at',
      'sessions.confirmed_at',
    ])
    .select(['tokens.scopes', 'tokens.expires_at as token_expires_at'])
    .select('tokens.organization_id as token_organization_id')
    .select(membershipsOfUser.as('memberships'))
    .where('sessions.secret_hash', '=', hash)
    .where('sessions.last_used_at', '>', new Date(time.getTime() - SESSION_IDLE_DAYS_MAX * DAY_MS))
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { session_id, token_id, method, factor, organization_id, expires_at, confirmed_at, ...others } = row
  const { scopes, memberships, ...rest } = others
  const { token_expires_at, token_organization_id, ...user } = rest
  const onlyIn = organization_id ?? token_organization_id
  const opened = toOpened(memberships, onlyIn, { method, factor })
  const principal: UserPrincipal = {
    kind: 'user',
    user,
    tokenId: null,
    session: {
      id: session_id,
      method,
      factor,
      lacking: opened.lacking,
      confirmedAt: confirmed_at,
      token: token_id === null ? null : { id: token_id, expiresAt: token_expires_at },
    },
    scopes,
    expiresAt: token_expires_at !== null && token_expires_at < expires_at ? token_expires_at : expires_at,
    onlyIn,
    memberships: opened.memberships,
  }
  const organizations = (memberships ?? []).map(({ organization }) => organization)
  return {
    principal,
    ids: [session_id, user.id, ...(token_id === null ? [] : [token_id]), ...organizations],
  }
}

/** Whose turn their work takes. The tokens of a space are handed to visitors, who share one turn. */
function personOf(principal: TokenPrincipal): string {
  switch (principal.kind) {
    case 'user':
      return principal.user.id
    case 'integration':
      return principal.integration
    case 'installation':
      return principal.installationId
    case 'content':
      return principal.spaceId
    case 'scim':
      return principal.tokenId
  }
}
