// The token endpoint (OAuth 2.1 §3.2): a code becomes an access token and a refresh token, and a refresh token becomes
// the next ones. Whatever was used twice may be in the wrong hands, and ends the grant.
import { hashToken } from '../../access/principal.ts'
import { sha256 } from '../../base/canonical.ts'
import { now } from '../../base/clock.ts'
import { newSecret } from '../../base/ids.ts'
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { replaceAccessToken } from '../accounts/oauth-tokens.ts'
import { type AuthorizationEnd, endGrant } from './actions.ts'
import { isSameResource } from './requests.ts'
import { type GrantRow, lockGrant, updateGrant } from './rows.ts'

const ACCESS_SECONDS = 3600
/** A refresh token that is not used for so long ends the grant. */
const REFRESH_DAYS = 30
const DAY_MS = 24 * 3600 * 1000

export type TokenAnswer = {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
}

/** RFC 6749 §5.2, RFC 8707 §2. */
export type TokenRefusal = {
  readonly error:
    | 'invalid_request'
    | 'invalid_grant'
    | 'invalid_scope'
    | 'invalid_target'
    | 'unsupported_grant_type'
  readonly error_description: string
}

type Exchange = Pick<Services, 'transaction' | 'events'>

const refuse = (error: TokenRefusal['error'], error_description: string): TokenRefusal => ({
  error,
  error_description,
})

const UNKNOWN_CODE = refuse(
  'invalid_grant',
  'code: this is unknown, used or expired, or was not given to this client, at this address, for this code_verifier.',
)
const UNKNOWN_REFRESH = refuse('invalid_grant', 'refresh_token: this is unknown, used, expired or revoked.')

export async function answerToken(
  services: Exchange,
  form: URLSearchParams,
): Promise<TokenAnswer | TokenRefusal> {
  const twice = [...new Set(form.keys())].find(name => name !== 'resource' && form.getAll(name).length > 1)
  if (twice !== undefined) return refuse('invalid_request', 'Each parameter may be sent once.')
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return exchangeCode(services, form)
    case 'refresh_token':
      return refresh(services, form)
    case null:
      return refuse('invalid_request', 'grant_type: send authorization_code or refresh_token.')
    default:
      return refuse(
        'unsupported_grant_type',
        'grant_type: only authorization_code and refresh_token are served here.',
      )
  }
}

async function exchangeCode(services: Exchange, form: URLSearchParams): Promise<TokenAnswer | TokenRefusal> {
  const code = form.get('code')
  const verifier = form.get('code_verifier')
  if (code === null || verifier === null || !form.has('client_id'))
    return refuse('invalid_request', 'Send code, code_verifier, client_id and redirect_uri.')
  return services.transaction(async trx => {
    const grant = await lockGrant(trx, 'code_hash', hashToken(code))
    if (grant === undefined) return UNKNOWN_CODE
    // A code counts once, however that ended: a code that comes again, or with other values, is taken for stolen.
    if (!isFor(grant, form, verifier)) return end(trx, services, grant, 'code_reused', UNKNOWN_CODE)
    const foreign = refuseResource(grant, form)
    if (foreign !== undefined) return end(trx, services, grant, 'code_reused', foreign)
    return issue(trx, grant, newSecret(), grant.scopes)
  })
}

const isFor = (grant: GrantRow, form: URLSearchParams, verifier: string): boolean =>
  grant.family_hash === null &&
  grant.code_expires_at > now() &&
  grant.client_id === form.get('client_id') &&
  grant.code_redirect_uri === form.get('redirect_uri') &&
  grant.code_challenge === challengeOf(verifier)

/** S256 (RFC 7636 §4.6), the only method. */
const challengeOf = (verifier: string): string =>
  /^[\w.~-]{43,128}$/.test(verifier) ? Buffer.from(sha256(verifier), 'hex').toString('base64url') : ''

