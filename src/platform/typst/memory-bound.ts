// A memory bound for a WebAssembly module, which threads do not provide: a module whose memory declares no maximum
// may grow to 4 GB. With a bound, an allocation beyond it fails inside the module.

export const PAGE_BYTES = 64 * 1024

const HEADER_BYTES = 8
const MEMORY_SECTION = 5

/** The module with a maximum for its memory (WebAssembly Core 2.0, §5.5.8 and §5.3.7). */
export function boundMemory(module: Uint8Array, pagesMax: number): Uint8Array<ArrayBuffer> {
  for (let at = HEADER_BYTES; at < module.length; ) {
    const section = module[at]
    const size = readNumber(module, at + 1)
    const end = size.end + size.value
    if (section === MEMORY_SECTION) {
      const count = readNumber(module, size.end)
      const min = readNumber(module, count.end + 1)
      if (count.value !== 1 || min.value > pagesMax) break
      const limits = [1, 1, ...writeNumber(min.value), ...writeNumber(pagesMax)]
      return join([
        module.subarray(0, at),
        [MEMORY_SECTION, ...writeNumber(limits.length), ...limits],
        module.subarray(end),
      ])
    }
    at = end
  }
  throw new Error('the WebAssembly module has no memory that a bound can be put on')
}

/** LEB128, unsigned. */
function readNumber(bytes: Uint8Array, start: number): { readonly value: number; readonly end: number } {
  let value = 0
  let end = start
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[end++] ?? 0
    value += (byte & 0x7f) * factor
    if (byte < 0x80) return { value, end }
  }
}

function writeNumber(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  while (rest >= 128) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  return [...bytes, rest]
}

function join(parts: readonly (Uint8Array | readonly number[])[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
