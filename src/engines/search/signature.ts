// The letters of a word in 32 bits. Words that are a few slips apart differ in few bits, so most words are excluded
// without comparing them.

export function signatureOf(word: string): number {
  let signature = 0
  for (let index = 0; index < word.length; index++) signature |= 1 << (word.charCodeAt(index) & 31)
  return signature >>> 0
}

/** How many bits two signatures differ in. */
export function differingBits(one: number, other: number): number {
  let bits = one ^ other
  bits -= (bits >>> 1) & 0x55555555
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}
