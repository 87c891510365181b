// Who, where, may: everything decided before a byte of the body is read. The same bad body is answered 401 without a
// token, 404 to a stranger, 403 to a weak role, and 400 only to a caller who may send it.
import type { IncomingHttpHeaders } from 'node:http'
import { allows, weakestRole } from '../access/policy.ts'
import { ANONYMOUS, type Principal, type PrincipalKind } from '../access/principal.ts'
import { NO_PROOFS, type Proofs, VISITOR_TOKEN_CHARACTERS_MAX } from '../access/proofs.ts'
import { coversScope } from '../access/scopes.ts'
import type { Requester } from '../access/visits.ts'
import { Failure, forbidden, missing, unauthenticated } from '../base/errors.ts'
import type { Origin } from '../platform/events/append.ts'
import { requireConfirmed } from './confirmation.ts'
import type { Context, Services } from './context.ts'
import type { Operation } from './operation.ts'
import { NO_PRECONDITIONS, parsePreconditions } from './preconditions.ts'
import type { Check } from './validation.ts'
import { getWorkspacePerson, isOfWorkspace } from './workspace-session.ts'

export interface AdmittedRequest {
  readonly context: Context
  readonly at: unknown
  readonly params: Readonly<Record<string, string>>
}

export interface Caller {
  readonly headers: IncomingHttpHeaders
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly requestId: string
  /** The network address of the client. */
  readonly address: string
}

/**
 * The template copied into each request's context: copying an object that already has all fields takes a tenth of the
 * time.
 */
export const contextTemplateOf = (services: Services): Context => ({
  ...services,
  ...NO_PRECONDITIONS,
  principal: ANONYMOUS,
  proofs: NO_PROOFS,
  requestId: '',
})

/** Answers the input of the operation's `run`, or throws the Failure that refuses this caller. */
export async function admit(
  operation: Operation,
  areParams: Check,
  template: Context,
  caller: Caller,
): Promise<AdmittedRequest> {
  const { principal, proofs } = await identify(operation, template, caller)
  if (principal.kind === 'user' && !coversScope(principal.scopes, operation.scope))
    throw outOfScope(operation)
  if (operation.isForSessions && (principal.kind !== 'user' || principal.session === null)) throw FOR_BROWSERS
  const { requestId } = caller
  const events = template.events.from(originOf(principal, caller))
  const context: Context = { ...template, events, principal, proofs, requestId }
  const { place } = operation
  if (!areParams(caller.params)) throw refuse(operation, principal)
  if (place === null) {
    requireConfirmed(operation, principal)
    return applyPreconditions(operation, caller, context, null)
  }
  const at = await place.find(context, caller.params)
  const role = at === undefined ? null : place.role(principal, at)
  if (at === undefined || !allows(place.subject, 'view', role)) throw refuse(operation, principal)
  // An operation is declared with an action on its place's subject.
  if (!allows(place.subject, operation.may as never, role)) {
    const needed = weakestRole(place.subject, operation.may as never)
    const message = `You may see this ${place.noun}, but ${operation.may} needs the role ${needed} on it; yours is ${role}.`
    throw new Failure('forbidden', 'role_too_weak', message).withValues({ role: String(role), needed })
  }
  requireConfirmed(operation, principal)
  return applyPreconditions(operation, caller, context, at)
}

/**
 * A caller without a token is asked for one, and one whose session lacks a second factor for that, whether or not the
 * thing exists.
 */
function refuse(operation: Operation, principal: Principal): Failure {
  if (principal.kind === 'anonymous' && operation.place !== null) return unauthenticated(SEND_A_TOKEN)
  if (principal.kind === 'user' && principal.session !== null && principal.session.lacking.length > 0)
    return FACTOR_NEEDED
  return missing(nounOf(operation))
}

const FACTOR_NEEDED = new Failure(
  'forbidden',
  'second_factor_needed',
  'An organization of yours demands a second factor, which this session has not shown: /account/second-factor says how to.',
)

/** The noun in the operation's 404. */
export const nounOf = ({ place }: Operation): string => place?.noun ?? 'thing'

const FOR_BROWSERS = forbidden(
  'This is about the session of a browser, and a token has none: docs/sessions.md says which requests have one.',
)

const SEND_A_TOKEN = 'Send a token: Authorization: Bearer <token>. `octavo token <email>` makes one.'

