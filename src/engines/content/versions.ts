/** Three versions of one value: the common ancestor and the two sides. */
export type Versions<T = string> = { readonly base: T; readonly ours: T; readonly theirs: T }

export const mapVersions = <T, U>({ base, ours, theirs }: Versions<T>, to: (one: T) => U): Versions<U> => ({
  base: to(base),
  ours: to(ours),
  theirs: to(theirs),
})
