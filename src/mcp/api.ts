// The HTTP API as tools call it, from within the server or from another machine: whatever it refuses to its callers,
// it refuses to tools.

import { missing } from '../base/errors.ts'
import { ownMember } from '../base/objects.ts'
import type { Excerpt } from '../compute/json-excerpt.ts'

/** `path` is below `/v1` and includes the query. */
export type ApiRequest = {
  readonly method: Method
  readonly path: string
  /** Undefined: none. */
  readonly body: unknown
  /** Which part of the answer is wanted. */
  readonly excerpt: Excerpt
}
export type Method = 'GET' | 'POST' | 'PATCH'

/** `body`: the excerpt, or the whole body of a refusal. */
export type ApiAnswer = { readonly status: number; readonly body: unknown }

/** Sends one request to the API. */
export type Send = (request: ApiRequest, signal: AbortSignal) => Promise<ApiAnswer>

/** A refusal of the API, in its own words. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Undefined members are left out. */
type Query = Readonly<Record<string, string | number | boolean | undefined>>

type Sent = {
  readonly query?: Query
  readonly body?: unknown
  /** Absent: the whole answer, within `CHARACTERS_MAX`. */
  readonly excerpt?: Excerpt
}

// Far more than any tool answers.
const CHARACTERS_MAX = 1_000_000
const EVERYTHING: Excerpt = { kind: 'value', charactersMax: CHARACTERS_MAX, without: [] }

export interface Api {
  /**
   * The body of the answer, or its excerpt; `T` is the type of the operation's reply or of the excerpt.
   *
   * @throws {ApiError}
   */
  call<T>(method: Method, path: string, sent?: Sent): Promise<T>
}

/** `signal` cancels the request. */
export const createApi = (send: Send, signal: AbortSignal): Api => ({
  async call<T>(method: Method, path: string, { query = {}, body, excerpt = EVERYTHING }: Sent = {}) {
    const answer = await send({ method, path: path + toSearch(query), body, excerpt }, signal)
    if (answer.status >= 400) throw new ApiError(answer.status, messageOf(answer))
    // The caller names the type that the operation answers with.
    return answer.body as T
  },
})

function toSearch(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

/** The message of an API error, if the body has that shape, with the names that tools have for what they sent. */
function messageOf({ status, body }: ApiAnswer): string {
  const message = ownMember(ownMember(body, 'error'), 'message')
  if (typeof message !== 'string') return `The server answered ${status}.`
  return message
    .replace(/^(?:body|query|params)\b/, 'arguments')
    .replaceAll(/\b(?:body|query|params)(?=\.\w)/g, 'arguments')
    .replaceAll('.document.markdown', '.markdown')
}

/** A path with ids in it: at`/spaces/${id}`. Throws the Failure `missing` for a text that cannot be an id. */
export const at = (texts: TemplateStringsArray, ...ids: readonly string[]): string =>
  String.raw({ raw: texts }, ...ids.map(encodeSegment))

/** A `..` segment would lead to another address, however the dots are encoded (URL Standard, §4.1). */
function encodeSegment(segment: string): string {
  if (segment === '.' || segment === '..') throw missing('thing')
  return encodeURIComponent(segment.toWellFormed())
}
