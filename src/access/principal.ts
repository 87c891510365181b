// Principals: who a request is from. Their rows are loaded in `principals.ts`.
import type { Selectable } from 'kysely'
import { sha256 } from '../base/canonical.ts'
import type { Users } from '../platform/db/tables.ts'
import type { MemberRole } from './policy.ts'

export type UserRow = Selectable<Users>

/** Organization id → the role there, null for a guest. */
export type Memberships = ReadonlyMap<string, MemberRole | null>

/** A browser that somebody is signed in with. */
export type SessionOfUser = {
  readonly id: string
  readonly method: SessionMethod
  /** The second factor that the person has shown in it; null: none. */
  readonly factor: Factor | null
  /** Organizations that it does not open, because they demand a second factor. */
  readonly lacking: readonly string[]
  /** When the person last proved who they are; null: not in this session. */
  readonly confirmedAt: Date | null
  /** The token that it was begun with, which bounds it. */
  readonly token: { readonly id: string; readonly expiresAt: Date | null } | null
}

export const SESSION_METHODS = ['password', 'passkey', 'token', 'saml', 'oidc'] as const
export type SessionMethod = (typeof SESSION_METHODS)[number]

/** What a person shows besides a password: a code of their app, a passkey, or a code for when both are lost. */
export const FACTORS = ['totp', 'passkey', 'recovery_code'] as const
export type Factor = (typeof FACTORS)[number]

/** Whether the person began it by themselves, without the word of a provider or a token. */
export const isOwn = (method: SessionMethod): boolean => method === 'password' || method === 'passkey'

/** Whether an identity provider began it, which has a second step of its own. */
export const isVouched = (method: SessionMethod): method is 'saml' | 'oidc' =>
  method === 'saml' || method === 'oidc'

/** A person in a browser. */
export type PersonInSession = UserPrincipal & { readonly session: SessionOfUser }

/** A person, or a program with a person's token. */
export type UserPrincipal = {
  readonly kind: 'user'
  readonly user: UserRow
  /** null: authenticated by a session */
  readonly tokenId: string | null
  /** null: authenticated by a token */
  readonly session: SessionOfUser | null
  /** null: the token is not narrowed */
  readonly scopes: readonly string[] | null
  readonly expiresAt: Date | null
  /** The only organization that the token or the session opens; null: all of theirs. */
  readonly onlyIn: string | null
  /** Limited to `onlyIn`, if set. */
  readonly memberships: Memberships
}

/** An integration itself: it manages its installations. */
export type IntegrationPrincipal = {
  readonly kind: 'integration'
  readonly integration: string
  readonly organizationId: string
  readonly tokenId: string
  readonly expiresAt: Date | null
}

/** An integration where it is installed. */
export type InstallationPrincipal = {
  readonly kind: 'installation'
  readonly installationId: string
  readonly integration: string
  readonly organizationId: string
  /** In the spelling of integrations: `space:content:read` …. */
  readonly scopes: readonly string[]
  /** null: every space of the organization */
  readonly spaces: ReadonlySet<string> | null
  readonly tokenId: string
  readonly expiresAt: Date | null
}

/** A short-lived token that reads one space and speaks for nobody. It lasts while its maker is an admin of the space. */
export type ContentPrincipal = {
  readonly kind: 'content'
  readonly spaceId: string
  readonly tokenId: string
  readonly expiresAt: Date | null
}

/** The directory of an organization, which manages its people and teams by SCIM and speaks for nobody. */
export type ScimPrincipal = {
  readonly kind: 'scim'
  readonly organizationId: string
  readonly tokenId: string
  readonly expiresAt: Date | null
}

/** Who can be shown as an author: a person, or an installation of an integration. */
export type Author = UserPrincipal | InstallationPrincipal
/** The id of the user shown as the author. */
export const authorIdOf = (author: Author): string =>
  author.kind === 'user' ? author.user.id : author.installationId

/** The actor as events name it: a person or an installation by id, an integration by name. */
export function actorIdOf(principal: Principal): string | null {
  if (principal.kind === 'user') return principal.user.id
  if (principal.kind === 'integration') return principal.integration
  return principal.kind === 'installation' ? principal.installationId : null
}

export type TokenPrincipal =
  | UserPrincipal
  | IntegrationPrincipal
  | InstallationPrincipal
  | ContentPrincipal
  | ScimPrincipal
export type Principal = TokenPrincipal | { readonly kind: 'anonymous' }
export type PrincipalKind = Principal['kind']

export const ANONYMOUS = { kind: 'anonymous' } as const satisfies Principal

export interface Principals {
  /** The principal of a bearer token, or undefined if it is unknown, expired or revoked. */
  find(token: string): Promise<TokenPrincipal | undefined>
  /** The person of a browser session, or undefined if it is unknown, expired or ended. */
  findSession(secret: string): Promise<UserPrincipal | undefined>
  /** Whom requests with this token count for, if `find` found it lately; asks nobody. */
  knownToken(token: string): string | undefined
  /** The same for `findSession`. */
  knownSession(secret: string): string | undefined
  /**
   * A person in their current state, whichever process changed it last, for work in their name outside a request.
   * Undefined if deleted.
   */
  findPerson(userId: string): Promise<UserPrincipal | undefined>
  /** Tokens used since the last call, with the time of their last use. */
  takeUses(): Map<string, Date>
  /** The same for sessions. */
  takeSessionUses(): Map<string, Date>
}

/** A session unused for this long ends, however long it would otherwise last. */
export const SESSION_IDLE_DAYS_MAX = 14

/** Secrets are 256 random bits, so one round of SHA-256 at rest is enough: there is nothing to guess. */
export const hashToken = (token: string): Buffer => Buffer.from(sha256(token), 'hex')
