// Blobs as objects `blobs/<sha256>` of an S3 bucket, addressed by path, which every S3-like service understands.
// The operator chose the endpoint, so the address guard has no say here.
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, request } from 'undici'
import { sha256 as hashOf } from '../../base/canonical.ts'
import { unavailable } from '../../base/errors.ts'
import { openSpool, type Spool } from './spool.ts'
import {
  asStoreFailure,
  type BeforePut,
  type BlobInfo,
  type BlobPart,
  type BlobStore,
  type ByteRange,
  hashWrong,
  isFailure,
  isSha256,
  type PutOptions,
  partOf,
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
  readonly beforePut?: BeforePut
  /** Before the second attempt; each later wait is four times the one before. */
  readonly firstWaitMs?: number
}

/** `spoolFolder` holds streams on their way to the bucket: an object is named by its hash, which only its end tells. */
export const openS3Blobs = async (
  settings: S3Settings,
  spoolFolder: string,
  { beforePut, firstWaitMs = FIRST_WAIT_MILLISECONDS }: S3Options = {},
): Promise<BlobStore> => new S3Blobs(settings, await openSpool(spoolFolder), beforePut, firstWaitMs)

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
  readonly signal?: AbortSignal
  /** Statuses that are an answer; every other one is a failure. */
  readonly expected: readonly number[]
}

type Answer = { readonly status: number; readonly headers: Record<string, string>; readonly body: Readable }

class S3Blobs implements BlobStore {
  readonly #settings: S3Settings
  readonly #spool: Spool
  readonly #beforePut: BeforePut | undefined
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

  constructor(settings: S3Settings, spool: Spool, beforePut: BeforePut | undefined, firstWaitMs: number) {
    this.#settings = settings
    this.#spool = spool
    this.#beforePut = beforePut
    this.#firstWaitMs = firstWaitMs
  }

  async put(content: Uint8Array | AsyncIterable<Uint8Array>, options: PutOptions): Promise<BlobInfo> {
    if (content instanceof Uint8Array) {
      const sha256 = hashOf(content)
      if (options.sha256 !== undefined && options.sha256 !== sha256) throw hashWrong()
      const body = { sha256, size: content.length, open: () => content }
      return this.#upload(body, options.contentType)
    }
    const spooled = await this.#spool.fill(content, options).catch(reason => {
      throw asStoreFailure(reason)
    })
    try {
      const body = { ...spooled, open: () => createReadStream(spooled.path) }
      return await this.#upload(body, options.contentType)
    } finally {
      await spooled.discard()
    }
  }

  async #upload(body: NonNullable<Ask['body']>, contentType: string): Promise<BlobInfo> {
    const { sha256, size } = body
    await this.#beforePut?.(sha256, async () => (await this.find(sha256)) !== undefined)
    await this.#alone(sha256, () =>
      this.#inTurn(async () => {
        if (size > UNASKED_BYTES_MAX && (await this.find(sha256)) !== undefined) return
        const headers = { 'content-type': contentType, 'content-length': String(size) }
        await drain(await this.#ask({ method: 'PUT', sha256, headers, body, expected: [200] }))
      }),
    )
    return { sha256, size }
  }

  async find(sha256: string): Promise<BlobInfo | undefined> {
    if (!isSha256(sha256)) return undefined
    const answer = await this.#ask({ method: 'HEAD', sha256, expected: [200, 404] })
    await drain(answer)
    return answer.status === 404 ? undefined : { sha256, size: Number(answer.headers['content-length']) }
  }

  async read(sha256: string, range?: ByteRange): Promise<BlobPart | undefined> {
    if (!isSha256(sha256)) return undefined
    if (range !== undefined && 'suffix' in range) {
      // Some services take the end of an object for its beginning, so they are asked for bytes by their numbers alone.
      const found = await this.find(sha256)
      const part = found && partOf(found.size, range)
      return part && this.read(sha256, { first: part.first, last: part.size - 1 })
    }
    if (range !== undefined && range.last < range.first) return undefined
    const headers = range === undefined ? {} : { range: `bytes=${range.first}-${range.last}` }
    const answer = await this.#ask({ method: 'GET', sha256, headers, expected: [200, 206, 404, 416] })
    if (answer.status === 404 || answer.status === 416) {
      await drain(answer)
      return undefined
    }
    // A destroyed stream emits an error, and nobody has to listen for that.
    answer.body.on('error', () => {})
    return { ...readPart(answer), stream: answer.body }
  }

  async remove(sha256: string, signal: AbortSignal): Promise<void> {
    if (!isSha256(sha256)) return
    await this.#alone(sha256, async () =>
      drain(await this.#ask({ method: 'DELETE', sha256, signal, expected: [200, 204, 404] })),
    )
  }

  async *list(): AsyncGenerator<BlobInfo> {
    for (let token: string | undefined = ''; token !== undefined; ) {
      const query: Record<string, string> = { 'list-type': '2', prefix: PREFIX }
      if (token !== '') query['continuation-token'] = token
      const text = await readText(await this.#ask({ method: 'GET', query, expected: [200] }), LIST_BYTES_MAX)
      for (const contents of text.split('<Contents>').slice(1)) {
        const sha256 = element(contents, 'Key').slice(PREFIX.length)
        if (isSha256(sha256)) yield { sha256, size: Number(element(contents, 'Size')) }
      }
      token = element(text, 'NextContinuationToken') || undefined
    }
  }

  async #ask(ask: Ask): Promise<Answer> {
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
      'The store for files does not answer as it should. Try again later.',
      reason,
    )
  }

  async #send({ method, sha256, query = {}, headers = {}, body, signal }: Ask): Promise<Answer> {
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
      ...(signal === undefined ? {} : { signal }),
    })
    const flat = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
    return { status: response.statusCode, headers: Object.fromEntries(flat), body: response.body }
  }
}

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
