// What a client asks of a person (OAuth 2.1 §4.1.1, RFC 8707), read from the address that the browser was sent to.
import { isScope, PRESETS, type Preset, type Scope } from '../../access/scopes.ts'
import type { Services } from '../../http/context.ts'
import type { Urls } from '../../http/urls.ts'
import { type ClientDocuments, isDocumentAddress } from './client-documents.ts'
import type { Client } from './clients.ts'
import { matchesRedirect } from './redirects.ts'
import { findClient } from './rows.ts'

/** What a program may be let do, from the least to the most; each includes the ones before it. */
export const LEVELS = ['read', 'comment', 'propose', 'review', 'merge'] as const satisfies readonly Preset[]
export type Level = (typeof LEVELS)[number]
/** The scopes that programs are given this way. */
export const SCOPES_OF_PROGRAMS: readonly Scope[] = PRESETS.merge

/** A level that was asked for, with those of its scopes that were. */
export type Offer = { readonly level: Level; readonly scopes: readonly Scope[] }

export type AuthorizationRequest = {
  readonly client: Client
  readonly redirectUri: string
  readonly state: string | undefined
  readonly challenge: string
  readonly resource: string
  /** At least one. */
  readonly offers: readonly Offer[]
}

export type RefusedRequest =
  /** Nothing may be sent to the address that it names. */
  | { readonly kind: 'unknown'; readonly problem: RequestProblem; readonly words?: string }
  /** RFC 6749 §4.1.2.1. */
  | {
      readonly kind: 'refused'
      readonly problem: RequestProblem
      readonly redirectUri: string
      readonly state: string | undefined
    }

export type RequestProblem =
  | 'client_unknown'
  | 'document_unread'
  | 'redirect_unknown'
  | 'response_type'
  | 'challenge'
  | 'resource'

/** The identifier of what programs are let use (RFC 8707 §2). */
export const resourceOf = (urls: Urls): string => urls.root('/mcp')

const STATE_CHARACTERS_MAX = 1500
/** The base64url form of a SHA-256 (RFC 7636 §4.2). */
const CHALLENGE = /^[\w-]{43}$/

export async function readRequest(
  services: Pick<Services, 'db' | 'urls'>,
  documents: ClientDocuments,
  query: URLSearchParams,
): Promise<AuthorizationRequest | RefusedRequest> {
  const client = await readClient(services, documents, query.get('client_id') ?? '')
  if ('problem' in client) return client
  const redirectUri = query.get('redirect_uri') ?? ''
  if (!client.redirectUris.some(one => matchesRedirect(redirectUri, one)))
    return { kind: 'unknown', problem: 'redirect_unknown' }
  const state = query.get('state') ?? undefined
  const refuse = (problem: RequestProblem): RefusedRequest => ({
    kind: 'refused',
    problem,
    redirectUri,
    state,
  })
  if (query.get('response_type') !== 'code' || (state?.length ?? 0) > STATE_CHARACTERS_MAX)
    return refuse('response_type')
  const challenge = query.get('code_challenge') ?? ''
  if (query.get('code_challenge_method') !== 'S256' || !CHALLENGE.test(challenge)) return refuse('challenge')
  const resource = resourceOf(services.urls)
  if (!query.getAll('resource').every(one => isSameResource(one, resource))) return refuse('resource')
  return { client, redirectUri, state, challenge, resource, offers: offersFor(query.get('scope') ?? '') }
}

async function readClient(
  { db }: Pick<Services, 'db'>,
  documents: ClientDocuments,
  id: string,
): Promise<Client | RefusedRequest> {
  if (isDocumentAddress(id)) {
    const read = await documents.get(id)
    return 'words' in read ? { kind: 'unknown', problem: 'document_unread', words: read.words } : read
  }
  const row = id.length > 128 ? undefined : await findClient(db, id)
  if (row === undefined) return { kind: 'unknown', problem: 'client_unknown' }
  return { id: row.id, kind: 'registered', name: row.name, redirectUris: row.redirect_uris }
}

/** With or without a slash at its end: clients complete addresses in both ways. */
export const isSameResource = (asked: string, resource: string): boolean =>
  (URL.parse(asked)?.href ?? asked).replace(/\/$/, '') === resource

/** Names that are not known here are left out (RFC 6749 §3.3); without any that is, everything is offered. */
function offersFor(scope: string): Offer[] {
  const asked = scope.split(' ').filter(one => isScope(one) && SCOPES_OF_PROGRAMS.includes(one))
  const named: readonly string[] = asked.length === 0 ? SCOPES_OF_PROGRAMS : asked
  return LEVELS.flatMap((level, index): Offer[] => {
    const before: readonly string[] = index === 0 ? [] : PRESETS[LEVELS[index - 1] ?? 'read']
    const adds = PRESETS[level].some(one => named.includes(one) && !before.includes(one))
    return adds ? [{ level, scopes: PRESETS[level].filter(one => named.includes(one)) }] : []
  })
}
