// Finds pages in spaces: their indexes are searched together, and what is shown of the pages is read from the searched
// revisions. With embeddings, pages near in meaning are ranked together with the best by words.
//
// Such a list begins with the first pages by words and all near pages, in one order; the other pages by words follow in
// theirs. The token of the next page carries the near pages, so that every page of the list is cut from the same order
// without asking for embeddings again: none comes twice, and none is left out.

import { assertDefined } from '../../base/assert.ts'
import type { PageSection } from '../../compute/page-projection.ts'
import { type Highlighter, highlighter } from '../../engines/search/highlight.ts'
import { type Language, languageOf } from '../../engines/search/language.ts'
import { firstPages } from '../../engines/search/rank-with-near.ts'
import {
  type FoundPage,
  type PageAt,
  type RankedPages,
  type Ranking,
  rank,
} from '../../engines/search/search.ts'
import type { FoundPlace } from '../../http/context.ts'
import { type LocatedPage, locatePages } from './located-pages.ts'
import { type NearPage, type NearPageAt, type NearServices, pageName } from './near.ts'
import {
  findScopes,
  type KnownPage,
  knownIn,
  type Scope,
  type ScopedSearch,
  type SearchedSpace,
  type SearchServices,
} from './scopes.ts'
import { sectionKey } from './texts.ts'

/** Which parts of a text match. */
export type Highlight = Highlighter

export type Hit = {
  readonly space: SearchedSpace
  readonly pageId: string
  readonly score: number
  /** Its position in the whole list, from 1. */
  readonly rank: number
  readonly place: FoundPlace
  /** The best ones, best first. */
  readonly sections: readonly FoundSection[]
  readonly highlight: Highlight
}

export type FoundSection = { readonly section: PageSection; readonly score: number }

/** The last page shown: the search continues after it. */
export type SearchCursor = {
  readonly score: number
  readonly spaceId: string
  readonly pageId: string
  /** How many pages were shown up to it. */
  readonly shown: number
  /** Pages that are near in meaning, if any, and whether the last page was ranked together with them. */
  readonly near?: { readonly pages: readonly NearPage[]; readonly isTogether: boolean }
}

export type Hits = {
  readonly hits: readonly Hit[]
  readonly count: number
  readonly corrections: RankedPages['corrections']
  /** If nothing is found: words of the searched pages that are near those of the query, nearest first. */
  readonly suggestions: readonly string[]
  readonly next: SearchCursor | undefined
}

export type FindServices = SearchServices & NearServices

type Portion = { readonly limit: number; readonly after: SearchCursor | undefined }

/** Best first. `near`: pages near in meaning, for the first page; later ones find them in `after`. */
export async function findPages(
  services: FindServices,
  asked: ScopedSearch,
  { limit, after, near }: Portion & { readonly near: Promise<readonly NearPage[]> },
): Promise<Hits> {
  const { scopes, uncounted } = await findScopes(services, asked)
  const ranking = rank(
    scopes.map(({ index }) => index),
    asked.query,
  )
  const close = after === undefined ? await near : await stillThere(services, asked, after.near?.pages ?? [])
  const isTogether = close.length > 0 || after?.near !== undefined
  const list = isTogether
    ? readTogether(scopes, ranking, close, { asked, limit, after })
    : readByWords(scopes, ranking, { limit, after })
  const placed = await locatePages(services, list.pages)
  const texts = await services.sectionTexts.read(
    placed.filter(({ sections }) => sections === undefined).flatMap(sectionsOf),
  )
  const highlights = highlightsOf(asked, ranking)
  const shown = after?.shown ?? 0
  return {
    hits: placed.map((page, at) => ({
      space: page.space,
      pageId: page.pageId,
      score: page.score,
      rank: shown + at + 1,
      place: page.place,
      sections: sectionsOf(page).flatMap(({ score, ...at }) => {
        const section = page.sections?.[at.ordinal] ?? texts.get(sectionKey(at))
        return section === undefined ? [] : [{ section, score }]
      }),
      highlight: highlights(languageOf(page.space.language)),
    })),
    count: ranking.count + list.alone + uncounted,
    corrections: ranking.corrections,
    suggestions: list.pages.length === 0 && after === undefined ? ranking.nearestWords() : [],
    next: list.next && { ...list.next, shown: shown + list.pages.length },
  }
}

/** A section of a page by its ordinal. */
type ScoredOrdinal = { readonly ordinal: number; readonly score: number }

type Listed = KnownPage & { readonly score: number; readonly found: readonly ScoredOrdinal[] }

type Last = Omit<SearchCursor, 'shown'>

type List = {
  readonly pages: readonly Listed[]
  /** The total number of pages that no word found. */
  readonly alone: number
  readonly next: Last | undefined
}

function readByWords(scopes: readonly Scope[], ranking: Ranking, { limit, after }: Portion): List {
  const found = ranking.read({ limit, after: after === undefined ? undefined : placeIn(scopes, after) })
  const pages = found.pages.map(page => listed(scopes, page))
  return { pages, alone: 0, next: found.next && afterOf(pages.at(-1)) }
}

