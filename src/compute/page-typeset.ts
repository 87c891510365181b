// A page in the form that the typesetter takes.
import { toHtmlTree } from '../engines/markdown/html/html.ts'
import { countLines, type WrittenPage, writePage } from '../engines/markdown/typeset/typeset.ts'
import { type AsksOfPage, type PageHtmlInput, renderPage } from './page-html.ts'
import type { Task } from './task.ts'

/** The page's blocks as JSON, and how many lines they take at the least. */
export type TypesetPage = Omit<WrittenPage, 'blocks'> & { readonly json: string; readonly lines: number }

export const pageTypeset: Task<PageHtmlInput, TypesetPage, AsksOfPage> = async (input, ask) => {
  const { blocks, ...written } = await renderPage(input, ask, async (root, options) =>
    writePage(await toHtmlTree(root, options)),
  )
  return { ...written, json: JSON.stringify(blocks), lines: countLines(blocks) }
}
