// When the cookie of a session counts for the API: only for requests of the workspace, the application that this server
// serves. It sends a header that a page of another origin can send only if this server allowed it, and it allows none
// (https://fetch.spec.whatwg.org/#http-cors-protocol). Where the browser says where the request came from has to agree.
import type { IncomingHttpHeaders } from 'node:http'
import type { UserPrincipal } from '../access/principal.ts'
import { Failure } from '../base/errors.ts'
import type { Config } from '../platform/config.ts'
import { isLoopback } from './asked-host.ts'
import type { Services } from './context.ts'
import { sessionSecretOf } from './cookies.ts'

type Site = Pick<Config, 'publicUrl' | 'isPublicUrlSet'>

const WORKSPACE_HEADER = 'octavo-workspace'
const PERSON_HEADER = 'octavo-person'

/** What answers depend on, besides the address. */
export const VARY_BY_CALLER = 'Authorization, Cookie, Octavo-Workspace, Octavo-Person'

/** Whether its session counts at all: with a token it is a request of a program, whatever else it sends. */
export const isOfWorkspace = (headers: IncomingHttpHeaders): boolean =>
  headers[WORKSPACE_HEADER] === '1' && headers.authorization === undefined

/** Whose session a request of the workspace brings; undefined if it brings none that counts. */
async function findWorkspacePerson(
  { principals, config }: Pick<Services, 'principals' | 'config'>,
  headers: IncomingHttpHeaders,
): Promise<UserPrincipal | undefined> {
  if (!isOfWorkspace(headers) || !isFromHere(config, headers)) return undefined
  const secret = sessionSecretOf(config, { headers })
  return secret === undefined ? undefined : principals.findSession(secret)
}

/**
 * The same for a request that needs one. A browser has one session for all its tabs, so a tab names whom it works for:
 * otherwise it would write in the name of whoever has signed in meanwhile.
 */
export async function getWorkspacePerson(
  services: Pick<Services, 'principals' | 'config'>,
  headers: IncomingHttpHeaders,
): Promise<UserPrincipal> {
  const person = await findWorkspacePerson(services, headers)
  if (person === undefined)
    throw isFromHere(services.config, headers) ? SESSION_EXPIRED : foreign(services.config)
  const named = headers[PERSON_HEADER]
  if (named !== undefined && named !== person.user.id) throw OTHER_PERSON
  return person
}

/** Over plain http, browsers leave Sec-Fetch-Site out; they leave Origin out where nothing is changed. */
function isFromHere(site: Site, headers: IncomingHttpHeaders): boolean {
  const from = headers['sec-fetch-site']
  if (from !== undefined && from !== 'same-origin') return false
  return headers.origin === undefined || isOwnOrigin(site, headers.origin)
}

/** In the form in which browsers write origins. What the request says of its host decides nothing. */
function isOwnOrigin({ publicUrl, isPublicUrlSet }: Site, origin: string): boolean {
  const own = new URL(publicUrl)
  if (origin === own.origin) return true
  // Without a public address people use whatever name this machine has for itself.
  if (isPublicUrlSet || !URL.canParse(origin)) return false
  const asked = new URL(origin)
  return (
    origin === asked.origin &&
    asked.protocol === 'http:' &&
    asked.port === own.port &&
    isLoopback(asked.hostname)
  )
}

const foreign = ({ publicUrl }: Site): Failure =>
  new Failure(
    'unauthenticated',
    'origin_foreign',
    `A session counts for requests of ${new URL(publicUrl).origin} alone, which is the address of this server. If people use another one, the operator has to set OCTAVO_PUBLIC_URL to it.`,
  )

const OTHER_PERSON = new Failure(
  'unauthenticated',
  'other_person',
  'Octavo-Person: somebody else has signed in on this browser. Load the page again.',
)

export const SESSION_EXPIRED = new Failure(
  'unauthenticated',
  'session_expired',
  'You are not signed in here, or your session has ended. Sign in again.',
)
