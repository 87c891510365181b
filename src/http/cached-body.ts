// Bodies that are ready to be sent. Content is immutable, so the answer to a question about a revision is made once,
// kept as bytes with its ETag, and never invalidated: the key names everything it depends on. It is sent as 304 if
// the client has it, else compressed as the client accepts; callers set `cache-control` and `vary`.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { pause } from '../base/slices.ts'
import { createImmutableCache } from '../platform/cache/cache.ts'
import type { SigningKeys } from '../platform/keys/signing-keys.ts'
import { acceptsEncoding } from './encodings.ts'
import { renderJson } from './sliced-json.ts'

// Both run outside the event loop.
const COMPRESS = {
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: constants.Z_DEFAULT_COMPRESSION }),
  // Quality 5 takes as long as gzip with a smaller result; the default, 11, takes thirty times as long.
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
}
export type Coding = keyof typeof COMPRESS

// Compression saves too little below this size.
const COMPRESSED_BYTES_MIN = 1024

export class CachedBody {
  readonly bytes: Buffer
  /** A strong validator: the SHA-256 of the bytes, so it survives commits that leave this answer unchanged. */
  readonly etag: string
  readonly contentType: string
  readonly #compressed = new Map<Coding, Promise<Buffer>>()

  constructor(
    bytes: Buffer,
    contentType: string,
    etag = toEtag(createHash('sha256').update(bytes).digest('base64url')),
  ) {
    this.bytes = bytes
    this.etag = etag
    this.contentType = contentType
  }

  /** False for bodies too small to gain. */
  get isCompressible(): boolean {
    return this.bytes.length >= COMPRESSED_BYTES_MIN
  }

  /** Each coding is made at most once. */
  compressed(coding: Coding): Promise<Buffer> {
    const made = this.#compressed.get(coding) ?? COMPRESS[coding](this.bytes)
    this.#compressed.set(coding, made)
    return made
  }
}

const toEtag = (digest: string): string => `"${digest.slice(0, 27)}"`

const HASHED_AT_ONCE_BYTES = 1024 * 1024

/** A body for one answer, rendered in slices from a value that `renderJson` takes. */
export const toCachedBody = async (value: unknown): Promise<CachedBody> =>
  bodyOf(await renderJson(value), JSON_TYPE)

/** Hashes in slices, since the bytes may be many. */
async function bodyOf(bytes: Buffer, contentType: string): Promise<CachedBody> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += HASHED_AT_ONCE_BYTES) {
    hash.update(bytes.subarray(at, at + HASHED_AT_ONCE_BYTES))
    await pause()
  }
  return new CachedBody(bytes, contentType, toEtag(hash.digest('base64url')))
}

export interface CachedBodies {
  /**
   * The body for `key`, made by `build` when it is not cached: its bytes, or a value that `renderJson` takes. `key`
   * has to name everything the answer depends on, such as the root hash, the ids in its addresses and the question.
   */
  get(key: string, build: () => Promise<unknown>): Promise<CachedBody>
}

const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * `bytesMax` bounds the cache; a body larger than an eighth of it is not kept. `keys` sign the addresses in bodies: after
 * a rotation these are made again.
 */
export function createCachedBodies(
  bytesMax: number,
  contentType = JSON_TYPE,
  keys: Pick<SigningKeys, 'id'> = { id: '' },
): CachedBodies {
  const cache = createImmutableCache<CachedBody>({
    maxSize: bytesMax,
    maxEntrySize: Math.floor(bytesMax / 8),
    // compressed copies are a fraction of the body; key and objects take some 512 bytes
    sizeCalculation: (body, key) => Math.ceil(body.bytes.length * 1.5) + key.length + 512,
  })
  return {
    get: (key, build) =>
      cache.get(`${keys.id} ${key}`, async () => bodyOf(await bytesOf(await build()), contentType)),
  }
}

const bytesOf = async (value: unknown): Promise<Buffer> =>
  value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : renderJson(value)

/** Not a promise if there is nothing to wait for: a cached page is sent at once. */
type SentReply = FastifyReply | Promise<FastifyReply>

export function sendCachedBody(reply: FastifyReply, request: FastifyRequest, body: CachedBody): SentReply {
  return isUnchanged(reply, request, body) ? reply.code(304).send() : sendCompressed(reply, request, body)
}

/**
 * For a body that contains a secret of its reader. Its compressed length reveals how much of the secret equals other
 * text in the body, which an attacker may have chosen (https://www.breachattack.com).
 */
export function sendUncompressed(reply: FastifyReply, request: FastifyRequest, body: CachedBody): SentReply {
  return isUnchanged(reply, request, body)
    ? reply.code(304).send()
    : reply.header('content-type', body.contentType).send(body.bytes)
}

/** Sends only the body, for a caller that sets and compares its own `etag`. */
export function sendCompressed(reply: FastifyReply, request: FastifyRequest, body: CachedBody): SentReply {
  reply.header('content-type', body.contentType)
  const accepted = request.headers['accept-encoding']
  const coding = accepted !== undefined && body.isCompressible ? codingFor(accepted) : undefined
  if (coding === undefined) return reply.send(body.bytes)
  return body.compressed(coding).then(bytes => reply.header('content-encoding', coding).send(bytes))
}

function isUnchanged(reply: FastifyReply, { headers }: FastifyRequest, { etag }: CachedBody): boolean {
  reply.header('etag', etag)
  return reply.statusCode === 200 && matchesEtag(headers['if-none-match'], etag)
}

const codingFor = (accepted: string | readonly string[]) =>
  (['br', 'gzip'] as const).find(coding => acceptsEncoding(accepted, coding))

/** RFC 9110 §13.1.2: a list of entity tags compared weakly, or `*`. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some(tag => {
    const trimmed = tag.trim()
    return trimmed === '*' || trimmed.replace(/^W\//, '') === etag
  })
}
