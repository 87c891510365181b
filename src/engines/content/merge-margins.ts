// The white space between the parts of a text.

/** White space never conflicts: the longer of two changes is taken. */
export function mergeMargin(
  base: string | undefined,
  ours: string | undefined,
  theirs: string | undefined,
): string {
  if (ours === undefined || theirs === undefined) return ours ?? theirs ?? base ?? ''
  if (ours === theirs || theirs === base) return ours
  if (ours === base) return theirs
  return longest(ours, theirs)
}

/** Of texts of one length, one that does not depend on their order. */
export const longest = (one: string, other: string): string =>
  one.length > other.length || (one.length === other.length && one > other) ? one : other
