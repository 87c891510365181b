// The API as the workspace calls it: with the session of the browser, and failures as values of one class.
import createClient from 'openapi-fetch'
import type { components, paths } from './api.d.ts'
import { fetchConfirmed } from './confirmation.ts'
import { asPerson } from './person.ts'

export type Model<Name extends keyof components['schemas']> = components['schemas'][Name]

/** The header makes the server take the session cookie. */
export const api = createClient<paths>({
  baseUrl: '/v1',
  headers: { 'Octavo-Workspace': '1' },
  fetch: fetchConfirmed,
})
api.use(asPerson)

/** What the API refused, or could not be asked. `status` is 0 if no answer came. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** Which of the refusals with this status it is, as `session_expired`. */
  readonly reason: string | undefined
  /** To find the request in the log of the server. */
  readonly requestId: string | null

  constructor(status: number, message: string, requestId: string | null, reason?: string) {
    super(message)
    this.status = status
    this.reason = reason
    this.requestId = requestId
  }
}

type Answer<Data> = { readonly data?: Data; readonly error?: unknown; readonly response: Response }

/** The data of an answer; throws an ApiError for every other. */
export async function dataOf<Data>(asked: Promise<Answer<Data>>): Promise<Data> {
  const answer = await asked.catch(asOffline)
  const { data, error, response } = answer
  // An answer without content has no data.
  if (response.ok) return data as Data
  const { message = '', reason } = (error as Partial<Model<'Error'>> | undefined)?.error ?? {}
  throw new ApiError(response.status, message, response.headers.get('x-request-id'), reason)
}

function asOffline(error: unknown): never {
  // What the caller stopped is no failure of the network.
  if (error instanceof DOMException && error.name === 'AbortError') throw error
  throw new ApiError(0, '', null)
}

export const isStatus = (error: unknown, ...statuses: readonly number[]): boolean =>
  error instanceof ApiError && statuses.includes(error.status)

export const isReason = (error: unknown, reason: string): boolean =>
  error instanceof ApiError && error.reason === reason
