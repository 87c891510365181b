// PNG pictures of one colour, and of noise.
import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

type Colour = readonly [red: number, green: number, blue: number, alpha: number]

/** `said`: what its header says of its size instead. */
export function pngOf(
  width: number,
  height: number,
  colour: Colour,
  { saidWidth = width, saidHeight = height } = {},
): Uint8Array<ArrayBuffer> {
  const row = Buffer.concat([Buffer.of(0), Buffer.alloc(width * 4, Buffer.from(colour))])
  return fileOf(saidWidth, saidHeight, Buffer.concat(Array.from({ length: height }, () => row)))
}

/** As a photograph has it: no two pixels are alike. */
export function noisePngOf(width: number, height: number, alpha: number): Uint8Array<ArrayBuffer> {
  const rows = Array.from({ length: height }, (_, at) => {
    const row = createHash('shake256', { outputLength: 1 + width * 4 })
      .update(`row ${at}`)
      .digest()
    row[0] = 0
    for (let pixel = 4; pixel < row.length; pixel += 4) row[pixel] = alpha
    return row
  })
  return fileOf(width, height, Buffer.concat(rows))
}

function fileOf(width: number, height: number, rows: Buffer): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits, red, green, blue and alpha.
  header.set([8, 6, 0, 0, 0], 8)
  const signature = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
  return new Uint8Array(
    Buffer.concat([
      signature,
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(rows)),
      chunk('IEND', Buffer.alloc(0)),
    ]),
  )
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
