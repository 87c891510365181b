// The first bytes of a stream that can be read only once.

/** The first `bytes` of a stream, and the whole stream including them. */
export async function readHead(
  stream: AsyncIterable<Uint8Array>,
  bytes: number,
): Promise<{ head: Uint8Array; all: AsyncIterable<Uint8Array> }> {
  const iterator = stream[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  let size = 0
  while (size < bytes) {
    const { value, done } = await iterator.next()
    if (done) break
    chunks.push(value)
    size += value.length
  }
  return {
    head: Buffer.concat(chunks).subarray(0, bytes),
    all: (async function* () {
      yield* chunks
      yield* { [Symbol.asyncIterator]: () => iterator }
    })(),
  }
}
