// Outgoing HTTP on somebody's behalf: the address guard checks every connection, everything has a limit (time, size,
// redirects), and what is sent to one origin never reaches another.
import { isIP } from 'node:net'
import type { Agent, buildConnector, Dispatcher } from 'undici'
import { Failure, invalid, tooLarge, unavailable } from '../base/errors.ts'
import { traced } from '../base/traces.ts'
import { type AddressGuard, addressRefused, canonicalHost } from './addresses.ts'

export type OutgoingRequest = {
  /** Default GET. Only GET and HEAD follow redirects; for others a redirect is the answer. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Limits the answer's body. */
  readonly bytesMax: number
  /** Reads only the beginning of a longer body, as raw bytes, whatever their encoding. */
  readonly isCut?: boolean
  /** For everything together, redirects included. */
  readonly deadlineMs: number
  /** Default 5. */
  readonly redirectsMax?: number
  readonly signal?: AbortSignal
}

export type OutgoingAnswer = {
  readonly status: number
  /** Names in lower case; repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** The address that answered, after redirects; without credentials. */
  readonly url: string
}

/** An answer whose body is not buffered. */
export type StreamedAnswer = Omit<OutgoingAnswer, 'body'> & { readonly body: AsyncIterable<Uint8Array> }

export interface Outgoing {
  /**
   * Sends one request and returns the answer, whatever its status. User and password in the URL become basic auth.
   *
   * @throws Failure invalid `url_invalid`, `host_invalid`, `address_refused`; too_large `answer_too_large`;
   * unavailable `host_unresolved`, `fetch_unreachable`, `fetch_certificate_refused`, `fetch_timeout`,
   * `fetch_redirects`, `fetch_encoding`, `fetch_interrupted`. After an abort: the reason of the signal.
   */
  fetch(url: string, request: OutgoingRequest): Promise<OutgoingAnswer>
  /**
   * The same, but `take` receives the body as it arrives, within the same bounds. The request ends with `take`, and
   * errors of `take` are thrown.
   */
  stream<T>(
    url: string,
    request: Omit<OutgoingRequest, 'isCut'>,
    take: (answer: StreamedAnswer) => Promise<T>,
  ): Promise<T>
  /** Closes all connections, and ends the requests under way. */
  close(): Promise<void>
}

const CONNECT_MILLISECONDS_MAX = 10_000
const REDIRECTS_MAX = 5
const HEADER_BYTES_MAX = 64 * 1024
const URL_CHARACTERS_MAX = 8192
const REDIRECTS = new Set([301, 302, 303, 307, 308])
// The headers that may follow a redirect to another origin: none that identify the caller or were meant for the first
// origin only.
const HARMLESS_HEADERS = new Set(['accept', 'accept-language', 'user-agent'])

// Loaded with the first request: it takes a twentieth of a start, and many servers never send one.
const library = () => import('undici')

export function createOutgoing(guard: AddressGuard, userAgent = 'octavo'): Outgoing {
  let opening: Promise<Agent> | undefined
  const send = async <T>(
    url: string,
    request: OutgoingRequest,
    take: (answer: Answer) => Promise<T>,
  ): Promise<T> => {
    const deadline = AbortSignal.timeout(request.deadlineMs)
    const signal = AbortSignal.any([deadline, request.signal].filter(each => each !== undefined))
    try {
      const first = parseUrl(url)
      opening ??= openAgent(guard)
      const answer = await follow(await opening, first, { ...request, signal }, userAgent)
      try {
        return await take(answer)
      } finally {
        close(answer)
      }
    } catch (reason) {
      request.signal?.throwIfAborted()
      if (deadline.aborted)
        throw unavailable('fetch_timeout', 'The other server did not answer in time.', reason)
      throw explain(reason)
    }
  }
  return {
    fetch: (url, request) =>
      send(url, request, async answer => ({ ...answer, body: await readWhole(answer, request) })),
    stream: (url, request, take) =>
      send(url, request, answer => take({ ...answer, body: bounded(answer, request) })),
    close: async () => (await opening)?.destroy(),
  }
}

const openAgent = (guard: AddressGuard): Promise<Agent> => openGuardedAgent(guard, NO_BOUND)
// Body sizes are checked where bodies are read.
const NO_BOUND = -1

/** Connections to hosts that the guard allows. `answerBytesMax` bounds each answer; -1 leaves that to the reader. */
export async function openGuardedAgent(guard: AddressGuard, answerBytesMax: number): Promise<Agent> {
  const { Agent, buildConnector } = await library()
  return new Agent({
    connect: guardedConnector(guard, buildConnector),
    maxHeaderSize: HEADER_BYTES_MAX,
    maxResponseSize: answerBytesMax,
  })
}

async function follow(
  agent: Agent,
  first: URL,
  request: OutgoingRequest,
  userAgent: string,
): Promise<Answer> {
  const { method = 'GET', redirectsMax = REDIRECTS_MAX } = request
  let url = first
  let headers: Record<string, string> = {
    'user-agent': userAgent,
    // Without compression there are no decompression bombs.
    'accept-encoding': 'identity',
    ...request.headers,
  }
  for (let hops = 0; ; hops++) {
    const answer = await ask(agent, url, { ...request, method, headers: withCredentials(url, headers) })
    const location = REDIRECTS.has(answer.status) ? answer.headers.location : undefined
    if (location === undefined || (method !== 'GET' && method !== 'HEAD')) return answer
    close(answer)
    if (hops >= redirectsMax) {
      throw unavailable('fetch_redirects', `The other server redirects more than ${redirectsMax} times.`)
    }
    const next = parseUrl(location, url)
    if (next.origin !== url.origin) {
      headers = Object.fromEntries(
        Object.entries(headers).filter(([name]) => HARMLESS_HEADERS.has(name.toLowerCase())),
      )
      headers['accept-encoding'] = 'identity'
    }
    url = next
  }
}

