// The order of the words of one sentence in another. A clause or a phrase that moves to the front turns pairs of words
// around; three words in reverse are a subject and an object that have changed places around what joins them.

/** Whether some `count` of the numbers descend, with any numbers between them: patience sorting. */
export function descendsBy(numbers: readonly number[], count: number): boolean {
  // The greatest number with which a descending row of each length ends.
  const ends: number[] = []
  for (const number of numbers) {
    const at = ends.findIndex(end => end <= number)
    ends[at === -1 ? ends.length : at] = number
    if (ends.length >= count) return true
  }
  return false
}
