// Blobs as objects `blobs/<sha256>` of an S3 bucket, addressed by path, which every S3-like service understands.
// The operator chose the endpoint, so the address guard has no say here.
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, request } from 'undici'
import { sha256 as hashOf } from '../../base/canonical.ts'
import { type Clock, now } from '../../base/clock.ts'
import { unavailable } from '../../base/errors.ts'
import { openSpool, type Spool } from './spool.ts'
import {
  asStoreFailure,
  type BlobInfo,
  type BlobPart,
  type BlobStore,
  type ByteRange,
  hashWrong,
  isFailure,
  isSha256,
  type PutOptions,
  RENEW_AFTER_MILLISECONDS,
} from './store.ts'
import { atMost, oneByOne } from './turns.ts'

export type S3Settings = {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const PREFIX = 'blobs/'
const REQUESTS_AT_ONCE_MAX = 16
const ATTEMPTS_MAX = 4
const FIRST_WAIT_MILLISECONDS = 100
const HEADERS_MILLISECONDS_MAX = 30_000
const IDLE_MILLISECONDS_MAX = 30_000
const ERROR_BYTES_MAX = 4096
const LIST_BYTES_MAX = 8 * 1024 * 1024
/** Up to here, sending the bytes again costs less than asking whether they are there. */
const UNASKED_BYTES_MAX = 64 * 1024

export type S3Options = {
  readonly clock?: Clock
  /** Before the second attempt; each later wait is four times the one before. */
  readonly firstWaitMs?: number
}

/** `spoolFolder` holds streams on their way to the bucket: an object is named by its hash, which only its end tells. */
export const openS3Blobs = async (
  settings: S3Settings,
  spoolFolder: string,
  { clock = now, firstWaitMs = FIRST_WAIT_MILLISECONDS }: S3Options = {},
): Promise<BlobStore> => new S3Blobs(settings, await openSpool(spoolFolder), clock, firstWaitMs)

type Ask = {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Of an object; absent: the bucket itself. */
  readonly sha256?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: {
    readonly sha256: string
    readonly size: number
    readonly open: () => Uint8Array | Readable
  }
  /** Statuses that are an answer; every other one is a failure. */
  readonly expected: readonly number[]
}

type Answer = { readonly status: number; readonly headers: Record<string, string>; readonly body: Readable }

class S3Blobs implements BlobStore {
  readonly #settings: S3Settings
  readonly #spool: Spool
  readonly #clock: Clock
  readonly #firstWaitMs: number
  readonly #agent = new Agent({
    headersTimeout: HEADERS_MILLISECONDS_MAX,
    bodyTimeout: IDLE_MILLISECONDS_MAX,
    connections: 2 * REQUESTS_AT_ONCE_MAX,
  })
  readonly #inTurn = atMost(REQUESTS_AT_ONCE_MAX)
  readonly #alone = oneByOne()
  /** Keys of a day, made by the signer once. */
  readonly #signingKeys = new Map<string, ArrayBuffer>()

  constructor(settings: S3Settings, spool: Spool, clock: Clock, firstWaitMs: number) {
    this.#settings = settings
    this.#spool = spool
    this.#clock = clock
    this.#firstWaitMs = firstWaitMs
  }

  async put(content: Uint8Array | AsyncIterable<Uint8Array>, options: PutOptions): Promise<BlobInfo> {
    if (content instanceof Uint8Array) {
      const sha256 = hashOf(content)
      if (options.sha256 !== undefined && options.sha256 !== sha256) throw hashWrong()
      const body = { sha256, size: content.length, open: () => content }
      return this.#alone(sha256, () => this.#inTurn(() => this.#upload(body, options.contentType)))
    }
    const spooled = await this.#spool.fill(content, options).catch(reason => {
      throw asStoreFailure(reason)
    })
    try {
      const body = { ...spooled, open: () => createReadStream(spooled.path) }
      return await this.#alone(body.sha256, () => this.#inTurn(() => this.#upload(body, options.contentType)))
    } finally {
      await spooled.discard()
    }
  }

  async #upload(body: NonNullable<Ask['body']>, contentType: string): Promise<BlobInfo> {
    const info = { sha256: body.sha256, size: body.size }
    if (body.size > UNASKED_BYTES_MAX) {
      const age = this.#clock().getTime() - ((await this.#head(body.sha256))?.putAt.getTime() ?? 0)
      if (age < RENEW_AFTER_MILLISECONDS) return info
    }
    const headers = { 'content-type': contentType, 'content-length': String(body.size) }
    await drain(await this.#ask({ method: 'PUT', sha256: body.sha256, headers, body, expected: [200] }))
    return info
  }

  async find(sha256: string): Promise<BlobInfo | undefined> {
    const found = isSha256(sha256) ? await this.#head(sha256) : undefined
    return found && { sha256, size: found.size }
  }

  async read(sha256: string, range?: ByteRange): Promise<BlobPart | undefined> {
    if (!isSha256(sha256) || (range !== undefined && 'first' in range && range.last < range.first))
      return undefined
    const headers = range === undefined ? {} : { range: writeRange(range) }
    const answer = await this.#ask({ method: 'GET', sha256, headers, expected: [200, 206, 404, 416] })
    if (answer.status === 404 || answer.status === 416) {
      await drain(answer)
      return undefined
    }
    return { ...readPart(answer), stream: answer.body }
  }

  // A put by another process between the look and the removal would be lost; it is milliseconds after a day in which
  // nobody put it, and within one process the two wait for each other.
  async remove(sha256: string, putBefore: Date): Promise<boolean> {
    if (!isSha256(sha256)) return true
    return this.#alone(sha256, async () => {
      const found = await this.#head(sha256)
      if (found !== undefined && found.putAt >= putBefore) return false
      await drain(await this.#ask({ method: 'DELETE', sha256, expected: [200, 204, 404] }))
      return true
    })
  }

  async *list(): AsyncGenerator<BlobInfo & { putAt: Date }> {
    for (let token: string | undefined = ''; token !== undefined; ) {
      const query: Record<string, string> = { 'list-type': '2', prefix: PREFIX }
      if (token !== '') query['continuation-token'] = token
      const text = await readText(await this.#ask({ method: 'GET', query, expected: [200] }), LIST_BYTES_MAX)
      for (const contents of text.split('<Contents>').slice(1)) {
        const sha256 = element(contents, 'Key').slice(PREFIX.length)
        const putAt = new Date(element(contents, 'LastModified'))
        if (isSha256(sha256)) yield { sha256, size: Number(element(contents, 'Size')), putAt }
      }
      token = element(text, 'NextContinuationToken') || undefined
    }
  }

  async #head(sha256: string): Promise<{ readonly size: number; readonly putAt: Date } | undefined> {
    const answer = await this.#ask({ method: 'HEAD', sha256, expected: [200, 404] })
    await drain(answer)
    if (answer.status === 404) return undefined
    const { 'content-length': size, 'last-modified': putAt = 0 } = answer.headers
    return { size: Number(size), putAt: new Date(putAt) }
  }

  async #ask(ask: Ask): Promise<Answer> {
    let reason: unknown
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      if (attempt > 0) await wait(this.#firstWaitMs * 4 ** (attempt - 1))
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
      'The store for files does not answer as it should. Try again later.',
      reason,
    )
  }

  async #send({ method, sha256, query = {}, headers = {}, body }: Ask): Promise<Answer> {
    const { endpoint, bucket, region, accessKeyId, secretAccessKey } = this.#settings
    const url = new URL(`${endpoint}/${encodeURIComponent(bucket)}`)
    if (sha256 !== undefined) url.pathname += `/${PREFIX}${sha256}`
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
    const response = await request(signed.url.href, {
      dispatcher: this.#agent,
      method,
      headers: Object.fromEntries(signed.headers),
      ...(body === undefined ? {} : { body: body.open() }),
    })
    const flat = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
    return { status: response.statusCode, headers: Object.fromEntries(flat), body: response.body }
  }
}

const writeRange = (range: ByteRange): string =>
  'suffix' in range ? `bytes=-${range.suffix}` : `bytes=${range.first}-${range.last}`

/** What an answer holds. A service that knows no ranges answers 200 and everything. */
function readPart({ status, headers }: Answer): Omit<BlobPart, 'stream'> {
  const told = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '')
  if (status === 206 && told !== null) {
    const [first, last, size] = told.slice(1).map(Number) as [number, number, number]
    return { size, first, length: last - first + 1 }
  }
  const size = Number(headers['content-length'])
  return { size, first: 0, length: size }
}

const drain = async ({ body }: Answer): Promise<void> => {
  for await (const _ of body);
}

async function readText({ body }: Answer, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
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

/** The text of the first such element; S3's answers are flat enough for that. '' when there is none. */
function element(xml: string, name: string): string {
  const start = xml.indexOf(`<${name}>`)
  const end = start === -1 ? -1 : xml.indexOf(`</${name}>`, start)
  if (end === -1) return ''
  const text = xml.slice(start + name.length + 2, end)
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity) => ENTITIES.get(entity) ?? '')
}
