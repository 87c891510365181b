// Lists of bytes as statement parameters, as in `${byteArray(bodies)}::bytea[]`.

const BYTEA_OID = 17
const HEADER_BYTES = 12
const DIMENSION_BYTES = 8
const LENGTH_BYTES = 4

/**
 * PostgreSQL's binary form of a bytea[] (array_recv in src/backend/utils/adt/arrayfuncs.c). `pg` sends a list of
 * buffers as hexadecimal text, which has twice the bytes and takes the server longer to parse than to store.
 */
export function byteArray(values: readonly Uint8Array[]): Buffer {
  const size = values.reduce((sum, { length }) => sum + LENGTH_BYTES + length, HEADER_BYTES + DIMENSION_BYTES)
  const bytes = Buffer.allocUnsafe(values.length === 0 ? HEADER_BYTES : size)
  let at = 0
  const writeInteger = (value: number) => {
    at = bytes.writeInt32BE(value, at)
  }
  const dimensions = values.length === 0 ? 0 : 1
  const hasNulls = 0
  for (const value of [dimensions, hasNulls, BYTEA_OID]) writeInteger(value)
  if (values.length === 0) return bytes
  const firstIndex = 1
  for (const value of [values.length, firstIndex]) writeInteger(value)
  for (const value of values) {
    writeInteger(value.length)
    bytes.set(value, at)
    at += value.length
  }
  return bytes
}
