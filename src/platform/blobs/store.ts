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

/** As in a Range header: both ends included, where `last` beyond the end means the end; or the last bytes of all. */
export type ByteRange = { readonly first: number; readonly last: number } | { readonly suffix: number }

export type BlobPart = {
  /** Of the whole blob. */
  readonly size: number
  /** What the stream gives: `length` bytes from `first` on. */
  readonly first: number
  readonly length: number
  /** Has to be read or destroyed. */
  readonly stream: Readable
}

export interface BlobStore {
  /**
   * Keeps the bytes. When it resolves they survive a loss of power. Bytes that are there already are not written
   * again. Any number may run at once: the store bounds how many of them work.
   *
   * @throws Failure invalid `blob_hash_wrong`; too_large `blob_too_large`; unavailable `blobs_unavailable`, `blob_busy`.
   */
  put(content: Uint8Array | AsyncIterable<Uint8Array>, options: PutOptions): Promise<BlobInfo>
  /** How large it is, or undefined when there is no such blob. A hint, not a promise: only a put keeps it from being swept. */
  find(sha256: string): Promise<BlobInfo | undefined>
  /** The bytes, or those of a range; undefined when there is no such blob or the range holds no byte of it. */
  read(sha256: string, range?: ByteRange): Promise<BlobPart | undefined>
  /** Removes a blob, and does nothing where there is none. For the sweep alone, which has made sure that no put of it is running (sweep.ts). */
  remove(sha256: string, signal: AbortSignal): Promise<void>
  /**
   * Makes sure that no other installation removes blobs here. @throws Failure conflict `bucket_taken`; unavailable
   * `blobs_unavailable`.
   */
  claim(installation: string, signal?: AbortSignal): Promise<void>
  /** Removes what puts left that were begun before then and never ended. */
  removeAbandoned(before: Date): Promise<void>
  /** Every blob, in no order. */
  list(): AsyncIterable<BlobInfo>
}

/**
 * Called with a blob once its hash is known and before its bytes are stored under it; the put waits for it. `isThere` looks
 * for them: another put of the same bytes may be ahead.
 */
export type BeforePut = (sha256: string, isThere: () => Promise<boolean>) => Promise<void>

/** Where the part begins and how long it is; undefined when the range holds no byte of a blob of that size. */
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

/** What the file system refused, as a failure of the store; everything else (a source that broke off) as it is. */
export const asStoreFailure = (reason: unknown): unknown =>
  isDiskFull(reason)
    ? diskFull(reason)
    : reason instanceof Error && 'syscall' in reason
      ? unavailable('blobs_unavailable', 'The file could not be kept: the disk refused it.', reason)
      : reason
