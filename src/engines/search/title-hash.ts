// A hash of a sequence of words (FNV-1a), to compare a query with titles.

export const emptyHash = 0x811c9dc5
const PRIME = 0x01000193

export function hashWord(hash: number, word: string): number {
  let value = hash
  for (let index = 0; index < word.length; index++) value = Math.imul(value ^ word.charCodeAt(index), PRIME)
  return Math.imul(value ^ 0x20, PRIME) >>> 0
}
