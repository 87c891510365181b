// What a search covers: the indexes of the searched spaces, and, for spaces whose index is not in memory, a temporary
// one of the candidates from the database. Both are ranked together.
import { sql } from 'kysely'
import { assertDefined } from '../../base/assert.ts'
import type { PageSection } from '../../compute/page-projection.ts'
import { type Language, languageOf } from '../../engines/search/language.ts'
import type { SourcePage } from '../../engines/search/page-words.ts'
import type { Query } from '../../engines/search/query-terms.ts'
import type { SearchIndex } from '../../engines/search/search-index.ts'
import type { FoundPlace, SearchedHead, Services } from '../../http/context.ts'
import { readPortion } from '../content/document-rows.ts'
import { listAwaited } from './awaited.ts'
import { makeSegment, toIndex } from './building.ts'
import { type Candidates, findWithAll, findWithAny } from './candidates.ts'
import { toWordQuery } from './word-query.ts'

/** A space whose pages the caller may find. */
export type SearchedSpace = SearchedHead & {
  readonly title: string
  /** The searched head. */
  readonly revisionId: string
  readonly projectionId: string
}

/** A page as a scope knows it; absent parts of `place` have to be read from the space's revision. */
export type KnownPage = {
  readonly space: SearchedSpace
  readonly pageId: string
  readonly place?: Omit<FoundPlace, 'ancestors'> & Partial<Pick<FoundPlace, 'ancestors'>>
  /** Only for computed pages; those of all others are in the database. */
  readonly sections?: readonly PageSection[]
  readonly markdown?: string
}

/** An index, and which pages of which spaces are in it. */
export type Scope = {
  readonly index: SearchIndex
  pageOf(id: string): KnownPage
  /** The id of a page of a space in the index; undefined if the space is not in it. */
  idOf(spaceId: string, pageId: string): string | undefined
}

export type Scopes = {
  readonly scopes: readonly Scope[]
  /** Matching pages that the database found besides those in the scopes. */
  readonly uncounted: number
}

export type SearchServices = Pick<
  Services,
  | 'config'
  | 'db'
  | 'objects'
  | 'compute'
  | 'searchIndexes'
  | 'computedIndexes'
  | 'sectionTexts'
  | 'rowCache'
  | 'glossaries'
>

/** The query, what it searches, and on whose behalf. */
export type ScopedSearch = {
  readonly lane: string
  readonly spaces: readonly SearchedSpace[]
  readonly query: Query
}

// Spaces indexed at the same time for one search.
const MADE_AT_ONCE = 20

/** A page that the index of one of these scopes found. */
export const knownIn = (
  scopes: readonly Scope[],
  { index, pageId }: { readonly index: number; readonly pageId: string },
): KnownPage => assertDefined(scopes[index], 'an index finds pages of its own scope only').pageOf(pageId)

/** Computed pages come first: a page of a space is taken from the first scope that knows it. */
export async function findScopes(services: SearchServices, asked: ScopedSearch): Promise<Scopes> {
  const [computed, { scopes, uncounted }] = await Promise.all([
    findComputedScopes(services, asked.spaces),
    findWrittenScopes(services, asked),
  ])
  return { scopes: [...computed, ...scopes], uncounted }
}

async function findWrittenScopes(
  services: SearchServices,
  { lane, spaces, query }: ScopedSearch,
): Promise<Scopes> {
  const { searchIndexes } = services
  const indexes = new Map<SearchedSpace, SearchIndex>()
  const take = (space: SearchedSpace, index: SearchIndex | undefined) => {
    if (index !== undefined) indexes.set(space, index)
  }
  for (const space of spaces) take(space, searchIndexes.peek(space))
  const awaited = await listAwaited(
    services,
    spaces.filter(space => !indexes.has(space)),
  )
  for (let at = 0; at < awaited.length; at += MADE_AT_ONCE)
    await Promise.all(
      awaited.slice(at, at + MADE_AT_ONCE).map(async space => take(space, await searchIndexes.get(space))),
    )
  // In the order of the spaces, and not that of their arrival: it decides between equal scores.
  const scopes = spaces.flatMap(space => {
    const index = indexes.get(space)
    return index === undefined ? [] : [scopeOf(space, index)]
  })
  const cold = spaces.filter(space => !indexes.has(space))
  if (cold.length === 0) return { scopes, uncounted: 0 }
  try {
    const candidates = await candidateScopes(services, { lane, spaces: cold, query })
    return { scopes: [...scopes, ...candidates.scopes], uncounted: candidates.uncounted }
  } finally {
    // Not earlier: indexing a large space occupies the database and the pool for seconds, and this answer waits for
    // both.
    searchIndexes.prepare(cold)
  }
}