const originOf = (principal: Principal, { address, requestId }: Caller): Origin => ({
  actorKind: principal.kind === 'integration' || principal.kind === 'installation' ? principal.kind : 'user',
  source: sourceOf(principal),
  address,
  tokenId: principal.kind === 'anonymous' ? null : principal.tokenId,
  requestId,
})

function sourceOf(principal: Principal): Origin['source'] {
  if (principal.kind === 'integration' || principal.kind === 'installation') return 'integration'
  return principal.kind === 'user' && principal.session !== null ? 'ui' : 'api'
}

/** Preconditions are parsed last, so that only a permitted caller learns that they are malformed. */
function applyPreconditions(
  { supportedHeaders }: Operation,
  { headers, params }: Caller,
  context: Context,
  at: unknown,
): AdmittedRequest {
  if (supportedHeaders.length === 0) return { context, at, params }
  return { context: { ...context, ...parsePreconditions(supportedHeaders, headers) }, at, params }
}

/** By the session of a browser or by a token: the principal, if this operation accepts its kind, and visitors' proofs. */
async function identify(
  operation: Operation,
  services: Pick<Services, 'principals' | 'config' | 'tallies'>,
  { headers, query }: Caller,
): Promise<Requester> {
  const isForVisitors = operation.by.includes('anonymous')
  const proofs: Proofs = isForVisitors ? { ...NO_PROOFS, shareKey: readShareKey(query.shareKey) } : NO_PROOFS
  if (isOfWorkspace(headers)) {
    const person = await getWorkspacePerson(services, headers)
    if (!operation.by.includes('user')) throw forbidden(wrongKind(operation, 'user'))
    return { principal: person, proofs }
  }
  const header = headers.authorization
  if (header === undefined) {
    if (isForVisitors) return { principal: ANONYMOUS, proofs }
    throw unauthenticated(SEND_A_TOKEN)
  }
  const token = readBearer(header)
  if (token === undefined) throw unauthenticated('The Authorization header has to read: Bearer <token>.')
  if (isVisitorToken(token)) {
    if (isForVisitors) return { principal: ANONYMOUS, proofs: { ...proofs, visitorToken: token } }
    throw unauthenticated('The token of a visitor reads published content and opens nothing else.')
  }
  const principal = await services.principals.find(token)
  if (principal === undefined) {
    services.tallies.signIns.add('api wrong')
    throw unauthenticated('This token is unknown, expired or revoked. Make a new one.')
  }
  if (!operation.by.includes(principal.kind)) throw forbidden(wrongKind(operation, principal.kind))
  return { principal, proofs }
}

const KINDS: Readonly<Record<PrincipalKind, string>> = {
  anonymous: 'nobody',
  user: 'a person',
  integration: 'an integration',
  installation: 'an installation of an integration',
  content: 'visitors',
  scim: 'a directory, for SCIM',
}

const wrongKind = ({ by }: Operation, kind: PrincipalKind): string =>
  `This takes a token of ${by
    .filter(one => one !== 'anonymous')
    .map(one => KINDS[one])
    .join(' or ')}; yours is one of ${KINDS[kind]}.`

const readShareKey = (value: unknown): string | null =>
  typeof value === 'string' && value.length <= SHARE_KEY_CHARACTERS_MAX ? value : null
const SHARE_KEY_CHARACTERS_MAX = 512

/**
 * Whether it looks like a JSON Web Token (RFC 7519): three parts, the first of which begins like JSON. Our own tokens
 * have no dots.
 */
const isVisitorToken = (token: string): boolean => /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(token)

/** RFC 6750 §2.1, with the scheme in any case (RFC 9110 §11.1). */
export const readBearer = (header: string): string | undefined => {
  const token = /^bearer +([\w.~+/=-]+) *$/i.exec(header)?.[1]
  return token === undefined || token.length > VISITOR_TOKEN_CHARACTERS_MAX ? undefined : token
}

const outOfScope = (operation: Operation) =>
  operation.scope === 'unscoped'
    ? forbidden('This needs a token without scopes, because it could widen what the token may do.')
    : lacksScope(operation.scope, `This token was narrowed and lacks the scope ${operation.scope}.`)

const lacksScope = (scope: string, message: string) =>
  new Failure('forbidden', 'scope_missing', message).withValues({ scope })
