// Builds the index of a revision: from scratch, or from the index of another revision and the differences. Texts are
// read in portions, and long work is done in the pool.
import { assert } from '../../base/assert.ts'
import type { Compute } from '../../compute/compute.ts'
import type { Content } from '../../engines/content/content.ts'
import {
  type EntryChange,
  type Hash,
  isChangeOf,
  type PageRecord,
  splitKey,
} from '../../engines/content/records.ts'
import { diffEntries } from '../../engines/content/trie.ts'
import type { Language } from '../../engines/search/language.ts'
import type { SourcePage } from '../../engines/search/page-words.ts'
import type { SearchIndex } from '../../engines/search/search-index.ts'
import { openSegment, type Segment } from '../../engines/search/segment.ts'
import type { Services } from '../../http/context.ts'
import { readSections } from '../content/document-rows.ts'

export type IndexingServices = Pick<Services, 'db' | 'objects' | 'contents' | 'compute'>
type Pool = { readonly compute: Pick<Compute, 'run'> }

/** What to index. `lane`: on whose behalf. */
export type IndexRequest = {
  readonly lane: string
  readonly root: Hash
  readonly language: Language
  /** Aborted when the server stops. */
  readonly signal: AbortSignal
}

type Part = SearchIndex['parts'][number]
type Findable = Pick<SourcePage, 'id' | 'title' | 'description'> & { readonly document: Hash | null }

export const toIndex = (language: Language, parts: readonly Part[]): SearchIndex => ({
  language,
  parts,
  bytes: parts.reduce((sum, { segment }) => sum + segment.bytes, 0),
  pages: parts.reduce((sum, { segment, gone }) => sum + segment.pages - gone.size, 0),
})

/** The index of a whole revision; undefined if it would exceed `bytesMax`. */
export async function buildIndex(
  services: IndexingServices,
  wanted: IndexRequest,
  bytesMax: number,
): Promise<SearchIndex | undefined> {
  const content = await services.contents.get(wanted.root)
  const parts: Part[] = []
  let bytes = 0
  for await (const segment of segmentsOf(services, wanted, findableIn(content))) {
    bytes += segment.bytes
    if (bytes > bytesMax) return undefined
    parts.push({ segment, gone: NONE })
  }
  return toIndex(wanted.language, parts.length < 2 ? parts : [await mergeParts(services, wanted.lane, parts)])
}

const NONE: ReadonlySet<number> = new Set()

// Share of the pages: beyond it, building from scratch is as fast.
const CHANGED_SHARE_MAX = 1 / 3

/** From the index of another revision; undefined if too much differs, so that it has to be rebuilt. */
export async function updateIndex(
  services: IndexingServices,
  wanted: IndexRequest,
  base: { readonly root: Hash; readonly index: SearchIndex },
): Promise<SearchIndex | undefined> {
  const all = await diffEntries(services.objects, base.root, wanted.root)
  const changes = all.filter(isChangeOf('page')).filter(isSeen)
  if (changes.length > Math.max(1, base.index.pages * CHANGED_SHARE_MAX)) return undefined
  const left = changes.map(({ key }) => splitKey(key)[1])
  const parts = base.index.parts
    .map(part => withoutPages(part, left))
    .filter(({ segment, gone }) => gone.size < segment.pages)
  const pages = changes.flatMap(({ key, after }) => toFindable(splitKey(key)[1], after))
  for await (const segment of segmentsOf(services, wanted, pages)) parts.push({ segment, gone: NONE })
  return toIndex(wanted.language, parts)
}

/** Whether a change affects what search finds. */
function isSeen({ before, after }: EntryChange<'page'>): boolean {
  const [was, is] = [before, after].map(record => JSON.stringify(toFindable('', record)))
  return was !== is
}

function withoutPages({ segment, gone }: Part, pageIds: readonly string[]): Part {
  const slots = pageIds.map(id => segment.slotOf(id)).filter(slot => slot !== undefined)
  return slots.length === 0 ? { segment, gone } : { segment, gone: new Set([...gone, ...slots]) }
}

const findableIn = ({ pages }: Content): Findable[] =>
  [...pages].flatMap(([id, page]) => toFindable(id, page))

/** Empty for pages hidden from search. */
function toFindable(id: string, page: PageRecord | null): Findable[] {
  if (page === null || page.type !== 'document' || page.noIndex === true) return []
  return [{ id, title: page.title, description: page.description ?? '', document: page.document }]
}

