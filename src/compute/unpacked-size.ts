// What the objects of a git pack unpack to, by the sizes that they declare
// (https://git-scm.com/docs/pack-format): 35 KB of deltas can ask git for hours of a core. Nothing is unpacked beyond
// the bound; the work is linear in the bytes of the pack and in the bound.
import { closeSync, openSync, readSync } from 'node:fs'
import { createInflate, type Inflate, inflateSync } from 'node:zlib'
import { ownMember } from '../base/objects.ts'
import type { Task } from './task.ts'

export type PackToMeasure = {
  /** A file. */
  readonly path: string
  /** It is measured no further once it exceeds this. */
  readonly bytesMax: number
}

/** Undefined if the file is not a pack that can be read. */
export const unpackedSize: Task<PackToMeasure, number | undefined> = async ({ path, bytesMax }) => {
  const file = openSync(path, 'r')
  try {
    return await measure(new FileReader(file), bytesMax)
  } catch (error) {
    if (error instanceof Broken || ZLIB_CODES.has(String(ownMember(error, 'code')))) return undefined
    throw error
  } finally {
    closeSync(file)
  }
}

class Broken extends Error {}

const ZLIB_CODES = new Set(['Z_DATA_ERROR', 'Z_BUF_ERROR', 'Z_NEED_DICT', 'ERR_BUFFER_TOO_LARGE'])

const COUNT_AT = 8
const HEADER_BYTES = 12
const ID_BYTES = 20
const DELTA_OF_OFFSET = 6
const DELTA_OF_ID = 7
/** Enough for the two sizes that a delta begins with. */
const SIZES_BYTES = 20

async function measure(reader: FileReader, bytesMax: number): Promise<number> {
  const count = reader.take(HEADER_BYTES).readUInt32BE(COUNT_AT)
  let bytes = 0
  for (let at = 0; at < count && bytes <= bytesMax; at += 1) {
    const { type, size } = readHead(reader)
    bytes += size
    const isDelta = type === DELTA_OF_OFFSET || type === DELTA_OF_ID
    if (type === DELTA_OF_ID) reader.take(ID_BYTES)
    // The distance of the base.
    if (type === DELTA_OF_OFFSET) readNumber(() => reader.takeByte())
    if (bytes > bytesMax) break
    const beginning = size <= AT_ONCE_BYTES_MAX ? inflateAtOnce(reader, size) : undefined
    const { unpacked, head } = beginning ?? (await inflateInPieces(reader, size))
    if (unpacked !== size) throw new Broken()
    if (isDelta) bytes += resultSizeOf(head)
  }
  return bytes
}

function readHead(reader: FileReader): { type: number; size: number } {
  const first = reader.takeByte()
  const type = (first >> 4) & 7
  const more = first < 128 ? 0 : readNumber(() => reader.takeByte())
  return { type, size: (first & 15) + more * 16 }
}

const NUMBER_BYTES_MAX = 9

/** Seven bits in each byte, the lowest first. */
function readNumber(next: () => number): number {
  let number = 0
  for (let at = 0; at < NUMBER_BYTES_MAX; at += 1) {
    const byte = next()
    number += (byte & 127) * 128 ** at
    if (byte < 128) return number
  }
  throw new Broken()
}

/** A delta begins with the sizes of its base and of its result. */
function resultSizeOf(head: Uint8Array): number {
  let at = 0
  const next = () => head[at++] ?? 0
  readNumber(next)
  return readNumber(next)
}

type Unpacked = { readonly unpacked: number; readonly head: Uint8Array }

// Most objects: a stream for each takes ten times as long.
const AT_ONCE_BYTES_MAX = 1024 * 1024

/** Undefined if its packed bytes do not fit in the window: empty parts can make them of any length. */
function inflateAtOnce(reader: FileReader, size: number): Unpacked | undefined {
  const packed = reader.window()
  try {
    const { buffer, engine } = inflateSync(packed, {
      ...{ info: true, maxOutputLength: size + 1, chunkSize: Math.max(CHUNK_BYTES_MIN, size + 1) },
      // The types of Node do not know that `info` changes the result.
    }) as unknown as { buffer: Buffer; engine: Inflate }
    reader.skip(engine.bytesWritten)
    return { unpacked: buffer.length, head: buffer.subarray(0, SIZES_BYTES) }
  } catch (error) {
    if (ownMember(error, 'code') === 'Z_BUF_ERROR' && !reader.isAtEnd) return undefined
    throw error
  }
}

const CHUNK_BYTES_MIN = 64

// With the usual 16 KiB, a core has five times as much to do.
const PIECE_BYTES = 1024 * 1024

async function inflateInPieces(reader: FileReader, size: number): Promise<Unpacked> {
  const inflate = createInflate({ chunkSize: PIECE_BYTES })
  let unpacked = 0
  let head = Buffer.alloc(0)
  let isOver = false
  const over = new Promise<void>((resolve, reject) => {
    inflate.on('data', (chunk: Buffer) => {
      if (head.length < SIZES_BYTES) head = Buffer.concat([head, chunk.subarray(0, SIZES_BYTES)])
      unpacked += chunk.length
      if (unpacked > size) inflate.destroy(new Broken())
    })
    inflate.once('end', resolve).once('error', reject)
  }).finally(() => {
    isOver = true
  })
  over.catch(() => {})
  try {
    for (let taken = 0; !isOver; ) {
      const piece = reader.window()
      if (piece.length === 0) throw new Broken()
      // A write within which the stream ends is never called done.
      await Promise.race([over, new Promise(resolve => inflate.write(piece, resolve))])
      reader.skip(inflate.bytesWritten - taken)
      taken = inflate.bytesWritten
    }
    await over
    return { unpacked, head }
  } finally {
    inflate.destroy()
  }
}

const WINDOW_BYTES = 2 * 1024 * 1024

/** A file from its beginning, through a window. */
class FileReader {
  readonly #file: number
  readonly #bytes = Buffer.allocUnsafeSlow(WINDOW_BYTES)
  #at = 0
  #end = 0
  isAtEnd = false

  constructor(file: number) {
    this.#file = file
  }

  /** The bytes that come next: at least half of the window, or all that are left. Valid until the next call. */
  window(): Buffer {
    if (this.#end - this.#at < WINDOW_BYTES / 2 && !this.isAtEnd) {
      this.#bytes.copy(this.#bytes, 0, this.#at, this.#end)
      this.#end -= this.#at
      this.#at = 0
      while (this.#end < WINDOW_BYTES && !this.isAtEnd) {
        const read = readSync(this.#file, this.#bytes, this.#end, WINDOW_BYTES - this.#end, null)
        this.#end += read
        this.isAtEnd = read === 0
      }
    }
    return this.#bytes.subarray(this.#at, this.#end)
  }

  skip(bytes: number): void {
    this.#at += bytes
  }

  take(bytes: number): Buffer {
    const taken = this.window().subarray(0, bytes)
    if (taken.length < bytes) throw new Broken()
    this.skip(bytes)
    return taken
  }

  takeByte(): number {
    return this.take(1)[0] ?? 0
  }
}
