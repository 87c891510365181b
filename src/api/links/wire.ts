// Converts links to their wire format.
import type { FormerPath } from '../content/link-changes.ts'
import type { LocationInSpace, Places } from './places.ts'
import type { LinkCounts, LinkRow } from './rows.ts'
import type { ContentLocation, LinkStats, LinkUsage } from './schema.ts'

/** `gone` has the former contents of paths that have none now, newest first. */
export const toLinkUsage = (places: Places, row: LinkRow, gone: FormerPathsByFile): LinkUsage => ({
  status: row.status,
  relation: row.relation,
  targetReference: toTarget(places, row, gone),
  locationReferences: [places.of(row.from_id)],
})

/** By path, with its rank by time of removal: 0 is the newest. */
export type FormerPathsByFile = ReadonlyMap<string, { readonly gone: FormerPath; readonly age: number }>

export const toGoneByFile = (gone: readonly FormerPath[]): FormerPathsByFile => {
  const byFile = new Map<string, { gone: FormerPath; age: number }>()
  for (const [age, one] of gone.entries()) if (!byFile.has(one.file)) byFile.set(one.file, { gone: one, age })
  return byFile
}

/** A broken link shows its former target, or if that is unknown, its text, so that it can be found and fixed. */
function toTarget(places: Places, row: LinkRow, gone: FormerPathsByFile): ContentLocation {
  if (row.kind === 'url') return { kind: 'url', url: row.destination.trim() }
  const id = row.kind === 'anchor' ? row.from_id : row.target_id
  const place = id === null ? findMeant(places, row, gone) : places.of(id)
  if (place === undefined) return { kind: 'url', url: row.destination }
  return place.kind === 'page' && row.anchor !== null
    ? { ...place, internalLocation: { type: 'anchor', anchor: row.anchor } }
    : place
}

/** The last target of a broken link: the most recently removed content of its candidate paths. */
function findMeant(
  places: Places,
  { candidates }: LinkRow,
  gone: FormerPathsByFile,
): LocationInSpace | undefined {
  const [last] = candidates
    .map(file => gone.get(file))
    .filter(found => found !== undefined)
    .sort((a, b) => a.age - b.age)
  return last && places.ofGone(last.gone)
}

export const toLinkStats = (counts: LinkCounts, mended: number | null): LinkStats => ({
  total: counts.total,
  broken: {
    total: counts.broken,
    ...(mended === null ? {} : { changeRequest: counts.newly_broken, mended }),
  },
})
