// One cache for everything that is read. Screens read it by the keys below, so that a write knows what to read again.
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, isReason } from './client.ts'
import { sessionEnded } from './session.ts'

const FRESH_MS = 30_000
const RETRIES_MAX = 2

export const cache = new QueryClient({
  queryCache: new QueryCache({ onError: noteExpiry }),
  mutationCache: new MutationCache({ onError: noteExpiry }),
  defaultOptions: {
    queries: { staleTime: FRESH_MS, retry: isWorthRetrying, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

function noteExpiry(error: unknown): void {
  if (isReason(error, 'session_expired')) sessionEnded()
}

/** A refusal stays one; no answer, and a server that is busy, may pass. */
function isWorthRetrying(count: number, error: unknown): boolean {
  return count < RETRIES_MAX && error instanceof ApiError && [0, 429, 502, 503, 504].includes(error.status)
}
