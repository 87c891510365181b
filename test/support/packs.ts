// Git packs by hand, also those that no git makes (https://git-scm.com/docs/pack-format).
import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

export const [COMMIT, BLOB, OF_ID] = [1, 3, 7]
const OF_OFFSET = 6

/** An object with the size that it says it has; what is `before` its packed body names the base of a delta. */
export type PackedObject = {
  readonly type: number
  readonly size: number
  readonly body: Buffer
  readonly before?: Buffer
}

export const packed = (type: number, content: Uint8Array, before?: Buffer): PackedObject => ({
  ...{ type, size: content.length, body: deflateSync(content, { level: 9 }) },
  ...(before === undefined ? {} : { before }),
})

export const packedBlob = (text: string): PackedObject => packed(BLOB, Buffer.from(text))

/** `counted`: how many objects it says it has. */
export function packOf(objects: readonly PackedObject[], counted = objects.length): Buffer {
  const header = Buffer.alloc(12)
  header.write('PACK')
  header.writeUInt32BE(2, 4)
  header.writeUInt32BE(counted, 8)
  const pack = Buffer.concat([header, ...objects.map(bytesOf)])
  return Buffer.concat([pack, createHash('sha1').update(pack).digest()])
}

function bytesOf({ type, size, body, before = Buffer.alloc(0) }: PackedObject): Buffer {
  const rest = Math.floor(size / 16)
  const first = Buffer.from([(rest > 0 ? 128 : 0) | (type << 4) | (size & 15)])
  return Buffer.concat([first, ...(rest > 0 ? [numberOf(rest)] : []), before, body])
}

/** Seven bits in each byte, the lowest first. */
function numberOf(number: number): Buffer {
  const bytes = [number % 128]
  for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 128
    bytes.push(rest % 128)
  }
  return Buffer.from(bytes)
}

/** A base this far before the delta in the pack. */
function distanceOf(distance: number): Buffer {
  const bytes = [distance & 127]
  for (let rest = Math.floor(distance / 128); rest > 0; rest = Math.floor(rest / 128)) {
    rest -= 1
    bytes.unshift(128 | (rest & 127))
  }
  return Buffer.from(bytes)
}

const COPIED_MAX = 0xff_ffff

/** A delta that copies the whole base `times` times, and adds a byte that tells it from others. */
function copying(baseBytes: number, times: number, byte: number): Buffer {
  const copies: Buffer[] = []
  for (let time = 0; time < times; time += 1)
    for (let at = 0; at < baseBytes; at += COPIED_MAX) {
      const size = Math.min(COPIED_MAX, baseBytes - at)
      const copy = Buffer.alloc(8)
      copy[0] = 0b1111_1111
      copy.writeUInt32LE(at, 1)
      copy.writeUIntLE(size, 5, 3)
      copies.push(copy)
    }
  const result = baseBytes * times + 2
  const added = Buffer.from([2, byte & 255, (byte >> 8) & 255])
  return Buffer.concat([numberOf(baseBytes), numberOf(result), ...copies, added])
}

/**
 * A pack of some 30 KB: a blob that packs to a thousandth, deltas that double it up to 128 MB, and deltas of that size,
 * each on the one before. It unpacks to some 40 GB.
 */
export function deltaBomb(deltas = 300): Buffer {
  let bytes = 2 ** 21
  const objects = [packed(BLOB, Buffer.alloc(bytes))]
  let last = bytesOf(objects[0]!).length
  for (let at = 0; at < deltas; at += 1) {
    const times = bytes < 2 ** 27 ? 2 : 1
    const delta = packed(OF_OFFSET, copying(bytes, times, at), distanceOf(last))
    objects.push(delta)
    last = bytesOf(delta).length
    bytes = bytes * times + 2
  }
  return packOf(objects)
}
