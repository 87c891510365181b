// The lines that git clients and servers exchange (https://git-scm.com/docs/protocol-common): each begins with its
// length in four hex digits, including themselves; `0000` ends a list.
import { invalid } from '../../base/errors.ts'

const LENGTH_BYTES = 4
/** Of one line, including its length: LARGE_PACKET_MAX of git. */
const LINE_BYTES_MAX = 65_520

export const FLUSH = Buffer.from('0000')

export function pktLine(content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content)
  const length = (bytes.length + LENGTH_BYTES).toString(16).padStart(LENGTH_BYTES, '0')
  return Buffer.concat([Buffer.from(length), bytes])
}

/** Content on one of the client's multiplexed bands: 1 is the answer, 2 is shown to people as `remote: …`. */
export function* onBand(band: 1 | 2, content: string | Uint8Array): Generator<Buffer> {
  const bytes = Buffer.from(content)
  const size = LINE_BYTES_MAX - LENGTH_BYTES - 1
  for (let at = 0; at < bytes.length; at += size)
    yield pktLine(Buffer.concat([Buffer.from([band]), bytes.subarray(at, at + size)]))
}

/** Reads lines, and then the raw bytes that follow them. */
export class PktReader {
  readonly #chunks: AsyncIterator<Uint8Array>
  #rest: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /**
   * The lines up to `0000`; undefined if the stream is empty.
   *
   * @throws Failure invalid `body_invalid` if this is not such a list, or is longer than `bytesMax`.
   */
  async lines(bytesMax: number): Promise<Buffer[] | undefined> {
    const lines: Buffer[] = []
    for (let left = bytesMax; ; ) {
      const head = await this.#take(LENGTH_BYTES)
      if (head.length === 0 && lines.length === 0) return undefined
      const digits = head.toString('latin1')
      if (!/^[0-9a-f]{4}$/i.test(digits)) throw invalid('body_invalid', 'This is not what git sends.')
      const length = Number.parseInt(digits, 16)
      if (length === 0) return lines
      left -= length
      if (length < LENGTH_BYTES || left < 0)
        throw invalid('body_invalid', `Git sends at most ${bytesMax} bytes of commands here.`)
      const line = await this.#take(length - LENGTH_BYTES)
      if (line.length < length - LENGTH_BYTES) throw invalid('body_invalid', 'The request broke off.')
      lines.push(line)
    }
  }

  /** The bytes after the lines, as they arrive. */
  async *rest(): AsyncGenerator<Uint8Array> {
    if (this.#rest.length > 0) yield this.#rest
    this.#rest = Buffer.alloc(0)
    for (;;) {
      const { value, done } = await this.#chunks.next()
      if (done === true) return
      yield value
    }
  }

  /** Fewer than `size` only at the end of the stream. */
  async #take(size: number): Promise<Buffer> {
    while (this.#rest.length < size) {
      const { value, done } = await this.#chunks.next()
      if (done === true) break
      this.#rest = Buffer.concat([this.#rest, value])
    }
    const taken = this.#rest.subarray(0, size)
    this.#rest = this.#rest.subarray(size)
    return taken
  }
}
