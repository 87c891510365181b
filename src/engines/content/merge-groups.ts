// Lines of three versions that stand against each other. What is in the base twice, such as a blank line, may be
// matched with one of them on one side and with the other on the other, so that one change looks like two.
import type { Versions } from './versions.ts'

/** Of what both kept all three are one. */
export type Group = Versions<readonly string[]>

// One change is told in parts where lines of it, blank ones mostly, stand in the base, too; by more than so many it is not.
const PARTS_MAX = 8

/** With what both sides made alike as one group, though its lines were matched with others of the base on each side. */
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

/** The fewest groups from `first` on that both sides have alike. */
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