async function refresh(services: Exchange, form: URLSearchParams): Promise<TokenAnswer | TokenRefusal> {
  const token = form.get('refresh_token')
  if (token === null || !form.has('client_id'))
    return refuse('invalid_request', 'Send refresh_token and client_id.')
  const { family, secret } = splitRefreshToken(token)
  return services.transaction(async trx => {
    const grant = await lockGrant(trx, 'family_hash', hashToken(family))
    if (grant === undefined || !isLive(grant) || grant.client_id !== form.get('client_id'))
      return UNKNOWN_REFRESH
    if (grant.refresh_hash === null || !hashToken(secret).equals(grant.refresh_hash))
      return end(trx, services, grant, 'refresh_token_reused', UNKNOWN_REFRESH)
    const foreign = refuseResource(grant, form)
    if (foreign !== undefined) return foreign
    const asked = (form.get('scope') ?? '').split(' ').filter(one => one !== '')
    if (!asked.every(one => grant.scopes.includes(one)))
      return refuse('invalid_scope', 'scope: name only scopes that were granted.')
    return issue(trx, grant, family, asked.length === 0 ? grant.scopes : asked)
  })
}

const isLive = ({ refresh_expires_at, expires_at }: GrantRow): boolean =>
  refresh_expires_at !== null && refresh_expires_at > now() && (expires_at === null || expires_at > now())

function refuseResource({ resource }: GrantRow, form: URLSearchParams): TokenRefusal | undefined {
  if (form.getAll('resource').every(one => isSameResource(one, resource))) return undefined
  return refuse('invalid_target', `resource: the tokens of this server are for ${resource}.`)
}

async function end(
  trx: Trx,
  { events }: Exchange,
  { id, user_id }: GrantRow,
  why: AuthorizationEnd,
  refusal: TokenRefusal,
): Promise<TokenRefusal> {
  await endGrant(trx, events, { userId: user_id, onlyIn: null }, id, why)
  return refusal
}

async function issue(
  trx: Trx,
  grant: GrantRow,
  family: string,
  scopes: readonly string[],
): Promise<TokenAnswer> {
  const time = now().getTime()
  const until = (date: number): Date => new Date(Math.min(date, grant.expires_at?.getTime() ?? date))
  const expiresAt = until(time + ACCESS_SECONDS * 1000)
  const secret = newSecret()
  await updateGrant(trx, grant.id, {
    family_hash: hashToken(family),
    refresh_hash: hashToken(secret),
    refresh_expires_at: until(time + REFRESH_DAYS * DAY_MS),
    used_at: new Date(time),
  })
  const access = await replaceAccessToken(trx, {
    grantId: grant.id,
    userId: grant.user_id,
    label: 'OAuth',
    scopes,
    organizationId: grant.organization_id,
    expiresAt,
  })
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: Math.max(1, Math.floor((expiresAt.getTime() - time) / 1000)),
    refresh_token: joinRefreshToken(family, secret),
    scope: scopes.join(' '),
  }
}

// Makes them recognisable to secret scanners, and tells them from access tokens.
const REFRESH_PREFIX = 'octvr_'

const joinRefreshToken = (family: string, secret: string): string => `${REFRESH_PREFIX}${family}.${secret}`

function splitRefreshToken(token: string): { family: string; secret: string } {
  const [family = '', secret = ''] = token.startsWith(REFRESH_PREFIX)
    ? token.slice(REFRESH_PREFIX.length).split('.', 2)
    : []
  return { family, secret }
}

/** RFC 7009: a client gives back what it has. Unknown tokens are no failure. */
export async function giveBack(services: Exchange, form: URLSearchParams): Promise<void> {
  const { family } = splitRefreshToken(form.get('token') ?? '')
  if (family === '') return
  await services.transaction(async trx => {
    const grant = await lockGrant(trx, 'family_hash', hashToken(family))
    if (grant === undefined || grant.client_id !== form.get('client_id')) return
    await endGrant(trx, services.events, { userId: grant.user_id, onlyIn: null }, grant.id, 'given_back')
  })
}
