// Stores a pushed pack as it arrives, in a folder of its own. Git reads it when it is complete, so that no process of
// git waits for a slow client.
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { invalid, tooLarge } from '../../base/errors.ts'

export type PackArrival = {
  /** The folder, which does not exist yet. */
  readonly directory: string
  readonly input: AsyncIterable<Uint8Array>
  readonly bytesMax: number
  readonly objectsMax: number
  readonly signal?: AbortSignal | undefined
}

export type ReceivedPack = {
  readonly directory: string
  readonly path: string
  readonly bytes: number
  /** As many as the pack announces; none if nothing was sent. */
  readonly objects: number
}

// Bytes read from a refused body, so that its sender gets to read the reason.
const PASSED_BYTES_MAX = 1024 * 1024 * 1024
const HEADER_BYTES = 12

/**
 * Reads `input` to its end, up to a bound, even if it is refused.
 *
 * @throws Failure too_large `push_too_large`; invalid `pack_invalid`; the reason of `signal`.
 */
export async function receivePack(arrival: PackArrival): Promise<ReceivedPack> {
  const { directory, input, bytesMax, objectsMax, signal } = arrival
  await mkdir(directory, { recursive: true })
  const path = join(directory, 'pushed.pack')
  const chunks = input[Symbol.asyncIterator]()
  const file = await open(path, 'wx', 0o600)
  try {
    const header = await readHeader(chunks)
    if (header === undefined) return { directory, path, bytes: 0, objects: 0 }
    if (header.objects > objectsMax) throw tooManyObjects(objectsMax)
    let bytes = 0
    for (let chunk: Uint8Array | undefined = header.bytes; chunk !== undefined; ) {
      signal?.throwIfAborted()
      bytes += chunk.length
      if (bytes > bytesMax) throw tooManyBytes(bytesMax)
      await file.writeFile(chunk)
      const next = await chunks.next()
      chunk = next.done === true ? undefined : next.value
    }
    return { directory, path, bytes, objects: header.objects }
  } finally {
    await file.close()
    // A client that is answered before it has sent everything reports a broken connection.
    for (let passed = 0; !signal?.aborted && passed < PASSED_BYTES_MAX; ) {
      const { value, done } = await chunks.next()
      if (done === true) break
      passed += value.length
    }
  }
}

/** The beginning of a pack (https://git-scm.com/docs/pack-format), and the number of objects that it announces. */
async function readHeader(
  chunks: AsyncIterator<Uint8Array>,
): Promise<{ bytes: Buffer; objects: number } | undefined> {
  let bytes = Buffer.alloc(0)
  while (bytes.length < HEADER_BYTES) {
    const { value, done } = await chunks.next()
    if (done === true) break
    bytes = Buffer.concat([bytes, value])
  }
  if (bytes.length === 0) return undefined
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 4) !== 'PACK')
    throw invalid('pack_invalid', 'The pushed data is not a git pack.')
  return { bytes, objects: bytes.readUInt32BE(8) }
}

const tooManyBytes = (bytesMax: number) =>
  tooLarge(
    'push_too_large',
    `A push may have at most ${Math.round(bytesMax / 1024 / 1024)} MiB. Push in smaller steps.`,
  )

const tooManyObjects = (objectsMax: number) =>
  tooLarge(
    'push_too_large',
    `A push may have at most ${objectsMax} objects: commits, folders and files. Push in smaller steps.`,
  )
