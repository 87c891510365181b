// Finding pages in spaces: their indexes are searched together, and what is shown of the pages is read of the revisions
// that were searched.

import type { PageSection } from '../../compute/page-facts.ts'
import { highlighter } from '../../engines/search/highlight.ts'
import { type Language, languageOf } from '../../engines/search/language.ts'
import { type Found, search } from '../../engines/search/search.ts'
import { type Placed, withPlaces } from './placed.ts'
import type { FoundPlace } from './places.ts'
import {
  type Asked,
  findScopes,
  type KnownPage,
  type Scope,
  type SearchedSpace,
  type Searching,
} from './scopes.ts'
import { readTexts, sectionKey } from './texts.ts'

/** Which stretches of a text match. */
export type Highlight = (text: string) => readonly { readonly start: number; readonly end: number }[]

export type Hit = {
  readonly space: SearchedSpace
  readonly pageId: string
  readonly score: number
  readonly place: FoundPlace
  /** The best ones, best first. */
  readonly sections: readonly PageSection[]
  readonly highlight: Highlight
}

/** The last page that was shown: those behind it are next. */
export type After = { readonly score: number; readonly spaceId: string; readonly pageId: string }

export type Hits = {
  readonly hits: readonly Hit[]
  readonly count: number
  readonly corrections: Found['corrections']
  readonly next: After | undefined
}

/** Best first. */
export async function findPages(
  services: Searching,
  asked: Asked,
  { limit, after }: { readonly limit: number; readonly after: After | undefined },
): Promise<Hits> {
  const { scopes, uncounted } = await findScopes(services, asked)
  const found = search(
    scopes.map(({ index }) => index),
    asked.query,
    { limit, after: after === undefined ? undefined : placeIn(scopes, after) },
  )
  const known = found.pages.map(page => ({
    ...page,
    ...(scopes[page.index]?.pageOf(page.pageId) as KnownPage),
  }))
  const placed = await withPlaces(services, known)
  const last = known.at(-1)
  const texts = await readTexts(services.db, placed.flatMap(sectionsOf))
  const highlights = highlightsOf(asked, found)
  return {
    hits: placed.map(page => ({
      space: page.space,
      pageId: page.pageId,
      score: page.score,
      place: page.place,
      sections: sectionsOf(page).flatMap(at => texts.get(sectionKey(at)) ?? []),
      highlight: highlights(languageOf(page.space.language)),
    })),
    count: found.count + uncounted,
    corrections: found.corrections,
    next:
      found.next === undefined || last === undefined
        ? undefined
        : { score: last.score, spaceId: last.space.id, pageId: last.pageId },
  }
}

/**
 * Where a page stands among those of the scopes. One of a space that is not searched any more stands before all with
 * its score.
 */
function placeIn(scopes: readonly Scope[], { score, spaceId, pageId }: After) {
  for (const [index, scope] of scopes.entries()) {
    const id = scope.idOf(spaceId, pageId)
    if (id !== undefined) return { score, index, pageId: id }
  }
  return { score, index: 0, pageId: '' }
}

type Ranked = Placed & Pick<Found['pages'][number], 'sections'>

const sectionsOf = ({ place: { document }, sections }: Ranked) =>
  document === null ? [] : sections.map(({ ordinal }) => ({ document, ordinal }))

/** One for each language: it decides about the forms of words. */
function highlightsOf({ query }: Asked, found: Found): (language: Language) => Highlight {
  const made = new Map<Language, Highlight>()
  return language => {
    const highlight = made.get(language) ?? highlighter(query, found, language)
    made.set(language, highlight)
    return highlight
  }
}
