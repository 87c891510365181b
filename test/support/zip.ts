// Zip archives as a hostile hand writes them: each field may say what is not so.
import { crc32, deflateRawSync } from 'node:zlib'

export type ZipEntry = {
  readonly path: string
  readonly text: string | Uint8Array
  /** What the archive says that it unpacks to; absent: the truth. */
  readonly claimedBytes?: number
  readonly isEncrypted?: boolean
  readonly isLink?: boolean
  readonly isExecutable?: boolean
  /** Made by a system whose upper attributes are no modes. */
  readonly isOfDos?: boolean
}

const record = (size: number, fields: readonly (readonly [at: number, value: number, bytes: 2 | 4])[]) => {
  const bytes = Buffer.alloc(size)
  for (const [at, value, width] of fields)
    width === 2 ? bytes.writeUInt16LE(value, at) : bytes.writeUInt32LE(value >>> 0, at)
  return bytes
}

/** The bytes of an archive. APPNOTE.TXT 4.3. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { path, text, claimedBytes, isEncrypted, isLink, isExecutable, isOfDos } of entries) {
    const name = Buffer.from(path)
    const content = Buffer.from(text)
    const packed = deflateRawSync(content)
    const size = claimedBytes ?? content.length
    const flags = 0x0800 | (isEncrypted === true ? 1 : 0)
    const common = (at: number): [number, number, 2 | 4][] => [
      [at, 20, 2],
      [at + 2, flags, 2],
      [at + 4, 8, 2],
      [at + 10, crc32(content), 4],
      [at + 14, packed.length, 4],
      [at + 18, size, 4],
      [at + 22, name.length, 2],
    ]
    const head = record(30, [[0, 0x04034b50, 4], ...common(4)])
    const mode = isLink === true ? 0o120777 : isExecutable === true ? 0o100755 : 0o100644
    const attributes = mode << 16
    const listed = record(46, [
      [0, 0x02014b50, 4],
      [4, isOfDos === true ? 0x0014 : 0x0314, 2],
      ...common(6),
      [38, attributes, 4],
      [42, offset, 4],
    ])
    files.push(head, name, packed)
    directory.push(listed, name)
    offset += head.length + name.length + packed.length
  }
  const list = Buffer.concat(directory)
  const end = record(22, [
    [0, 0x06054b50, 4],
    [8, entries.length, 2],
    [10, entries.length, 2],
    [12, list.length, 4],
    [16, offset, 4],
  ])
  return Buffer.concat([...files, list, end])
}
