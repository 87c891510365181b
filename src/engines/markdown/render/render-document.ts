// A rich document as GitBook Markdown, the inverse of document/.
import type { JSONDocument } from '../document/document.ts'
import { renderBlocks } from './blocks.ts'
import { definitionsOf, Rendering, type WriteReference } from './rendering.ts'

/** Without `write`, addresses are written as they are, and everything else by id: `/pages/<id>`, `/files/<id>`. */
export type RenderOptions = { readonly write?: WriteReference }

/** The GitBook Markdown of a rich document that passes checkDocument. Ends with one newline unless empty. */
export function renderDocument(document: JSONDocument, options: RenderOptions = {}): string {
  const rendering = new Rendering({ write: options.write, blocks: renderBlocks })
  const lines = renderBlocks(document.nodes, rendering)
  const footnotes = definitionsOf(rendering.added)
  const all =
    lines.length > 0 && footnotes.length > 0 ? [...lines, '', ...footnotes] : [...lines, ...footnotes]
  return all.length === 0 ? '' : `${all.join('\n')}\n`
}
