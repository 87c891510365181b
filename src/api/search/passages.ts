// The sections of some spaces that best match a question, for answering it, best first.
import type { Hash } from '../../engines/content/records.ts'
import { type ReadTerm, searchSections } from '../../engines/search/search-sections.ts'
import type { NearSection } from '../embeddings/near.ts'
import { fuse } from './fuse.ts'
import { locatePages } from './located-pages.ts'
import { readQuery } from './read-query.ts'
import { findScopes, type SearchedSpace, type SearchServices } from './scopes.ts'
import { sectionKey } from './texts.ts'

export type Passage = {
  readonly space: SearchedSpace
  readonly pageId: string
  readonly title: string
  readonly path: string
  /** The document of the page, and the position of the section in it. */
  readonly document: Hash
  /** The text of a computed page, which is stored nowhere. */
  readonly markdown?: string
  readonly ordinal: number
  readonly anchor: string
  readonly heading: string
  readonly text: string
  readonly score: number
  /** The share of the question's terms that the section and the title of its page have, from 0 to 1. */
  readonly covered: number
}

export type Passages = {
  /** Best first. */
  readonly passages: readonly Passage[]
  /** The words of the question as search reads them. */
  readonly terms: readonly ReadTerm[]
}

export type PassageQuery = {
  readonly question: string
  /** Sections of the spaces that are near in meaning, nearest first; empty without embeddings. */
  readonly near: readonly NearSection[]
  readonly limit: number
}

/** The spaces are those of the organization that the caller may read. */
export async function findPassages(
  services: SearchServices,
  organizationId: string,
  spaces: readonly SearchedSpace[],
  { question, near, limit }: PassageQuery,
): Promise<Passages> {
  const query = await readQuery(services, organizationId, question)
  const { scopes } = await findScopes(services, { lane: organizationId, spaces, query })
  const found = searchSections(
    scopes.map(({ index }) => index),
    query,
    { limit },
  )
  const best = fuse(scopes, spaces, found.sections, near).slice(0, limit)
  const placed = (await locatePages(services, best)).flatMap(({ place, ...one }) =>
    place.document === null ? [] : [{ ...one, ...place, document: place.document }],
  )
  const texts = await services.sectionTexts.read(placed.filter(({ sections }) => sections === undefined))
  const passages = placed.flatMap(({ sections, ...one }): Passage[] => {
    const section = sections === undefined ? texts.get(sectionKey(one)) : sections[one.ordinal]
    if (section === undefined) return []
    const { isFound: _, description: __, ancestors: ___, ...passage } = one
    return [{ ...passage, anchor: section.anchor, heading: section.heading, text: section.body }]
  })
  return { passages, terms: found.terms }
}
