// The bytes of a picture as a PDF file has it. What is scaled is kept by the hash of the file, and made once for all
// documents that show it.
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import type { FileRecord } from '../../engines/content/records.ts'
import type { Services } from '../../http/context.ts'
import { isScaled, type Scaler, type Size } from '../../platform/pictures/scaler.ts'
import type { FileCache } from './file-cache.ts'
import type { DrawnPicture } from './pictures.ts'

/** A picture that cannot be scaled goes as it is up to this: three or four bytes for each pixel. */
const UNSCALED_PIXELS_MAX = 8_000_000

type With = {
  readonly blobs: Services['blobs']
  readonly kept: FileCache
  readonly scaler: Scaler
}

/** Null if there is none, or none that fits. */
export async function readPicture(
  { blobs, kept, scaler }: With,
  picture: DrawnPicture | undefined,
): Promise<Uint8Array | null> {
  if (picture === undefined) return null
  const { file, size } = picture
  if (size === undefined) return readWhole(blobs, file)
  try {
    const { path } = await kept.get(JSON.stringify([file.blob, size.width, size.height]), () =>
      scaled({ blobs, scaler }, file, size),
    )
    return await readFile(path)
  } catch (error) {
    if (!(error instanceof Unscalable)) throw error
    const { width, height } = file.dimensions ?? size
    return width * height <= UNSCALED_PIXELS_MAX ? readWhole(blobs, file) : null
  }
}

/** It is nothing to keep, so that the time or memory that it lacked can be there later. */
class Unscalable extends Error {}

async function scaled(
  { blobs, scaler }: Pick<With, 'blobs' | 'scaler'>,
  file: FileRecord,
  size: Size,
): Promise<Uint8Array> {
  const bytes = await readWhole(blobs, file)
  if (bytes === null || !isScaled(file.contentType)) throw new Unscalable()
  const smaller = await scaler.scale(new Uint8Array(bytes), file.contentType, size)
  if (smaller === undefined) throw new Unscalable()
  return smaller
}

async function readWhole(blobs: Services['blobs'], file: FileRecord): Promise<Uint8Array | null> {
  const stored = await blobs.read(file.blob)
  return stored === undefined ? null : buffer(stored.stream)
}
