// What an error of the OpenID Connect library says to people, with a code by which an admin finds what to mend.
import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client'
import { Failure, unavailable } from '../../base/errors.ts'
import { readName, refuse } from './identity.ts'

/** Why the provider cannot be asked what it is. */
export function toDiscoveryFailure(error: unknown): Failure {
  const unreachable = findUnreachable(error)
  if (unreachable !== undefined) return unreachable
  if (findDetails(error).some(({ attribute }) => attribute === 'issuer'))
    return answerRefused('oidc_issuer', error)
  return refuse(
    'oidc_discovery',
    'No OpenID Connect provider answers at the address of the identity provider. Tell the operator of this server.',
    error,
  )
}

/** Why an answer of the provider signs nobody in. */
export function toAnswerFailure(error: unknown): Failure {
  if (error instanceof Failure && error.kind === 'forbidden') return error
  const unreachable = findUnreachable(error)
  if (unreachable !== undefined) return unreachable
  if (error instanceof AuthorizationResponseError) return denied(error)
  return answerRefused(toCode(error), error)
}

const WHY = {
  oidc_client: 'It does not accept the client id and secret that this server has. Tell its operator.',
  oidc_code:
    'It does not accept the code: it was used before, is too old, or was made for another sign-in. Sign in again.',
  oidc_issuer: 'It is of another issuer than the one set up here. Tell the operator of this server.',
  oidc_audience: 'It was made for another service (its audience). Tell the operator of this server.',
  oidc_nonce: 'It was made for another sign-in (its nonce). Sign in again.',
  oidc_time: 'It is too old, or the clock of one of the two servers is wrong. Sign in again.',
  oidc_signature:
    'It is not signed with a key that the provider publishes. Tell the operator of this server.',
  oidc_answer_refused: 'Sign in again.',
} as const

type Code = keyof typeof WHY

const answerRefused = (code: Code, cause: unknown): Failure =>
  refuse(code, `The answer of the identity provider was refused. ${WHY[code]}`, cause)

const CODE_OF_CLAIM: Readonly<Record<string, Code>> = {
  iss: 'oidc_issuer',
  aud: 'oidc_audience',
  azp: 'oidc_audience',
  nonce: 'oidc_nonce',
  exp: 'oidc_time',
  iat: 'oidc_time',
  nbf: 'oidc_time',
  auth_time: 'oidc_time',
}

function toCode(error: unknown): Code {
  // Some providers answer a wrong secret by a challenge instead of a body (RFC 6749 §5.2).
  if (error instanceof WWWAuthenticateChallengeError) return 'oidc_client'
  if (error instanceof ResponseBodyError) return CODE_OF_ERROR[error.error] ?? 'oidc_answer_refused'
  for (const details of findDetails(error)) {
    const claim = details.claim ?? findLackingClaim(details.claims)
    const code = CODE_OF_CLAIM[String(claim)]
    if (code !== undefined) return code
    // Of the answer itself (RFC 9207).
    if ('parameters' in details) return 'oidc_issuer'
    if ('signature' in details || 'header' in details) return 'oidc_signature'
  }
  return 'oidc_answer_refused'
}

/** The first claim that a token has to have and does not; undefined if it has them all. */
const findLackingClaim = (claims: unknown): string | undefined =>
  typeof claims === 'object' && claims !== null
    ? ['iss', 'aud', 'exp', 'iat', 'nonce'].find(name => !(name in claims))
    : undefined

/** Of the token endpoint (RFC 6749 §5.2). */
const CODE_OF_ERROR: Readonly<Record<string, Code>> = {
  invalid_client: 'oidc_client',
  unauthorized_client: 'oidc_client',
  invalid_grant: 'oidc_code',
}

/** The provider's own refusal: its words are for the person, its code is kept. */
function denied(error: AuthorizationResponseError): Failure {
  const code = readName(error.error) ?? ''
  const words = readName(error.error_description) ?? ''
  return refuse('oidc_refused', `The identity provider did not let you in (${code}). ${words}`.trim(), error)
}

/** A failure of the address guard, or of the network. */
function findUnreachable(error: unknown): Failure | undefined {
  const cause = causesOf(error).find(one => one instanceof Failure)
  if (!(cause instanceof Failure)) return undefined
  return unavailable(
    'oidc_unavailable',
    `The identity provider cannot be reached (${cause.code}). Try again later, or sign in another way.`,
    error,
  )
}

/** What the library says of an error besides its words is the last of its causes. */
const findDetails = (error: unknown): readonly Readonly<Record<string, unknown>>[] =>
  causesOf(error).filter(
    (one): one is Readonly<Record<string, unknown>> =>
      typeof one === 'object' && one !== null && !(one instanceof Error),
  )

const CAUSES_MAX = 5

function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = []
  for (
    let one = error;
    one != null && causes.length < CAUSES_MAX;
    one = one instanceof Error ? one.cause : null
  )
    causes.push(one)
  return causes
}
