// What is stored about a page beside its text: its links, and its searchable sections.
import {
  distinctReferences,
  foldedPlaces,
  type MarkdownReference,
  references,
  sections,
} from '../engines/markdown/page/page.ts'
import { parseMarkdown, type Root } from '../engines/markdown/syntax/syntax.ts'
import { toVector } from '../engines/search/document-words.ts'
import { storable } from '../platform/db/text.ts'
import type { Task } from './task.ts'

export type PageLink = Pick<MarkdownReference, 'kind' | 'destination'>

/** A searchable section of a page, as stored. */
export type PageSection = {
  readonly anchor: string
  readonly heading: string
  readonly body: string
}

export type PageLinks = {
  readonly links: readonly PageLink[]
  /** The anchors that a link may name, in comparable form; null if unknown. */
  readonly anchors: readonly string[] | null
}

export type PageProjection = PageLinks & {
  readonly sections: readonly PageSection[]
  /** Of all sections, as a tsvector. */
  readonly words: string
}

type Input = { readonly markdown: string }

// A page with more links is a generated index; its first links are enough.
const LINKS_MAX = 5_000
// A link to an anchor that was left out would be reported as broken, so the bound is far above real pages.
const ANCHORS_MAX = 2_000
// Sections beyond it are not searched.
const SECTIONS_MAX = 2_000
// Characters of one section that search sees.
const BODY_CHARACTERS_MAX = 100_000

export const pageProjection: Task<Input, PageProjection> = ({ markdown }) => {
  const root = parseMarkdown(markdown)
  return { ...linksAndAnchors(markdown, root), ...searchable(sectionsIn(markdown, root)) }
}

/** For a page that is too costly to parse: its words, up to the limit of one section. */
export const plainPageProjection: Task<Input, PageProjection> = ({ markdown }) => ({
  links: [],
  anchors: null,
  ...searchable([toSection('', '', markdown)]),
})

const searchable = (sections: readonly PageSection[]): Pick<PageProjection, 'sections' | 'words'> => ({
  sections,
  words: wordsIn(sections),
})

/** The words of an already parsed document. */
export const documentWords: Task<{ readonly sections: readonly PageSection[] }, string> = ({ sections }) =>
  wordsIn(sections)

const wordsIn = (sections: readonly PageSection[]): string =>
  toVector([
    ...sections.map(({ heading }) => ({ text: heading, weight: 'B' as const })),
    ...sections.map(({ body }) => ({ text: body, weight: 'D' as const })),
  ])

export const pageLinks: Task<Input, PageLinks> = ({ markdown }) =>
  linksAndAnchors(markdown, parseMarkdown(markdown))

function linksAndAnchors(markdown: string, root: Root): PageLinks {
  const anchors = foldedPlaces(root).map(storable)
  return { links: linksIn(markdown, root), anchors: anchors.length > ANCHORS_MAX ? null : anchors }
}

/** In the order of the page. */
export const linksIn = (markdown: string, root: Root = parseMarkdown(markdown)): PageLink[] =>
  distinctReferences(markdown, root)
    // An unused definition is not a link.
    .filter(({ kind }) => kind !== 'definition')
    .slice(0, LINKS_MAX)
    .map(({ kind, destination }) => ({ kind, destination }))

/** What a text refers to, each destination once for each kind, including those of unused definitions. */
export const destinations: Task<Input, readonly PageLink[]> = ({ markdown }) => {
  const links = new Map<string, PageLink>()
  for (const { kind, destination } of references(markdown))
    links.set(`${kind} ${destination}`, { kind, destination })
  return [...links.values()]
}

const sectionsIn = (markdown: string, root: Root): PageSection[] =>
  sections(markdown, root)
    .slice(0, SECTIONS_MAX)
    .map(({ anchor, heading, level, text }, ordinal) =>
      // The first level 1 heading is the page's own title, so its section begins at the top of the page.
      toSection(ordinal === 0 && level === 1 ? '' : anchor, heading, text),
    )

const toSection = (anchor: string, heading: string, text: string): PageSection => ({
  anchor: storable(anchor),
  heading: storable(heading),
  body: storable(text.slice(0, BODY_CHARACTERS_MAX)),
})
