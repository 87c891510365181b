// Signing in with the OpenID Connect provider of the operator: the authorization code flow with PKCE, state and nonce
// (OpenID Connect Core §3.1, RFC 7636). The provider is trusted for every email address that it says is verified, or that the operator trusts it for.
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client'
import { assert } from '../../base/assert.ts'
import { monotonicMs } from '../../base/clock.ts'
import type { Failure } from '../../base/errors.ts'
import { newId, newSecret } from '../../base/ids.ts'
import type { Services } from '../../http/context.ts'
import type { OidcConfig } from '../../platform/config.ts'
import { createOutgoing, type Outgoing } from '../../platform/fetch.ts'
import { confirmAtProvider } from './confirming.ts'
import { type Identity, wrongBrowser } from './identity.ts'
import { toAuthenticated, toIdentity, toSubject } from './openid-claims.ts'
import { toAnswerFailure, toDiscoveryFailure } from './openid-refusals.ts'
import { type OutcomesOf, recordingFailure, recordSuccess } from './outcomes.ts'
import { type Browser, findJoinableOrganizations, provisionInInstallation } from './provisioning.ts'
import { insertRequest, takeRequest } from './requests.ts'

const CALLBACK_PATH = '/sso/oidc/callback'
/** The provider's metadata is fetched again after this. */
const DISCOVERY_MINUTES_MAX = 60
const ANSWER_BYTES_MAX = 1024 * 1024
const DEADLINE_MS = 15_000

export interface OpenId {
  /** The address to redirect the browser to. `sessionId`: the person is asked again, to confirm this session. */
  begin(next: string, browserSecret: string, sessionId?: string): Promise<string>
  /**
   * Begins or confirms the session; returns the secret of one that it began, and where to redirect to. `query`: of the
   * callback.
   */
  finish(
    services: Services,
    query: URLSearchParams,
    browser: Browser,
  ): Promise<{ secret?: string; next: string }>
  close(): Promise<void>
}

/** Discovers the provider on first use, so that the server starts while the provider is down. */
export function createOpenId(services: Services, config: OidcConfig): OpenId {
  const outgoing = createOutgoing(services.guard)
  const redirectUri = services.urls.root(CALLBACK_PATH)
  let known: { readonly client: Configuration; readonly at: number } | undefined
  const client = async (): Promise<Configuration> => {
    if (known === undefined || monotonicMs() - known.at > DISCOVERY_MINUTES_MAX * 60_000)
      known = { client: await discover(config, outgoing), at: monotonicMs() }
    return known.client
  }

  const provider: OutcomesOf = { table: 'openid_providers', key: 'issuer', id: config.issuer }
  const reachClient = () => orFailure(client, toDiscoveryFailure)

  return {
    async begin(next, browserSecret, sessionId) {
      const asked = await recordingFailure(services, () => provider, reachClient)
      const [id, verifier, nonce] = [newId(), newSecret(), newSecret()]
      await insertRequest(services.db, {
        ...{ id, providerId: null, next, browserSecret, verifier, nonce, sessionId },
      })
      return buildAuthorizationUrl(asked, {
        redirect_uri: redirectUri,
        scope: config.scopes,
        ...(config.responseMode === 'form_post' ? { response_mode: 'form_post' } : {}),
        state: id,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(sessionId === undefined ? {} : { prompt: 'login', max_age: '0' }),
      }).href
    },

    async finish({ events }, query, browser) {
      const state = query.get('state') ?? ''
      if (!/^[A-Za-z0-9]{1,128}$/.test(state)) throw wrongBrowser()
      const request = await takeRequest(services.db, state, browser.secret, { isAnswered: false })
      if (request === undefined || request.provider_id !== null) throw wrongBrowser()
      const { verifier, nonce, next } = request
      if (verifier === null || nonce === null) throw wrongBrowser()
      // From here on only the browser that asked is answered, so that others cannot write why they were refused.
      const finished = await recordingFailure(
        services,
        () => provider,
        async () => {
          const asked = await reachClient()
          const identity = await orFailure(
            () => readIdentity(asked, config, `${redirectUri}?${query}`, { state, verifier, nonce }),
            toAnswerFailure,
          )
          if (request.session_id !== null) {
            await services.transaction(trx => confirmAtProvider(trx, { events }, request, identity))
            return { next }
          }
          const joinable = await findJoinableOrganizations(services, identity)
          const secret = await services.transaction(trx =>
            provisionInInstallation(trx, { events }, identity, joinable, browser),
          )
          return { secret, next }
        },
      )
      await recordSuccess(services, provider)
      return finished
    },

    close: () => outgoing.close(),
  }
}

async function orFailure<T>(run: () => Promise<T>, toFailure: (error: unknown) => Failure): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw toFailure(error)
  }
}

async function discover(
  { issuer, clientId, clientSecret }: OidcConfig,
  outgoing: Outgoing,
): Promise<Configuration> {
  const isPlain = issuer.startsWith('http:')
  const found = await discovery(new URL(issuer), clientId, undefined, undefined, {
    [customFetch]: guarded(outgoing),
    // The config has checked that the host is one of the operator's own.
    execute: isPlain ? [allowInsecureRequests] : [],
  })
  const server = found.serverMetadata()
  // `client_secret_basic` is the default (OpenID Connect Discovery §3).
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const proof = methods.includes('client_secret_basic')
    ? ClientSecretBasic(clientSecret)
    : ClientSecretPost(clientSecret)
  const client = new Configuration(server, clientId, clientSecret, proof)
  client[customFetch] = guarded(outgoing)
  if (isPlain) allowInsecureRequests(client)
  // Verifies signatures of ID tokens also when they come directly from the token endpoint.
  enableNonRepudiationChecks(client)
  return client
}

/** Requests to the provider pass the address guard, and are bounded in size and time. */
const guarded =
  (outgoing: Outgoing): CustomFetch =>
  async (url, { method, headers, body }) => {
    const answer = await outgoing.fetch(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(Object.entries(headers)),
      ...(body == null ? {} : { body: String(body) }),
      bytesMax: ANSWER_BYTES_MAX,
      deadlineMs: DEADLINE_MS,
      redirectsMax: 0,
    })
    const isEmpty = answer.status === 204 || answer.status === 304
    return new Response(isEmpty ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: { ...answer.headers },
    })
  }

async function readIdentity(
  client: Configuration,
  config: OidcConfig,
  address: string,
  asked: { readonly state: string; readonly verifier: string; readonly nonce: string },
): Promise<Identity> {
  const tokens = await authorizationCodeGrant(client, new URL(address), {
    expectedState: asked.state,
    expectedNonce: asked.nonce,
    pkceCodeVerifier: asked.verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  assert(claims !== undefined, 'an expected ID token has claims')
  // Some providers say part of it only at the userinfo endpoint. The library refuses an answer about another `sub`.
  const isWhole = claims[config.emailClaim] !== undefined && claims.email_verified !== undefined
  const asksMore = !isWhole && client.serverMetadata().userinfo_endpoint !== undefined
  const profile = asksMore ? await fetchUserInfo(client, tokens.access_token, claims.sub) : {}
  return { ...toIdentity(config, claims, profile), subject: toSubject(claims), ...toAuthenticated(claims) }
}
