// Whether one word is a slip of the fingers away from another.

const SHORT_WORD_CHARACTERS = 5

/** Slips that are forgiven in a word: one in a short one, two in a longer one. */
export const slipsAllowed = (word: string): number => (word.length <= SHORT_WORD_CHARACTERS ? 1 : 2)

/**
 * The least number of letters inserted, left out, replaced or swapped with their neighbour that makes `b` of `a`
 * (optimal string alignment). Words are at most some dozens of letters, so the plain table is fast enough.
 */
export function slipsBetween(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      let slips = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (isSame ? 0 : 1))
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        slips = Math.min(slips, beforeLast[column - 2]! + 1)
      }
      current.push(slips)
    }
    beforeLast = last
    last = current
  }
  return last[b.length]!
}

export const isSlipOf = (written: string, meant: string): boolean =>
  Math.abs(written.length - meant.length) <= slipsAllowed(written) &&
  slipsBetween(written, meant) <= slipsAllowed(written)
