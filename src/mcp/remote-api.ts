// A server's API, called over HTTP.
import { excerptOf } from '../compute/json-excerpt.ts'
import { ApiError, type Send } from './api.ts'

/** `url` has no trailing slash. Redirects are refused: they would take the token elsewhere. */
export const askRemoteApi =
  (url: string, token: string | undefined): Send =>
  async ({ method, path, body, excerpt }, signal) => {
    try {
      const response = await fetch(`${url}/v1${path}`, {
        method,
        redirect: 'error',
        signal,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const { status, headers, ok } = response
      if (!(headers.get('content-type') ?? '').startsWith('application/json'))
        return { status, body: undefined }
      const answered: unknown = await response.json()
      return { status, body: ok ? excerptOf(answered, excerpt) : answered }
    } catch {
      throw new ApiError(
        503,
        `${url} does not answer like an Octavo server. Is it running, and is --url right?`,
      )
    }
  }
