// Several short texts as HTML, each by itself.
import type { JSONDocument } from '../engines/markdown/document/document.ts'
import { toHtml } from '../engines/markdown/html/html.ts'
import { writeById, writeOver } from '../engines/markdown/render/render.ts'
import { type AsksOfPage, type PageHtmlInput, renderPage } from './page-html.ts'
import type { Task } from './task.ts'

/** `idPrefix` is put before its ids: it is shown beside others. */
export type IdentifiedText = { readonly markdown: string; readonly idPrefix: string }

export type TextsHtmlInput = {
  readonly texts: readonly IdentifiedText[]
} & Pick<PageHtmlInput, 'isColoured' | 'showsParts' | 'variables'>

/** The same for each text; null for one that would be too long with those before it. */
export type TextsHtml = {
  readonly htmls: readonly (string | null)[]
  /** False if some code is uncoloured because colouring was not ready in time. */
  readonly isComplete: boolean
}

// For all texts together.
const HTML_CHARACTERS_MAX = 5_000_000

export const textsHtml: Task<TextsHtmlInput, TextsHtml, AsksOfPage> = async ({ texts, ...options }, ask) => {
  const htmls: (string | null)[] = []
  let left = HTML_CHARACTERS_MAX
  let isWhole = true
  for (const text of texts) {
    const { html, isComplete } = await renderPage({ ...options, ...text }, ask, toHtml)
    isWhole &&= isComplete
    left -= html.length
    htmls.push(left < 0 ? null : html)
  }
  return { htmls, isComplete: isWhole }
}

/** The Markdown of each block of a checked document, with references by id. */
export const blockTexts: Task<{ readonly json: string }, string[]> = ({ json }) => {
  const document: JSONDocument = JSON.parse(json)
  return document.nodes.map(node => writeOver('', { ...document, nodes: [node] }, { write: writeById }).text)
}
