// The API as the workspace calls it: with the session of the browser, and failures as values of one class.
import createClient from 'openapi-fetch'
import type { components, paths } from './api.d.ts'
import { fetchConfirmed } from './confirmation.ts'
import { asPerson } from './person.ts'

export type Model<Name extends keyof components['schemas']> = components['schemas'][Name]

export const BASE = '/v1'
/** The header makes the server take the session cookie. */
export const HEADERS = { 'Octavo-Workspace': '1' }

export const api = createClient<paths>({
  baseUrl: BASE,
  headers: HEADERS,
  fetch: fetchConfirmed,
})
api.use(asPerson)

export type Said = Omit<Model<'Error'>['error'], 'code'>

/** What the API refused, or could not be asked. `status` is 0 if no answer came. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** Which of the refusals with this status it is, as `session_expired`. */
  readonly reason: string | undefined
  readonly values: Model<'MessageValues'>
  /** To find the request in the log of the server. */
  readonly requestId: string | null

  constructor(status: number, { message, reason, values = {} }: Said, requestId: string | null) {
    super(message)
    this.status = status
    this.reason = reason
    this.values = values
    this.requestId = requestId
  }
}

export const NOTHING_SAID: Said = { message: '' }

type Answer<Data> = { readonly data?: Data; readonly error?: unknown; readonly response: Response }

/** The data of an answer; throws an ApiError for every other. */
export async function dataOf<Data>(asked: Promise<Answer<Data>>): Promise<Data> {
  const answer = await asked.catch(asOffline)
  const { data, error, response } = answer
  // An answer without content has no data.
  if (response.ok) return data as Data
  const said = (error as Partial<Model<'Error'>> | undefined)?.error ?? NOTHING_SAID
  throw new ApiError(response.status, said, response.headers.get('x-request-id'))
}

type Portion<Item> = { readonly items: readonly Item[]; readonly next?: { readonly page: string } }

/** A whole list, portion after portion. `read` asks for the one at a page; the first without. */
export async function readAll<Item>(
  read: (page: string | undefined) => Promise<Answer<Portion<Item>>>,
): Promise<{ readonly items: readonly Item[] }> {
  const items: Item[] = []
  let page: string | undefined
  do {
    const portion = await dataOf(read(page))
    items.push(...portion.items)
    page = portion.next?.page
  } while (page !== undefined)
  return { items }
}

function asOffline(error: unknown): never {
  // What the caller stopped is no failure of the network.
  if (error instanceof DOMException && error.name === 'AbortError') throw error
  throw new ApiError(0, NOTHING_SAID, null)
}

export const isStatus = (error: unknown, ...statuses: readonly number[]): boolean =>
  error instanceof ApiError && statuses.includes(error.status)

export const isReason = (error: unknown, reason: string): boolean =>
  error instanceof ApiError && error.reason === reason
