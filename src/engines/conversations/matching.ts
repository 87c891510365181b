// Matches clusters with earlier ones: when clusters split or merge, an id stays with the larger part of its things.

export type Matching = {
  /** The id that each group keeps; null: it is new. */
  readonly ids: readonly (string | null)[]
  /** For each id that no group keeps, the group that has most of its things; absent if none has any. */
  readonly absorbed: ReadonlyMap<string, number>
}

/** `before`: the cluster that each thing was in. `groups`: the indices of the things in each new cluster. */
export function matchGroups(
  before: readonly (string | null)[],
  groups: readonly (readonly number[])[],
): Matching {
  const pairs = overlaps(before, groups).sort(
    (a, b) => b.shared - a.shared || (a.id < b.id ? -1 : a.id > b.id ? 1 : a.group - b.group),
  )
  const ids: (string | null)[] = groups.map(() => null)
  const kept = new Set<string>()
  for (const { id, group } of pairs) {
    if (ids[group] !== null || kept.has(id)) continue
    ids[group] = id
    kept.add(id)
  }
  const absorbed = new Map<string, number>()
  for (const { id, group } of pairs) if (!kept.has(id) && !absorbed.has(id)) absorbed.set(id, group)
  return { ids, absorbed }
}

type Overlap = { readonly id: string; readonly group: number; readonly shared: number }

function overlaps(before: readonly (string | null)[], groups: readonly (readonly number[])[]): Overlap[] {
  return groups.flatMap((places, group) => {
    const shared = new Map<string, number>()
    for (const place of places) {
      const id = before[place] ?? null
      if (id !== null) shared.set(id, (shared.get(id) ?? 0) + 1)
    }
    return [...shared].map(([id, count]) => ({ id, group, shared: count }))
  })
}
