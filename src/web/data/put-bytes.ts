// Files and archives of this device, sent as they are, with how much of them is there.
import { ApiError, BASE, HEADERS, type Model, NOTHING_SAID, type Said } from './client.ts'
import { personHeaders } from './person.ts'
import { sessionEnded } from './session-state.ts'

export type Sending = {
  readonly body: Blob
  readonly contentType: string
  readonly onProgress: (sent: { readonly done: number; readonly total: number }) => void
  readonly signal?: AbortSignal
  /** With it, what these bytes start is started once. */
  readonly key?: string
}

/**
 * Puts bytes as they are at a path of the API; `fetch` tells nothing while it sends. Answers the `location` of what came
 * of it. Throws an ApiError, also where no answer came, and an `AbortError` for what was stopped.
 */
export function putBytes(
  path: string,
  { body, contentType, onProgress, signal, key }: Sending,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const request = new XMLHttpRequest()
  request.open('PUT', BASE + path)
  const headers = { ...HEADERS, ...personHeaders(), 'Content-Type': contentType, ...keyed(key) }
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  request.upload.onprogress = ({ loaded, total }) => onProgress({ done: loaded, total })
  request.onload = () => {
    const { status } = request
    if (status < 300) return resolve(request.getResponseHeader('location') ?? '')
    const said = saidBy(request.responseText)
    if (said.reason === 'session_expired') sessionEnded()
    reject(new ApiError(status, said, request.getResponseHeader('x-request-id')))
  }
  request.onerror = () => reject(new ApiError(0, NOTHING_SAID, null))
  request.onabort = () => reject(new DOMException('It is not sent.', 'AbortError'))
  signal?.addEventListener('abort', () => request.abort())
  if (signal?.aborted) reject(new DOMException('It is not sent.', 'AbortError'))
  else request.send(body)
  return promise
}

const keyed = (key: string | undefined): { readonly [name: string]: string } =>
  key === undefined ? {} : { 'Idempotency-Key': key }

function saidBy(text: string): Said {
  try {
    return (JSON.parse(text) as Model<'Error'>).error
  } catch {
    return NOTHING_SAID
  }
}