async function* segmentsOf(
  services: IndexingServices,
  wanted: IndexRequest,
  pages: readonly Findable[],
): AsyncGenerator<Segment> {
  for await (const sources of sourcesOf(services, pages)) {
    wanted.signal.throwIfAborted()
    yield await makeSegment(services, wanted, sources)
  }
}

/** The pages with their sections, portion by portion. A document of several pages is read once. */
async function* sourcesOf(
  { db }: IndexingServices,
  pages: readonly Findable[],
): AsyncGenerator<SourcePage[]> {
  const byDocument = Map.groupBy(pages, page => page.document)
  const rest = new Set(pages)
  const documents = [...byDocument.keys()].filter(document => document !== null)
  for await (const portion of readSections(db, documents)) {
    const sources: SourcePage[] = []
    for (const [document, sections] of portion) {
      for (const page of byDocument.get(document) ?? []) {
        sources.push(toSource(page, sections))
        rest.delete(page)
      }
    }
    yield sources
  }
  // Pages with an empty document are found by their titles.
  if (rest.size > 0) yield Array.from(rest, page => toSource(page, []))
}

const toSource = ({ id, title, description }: Findable, sections: SourcePage['sections']): SourcePage => ({
  id,
  title,
  description,
  sections,
})

/**
 * Splits in halves what is too much for a thread. A page that is too much by itself is found by its title only, and
 * does not hide the others. Throws `unavailable` if the pool is overloaded.
 */
export async function makeSegment(
  services: Pool,
  wanted: Pick<IndexRequest, 'lane' | 'language'>,
  pages: readonly SourcePage[],
): Promise<Segment> {
  const { lane, language } = wanted
  const made = await services.compute.run('searchSegment', lane, { pages, language })
  if (made.kind === 'done') return openSegment(made.value)
  const [first] = pages
  assert(first !== undefined, 'no pages are never too much')
  if (pages.length === 1) {
    assert(first.sections.length > 0, 'a title and a description are never too much')
    return makeSegment(services, wanted, [{ ...first, sections: [] }])
  }
  const half = pages.length >> 1
  const parts: Part[] = []
  for (const some of [pages.slice(0, half), pages.slice(half)])
    parts.push({ segment: await makeSegment(services, wanted, some), gone: NONE })
  return (await mergeParts(services, lane, parts)).segment
}

async function mergeParts({ compute }: Pool, lane: string, parts: readonly Part[]): Promise<Part> {
  const given = parts.map(({ segment, gone }) => ({ buffer: segment.buffer, gone }))
  const made = await compute.run('mergedSegment', lane, { parts: given })
  if (made.kind !== 'done') throw new Error('an index is more than a thread may merge')
  return { segment: openSegment(made.value), gone: NONE }
}

// A part that has lost this share of its pages is rebuilt.
const GONE_SHARE_MAX = 1 / 3

const isWorn = ({ segment, gone }: Part): boolean => gone.size > segment.pages * GONE_SHARE_MAX
const pagesIn = ({ segment, gone }: Part): number => segment.pages - gone.size

/** The index of the first part to merge with all later ones; the number of parts if all can stay. */
function firstToMerge(parts: readonly Part[]): number {
  let from = parts.length - 1
  const pagesAt = (at: number): number => {
    const part = parts[at]
    return part === undefined ? 0 : pagesIn(part)
  }
  let pages = pagesAt(from)
  // Each should have more than twice the pages of all later ones, so that a page is merged only as often as
  // the number of pages doubles.
  for (; from > 0 && pagesAt(from - 1) <= 2 * pages; from -= 1) pages += pagesAt(from - 1)
  const worn = parts.findIndex(isWorn)
  if (worn >= 0) return Math.min(from, worn)
  return from === parts.length - 1 ? parts.length : from
}

/** The same index in fewer parts; undefined if there is nothing to do. */
export async function compactIndex(
  services: IndexingServices,
  { lane, language }: IndexRequest,
  { parts }: SearchIndex,
): Promise<SearchIndex | undefined> {
  const from = firstToMerge(parts)
  if (from >= parts.length) return undefined
  return toIndex(language, [...parts.slice(0, from), await mergeParts(services, lane, parts.slice(from))])
}