function readTogether(
  scopes: readonly Scope[],
  ranking: Ranking,
  near: readonly NearPage[],
  { asked, limit, after }: Portion & { readonly asked: ScopedSearch },
): List {
  const spaces = new Map(asked.spaces.map(space => [space.id, space]))
  const first = firstPages(
    ranking,
    near.map(one => ({ ...one, key: pageName(one.page), at: pageIn(scopes, one.page) })),
    page => pageName(nameOf(knownIn(scopes, page))),
  )
  const together = first.pages.map(({ key, score, isByMeaning, found, near }): Listed & { key: string } => ({
    ...(found === undefined
      ? knownNear(spaces, assertDefined(near, 'a page is in one of the lists, or in both').page)
      : knownIn(scopes, found)),
    key,
    score,
    found: foundIn(found, near, isByMeaning),
  }))
  const left = after === undefined ? together : leftOf(together, after)
  const shown = left.slice(0, limit)
  const carried = (isTogether: boolean): SearchCursor['near'] => ({ pages: near, isTogether })
  const startsRest = after === undefined || after.near?.isTogether === true
  const restAfter = startsRest ? first.rest : placeIn(scopes, after)
  const readRest = (limit: number) =>
    restAfter === undefined
      ? { pages: [] }
      : ranking.read({ limit, after: restAfter, without: first.without })
  const room = limit - shown.length
  if (left.length > limit || room === 0) {
    const goesOn = left.length > limit || readRest(1).pages.length > 0
    return {
      pages: shown,
      alone: first.alone,
      next: goesOn ? afterOf(shown.at(-1), carried(true)) : undefined,
    }
  }
  const rest: ReturnType<Ranking['read']> = readRest(room)
  const pages = [...shown, ...rest.pages.map(page => listed(scopes, page))]
  return { pages, alone: first.alone, next: rest.next && afterOf(pages.at(-1), carried(false)) }
}

/** Pages ranked together that were not shown yet; skips pages that have left the list. */
function leftOf<Page extends { readonly key: string; readonly score: number }>(
  together: readonly Page[],
  after: SearchCursor,
): readonly Page[] {
  if (after.near?.isTogether !== true) return []
  const last = together.findIndex(({ key }) => key === pageName(after))
  return last >= 0 ? together.slice(last + 1) : together.filter(({ score }) => score < after.score)
}

const afterOf = (last: Listed | undefined, near?: SearchCursor['near']): Last | undefined =>
  last && {
    score: last.score,
    spaceId: last.space.id,
    pageId: last.pageId,
    ...(near === undefined ? {} : { near }),
  }

const knownNear = (
  spaces: ReadonlyMap<string, SearchedSpace>,
  { spaceId, pageId }: NearPageAt,
): KnownPage => ({
  space: assertDefined(spaces.get(spaceId), 'embeddings find pages of the spaces that were asked for'),
  pageId,
})

const nameOf = ({ space, pageId }: KnownPage): NearPageAt => ({ spaceId: space.id, pageId })

const listed = (scopes: readonly Scope[], page: FoundPage): Listed => ({
  ...knownIn(scopes, page),
  score: page.score,
  found: page.sections,
})

const SECTIONS_MAX = 5

/** The sections of the ranking that scored the page higher come first; some of both are shown. */
function foundIn(
  found: FoundPage | undefined,
  near: NearPage | undefined,
  isByMeaning: boolean,
): readonly ScoredOrdinal[] {
  const byWords = found?.sections ?? []
  const byMeaning = (near?.ordinals ?? []).map(ordinal => ({ ordinal, score: near?.closeness ?? 0 }))
  const [first, second] = isByMeaning ? [byMeaning, byWords] : [byWords, byMeaning]
  const shown = new Set(first.map(({ ordinal }) => ordinal))
  const others = second.filter(({ ordinal }) => !shown.has(ordinal)).slice(0, SECTIONS_MAX - 1)
  return [...first.slice(0, SECTIONS_MAX - Math.min(1, others.length)), ...others].slice(0, SECTIONS_MAX)
}

function pageIn(scopes: readonly Scope[], { spaceId, pageId }: NearPageAt): PageAt | undefined {
  for (const [index, scope] of scopes.entries()) {
    const id = scope.idOf(spaceId, pageId)
    if (id !== undefined) return { index, pageId: id }
  }
  return undefined
}

/**
 * The position of a page among those of the scopes. A page of a space that is no longer searched comes before all with
 * the same score.
 */
const placeIn = (scopes: readonly Scope[], after: SearchCursor) => ({
  score: after.score,
  ...(pageIn(scopes, after) ?? { index: 0, pageId: '' }),
})

/** A token comes from outside, and time has passed: keeps pages that may be found and whose spaces are searched now. */
async function stillThere(
  services: FindServices,
  { spaces }: ScopedSearch,
  near: readonly NearPage[],
): Promise<readonly NearPage[]> {
  const byId = new Map(spaces.map(space => [space.id, space]))
  const known = near.flatMap(one => {
    const space = byId.get(one.page.spaceId)
    return space === undefined ? [] : [{ one, space, pageId: one.page.pageId }]
  })
  const placed = await locatePages(services, known)
  return placed.flatMap(({ one, place }) => (place.isFound ? [one] : []))
}

const sectionsOf = ({ place: { document }, found }: LocatedPage & Listed) =>
  document === null ? [] : found.map(one => ({ ...one, document }))

/** One per language, which decides the forms of words. */
function highlightsOf(
  { query }: ScopedSearch,
  found: Pick<RankedPages, 'corrections'>,
): (language: Language) => Highlight {
  const made = new Map<Language, Highlight>()
  return language => {
    const highlight = made.get(language) ?? highlighter(query, found, language)
    made.set(language, highlight)
    return highlight
  }
}
