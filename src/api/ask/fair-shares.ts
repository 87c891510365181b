/**
 * How much each may have of `total`: what it wants, or as much as every other that wants more. What one does not want, the
 * others share.
 */
export function fairShares(wants: readonly number[], total: number): number[] {
  const shares = wants.map(() => 0)
  const places = [...wants.keys()].sort((a, b) => (wants[a] as number) - (wants[b] as number))
  let left = total
  for (const [at, place] of places.entries()) {
    const share = Math.min(wants[place] as number, Math.floor(left / (places.length - at)))
    shares[place] = share
    left -= share
  }
  return shares
}
