// One cache for everything that is read. Screens read it by the keys below, so that a write knows what to read again.
import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './client.ts'

const FRESH_MS = 30_000
const RETRIES_MAX = 2

export const cache = new QueryClient({
  defaultOptions: {
    queries: { staleTime: FRESH_MS, retry: isWorthRetrying, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

/** A refusal stays one; no answer, and a server that is busy, may pass. */
function isWorthRetrying(count: number, error: unknown): boolean {
  return count < RETRIES_MAX && error instanceof ApiError && [0, 429, 502, 503, 504].includes(error.status)
}
