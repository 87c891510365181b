// Whom a request counts for, by what has proved to be a token or a session lately.
import type { IncomingHttpHeaders } from 'node:http'
import { readBearer } from './admission.ts'
import type { Services } from './context.ts'
import { sessionSecretOf } from './cookies.ts'
import type { KnownCallers } from './rate-limit.ts'

export function knownCallers({ principals, config }: Pick<Services, 'principals' | 'config'>): KnownCallers {
  return {
    callerOf(headers: IncomingHttpHeaders) {
      if (headers.authorization !== undefined) {
        const token = readBearer(headers.authorization)
        return token === undefined ? undefined : principals.knownToken(token)
      }
      const secret = sessionSecretOf(config, { headers })
      return secret === undefined ? null : principals.knownSession(secret)
    },
  }
}