/** An answer whose body has not been read. */
type Answer = Omit<OutgoingAnswer, 'body'> & { readonly body: Dispatcher.ResponseData['body'] }

/** Drops the unread rest. */
const close = ({ body }: Answer): void => void body.destroy()

async function ask(agent: Agent, url: URL, request: OutgoingRequest): Promise<Answer> {
  const { method = 'GET', headers = {}, body, signal } = request
  const { request: send } = await library()
  const attributes = { 'http.request.method': method, 'server.address': url.hostname }
  const response = await traced({ name: method, kind: 'client', attributes }, async span => {
    const answer = await send(withoutCredentials(url), {
      dispatcher: agent,
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    })
    span?.set({ 'http.response.status_code': answer.statusCode })
    return answer
  })
  return {
    status: response.statusCode,
    headers: flatten(response.headers),
    // A destroyed stream emits an error, which nobody else handles.
    body: response.body.on('error', () => {}),
    url: withoutCredentials(url),
  }
}

async function readWhole(answer: Answer, request: OutgoingRequest): Promise<Buffer> {
  if (request.isCut === true) return readStart(answer.body, request.bytesMax)
  const chunks: Uint8Array[] = []
  for await (const chunk of bounded(answer, request)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The body, unless it is encoded or too long. */
async function* bounded(
  { headers, body }: Answer,
  { method, bytesMax }: OutgoingRequest,
): AsyncGenerator<Uint8Array> {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (method !== 'HEAD' && encoding !== 'identity' && encoding !== '') {
    throw unavailable(
      'fetch_encoding',
      `The other server sends ${JSON.stringify(encoding.slice(0, 40))} unasked.`,
    )
  }
  const message = `The other server sends more than ${bytesMax} bytes, which is the most that are read.`
  const announced = method === 'HEAD' ? 0 : Number(headers['content-length'] ?? 0)
  if (announced > bytesMax) throw tooLarge('answer_too_large', message)
  let size = 0
  // A stream of bytes; Node types the items of any stream as any.
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > bytesMax) throw tooLarge('answer_too_large', message)
    yield chunk
  }
}

async function readStart(body: Dispatcher.ResponseData['body'], bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > bytesMax) break
  }
  return Buffer.concat(chunks).subarray(0, bytesMax)
}

// Checked in three places, because each sees what the others cannot: literals never reach a resolver, names are
// resolved by the guard, and the peer is checked again once the connection is open.
function guardedConnector(guard: AddressGuard, build: typeof buildConnector): buildConnector.connector {
  const connect = build({
    timeout: CONNECT_MILLISECONDS_MAX,
    autoSelectFamily: true,
    lookup: (host, options, callback) => {
      guard.check(host).then(
        ({ addresses }) => {
          const [first] = addresses
          if (options.all === true) callback(null, [...addresses])
          else callback(null, first?.address ?? '', first?.family ?? 4)
        },
        reason => callback(reason, ''),
      )
    },
  })
  return (options, callback) => {
    const host = options.hostname
    const guarded: buildConnector.Callback = (...[reason, socket]) => {
      if (reason !== null) return callback(reason, null)
      const { remoteAddress = '' } = socket
      if (guard.allows(host, remoteAddress)) return callback(null, socket)
      socket.destroy()
      callback(addressRefused(host, remoteAddress), null)
    }
    if (isIP(canonicalHost(host) ?? '') === 0) return connect(options, guarded)
    guard.check(host).then(
      () => connect(options, guarded),
      reason => callback(reason, null),
    )
  }
}

function parseUrl(text: string, base?: URL): URL {
  const url = text.length > URL_CHARACTERS_MAX ? null : URL.parse(text, base?.href)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw invalid('url_invalid', 'An address has to be a URL that begins with http:// or https://.')
  }
  return url
}

function withCredentials(
  { username, password }: URL,
  headers: Record<string, string>,
): Record<string, string> {
  if (username === '' && password === '') return headers
  try {
    const basic = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString(
      'base64',
    )
    return { ...headers, authorization: `Basic ${basic}` }
  } catch {
    throw invalid('url_invalid', 'The user or password of a URL is not correctly percent-encoded.')
  }
}

function withoutCredentials(url: URL): string {
  const bare = new URL(url)
  bare.username = ''
  bare.password = ''
  return bare.href
}

function flatten(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const flat: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}

function explain(reason: unknown): Failure {
  if (reason instanceof Failure) return reason
  const code = codeOf(reason)
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) {
    const message = 'The certificate or the encryption of the other server was refused.'
    return unavailable('fetch_certificate_refused', message, reason)
  }
  if (/TIMEOUT|ETIMEDOUT/.test(code)) {
    return unavailable('fetch_timeout', 'The other server did not answer in time.', reason)
  }
  if (/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ENOTFOUND/.test(code)) {
    return unavailable('fetch_unreachable', 'Nothing answers at the address of the other server.', reason)
  }
  return unavailable('fetch_interrupted', 'The other server broke off, or does not speak http.', reason)
}

// When several addresses fail, their errors come wrapped in one.
function codeOf(reason: unknown): string {
  if (reason instanceof AggregateError) return codeOf(reason.errors[0])
  return reason instanceof Error && 'code' in reason ? String(reason.code) : ''
}
