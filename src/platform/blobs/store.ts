// Where the bytes of files are kept: immutable, named by their SHA-256, and shared by everything that names them.
// Every implementation passes blobs.conformance.ts.
import type { Readable } from 'node:stream'
import { diskFull, Failure, invalid, isDiskFull, tooLarge, unavailable } from '../../base/errors.ts'

export type PutOptions = {
  readonly contentType: string
  /** The required SHA-256 of the bytes, 64 hex digits; other bytes are refused. */
  readonly sha256?: string
  /** For a stream; a longer one is refused. */
  readonly bytesMax?: number
}

export type BlobInfo = { readonly sha256: string; readonly size: number }

/** As in a Range header: both ends included, with `last` beyond the end meaning the end; or the last `suffix` bytes. */
export type ByteRange = { readonly first: number; readonly last: number } | { readonly suffix: number }

export type BlobPart = {
  /** Of the whole blob. */
  readonly size: number
  /** The content of the stream: `length` bytes from `first` on. */
  readonly first: number
  readonly length: number
  /** Has to be read or destroyed. */
  readonly stream: Readable
}

export interface BlobStore {
  /**
   * Keeps the bytes. When it resolves they survive a loss of power. Existing bytes are not written again. Any number
   * of puts may run at once: the store bounds its own concurrency.
   *
   * @throws Failure invalid `blob_hash_wrong`; too_large `blob_too_large`; unavailable `blobs_unavailable`,
   * `blob_busy`.
   */
  put(content: Uint8Array | AsyncIterable<Uint8Array>, options: PutOptions): Promise<BlobInfo>
  /**
   * The blob's size, or undefined if it does not exist. A hint, not a promise: only a put keeps it from being swept.
   */
  find(sha256: string): Promise<BlobInfo | undefined>
  /** The bytes, or those of a range; undefined if the blob does not exist or the range holds no byte of it. */
  read(sha256: string, range?: ByteRange): Promise<BlobPart | undefined>
  /**
   * Idempotent: succeeds if the blob does not exist. Only for the sweep, which has made sure that no put of the blob
   * is running (sweep.ts).
   */
  remove(sha256: string, signal: AbortSignal): Promise<void>
  /**
   * Makes sure that no other installation removes blobs from this store.
   *
   * @throws Failure conflict `bucket_taken`; unavailable `blobs_unavailable`.
   */
  claim(installation: string, signal?: AbortSignal): Promise<void>
  /** Removes the remains of unfinished puts that began before `before`. */
  removeAbandoned(before: Date): Promise<void>
  /** Every blob, in no order. */
  list(): AsyncIterable<BlobInfo>
}

/**
 * Called with a blob's hash before its bytes are stored; the put waits for it. `isThere` checks for the bytes, since
 * another put of the same bytes may be ahead.
 */
export type BeforePut = (sha256: string, isThere: () => Promise<boolean>) => Promise<void>

/** Where the part begins and how long it is; undefined if the range holds no byte of a blob of that size. */
export function partOf(size: number, range: ByteRange | undefined): Omit<BlobPart, 'stream'> | undefined {
  if (range === undefined) return { size, first: 0, length: size }
  const first = 'suffix' in range ? Math.max(0, size - range.suffix) : range.first
  const last = 'suffix' in range ? size - 1 : Math.min(range.last, size - 1)
  return first <= last ? { size, first, length: last - first + 1 } : undefined
}

const SHA256 = /^[0-9a-f]{64}$/

/** Hashes become paths and keys, so nothing else passes. */
export const isSha256 = (text: string): boolean => SHA256.test(text)

export const hashWrong = (): Failure =>
  invalid('blob_hash_wrong', 'The bytes do not have the SHA-256 that was given.')

export const blobTooLarge = (bytesMax: number): Failure =>
  tooLarge('blob_too_large', `The file is larger than ${bytesMax} bytes, which is the most that is kept.`)

export const isFailure = (reason: unknown): reason is Failure => reason instanceof Failure

/** An error of the file system as a failure of the store; other errors (a source that broke off) as they are. */
export const asStoreFailure = (reason: unknown): unknown =>
  isDiskFull(reason)
    ? diskFull(reason)
    : reason instanceof Error && 'syscall' in reason
      ? unavailable('blobs_unavailable', 'The file could not be kept: the disk refused it.', reason)
      : reason
