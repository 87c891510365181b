// Who, where, may: everything that is decided before a byte of the body is read, so that the same bad body is answered
// 401 without a token, 404 to a stranger, 403 to a weak role and 400 only to somebody who may send it.
import type { IncomingHttpHeaders } from 'node:http'
import { allows, weakestRole } from '../access/policy.ts'
import { ANONYMOUS, type Principal } from '../access/principal.ts'
import { coversScope } from '../access/scopes.ts'
import { forbidden, missing, unauthenticated } from '../base/errors.ts'
import type { Context, Services } from './context.ts'
import type { Operation } from './operation.ts'
import { NO_WISHES, readWishes } from './preconditions.ts'
import type { Check } from './validation.ts'

export interface Admitted {
  readonly context: Context
  readonly at: unknown
  readonly params: Readonly<Record<string, string>>
}

export interface Caller {
  readonly headers: IncomingHttpHeaders
  readonly params: Readonly<Record<string, string>>
  readonly requestId: string
}

/** Throws the Failure that refuses this caller, or answers with what the operation's `run` is given. */
export async function admit(
  operation: Operation,
  areParams: Check,
  services: Services,
  caller: Caller,
): Promise<Admitted> {
  const principal = await identify(operation, services, caller.headers.authorization)
  if (principal.kind === 'user' && !coversScope(principal.scopes, operation.scope))
    throw outOfScope(operation)
  const context: Context = { ...services, ...NO_WISHES, principal, requestId: caller.requestId }
  const { place } = operation
  if (!areParams(caller.params)) throw missing(place?.noun ?? 'thing')
  if (place === null) return hear(operation, caller, context, null)
  const at = await place.find(context, caller.params)
  const role = at === undefined ? null : place.role(principal, at)
  if (at === undefined || !allows(place.subject, 'view', role)) throw missing(place.noun)
  if (!allows(place.subject, operation.may as never, role)) {
    const needed = weakestRole(place.subject, operation.may as never)
    throw forbidden(
      `You may see this ${place.noun}, but ${operation.may} needs the role ${needed} on it; yours is ${role}.`,
    )
  }
  return hear(operation, caller, context, at)
}

/** How it is to be carried out is asked last: only who may do it is told that it was asked for wrongly. */
function hear({ honours }: Operation, { headers, params }: Caller, context: Context, at: unknown): Admitted {
  if (honours.length === 0) return { context, at, params }
  return { context: { ...context, ...readWishes(honours, headers) }, at, params }
}

async function identify(
  operation: Operation,
  services: Services,
  header: string | undefined,
): Promise<Principal> {
  if (header === undefined) {
    if (operation.may === 'anyone') return ANONYMOUS
    throw unauthenticated('Send a token: Authorization: Bearer <token>. `octavo token <email>` makes one.')
  }
  const token = readBearer(header)
  if (token === undefined) throw unauthenticated('The Authorization header has to read: Bearer <token>.')
  const principal = await services.principals.find(token)
  if (principal === undefined)
    throw unauthenticated('This token is unknown, expired or revoked. Make a new one.')
  return principal
}

/** RFC 6750 §2.1, with the scheme in any case (RFC 9110 §11.1). */
const readBearer = (header: string): string | undefined =>
  /^bearer +([\w.~+/=-]{1,512}) *$/i.exec(header)?.[1]

const outOfScope = (operation: Operation) =>
  forbidden(
    operation.scope === 'unscoped'
      ? 'This needs a token without scopes, because it could widen what the token may do.'
      : `This token was narrowed and lacks the scope ${operation.scope}.`,
  )
