// How Git hosts authenticate their calls: by a signature over the body (GitHub, Gitea, Forgejo), or by the secret
// itself (GitLab).
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { sha256 } from '../../base/canonical.ts'

/**
 * https://docs.github.com/webhooks, https://docs.gitea.com/usage/webhooks,
 * https://forgejo.org/docs/latest/user/webhooks/
 */
const SIGNED = ['x-hub-signature-256', 'x-forgejo-signature', 'x-gitea-signature'] as const
/** https://docs.gitlab.com/user/project/integrations/webhooks/ */
const TOKEN = 'x-gitlab-token'

/** Whether a header authenticates the call. `body` is read only for a signature. */
export async function isProven(
  headers: IncomingHttpHeaders,
  body: AsyncIterable<Uint8Array>,
  secret: string,
): Promise<boolean> {
  const token = headers[TOKEN]
  if (typeof token === 'string') return isSame(token, secret)
  const [signature] = SIGNED.map(name => headers[name]).filter(value => typeof value === 'string')
  if (signature === undefined) return false
  const hmac = createHmac('sha256', secret)
  for await (const chunk of body) hmac.update(chunk)
  return isSame(signature.replace(/^sha256=/, '').toLowerCase(), hmac.digest('hex'))
}

/** Takes constant time for any lengths. */
const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(sha256(one)), Buffer.from(sha256(other)))
