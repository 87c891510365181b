// Blobs as files of one folder: `<folder>/ab/cd/abcd…`, written beside and renamed, so that a file that has its name
// is whole. One process uses the folder.
import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, unlink, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { type Clock, now } from '../../base/clock.ts'
import { unavailable } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import {
  type BlobInfo,
  type BlobStore,
  type ByteRange,
  blobTooLarge,
  hashWrong,
  isFailure,
  isSha256,
  type PutOptions,
  RENEW_AFTER_MILLISECONDS,
} from './store.ts'
import { atMost } from './turns.ts'

// Waits for the disk overlap; more would take every thread that Node has for files.
const WRITES_AT_ONCE_MAX = 8
const TEMPORARY = 'temporary'

/** Opens the folder, made when it is not there; what a killed process left half-written is removed. */
export async function openDiskBlobs(folder: string, clock: Clock = now): Promise<BlobStore> {
  await rm(join(folder, TEMPORARY), { recursive: true, force: true })
  await mkdir(join(folder, TEMPORARY), { recursive: true })
  return new DiskBlobs(folder, clock)
}

class DiskBlobs implements BlobStore {
  readonly #folder: string
  readonly #clock: Clock
  readonly #inWriteTurn = atMost(WRITES_AT_ONCE_MAX)
  /** Puts and removals of one blob follow each other, so that a removal never sees half of a put. */
  readonly #busy = new Map<string, Promise<unknown>>()
  /** Folders whose own names are known to be on the disk. */
  readonly #madeFolders = new Set<string>()

  constructor(folder: string, clock: Clock) {
    this.#folder = folder
    this.#clock = clock
  }

  async put(content: Uint8Array | AsyncIterable<Uint8Array>, options: PutOptions): Promise<BlobInfo> {
    try {
      return await (content instanceof Uint8Array
        ? this.#putBytes(content, options)
        : this.#putStream(content, options))
    } catch (cause) {
      throw isFailure(cause) ? cause : unavailable('blobs_unavailable', 'The file could not be kept.', cause)
    }
  }

  async #putBytes(bytes: Uint8Array, { sha256: expected }: PutOptions): Promise<BlobInfo> {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    if (expected !== undefined && expected !== sha256) throw hashWrong()
    await this.#alone(sha256, async () => {
      if (await this.#renew(sha256)) return
      await this.#inWriteTurn(() =>
        this.#write(async temporary => {
          await temporary.writeFile(bytes)
          return sha256
        }, this.#place),
      )
    })
    return { sha256, size: bytes.length }
  }

  // Takes no turn: it lasts as long as its source does, and would keep others waiting for a slow sender.
  async #putStream(stream: AsyncIterable<Uint8Array>, options: PutOptions): Promise<BlobInfo> {
    const hash = createHash('sha256')
    const bytesMax = options.bytesMax ?? Number.POSITIVE_INFINITY
    let size = 0
    const sha256 = await this.#write(
      async temporary => {
        for await (const chunk of stream) {
          size += chunk.length
          if (size > bytesMax) throw blobTooLarge(bytesMax)
          hash.update(chunk)
          await temporary.writeFile(chunk)
        }
        const name = hash.digest('hex')
        if (options.sha256 !== undefined && options.sha256 !== name) throw hashWrong()
        return name
      },
      (temporary, name) => this.#alone(name, () => this.#place(temporary, name)),
    )
    return { sha256, size }
  }

  /** Fills a temporary file, waits until it is on the disk, and gives it its name. */
  async #write(
    fill: (temporary: FileHandle) => Promise<string>,
    place: (temporary: string, sha256: string) => Promise<void>,
  ): Promise<string> {
    const temporary = join(this.#folder, TEMPORARY, newId())
    try {
      const file = await open(temporary, 'wx', 0o600)
      let sha256: string
      try {
        sha256 = await fill(file)
        await file.datasync()
      } finally {
        await file.close()
      }
      await place(temporary, sha256)
      return sha256
    } catch (reason) {
      await rm(temporary, { force: true })
      throw reason
    }
  }

  readonly #place = async (temporary: string, sha256: string): Promise<void> => {
    const path = this.#path(sha256)
    await this.#makeFolder(dirname(path))
    await rename(temporary, path)
    await syncFolder(dirname(path))
  }

  async #makeFolder(folder: string): Promise<void> {
    if (this.#madeFolders.has(folder)) return
    const first = await mkdir(folder, { recursive: true })
    if (first !== undefined) {
      await syncFolder(dirname(folder))
      if (first !== folder) await syncFolder(this.#folder)
    }
    this.#madeFolders.add(folder)
  }

  async #renew(sha256: string): Promise<boolean> {
    const path = this.#path(sha256)
    const found = await statIfThere(path)
    if (found === undefined) return false
    const time = this.#clock()
    if (time.getTime() - found.mtimeMs > RENEW_AFTER_MILLISECONDS) await utimes(path, time, time)
    return true
  }

  async has(hashes: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>()
    const inTurn = atMost(WRITES_AT_ONCE_MAX)
    await Promise.all(
      hashes.filter(isSha256).map(sha256 =>
        inTurn(async () => {
          if ((await statIfThere(this.#path(sha256))) !== undefined) found.add(sha256)
        }),
      ),
    )
    return found
  }

  async read(sha256: string, range?: ByteRange): Promise<{ size: number; stream: Readable } | undefined> {
    if (!isSha256(sha256)) return undefined
    const file = await open(this.#path(sha256), 'r').catch(ifMissing)
    if (file === undefined) return undefined
    try {
      const { size } = await file.stat()
      if (range !== undefined && (range.first >= size || range.last < range.first)) {
        await file.close()
        return undefined
      }
      const stream = file.createReadStream(range === undefined ? {} : { start: range.first, end: range.last })
      return { size, stream }
    } catch (reason) {
      await file.close()
      throw reason
    }
  }

  async remove(sha256: string, putBefore: Date): Promise<boolean> {
    if (!isSha256(sha256)) return true
    return this.#alone(sha256, async () => {
      const path = this.#path(sha256)
      const found = await statIfThere(path)
      if (found !== undefined && found.mtimeMs >= putBefore.getTime()) return false
      await unlink(path).catch(ifMissing)
      return true
    })
  }

  async *list(): AsyncGenerator<BlobInfo & { putAt: Date }> {
    for (const first of await namesIn(this.#folder)) {
      if (first.length !== 2) continue
      for (const second of await namesIn(join(this.#folder, first))) {
        for (const sha256 of await namesIn(join(this.#folder, first, second))) {
          const found = isSha256(sha256) ? await statIfThere(this.#path(sha256)) : undefined
          if (found !== undefined) yield { sha256, size: found.size, putAt: found.mtime }
        }
      }
    }
  }

  #path(sha256: string): string {
    return join(this.#folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256)
  }

  async #alone<T>(sha256: string, run: () => Promise<T>): Promise<T> {
    const before = this.#busy.get(sha256)
    const mine = before === undefined ? run() : before.then(run, run)
    this.#busy.set(sha256, mine)
    try {
      return await mine
    } finally {
      if (this.#busy.get(sha256) === mine) this.#busy.delete(sha256)
    }
  }
}

// A new name is on the disk only once its folder is.
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function ifMissing(reason: NodeJS.ErrnoException): undefined {
  if (reason.code !== 'ENOENT') throw reason
}

const statIfThere = (path: string) => stat(path).catch(ifMissing)

const namesIn = async (folder: string): Promise<string[]> => (await readdir(folder).catch(ifMissing)) ?? []
