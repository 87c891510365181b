// OpenID Connect providers for tests, each a server of its own: a real one, which asks nobody for a password, and one
// whose answers are whatever a test wants them to be.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import Provider from 'oidc-provider'
import { buildServer } from '../../src/cli/server.ts'
import type { Services } from '../../src/http/context.ts'
import type { OidcConfig } from '../../src/platform/config.ts'

export const CLIENT = { clientId: 'octavo', clientSecret: 'a secret of 32 characters or more' }
/** As it is asked unless an operator says otherwise. */
export const ASKED = { scopes: 'openid email profile', responseMode: 'query' } as const
const REDIRECT_URI = 'http://octavo.test/sso/oidc/callback'

/** The server of these services, as an operator set it up for that provider. */
export function serverWith(
  services: Services,
  issuer: string,
  other: Partial<Services> = {},
  set: Partial<OidcConfig> = {},
) {
  const config = {
    ...services.config,
    oidc: {
      issuer,
      label: 'Company',
      emailClaim: 'email',
      trustsEmails: false,
      ...ASKED,
      ...CLIENT,
      ...set,
    },
  }
  const app = buildServer({ ...services, config, ...other })
  after(() => app.close())
  return { app }
}

export type Claims = {
  /** By default it is made of the address, in lower case. */
  readonly sub?: string
  readonly email?: string
  readonly email_verified?: unknown
  readonly name?: string
}

async function serve(handle: (origin: string) => RequestListener): Promise<string> {
  let listener: RequestListener | undefined
  const server = createServer((request, response) => listener?.(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  listener = handle(origin)
  return origin
}

export type OpenIdProvider = {
  readonly issuer: string
  /** The person of the next sign-in; null: it is refused. */
  person: Claims | null
}

/** `isInToken`: the claims are in the ID token; otherwise one has to ask for them. */
export async function openIdProvider(isInToken: boolean): Promise<OpenIdProvider> {
  const people = new Map<string, Claims>()
  const issuer = await serve(origin => {
    const provider = new Provider(origin, {
      clients: [
        {
          client_id: CLIENT.clientId,
          client_secret: CLIENT.clientSecret,
          redirect_uris: [REDIRECT_URI],
          response_types: ['code'],
          grant_types: ['authorization_code'],
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      conformIdTokenClaims: !isInToken,
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      cookies: { keys: ['a key of a test'] },
      findAccount: (_context, id) => ({
        accountId: id,
        claims: async () => ({ sub: id, ...people.get(id) }),
      }),
      async loadExistingGrant(context) {
        const { client, session } = context.oidc
        const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
    })
    const callback = provider.callback()
    return (request, response) => {
      if (!request.url?.startsWith('/interaction/')) return void callback(request, response)
      const { person } = self
      const id = person?.sub ?? `person ${person?.email?.toLowerCase() ?? people.size}`
      if (person !== null) people.set(id, person)
      const result =
        person === null
          ? { error: 'access_denied', error_description: 'not <b>you</b>' }
          : { login: { accountId: id } }
      provider.interactionFinished(request, response, result).catch(error => response.end(String(error)))
    }
  })
  const self: OpenIdProvider = { issuer, person: null }
  return self
}

export type Liar = {
  readonly issuer: string
  /** What its next ID token says instead of the truth, and how it is signed. */
  lie: { readonly claims?: JWTPayload; readonly key?: 'other' | 'none' }
  /** What it says at its userinfo endpoint, besides the subject; undefined: it has none. */
  userinfo: Readonly<Record<string, unknown>> | undefined
  /** What it says of itself instead of the truth. */
  metadata: Readonly<Record<string, unknown>>
}

/** A provider that lets everybody in at once, and says what a test wants it to. */
export async function lyingProvider(person: Claims): Promise<Liar> {
  const [own, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  let nonce = ''
  const token = async (issuer: string): Promise<string> => {
    const now = Math.floor(Date.now() / 1000)
    const truth = { iss: issuer, aud: CLIENT.clientId, sub: 'one', iat: now, exp: now + 60, nonce, ...person }
    const claims = { ...truth, ...self.lie.claims }
    if (self.lie.key === 'none') {
      const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
      return `${part({ alg: 'none' })}.${part(claims)}.`
    }
    const key = self.lie.key === 'other' ? other : own
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(key.privateKey)
  }
  const issuer = await serve(origin => (request, response) => {
    const url = new URL(request.url ?? '', origin)
    const json = (value: unknown) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
    if (url.pathname === '/.well-known/openid-configuration')
      return void json({
        issuer: origin,
        authorization_endpoint: `${origin}/auth`,
        token_endpoint: `${origin}/token`,
        jwks_uri: `${origin}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...(self.userinfo === undefined ? {} : { userinfo_endpoint: `${origin}/userinfo` }),
        ...self.metadata,
      })
    if (url.pathname === '/keys') return void json({ keys: [jwk] })
    if (url.pathname === '/userinfo')
      return void json({ sub: self.lie.claims?.sub ?? 'one', ...self.userinfo })
    if (url.pathname === '/auth') {
      nonce = url.searchParams.get('nonce') ?? ''
      const state = url.searchParams.get('state') ?? ''
      response.statusCode = 302
      return void response.setHeader('location', `${REDIRECT_URI}?code=1&state=${state}`).end()
    }
    token(origin).then(id_token =>
      json({ access_token: 'one', token_type: 'bearer', expires_in: 60, id_token }),
    )
  })
  const self: Liar = { issuer, lie: {}, metadata: {}, userinfo: undefined }
  return self
}
