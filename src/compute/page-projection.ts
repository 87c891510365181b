// What is kept of a page beside its text: where it leads, and its searchable pieces.
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

/** A searchable piece of a page, as it is stored. */
export type PageSection = {
  readonly anchor: string
  readonly heading: string
  readonly body: string
}

export type PageLinks = {
  readonly links: readonly PageLink[]
  /** The places of it that a link may name, as they are compared; null where they are not known. */
  readonly anchors: readonly string[] | null
}

export type PageProjection = PageLinks & {
  readonly sections: readonly PageSection[]
  /** Of all sections, as a tsvector. */
  readonly words: string
}

type Input = { readonly markdown: string }

// More is a generated index; its first links say enough.
const LINKS_MAX = 5_000
// A link to an anchor that was left out would be reported as broken, so the bound is far above real pages.
const ANCHORS_MAX = 2_000
// Sections beyond it are not searched.
const SECTIONS_MAX = 2_000
// What one section may hold for search; the rest of it is found by its other words.
const BODY_CHARACTERS_MAX = 100_000

export const pageProjection: Task<Input, PageProjection> = ({ markdown }) => {
  const root = parseMarkdown(markdown)
  return { ...linksAndAnchors(markdown, root), ...searchable(sectionsIn(markdown, root)) }
}

/** Of a page that is too much to be read: its words, up to where one section ends. */
export const plainPageProjection: Task<Input, PageProjection> = ({ markdown }) => ({
  links: [],
  anchors: null,
  ...searchable([toSection('', '', markdown)]),
})

const searchable = (sections: readonly PageSection[]): Pick<PageProjection, 'sections' | 'words'> => ({
  sections,
  words: wordsIn(sections),
})

/** The words of a document that was read before. */
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
    // A definition that nothing uses is no link.
    .filter(({ kind }) => kind !== 'definition')
    .slice(0, LINKS_MAX)
    .map(({ kind, destination }) => ({ kind, destination }))

/** The destinations that a text names, each once; those of definitions that nothing uses, too. */
export const destinations: Task<Input, readonly string[]> = ({ markdown }) => [
  ...new Set(references(markdown).map(({ destination }) => destination)),
]

const sectionsIn = (markdown: string, root: Root): PageSection[] =>
  sections(markdown, root)
    .slice(0, SECTIONS_MAX)
    .map(({ anchor, heading, level, text }, ordinal) =>
      // The first heading of level 1 is the page's own: it is above the text, where the page begins.
      toSection(ordinal === 0 && level === 1 ? '' : anchor, heading, text),
    )

const toSection = (anchor: string, heading: string, text: string): PageSection => ({
  anchor: storable(anchor),
  heading: storable(heading),
  body: storable(text.slice(0, BODY_CHARACTERS_MAX)),
})