// Spaces whose contents are read at once. If more are searched, the database tells which of them compute pages.
const COMPUTED_AT_ONCE = 20
// Spaces whose computed pages are searched. Those of the others are not found.
const COMPUTED_SPACES_MAX = 200

async function findComputedScopes(
  services: SearchServices,
  spaces: readonly SearchedSpace[],
): Promise<Scope[]> {
  const computing = spaces.length <= COMPUTED_AT_ONCE ? spaces : await listComputing(services, spaces)
  const scopes: Scope[] = []
  for (let at = 0; at < Math.min(computing.length, COMPUTED_SPACES_MAX); at += COMPUTED_AT_ONCE) {
    const some = computing.slice(at, at + COMPUTED_AT_ONCE)
    scopes.push(...(await Promise.all(some.map(space => computedScope(services, space)))).flat())
  }
  return scopes
}

async function listComputing(
  { db }: SearchServices,
  spaces: readonly SearchedSpace[],
): Promise<SearchedSpace[]> {
  const rows = await db
    .selectFrom('live_pages')
    .select('projection_id')
    .distinct()
    .where('type', '=', 'computed')
    .where(sql<boolean>`projection_id = any(${spaces.map(({ projectionId }) => projectionId)}::text[])`)
    .execute()
  const computing = new Set(rows.map(row => row.projection_id))
  return spaces.filter(({ projectionId }) => computing.has(projectionId))
}

async function computedScope({ computedIndexes }: SearchServices, space: SearchedSpace): Promise<Scope[]> {
  const computed = await computedIndexes.get(space)
  if (computed === undefined) return []
  return [
    {
      index: computed.index,
      pageOf: pageId => ({ space, pageId, ...computed.pages.get(pageId) }),
      idOf: (spaceId, pageId) => (spaceId === space.id && computed.pages.has(pageId) ? pageId : undefined),
    },
  ]
}

const scopeOf = (space: SearchedSpace, index: SearchIndex): Scope => ({
  index,
  pageOf: pageId => ({ space, pageId }),
  idOf: (spaceId, pageId) => (spaceId === space.id ? pageId : undefined),
})

/** Pages of several spaces are in one index, and duplicated spaces have the same page ids. */
const candidateId = (spaceId: string, pageId: string): string => `${spaceId} ${pageId}`

/** Pages with every word of the query; if there is none, or the query has many words, with any. */
async function findLikely(
  { db }: SearchServices,
  projectionIds: readonly string[],
  query: Query,
  languages: readonly Language[],
): Promise<Candidates> {
  const { words, needsAll } = toWordQuery(query, languages)
  if (words.length === 0) return { pages: [], uncounted: 0 }
  const found = needsAll ? await findWithAll(db, projectionIds, words) : undefined
  return found !== undefined && found.pages.length > 0 ? found : findWithAny(db, projectionIds, words)
}

async function candidateScopes(
  services: SearchServices,
  { lane, spaces, query }: ScopedSearch,
): Promise<Scopes> {
  const byProjection = Map.groupBy(spaces, space => space.projectionId)
  const languages = [...new Set(spaces.map(({ language }) => languageOf(language)))]
  const found = await findLikely(services, [...byProjection.keys()], query, languages)
  const documents = found.pages.map(({ document }) => document).filter(document => document !== null)
  const texts = await readPortion(services.db, documents)
  const known = new Map<string, KnownPage>()
  const sources: (SourcePage & { readonly language: Language })[] = []
  for (const page of found.pages) {
    // Duplicates share their live rows until one of them is written to.
    for (const space of byProjection.get(page.projection_id) ?? []) {
      const { page_id, title, description, path, document } = page
      const id = candidateId(space.id, page_id)
      known.set(id, { space, pageId: page_id, place: { title, description, path, document, isFound: true } })
      const sections = texts.get(document ?? '') ?? []
      sources.push({ id, title, description, sections, language: languageOf(space.language) })
    }
  }
  const scopes: Scope[] = []
  for (const [language, pages] of Map.groupBy(sources, source => source.language)) {
    const segment = await makeSegment(services, { lane, language }, pages)
    const index = toIndex(language, [{ segment, gone: new Set() }])
    const inIt = new Set(pages.map(({ id }) => known.get(id)?.space.id))
    scopes.push({
      index,
      pageOf: id => assertDefined(known.get(id), 'its index is of known pages'),
      idOf: (spaceId, pageId) => (inIt.has(spaceId) ? candidateId(spaceId, pageId) : undefined),
    })
  }
  return { scopes, uncounted: found.uncounted }
}
