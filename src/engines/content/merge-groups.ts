// Conflicting lines of three versions. If the base has a line twice, such as a blank line, one side may match the first
// and the other side the second, so that one change looks like two.
import type { Versions } from './versions.ts'

/** For kept lines all three are the same array. */
export type Group = Versions<readonly string[]>

// A change is split where its lines, mostly blank ones, are also in the base. More parts than this are not joined.
const PARTS_MAX = 8

/** Joins groups in which both sides made the same change, but matched different lines of the base. */
export function joinAlike(groups: readonly Group[]): Group[] {
  const joined: Group[] = []
  let end = 0
  for (const [at, group] of groups.entries()) {
    if (at < end) continue
    const alike = isDisputed(group) ? findAlike(groups, at) : undefined
    joined.push(alike?.group ?? group)
    end = at + (alike?.count ?? 1)
  }
  return joined
}

/** The fewest groups from `first` on that are together equal on both sides. */
function findAlike(groups: readonly Group[], first: number): { group: Group; count: number } | undefined {
  for (let count = 2; count <= PARTS_MAX && first + count <= groups.length; count++) {
    const some = groups.slice(first, first + count)
    const of = (name: keyof Versions): string[] => some.flatMap(group => group[name])
    const group = { base: of('base'), ours: of('ours'), theirs: of('theirs') }
    if (isSame(group.ours, group.theirs)) return { group, count }
  }
  return undefined
}

const isDisputed = ({ base, ours, theirs }: Group): boolean =>
  !isSame(base, ours) && !isSame(base, theirs) && !isSame(ours, theirs)

export const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, i) => line === b[i])
