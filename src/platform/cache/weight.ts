// How much memory cached rows take: a string two bytes a character, and what it hangs on in an object some more.
const VALUE_BYTES = 16
const OBJECT_BYTES = 64

/** About how many bytes plain data takes. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return VALUE_BYTES + 2 * value.length
  if (ArrayBuffer.isView(value)) return OBJECT_BYTES + value.byteLength
  if (typeof value !== 'object' || value === null || value instanceof Date) return VALUE_BYTES
  const parts = value instanceof Map || value instanceof Set ? [...value] : Object.values(value)
  return parts.reduce<number>((bytes, part) => bytes + bytesOf(part), OBJECT_BYTES)
}
