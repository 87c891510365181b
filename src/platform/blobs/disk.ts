// Blobs as files in one folder: `<folder>/ab/cd/abcd…`, written elsewhere and renamed, so that a file under its final
// name is complete. One process uses the folder.
import { mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sha256 as hashOf } from '../../base/canonical.ts'
import { ifMissing } from '../missing-files.ts'
import { openSpool, type Spool, type Spooled } from './spool.ts'
import type { BeforePut, BlobInfo, BlobPart, BlobStore, ByteRange, PutOptions } from './store.ts'
import { asStoreFailure, hashWrong, isSha256, partOf } from './store.ts'
import { limitConcurrency, oneByOne } from './turns.ts'

// Waits for the disk overlap; more would take every thread that Node has for files.
const WRITES_AT_ONCE_MAX = 8
const TEMPORARY = 'temporary'

/** Opens the folder, making it if necessary; half-written files of a killed process are removed. */
export const openDiskBlobs = async (folder: string, beforePut?: BeforePut): Promise<BlobStore> =>
  new DiskBlobs(folder, await openSpool(join(folder, TEMPORARY)), beforePut)

class DiskBlobs implements BlobStore {
  readonly #folder: string
  readonly #spool: Spool
  readonly #beforePut: BeforePut | undefined
  readonly #inTurn = limitConcurrency(WRITES_AT_ONCE_MAX)
  /** Puts and removals of one blob wait for each other, so that a removal never sees half of a put. */
  readonly #alone = oneByOne()
  /** Folders whose own directory entries are known to be on the disk. */
  readonly #madeFolders = new Set<string>()

  constructor(folder: string, spool: Spool, beforePut: BeforePut | undefined) {
    this.#folder = folder
    this.#spool = spool
    this.#beforePut = beforePut
  }

  async put(content: Uint8Array | AsyncIterable<Uint8Array>, options: PutOptions): Promise<BlobInfo> {
    try {
      return await (content instanceof Uint8Array
        ? this.#putBytes(content, options)
        : this.#putStream(content, options))
    } catch (reason) {
      throw asStoreFailure(reason)
    }
  }

  async #putBytes(bytes: Uint8Array, { sha256: expected }: PutOptions): Promise<BlobInfo> {
    const sha256 = hashOf(bytes)
    if (expected !== undefined && expected !== sha256) throw hashWrong()
    await this.#tell(sha256)
    await this.#alone(sha256, async () => {
      if ((await statIfThere(this.#path(sha256))) !== undefined) return
      await this.#inTurn(async () => this.#place(await this.#spool.keep(bytes, sha256)))
    })
    return { sha256, size: bytes.length }
  }

  // Reading the stream takes no turn: it lasts as long as its source, and a slow sender would keep others waiting.
  async #putStream(stream: AsyncIterable<Uint8Array>, options: PutOptions): Promise<BlobInfo> {
    const spooled = await this.#spool.fill(stream, options)
    const { sha256, size } = spooled
    await this.#tell(sha256).catch(async reason => {
      await spooled.discard()
      throw reason
    })
    await this.#alone(sha256, () => this.#inTurn(() => this.#place(spooled)))
    return { sha256, size }
  }

  async #tell(sha256: string): Promise<void> {
    await this.#beforePut?.(sha256, async () => (await this.find(sha256)) !== undefined)
  }

  async #place(spooled: Spooled): Promise<void> {
    const path = this.#path(spooled.sha256)
    try {
      await this.#makeFolder(dirname(path))
      await rename(spooled.path, path)
      await syncFolder(dirname(path))
    } catch (reason) {
      await spooled.discard()
      throw reason
    }
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

  async find(sha256: string): Promise<BlobInfo | undefined> {
    const found = isSha256(sha256) ? await statIfThere(this.#path(sha256)) : undefined
    return found === undefined ? undefined : { sha256, size: found.size }
  }

  async read(sha256: string, range?: ByteRange): Promise<BlobPart | undefined> {
    if (!isSha256(sha256)) return undefined
    const file = await open(this.#path(sha256), 'r').catch(ifMissing)
    if (file === undefined) return undefined
    try {
      const part = partOf((await file.stat()).size, range)
      if (part === undefined) {
        await file.close()
        return undefined
      }
      // An empty range would read everything, since `end` is inclusive.
      const { first, length } = part
      const bounds = length === 0 ? {} : { start: first, end: first + length - 1 }
      return { ...part, stream: file.createReadStream(bounds) }
    } catch (reason) {
      await file.close()
      throw reason
    }
  }

  async remove(sha256: string): Promise<void> {
    if (!isSha256(sha256)) return
    await this.#alone(sha256, async () => unlink(this.#path(sha256)).catch(ifMissing))
  }

  /** Not needed: the folder is locked. */
  async claim(): Promise<void> {}

  /** Not needed: only a killed process leaves any, and the next start removes them. */
  async removeAbandoned(): Promise<void> {}

  async *list(): AsyncGenerator<BlobInfo> {
    for (const first of await namesIn(this.#folder)) {
      if (first.length !== 2) continue
      for (const second of await namesIn(join(this.#folder, first))) {
        for (const sha256 of await namesIn(join(this.#folder, first, second))) {
          const found = await this.find(sha256)
          if (found !== undefined) yield found
        }
      }
    }
  }

  #path(sha256: string): string {
    return join(this.#folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256)
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

const statIfThere = (path: string) => stat(path).catch(ifMissing)

const namesIn = async (folder: string): Promise<string[]> => (await readdir(folder).catch(ifMissing)) ?? []
