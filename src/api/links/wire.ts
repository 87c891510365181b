// Links as the wire knows them.
import type { Places } from './places.ts'
import type { LinkCounts, LinkRow } from './rows.ts'
import type { ContentLocation, LinkStats, LinkUsage } from './schema.ts'

export const toLinkUsage = (places: Places, row: LinkRow): LinkUsage => ({
  status: row.status,
  relation: row.relation,
  targetReference: toTarget(places, row),
  locationReferences: [places.of(row.from_id)],
})

/** A broken link shows what was written, so that it can be found and mended. */
function toTarget(places: Places, row: LinkRow): ContentLocation {
  if (row.kind === 'url') return { kind: 'url', url: row.destination.trim() }
  const id = row.kind === 'anchor' ? row.from_id : row.target_id
  if (id === null) return { kind: 'url', url: row.destination }
  const place = places.of(id)
  return place.kind === 'page' && row.anchor !== null
    ? { ...place, internalLocation: { type: 'anchor', anchor: row.anchor } }
    : place
}

export const toLinkStats = (counts: LinkCounts, isProposal: boolean): LinkStats => ({
  total: counts.total,
  broken: { total: counts.broken, ...(isProposal ? { changeRequest: counts.newly_broken } : {}) },
})
