// The file of a backup, written and read as a stream: entries of a gzipped tar file, hashed as they pass.
import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream, WritableStream } from 'node:stream/web'
import { createGunzip, createGzip } from 'node:zlib'
import { createTarDecoder, createTarPacker } from 'modern-tar'
import { now } from '../../base/clock.ts'
import { hashed } from '../../base/hashed.ts'
import { BLOBS } from './format.ts'

// Hashing blocks the thread for about a millisecond per megabyte.
const PIECE_BYTES = 256 * 1024
const BUFFER_BYTES = 256 * 1024

export interface ArchiveWriter {
  add(name: string, bytes: Uint8Array): Promise<void>
  /** @throws what `content` throws, and if it does not have `size` bytes. */
  addStream(name: string, size: number, content: AsyncIterable<Uint8Array>): Promise<void>
  /**
   * Hash of the names and sizes of all entries so far, and of the bytes of all but blobs, which are named by their
   * hash.
   */
  hash(): string
  /** The file is on the disk when this resolves. */
  finish(): Promise<void>
  /** Stops writing; the file stays as it is. */
  abandon(reason: unknown): Promise<void>
}

/**
 * A new file that only its owner may read.
 *
 * @throws `EEXIST` if it exists.
 */
export function writeArchive(path: string): ArchiveWriter {
  const { readable, controller } = createTarPacker()
  const hash = createHash('sha256')
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  // Level 1: the next levels take twice the time and save a tenth.
  const gzip = createGzip({ level: 1, chunkSize: BUFFER_BYTES })
  // The package types its streams as browsers' streams; at run time they are Node's.
  const written = pipeline(Readable.fromWeb(readable as ReadableStream), gzip, file)
  written.catch((error: unknown) => controller.error(error))

  async function addStream(name: string, size: number, content: AsyncIterable<Uint8Array>): Promise<void> {
    hashEntry(hash, name, size)
    const body = controller.add({ name, size, mtime: now(), mode: 0o600 }).getWriter()
    // The next write, or `finish`, throws the error.
    body.closed.catch(() => {})
    for await (const chunk of content)
      for (const piece of piecesOf(chunk)) {
        if (isHashed(name)) hash.update(piece)
        await body.write(piece)
      }
    await body.close()
  }

  return {
    add: (name, bytes) => addStream(name, bytes.length, Readable.from([bytes])),
    addStream,
    hash: () => hash.copy().digest('hex'),
    async finish() {
      controller.finalize()
      await written
    },
    async abandon(reason) {
      controller.error(reason)
      await written.catch(() => {})
    },
  }
}

export type Entry = {
  readonly name: string
  readonly size: number
  /** Has to be read to its end before the next entry is requested. */
  readonly body: AsyncIterable<Uint8Array>
  /** Of all entries before this one, like the writer's `hash`. */
  readonly hashBefore: string
}

/** @throws errors of the file system, gunzip and the tar reader. */
export async function* readArchive(path: string, signal: AbortSignal): AsyncGenerator<Entry> {
  const hash = createHash('sha256')
  const { readable, writable } = createTarDecoder({ strict: true })
  const gunzip = createGunzip({ chunkSize: BUFFER_BYTES })
  const source = createReadStream(path, { highWaterMark: BUFFER_BYTES })
  // The package types its streams as browsers' streams; at run time they are Node's.
  const unzipped = pipeline(source, gunzip, Writable.fromWeb(writable as WritableStream), { signal })
  unzipped.catch(() => {})
  try {
    for await (const { header, body } of readable) {
      const hashBefore = hash.copy().digest('hex')
      hashEntry(hash, header.name, header.size)
      yield {
        name: header.name,
        size: header.size,
        body: isHashed(header.name) ? hashed(body, hash) : body,
        hashBefore,
      }
    }
    await unzipped
  } finally {
    source.destroy()
  }
}

const isHashed = (name: string): boolean => !name.startsWith(BLOBS)

const hashEntry = (hash: Hash, name: string, size: number) => hash.update(`${name} ${size}\n`)

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}
