// Blobs as objects `blobs/<sha256>` of an S3 bucket. The operator chose the endpoint, so the address guard does not
// apply.
import { createReadStream } from 'node:fs'
import { sha256 as hashOf } from '../../base/canonical.ts'
import { claimBucket } from './s3-owner.ts'
import { abandonParts, putInParts } from './s3-parts.ts'
import {
  type Answer,
  type Ask,
  drain,
  element,
  FIRST_WAIT_MILLISECONDS,
  REQUESTS_AT_ONCE_MAX,
  readText,
  S3Requests,
  type S3Settings,
} from './s3-requests.ts'
import { openSpool, type Spool } from './spool.ts'
import type { BeforePut, BlobInfo, BlobPart, BlobStore, ByteRange, PutOptions } from './store.ts'
import { asStoreFailure, hashWrong, isSha256, partOf } from './store.ts'
import { limitConcurrency, oneByOne } from './turns.ts'

export type { S3Settings } from './s3-requests.ts'

const PREFIX = 'blobs/'
const LIST_BYTES_MAX = 8 * 1024 * 1024
/** Up to this size, sending the bytes again costs less than asking whether they are there. */
const UNASKED_BYTES_MAX = 64 * 1024
/** Larger blobs are sent in parts of this size; a failed part is sent again alone. */
const PART_BYTES = 64 * 1024 * 1024

export type S3Options = {
  readonly beforePut?: BeforePut
  /** The wait before the second attempt; each later wait is four times the one before. */
  readonly firstWaitMs?: number
  readonly partBytes?: number
}

/**
 * `spoolFolder` holds streams on their way to the bucket: an object is named by its hash, which is known only at the
 * end.
 */
export const openS3Blobs = async (
  settings: S3Settings,
  spoolFolder: string,
  { beforePut, firstWaitMs = FIRST_WAIT_MILLISECONDS, partBytes = PART_BYTES }: S3Options = {},
): Promise<BlobStore> =>
  new S3Blobs(new S3Requests(settings, firstWaitMs), await openSpool(spoolFolder), beforePut, partBytes)

const keyOf = (sha256: string): string => `${PREFIX}${sha256}`

class S3Blobs implements BlobStore {
  readonly #requests: S3Requests
  readonly #spool: Spool
  readonly #beforePut: BeforePut | undefined
  readonly #partBytes: number
  readonly #inTurn = limitConcurrency(REQUESTS_AT_ONCE_MAX)
  readonly #alone = oneByOne()

  constructor(requests: S3Requests, spool: Spool, beforePut: BeforePut | undefined, partBytes: number) {
    this.#requests = requests
    this.#spool = spool
    this.#beforePut = beforePut
    this.#partBytes = partBytes
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
      return await this.#upload(body, options.contentType, spooled.path)
    } finally {
      await spooled.discard()
    }
  }

  /** `file`: where the bytes are, unless they are in memory. */
  async #upload(body: NonNullable<Ask['body']>, contentType: string, file?: string): Promise<BlobInfo> {
    const { sha256, size } = body
    await this.#beforePut?.(sha256, async () => (await this.find(sha256)) !== undefined)
    await this.#alone(sha256, () =>
      this.#inTurn(async () => {
        if (size > UNASKED_BYTES_MAX && (await this.find(sha256)) !== undefined) return
        if (file !== undefined && size > this.#partBytes) {
          await putInParts(this.#requests, keyOf(sha256), { path: file, size, contentType }, this.#partBytes)
          return
        }
        const headers = { 'content-type': contentType, 'content-length': String(size) }
        await drain(
          await this.#requests.ask({ method: 'PUT', key: keyOf(sha256), headers, body, expected: [200] }),
        )
      }),
    )
    return { sha256, size }
  }

  async find(sha256: string): Promise<BlobInfo | undefined> {
    if (!isSha256(sha256)) return undefined
    const answer = await this.#requests.ask({ method: 'HEAD', key: keyOf(sha256), expected: [200, 404] })
    await drain(answer)
    return answer.status === 404 ? undefined : { sha256, size: Number(answer.headers['content-length']) }
  }

  async read(sha256: string, range?: ByteRange): Promise<BlobPart | undefined> {
    if (!isSha256(sha256)) return undefined
    if (range !== undefined && 'suffix' in range) {
      // Some services mistake the end of an object for its beginning, so ranges are requested by byte numbers alone.
      const found = await this.find(sha256)
      const part = found && partOf(found.size, range)
      return part && this.read(sha256, { first: part.first, last: part.size - 1 })
    }
    if (range !== undefined && range.last < range.first) return undefined
    const headers = range === undefined ? {} : { range: `bytes=${range.first}-${range.last}` }
    const answer = await this.#requests.ask({
      method: 'GET',
      key: keyOf(sha256),
      headers,
      expected: [200, 206, 404, 416],
    })
    if (answer.status === 404 || answer.status === 416) {
      await drain(answer)
      return undefined
    }
    // A destroyed stream emits an error, which nobody else handles.
    answer.body.on('error', () => {})
    return { ...readPart(answer), stream: answer.body }
  }

  async remove(sha256: string, signal: AbortSignal): Promise<void> {
    if (!isSha256(sha256)) return
    await this.#alone(sha256, async () =>
      drain(
        await this.#requests.ask({ method: 'DELETE', key: keyOf(sha256), signal, expected: [200, 204, 404] }),
      ),
    )
  }

  async *list(): AsyncGenerator<BlobInfo> {
    for (let token: string | undefined = ''; token !== undefined; ) {
      const query: Record<string, string> = { 'list-type': '2', prefix: PREFIX }
      if (token !== '') query['continuation-token'] = token
      const text = await readText(
        await this.#requests.ask({ method: 'GET', query, expected: [200] }),
        LIST_BYTES_MAX,
      )
      for (const contents of text.split('<Contents>').slice(1)) {
        const sha256 = element(contents, 'Key').slice(PREFIX.length)
        if (isSha256(sha256)) yield { sha256, size: Number(element(contents, 'Size')) }
      }
      token = element(text, 'NextContinuationToken') || undefined
    }
  }

  claim(installation: string, signal?: AbortSignal): Promise<void> {
    return claimBucket(this.#requests, { key: `${PREFIX}owner`, signal }, installation)
  }

  removeAbandoned(before: Date): Promise<void> {
    return abandonParts(this.#requests, PREFIX, before)
  }
}

/** The range of an answer. A service without range support answers 200 and everything. */
function readPart({ status, headers }: Answer): Omit<BlobPart, 'stream'> {
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '')
  if (status === 206 && range !== null) {
    const [first = 0, last = 0, size = 0] = range.slice(1).map(Number)
    return { size, first, length: last - first + 1 }
  }
  const size = Number(headers['content-length'])
  return { size, first: 0, length: size }
}
