// The second door of render/: what a block needs to be written, as a tag or as HTML, without the writing of pages.
import { type BlockName, SCHEMAS, schemaOf } from '../blocks/schemas.ts'
import { type Block, blocksIn } from '../document/document.ts'
import { writeAttributes } from '../schema/schema.ts'
import { openTag, taggedLines } from './gitbook-tags.ts'
import { labelOf } from './inlines.ts'
import { markdownLink } from './markdown-line.ts'
import type { Lines, Rendering } from './rendering.ts'

export { filled, on, openTag, taggedLines } from './gitbook-tags.ts'
export { elementParts, headingLevel } from './html-blocks.ts'
export { type HtmlPart, htmlLine, htmlOf, htmlWords } from './html-line.ts'
export { footnoteAnchor, labelOf, pictureHtml } from './inlines.ts'
export { isList } from './lists.ts'
export { imagesCell, markdownCell, markdownWords } from './markdown-line.ts'
export { htmlText, startTag } from './quoting.ts'
export { type BlockRenderers, type Lines, type Rendering, wordsOfFootnote } from './rendering.ts'
export { isEmptyLine } from './spans.ts'
export type { TableStyle } from './styles.ts'

/** The data of a block as the attributes of its tag. */
export const attributesOf = (name: BlockName, data: object) => writeAttributes(SCHEMAS[name].attributes, data)

export const asLines = (text: string): Lines => (text === '' ? [] : text.split('\n'))

/** Lines between the tags of a block. */
export function tagged(name: BlockName, data: object, lines: Lines): Lines {
  const { tags } = schemaOf(name)
  return taggedLines(tags[0] ?? name, attributesOf(name, data), lines)
}

/** The tag of a block that holds nothing. */
export function single(name: BlockName, data: object): Lines {
  const { tags } = schemaOf(name)
  return [openTag(tags[0] ?? name, attributesOf(name, data))]
}

/** Items between the tags of their container, separated by blank lines; a container needs at least one item. */
export function container(
  name: BlockName,
  data: object | undefined,
  itemName: BlockName,
  items: readonly Block[] | undefined,
  rendering: Rendering,
): Lines {
  const lines = (items ?? []).flatMap((item, index) => [
    ...(index === 0 ? [] : ['']),
    ...tagged(itemName, item.data ?? {}, rendering.blocks(blocksIn(item))),
  ])
  return lines.length === 0 ? [] : tagged(name, data ?? {}, lines)
}

/** The link between a pair of tags, for people who read the plain Markdown. */
export const linkLine = (url: string): string => markdownLink(labelOf(url) || url, url)
