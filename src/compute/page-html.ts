// A page as HTML.
import {
  type ApiPart,
  type HtmlOptions,
  type HtmlOutlineEntry,
  type RenderedHtml,
  type ShownPart,
  type ShowParts,
  toHtml,
} from '../engines/markdown/html/html.ts'
import type { Highlight } from '../engines/markdown/html/values.ts'
import { blockKeys } from '../engines/markdown/page/page.ts'
import { parseMarkdown, type Root } from '../engines/markdown/syntax/syntax.ts'
import { Addresses, type AsksAddresses } from './addresses.ts'
import type { Task } from './task.ts'

export type PageHtmlInput = {
  readonly markdown: string
  /** Whether to ask for syntax colours. */
  readonly isColoured: boolean
  /** Whether to ask for parts of API descriptions. */
  readonly showsParts?: boolean
  /** Whether blocks carry their keys. */
  readonly isKeyed?: boolean
} & Pick<HtmlOptions, 'pageTitle' | 'idPrefix' | 'loadsAtOnce' | 'variables'>

export type AsksOfPage = AsksAddresses & { codes: Highlight; parts: ShowParts }

/** The rendered page. `html` is null if it would be too long for browsers. */
export type PageHtml = {
  readonly html: string | null
  readonly outline: readonly HtmlOutlineEntry[]
  /** False if some code is uncoloured because colouring was not ready in time. */
  readonly isComplete: boolean
}

export const pageHtml: Task<PageHtmlInput, PageHtml, AsksOfPage> = async (input, ask) =>
  toPageHtml(await renderPage(input, ask, toHtml))

/** Renders a page; `ask` answers questions about its surroundings. */
export async function renderPage<Rendered>(
  { markdown, isColoured, showsParts = false, isKeyed = false, ...options }: PageHtmlInput,
  ask: AsksOfPage,
  render: (root: Root, options: HtmlOptions) => Promise<Rendered>,
): Promise<Rendered> {
  const root = parseMarkdown(markdown)
  const keys = isKeyed ? blockKeys(markdown, root) : undefined
  const addresses = new Addresses(ask)
  await addresses.expect('', root)
  const shown = new Map<string, readonly ShownPart[]>()
  // Rendered parts may name unknown addresses: then the page is rendered again, with the same parts.
  const show = async (parts: readonly ApiPart[]) => {
    const key = JSON.stringify(parts)
    const known = shown.get(key) ?? (await ask.parts(parts))
    shown.set(key, known)
    return known
  }
  return addresses.render(isSettled =>
    render(root, {
      ...options,
      ...addresses.resolversOf(''),
      ...(keys === undefined ? {} : { blockKey: block => keys.get(block) }),
      ...(isColoured
        ? { highlight: async blocks => (isSettled() ? ask.codes(blocks) : { codes: [], isComplete: true }) }
        : {}),
      ...(showsParts ? { showParts: async parts => (isSettled() ? show(parts) : []) } : {}),
    }),
  )
}

// Formulas turn one character into 20, and a page may have half a million characters.
const HTML_CHARACTERS_MAX = 5_000_000
const OUTLINE_ENTRIES_MAX = 500

export const toPageHtml = ({ html, outline, isComplete }: RenderedHtml): PageHtml => ({
  html: html.length > HTML_CHARACTERS_MAX ? null : html,
  outline: outline.slice(0, OUTLINE_ENTRIES_MAX),
  isComplete,
})
