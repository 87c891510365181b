/** Max-min fairness: each gets what it wants, up to an equal share of what smaller wants leave of `total`. */
export function fairShares(wants: readonly number[], total: number): number[] {
  const shares = wants.map(() => 0)
  const ascending = [...wants.entries()].sort(([, a], [, b]) => a - b)
  let left = total
  for (const [at, [place, want]] of ascending.entries()) {
    const share = Math.min(want, Math.floor(left / (ascending.length - at)))
    shares[place] = share
    left -= share
  }
  return shares
}
