// Temporary files for bytes whose name is known only at the end: a blob is named by its hash.
import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../../base/ids.ts'
import { type BlobInfo, blobTooLarge, hashWrong, type PutOptions } from './store.ts'

export type Spooled = BlobInfo & {
  readonly path: string
  /** Removes the file if it is still there. */
  discard(): Promise<void>
}

export interface Spool {
  /** Stores bytes with a known hash. They are on the disk when this resolves, as with `fill`. */
  keep(bytes: Uint8Array, sha256: string): Promise<Spooled>
  /** @throws Failure invalid `blob_hash_wrong`; too_large `blob_too_large`. */
  fill(stream: AsyncIterable<Uint8Array>, options: Pick<PutOptions, 'sha256' | 'bytesMax'>): Promise<Spooled>
}

/** Opens the folder and empties it: its files were left by a killed process. */
export async function openSpool(folder: string): Promise<Spool> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })

  const write = async (fill: (file: FileHandle) => Promise<BlobInfo>): Promise<Spooled> => {
    const path = join(folder, newId())
    const discard = (): Promise<void> => rm(path, { force: true })
    try {
      const file = await open(path, 'wx', 0o600)
      try {
        const info = await fill(file)
        await file.datasync()
        return { ...info, path, discard }
      } finally {
        await file.close()
      }
    } catch (reason) {
      await discard()
      throw reason
    }
  }

  return {
    keep: (bytes, sha256) =>
      write(async file => {
        await file.writeFile(bytes)
        return { sha256, size: bytes.length }
      }),
    fill: (stream, { sha256: expected, bytesMax = Number.POSITIVE_INFINITY }) =>
      write(async file => {
        const hash = createHash('sha256')
        let size = 0
        for await (const chunk of stream) {
          size += chunk.length
          if (size > bytesMax) throw blobTooLarge(bytesMax)
          hash.update(chunk)
          await file.writeFile(chunk)
        }
        const sha256 = hash.digest('hex')
        if (expected !== undefined && expected !== sha256) throw hashWrong()
        return { sha256, size }
      }),
  }
}
