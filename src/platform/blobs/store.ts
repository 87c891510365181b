// Where the bytes of files are kept: immutable, named by their SHA-256, shared by everything that has them.
// Every implementation passes blobs.conformance.ts.
import type { Readable } from 'node:stream'
import { diskFull, Failure, invalid, isDiskFull, tooLarge, unavailable } from '../../base/errors.ts'

export type PutOptions = {
  readonly contentType: string
  /** What the bytes must hash to, 64 hex digits; anything else is refused. */
  readonly sha256?: string
  /** Of a stream; more are refused. */
  readonly bytesMax?: number
}

export type BlobInfo = { readonly sha256: string; readonly size: number }

/** Both ends included, as in a Range header; `last` beyond the end means the end. */
export type ByteRange = { readonly first: number; readonly last: number }

export interface BlobStore {
  /**
   * Keeps the bytes. When it resolves they survive a loss of power. Bytes that are there already are not written
   * again; the put counts as new all the same (see `remove`). Any number may run at once: the store bounds how many
   * of them work.
   *
   * @throws Failure invalid `blob_hash_wrong`; too_large `blob_too_large`; unavailable `blobs_unavailable`.
   */
  put(content: Uint8Array | AsyncIterable<Uint8Array>, options: PutOptions): Promise<BlobInfo>
  /** Those of `hashes` that are there. A hint, not a promise: only a put keeps a blob from being swept. */
  has(hashes: readonly string[]): Promise<Set<string>>
  /**
   * The bytes, or those of a range; undefined when there is no such blob or the range begins beyond its end. `size`
   * is that of the whole blob. The stream has to be read or destroyed.
   */
  read(
    sha256: string,
    range?: ByteRange,
  ): Promise<{ readonly size: number; readonly stream: Readable } | undefined>
  /**
   * Removes a blob that nobody refers to, unless it was put (again) since `putBefore`: whoever puts a blob and then
   * refers to it is safe from a sweeper that looked for references before. `putBefore` has to lie at least
   * SWEEP_AGE_HOURS back. Answers whether it is gone.
   */
  remove(sha256: string, putBefore: Date): Promise<boolean>
  /** Every blob, in no order, for the sweeper. */
  list(): AsyncIterable<BlobInfo & { readonly putAt: Date }>
}

/** A put of bytes that are there may leave `putAt` as it is for half of this, to spare the write. */
export const SWEEP_AGE_HOURS = 24

/** How old `putAt` may become before a put renews it. */
export const RENEW_AFTER_MILLISECONDS = (SWEEP_AGE_HOURS / 2) * 3_600_000

const SHA256 = /^[0-9a-f]{64}$/

/** Hashes become paths and keys, so nothing else passes. */
export const isSha256 = (text: string): boolean => SHA256.test(text)

export const hashWrong = (): Failure =>
  invalid('blob_hash_wrong', 'The bytes are not those that their SHA-256 names.')

export const blobTooLarge = (bytesMax: number): Failure =>
  tooLarge('blob_too_large', `The file is larger than ${bytesMax} bytes, which is the most that is kept.`)

export const isFailure = (reason: unknown): reason is Failure => reason instanceof Failure

/** What the file system refused, as a failure of the store; everything else (a source that broke off) as it is. */
export const asStoreFailure = (reason: unknown): unknown =>
  isDiskFull(reason)
    ? diskFull(reason)
    : reason instanceof Error && 'syscall' in reason
      ? unavailable('blobs_unavailable', 'The file could not be kept: the disk refused it.', reason)
      : reason
