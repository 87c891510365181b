// The SAML library, configured to accept only answers to our requests.
import type { SAML } from '@node-saml/node-saml'
import { now } from '../../base/clock.ts'

// Loaded on demand: most processes, and most threads of the pool, never see a SAML response.
export const library = () => import('@node-saml/node-saml')

/** The difference between two clocks that are both kept right. */
export const CLOCK_SKEW_MS = 60_000
/** From issuing an assertion to its use: one redirect, on a slow connection. */
export const ASSERTION_AGE_MS = 5 * 60_000

/** Octavo as one organization's service provider, and the organization's identity provider. */
export type Parties = {
  readonly service: { readonly entityID: string; readonly acsURL: string }
  readonly provider: {
    readonly entityID: string
    readonly ssoURL: string
    /** One PEM certificate each. */
    readonly certificates: readonly string[]
  }
}

/** What Octavo signs its requests with. */
type Key = { readonly privateKey: string; readonly certificate: string }

/**
 * `requestId` is the only request that it sends, or that a response may answer. `isForced`: it tells the provider to ask
 * people who they are, also if it knows (SAML core §3.4.1).
 */
export async function samlOf(
  { service, provider }: Parties,
  requestId: string,
  key?: Key,
  isForced = false,
): Promise<SAML> {
  const { SAML, ValidateInResponseTo } = await library()
  return new SAML({
    issuer: service.entityID,
    audience: service.entityID,
    callbackUrl: service.acsURL,
    entryPoint: provider.ssoURL,
    idpIssuer: provider.entityID,
    idpCert: [...provider.certificates],
    // Either of the two has to be: the library then returns the assertion of what was signed, and throws if neither is.
    wantAssertionsSigned: false,
    wantAuthnResponseSigned: false,
    validateInResponseTo: ValidateInResponseTo.always,
    cacheProvider: onlyRequest(requestId),
    generateUniqueId: () => requestId,
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    maxAssertionAgeMs: ASSERTION_AGE_MS,
    // the provider knows best how to name its people and how they authenticate
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    forceAuthn: isForced,
    ...(key === undefined ? {} : { privateKey: key.privateKey, publicCert: key.certificate }),
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
  })
}

/** Requests are rows that are looked up before the library is called: it knows only this one and stores nothing. */
const onlyRequest = (requestId: string) => ({
  saveAsync: async () => null,
  getAsync: async (id: string) => (id === requestId ? now().toISOString() : null),
  removeAsync: async (id: string | null) => id,
})

/** Elements by their local name, each a list; attributes in `$`, text in `_`. */
export type Assertion = Readonly<Record<string, unknown>>

/** The signed assertion, or why there is none, from the library or the provider. */
export type Verification =
  | { readonly kind: 'signed'; readonly assertion: Assertion }
  /** `denied`: the provider refused the sign-in. */
  | { readonly kind: 'refused' | 'denied'; readonly words: string }

export async function verifyResponse(
  parties: Parties,
  requestId: string,
  xml: string,
): Promise<Verification> {
  try {
    const SAMLResponse = Buffer.from(xml).toString('base64')
    const saml = await samlOf(parties, requestId)
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse })
    // Parsed XML by the names of its elements, which the library does not type.
    const { Assertion: assertion } = (profile?.getAssertion?.() ?? {}) as { Assertion?: Assertion }
    return assertion === undefined
      ? { kind: 'refused', words: 'no assertion' }
      : { kind: 'signed', assertion }
  } catch (error) {
    const { SamlStatusError } = await library()
    const kind = error instanceof SamlStatusError ? 'denied' : 'refused'
    return { kind, words: error instanceof Error ? error.message : '' }
  }
}
