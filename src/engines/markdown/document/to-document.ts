// GitBook Markdown as a rich document, the JSON that editors and integrations read and write; render/ is the way back.
// The Markdown stays what is stored. What the model cannot hold where it was written takes a lighter form or moves out
// of its container (schema-fitting.ts), and no word is lost.
import { DOCUMENT } from '../blocks/document.ts'
import { type BlockSpan, blocks, placeIds, titleOf } from '../page/page.ts'
import { footnotesOf, type Heading, parseMarkdown, type Root, toBlocks } from '../syntax/syntax.ts'
import { readBlocks } from './blocks.ts'
import { Conversion, type ConversionProblem, type Resolve } from './conversion.ts'
import { writeNodes } from './inlines.ts'
import { nameBlocks } from './keys.ts'
import { type Block, type JSONDocument, SCHEMA_VERSION } from './model.ts'

export type DocumentOptions = {
  /** Finds what destinations lead to; without it every reference is a `url` with the destination as written. */
  readonly resolve?: Resolve
  /** The page's title: a first heading `# …` with the same text belongs to the page, not to the document. */
  readonly title?: string
  /** Names of the source's blocks; taken from the source itself where it is given as text. */
  readonly spans?: readonly BlockSpan[]
}

/**
 * The document of a page, and what it could not express as written (at most 100 problems). Frontmatter is not part of
 * it. Every document passes `checkDocument`; no page makes this throw.
 */
export function toDocument(
  source: string | Root,
  options: DocumentOptions = {},
): { document: JSONDocument; problems: ConversionProblem[] } {
  const root = typeof source === 'string' ? parseMarkdown(source) : source
  const spans = options.spans ?? (typeof source === 'string' ? blocks(source, root) : [])
  const { nodes, conversion } = placeDocument(root, spans, options)
  const document: JSONDocument = { object: 'document', data: { schemaVersion: SCHEMA_VERSION }, nodes }
  return { document, problems: conversion.problems }
}

export type PlacedDocument = {
  readonly nodes: Block[]
  /** Where in the source each node began; the last ones are footnotes without a reference. */
  readonly starts: readonly number[]
  readonly unusedFootnotes: number
  readonly title: Heading | undefined
  readonly conversion: Conversion
}

/** The nodes of a document with their places in its source, which they are named after. */
export function placeDocument(
  root: Root,
  spans: readonly BlockSpan[],
  options: DocumentOptions,
): PlacedDocument {
  const conversion = new Conversion({
    resolve: options.resolve ?? (() => undefined),
    places: placeIds(root),
    tags: DOCUMENT,
    readBlocks,
    writeNodes,
  })
  for (const definition of footnotesOf(root)) conversion.define(definition)

  const nodes: Block[] = []
  const starts: number[] = []
  const add = (made: readonly Block[], start: number): void => {
    for (const one of made) {
      nodes.push(one)
      starts.push(start)
    }
  }
  const title = options.title === undefined ? undefined : titleOf(root, options.title)
  for (const node of toBlocks(root.children))
    if (node !== title) add(readBlocks([node], conversion), node.position.start)
  const flowing = nodes.length
  for (const { definition, body } of conversion.unusedFootnotes()) add(body, definition.position.start)
  nameBlocks(nodes, starts, spans)
  return { nodes, starts, unusedFootnotes: nodes.length - flowing, title, conversion }
}
