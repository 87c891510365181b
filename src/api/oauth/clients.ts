// What a client says of itself, in its registration (RFC 7591) or in the document at the address that is its id. All of
// it is the word of a stranger.
import { isRedirectUri } from './redirects.ts'

const REDIRECTS_MAX = 20
const NAME_CHARACTERS_MAX = 80

export type Client = {
  readonly id: string
  readonly kind: 'registered' | 'document'
  readonly name: string
  readonly redirectUris: readonly string[]
}

export type Metadata = Pick<Client, 'name' | 'redirectUris'>

/** Why it is refused, by RFC 7591 §3.2.2. */
export type RefusedMetadata = {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata'
  readonly words: string
}

const refused = (error: RefusedMetadata['error'], words: string): RefusedMetadata => ({ error, words })

/** The fields that count; the library knows all of them and their types. */
export async function readMetadata(body: unknown): Promise<Metadata | RefusedMetadata> {
  // Loaded on demand: few requests are about clients.
  const { OAuthClientMetadataSchema } = await import('@modelcontextprotocol/sdk/shared/auth.js')
  const read = OAuthClientMetadataSchema.safeParse(body)
  if (!read.success) {
    const [issue] = read.error.issues
    const path = issue?.path.join('.') || 'body'
    return refused(
      path.startsWith('redirect_uris') ? 'invalid_redirect_uri' : 'invalid_client_metadata',
      `${path.slice(0, NAME_CHARACTERS_MAX)}: this is missing or malformed.`,
    )
  }
  const { redirect_uris, client_name, grant_types, response_types } = read.data
  if (redirect_uris.length === 0 || redirect_uris.length > REDIRECTS_MAX)
    return refused('invalid_redirect_uri', `redirect_uris: name 1 to ${REDIRECTS_MAX} addresses.`)
  if (!redirect_uris.every(isRedirectUri))
    return refused(
      'invalid_redirect_uri',
      'redirect_uris: each has to be an https address, an http address of localhost, 127.0.0.1 or [::1], or one of a scheme of a program, without a fragment.',
    )
  if (grant_types !== undefined && !grant_types.includes('authorization_code'))
    return refused(
      'invalid_client_metadata',
      'grant_types: only authorization_code and refresh_token are served here.',
    )
  if (response_types !== undefined && !response_types.includes('code'))
    return refused('invalid_client_metadata', 'response_types: only code is served here.')
  return { name: toName(client_name ?? ''), redirectUris: redirect_uris }
}

export const isRefused = (read: Metadata | RefusedMetadata): read is RefusedMetadata => 'error' in read

/** One line without characters that are not shown or turn others around; may be empty. */
const toName = (text: string): string =>
  text
    .slice(0, 4 * NAME_CHARACTERS_MAX)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, NAME_CHARACTERS_MAX)
    .toWellFormed()
