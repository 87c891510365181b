// Fuses two rankings of sections: by words, and by meaning. Their scores are not comparable, so only ranks count
// (reciprocal rank fusion; Cormack, Clarke and Büttcher, 2009).
import type { SectionHit } from '../../engines/search/search-sections.ts'
import type { NearSection } from '../embeddings/near.ts'
import { type KnownPage, knownIn, type Scope, type SearchedSpace } from './scopes.ts'

export type FusedSection = KnownPage & Pick<SectionHit, 'ordinal' | 'score' | 'covered'>

// The constant of the paper: keeps a first rank in one of them from deciding alone.
const PLACES_ADDED = 60

/** Best first. `near`: nearest first; empty without embeddings. */
export function fuse(
  scopes: readonly Scope[],
  spaces: readonly SearchedSpace[],
  hits: readonly SectionHit[],
  near: readonly NearSection[],
): FusedSection[] {
  const byWords = hits.map(hit => ({ ...hit, ...knownIn(scopes, hit) }))
  if (near.length === 0) return byWords
  const fused = new Map<string, FusedSection>()
  const add = (section: FusedSection, place: number) => {
    const key = `${section.space.id} ${section.pageId} ${section.ordinal}`
    const before = fused.get(key)
    const score = (before?.score ?? 0) + 1 / (PLACES_ADDED + place)
    fused.set(key, { ...(before ?? section), score })
  }
  for (const [place, section] of byWords.entries()) add(section, place)
  const spaceOf = new Map(spaces.map(space => [space.id, space]))
  for (const [place, { spaceId, pageId, ordinal }] of near.entries()) {
    const space = spaceOf.get(spaceId)
    if (space !== undefined) add({ space, pageId, ordinal, score: 0, covered: 0 }, place)
  }
  return [...fused.values()].sort((one, other) => other.score - one.score)
}
