// Signed requests to an S3 bucket, retried where that may help. The bucket is addressed by path, which every S3-like
// service understands.
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, request } from 'undici'
import { sha256 as hashOf } from '../../base/canonical.ts'
import { unavailable } from '../../base/errors.ts'
import { traced } from '../../base/traces.ts'
import { isFailure } from './store.ts'

export type S3Settings = {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export const REQUESTS_AT_ONCE_MAX = 16
const ATTEMPTS_MAX = 4
export const FIRST_WAIT_MILLISECONDS = 100
const HEADERS_MILLISECONDS_MAX = 30_000
const IDLE_MILLISECONDS_MAX = 30_000
const ERROR_BYTES_MAX = 4096

export type Ask = {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** The key of an object; absent: the bucket itself. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: {
    readonly sha256: string
    readonly size: number
    readonly open: () => Uint8Array | Readable
  }
  readonly signal?: AbortSignal
  /** Statuses that count as an answer; all others are failures. */
  readonly expected: readonly number[]
}

export type Answer = {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Readable
}

export class S3Requests {
  readonly #settings: S3Settings
  readonly #firstWaitMs: number
  readonly #agent = new Agent({
    headersTimeout: HEADERS_MILLISECONDS_MAX,
    bodyTimeout: IDLE_MILLISECONDS_MAX,
    connections: 2 * REQUESTS_AT_ONCE_MAX,
  })
  /** Daily keys, cached for the signer. */
  readonly #signingKeys = new Map<string, ArrayBuffer>()

  /** `firstWaitMs`: the wait before the second attempt; each later wait is four times the one before. */
  constructor(settings: S3Settings, firstWaitMs: number) {
    this.#settings = settings
    this.#firstWaitMs = firstWaitMs
  }

  /** @throws Failure unavailable `blobs_unavailable` */
  async ask(ask: Ask): Promise<Answer> {
    let reason: unknown
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      if (attempt > 0) await wait(this.#firstWaitMs * 4 ** (attempt - 1))
      ask.signal?.throwIfAborted()
      try {
        const answer = await this.#send(ask)
        if (ask.expected.includes(answer.status)) return answer
        reason = new Error(`S3 answered ${answer.status}: ${await readText(answer, ERROR_BYTES_MAX)}`)
        if (answer.status < 500 && answer.status !== 429) break
      } catch (thrown) {
        if (isFailure(thrown)) throw thrown
        reason = thrown
      }
    }
    throw unavailable(
      'blobs_unavailable',
      'The file store does not answer as it should. Try again later.',
      reason,
    )
  }

  async #send({ method, key, query = {}, headers = {}, body, signal }: Ask): Promise<Answer> {
    const { endpoint, bucket, region, accessKeyId, secretAccessKey } = this.#settings
    const url = new URL(`${endpoint}/${encodeURIComponent(bucket)}`)
    if (key !== undefined) url.pathname += `/${key}`
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': body?.sha256 ?? hashOf('') },
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
      cache: this.#signingKeys,
    }).sign()
    const attributes = { 'http.request.method': method, 'server.address': url.hostname }
    const response = await traced({ name: method, kind: 'client', attributes }, async span => {
      const answer = await request(signed.url.href, {
        dispatcher: this.#agent,
        method,
        headers: Object.fromEntries(signed.headers),
        ...(body === undefined ? {} : { body: body.open() }),
        ...(signal === undefined ? {} : { signal }),
      })
      span?.set({ 'http.response.status_code': answer.statusCode })
      return answer
    })
    const flat = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
    return { status: response.statusCode, headers: Object.fromEntries(flat), body: response.body }
  }
}

export const drain = async ({ body }: Answer): Promise<void> => {
  for await (const _ of body);
}

/** The body as text, cut at `bytesMax` characters. */
export async function readText({ body }: Answer, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  // A stream of bytes; Node types the items of any stream as any.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > bytesMax) break
  }
  return Buffer.concat(chunks).toString('utf8').slice(0, bytesMax)
}

const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

/** The text of the first element with this name; S3's answers are flat enough for that. '' if there is none. */
export function element(xml: string, name: string): string {
  const start = xml.indexOf(`<${name}>`)
  const end = start === -1 ? -1 : xml.indexOf(`</${name}>`, start)
  if (end === -1) return ''
  const text = xml.slice(start + name.length + 2, end)
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity) => ENTITIES.get(entity) ?? '')
}
