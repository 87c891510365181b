// The parts of a section that can be quoted: its sentences, and blocks that make no sense in parts, such as code or
// steps. Each piece comes with its words, by which it is chosen, and as Markdown that reads the same outside its page.

import { schemaOf } from '../blocks/schemas.ts'
import { type QuotedText, quotedRows } from '../blocks/table/excerpt.ts'
import {
  type Block,
  block,
  type Inline,
  type JSONDocument,
  SCHEMA_VERSION,
  type Text,
  toDocument,
} from '../document/document.ts'
import { isHeading, lastStart, sections } from '../page/page.ts'
import { blockOf, isContainer, itemsOf } from '../reading/reading.ts'
import { renderDocument, type WriteReference } from '../render/render.ts'
import {
  childrenOf,
  type List,
  type Block as MarkdownBlock,
  type Node,
  parseMarkdown,
  plainLine,
  plainText,
  type Root,
  toBlocks,
} from '../syntax/syntax.ts'
import { sentencesOf } from './sentences.ts'

/**
 * `prose`: sentences of one paragraph. `list`: items that can be quoted alone. `steps` are one piece, in order, and so
 * is `code`. `table`: rows below `head`.
 */
export type Quotation = {
  readonly kind: 'prose' | 'list' | 'steps' | 'code' | 'table'
  readonly head?: string
  readonly pieces: readonly QuotedText[]
}

/** A section by its place in `sections()` of the same source. */
export type QuotedSection = { readonly ordinal: number; readonly quotations: readonly Quotation[] }

// Anything longer is not quoted: an answer is read, not scrolled through.
const PIECE_CHARACTERS_MAX = 4_000
const QUOTATIONS_MAX = 200

/** The quotations of the sections with these ordinals. */
export function quotations(source: string, ordinals: ReadonlySet<number>): QuotedSection[] {
  const root = parseMarkdown(source)
  const starts = sections(source, root).map(section => section.start)
  const quoted = new Map(
    [...ordinals]
      .filter(ordinal => ordinal < starts.length)
      .map((ordinal): [number, Quotation[]] => [ordinal, []]),
  )
  const addQuotation = (node: MarkdownBlock, quotation: Quotation | undefined): void => {
    const place = quoted.get(lastStart(starts, node.position.start))
    if (place === undefined || place.length >= QUOTATIONS_MAX) return
    if (quotation !== undefined && quotation.pieces.length > 0) place.push(quotation)
  }
  const isWanted = (node: MarkdownBlock): boolean => quoted.has(lastStart(starts, node.position.start))
  const visit = (blocks: readonly MarkdownBlock[]): void => {
    for (const node of blocks) {
      if (isHeading(node) || UNQUOTED.has(node.type)) continue
      const steps = stepsOf(node)
      const rows = isWanted(node) ? quotedRows(node, toPiece) : undefined
      if (steps !== undefined) addSteps(steps, node)
      else if (rows !== undefined)
        addQuotation(node, { kind: 'table', ...rows, pieces: rows.pieces.filter(isQuotable) })
      else if (node.type === 'tag' || node.type === 'blockquote' || isElement(node))
        visit(toBlocks(childrenOf(node)))
      else if (isWanted(node)) addQuotation(node, toQuotation(node))
    }
  }
  /** Steps are quoted whole if any of them was found; the heading of each may be a section of its own. */
  const addSteps = (steps: List, { position }: Node): void => {
    const quotation = toQuotation(steps)
    if (quotation === undefined) {
      visit(steps.children.flatMap(item => toBlocks(childrenOf(item))))
      return
    }
    const first = lastStart(starts, position.start)
    const last = lastStart(starts, position.end - 1)
    for (let ordinal = first; ordinal <= last; ordinal++) quoted.get(ordinal)?.push(quotation)
  }
  visit(toBlocks(root.children))
  return [...quoted].map(([ordinal, found]) => ({ ordinal, quotations: found }))
}

const UNQUOTED: ReadonlySet<string> = new Set([
  'yaml',
  'definition',
  'footnoteDefinition',
  'thematicBreak',
  'html',
])

// An HTML table is cards or cells with blocks in them: its words are quoted, not its shape.
const isElement = (node: MarkdownBlock): boolean => node.type === 'element' && node.name !== 'pre'

function toQuotation(node: MarkdownBlock): Quotation | undefined {
  if (node.type === 'list' && !node.ordered) {
    const pieces = node.children.map(item => toPiece({ ...node, children: [item] }))
    return { kind: 'list', pieces: pieces.filter(isQuotable) }
  }
  const whole = toPiece(node)
  if (node.type === 'list') return isQuotable(whole) ? { kind: 'steps', pieces: [whole] } : undefined
  if (node.type === 'table') return toRows(whole)
  if (node.type === 'paragraph') return { kind: 'prose', pieces: toSentences(node).filter(isQuotable) }
  return isQuotable(whole) ? { kind: 'code', pieces: [whole] } : undefined
}

const isQuotable = ({ text, markdown }: QuotedText): boolean =>
  text !== '' && markdown.length <= PIECE_CHARACTERS_MAX

const toPiece = (node: MarkdownBlock): QuotedText => ({
  text: plainText([node]),
  markdown: render(documentOf(node).nodes),
})

const documentOf = (node: MarkdownBlock): JSONDocument => {
  const root: Root = { type: 'root', children: [node], loneTags: [], position: node.position }
  return toDocument(root).document
}

/** Web addresses stay; links within the documentation become words. */
const writeReference: WriteReference = reference =>
  reference.kind === 'url' && /^https?:\/\//.test(reference.url) ? reference.url : undefined

const render = (nodes: readonly Block[]): string =>
  renderDocument(
    { object: 'document', data: { schemaVersion: SCHEMA_VERSION }, nodes: [...nodes] },
    { write: writeReference },
  ).trimEnd()

// A pipe table is a line for its head, one of dashes, and one for each row.
const HEAD_LINES = 2

function toRows({ text, markdown }: QuotedText): Quotation | undefined {
  const lines = markdown.split('\n')
  const words = text.split('\n')
  if (!lines.every(line => line.startsWith('|')) || lines.length <= HEAD_LINES) return undefined
  const rows = lines.slice(HEAD_LINES).map((row, index) => ({ text: words[index + 1] ?? '', markdown: row }))
  return { kind: 'table', head: lines.slice(0, HEAD_LINES).join('\n'), pieces: rows.filter(isQuotable) }
}

/** The sentences of a paragraph, each with the marks and links of its words. */
const toSentences = (node: MarkdownBlock): QuotedText[] =>
  documentOf(node)
    .nodes.filter(one => one.type === 'paragraph')
    .flatMap(one => sentencesIn(one.nodes ?? []))

function sentencesIn(nodes: readonly (Text | Inline)[]): QuotedText[] {
  const runs = nodes.flatMap(toRuns)
  const words = runs.map(run => run.text).join('')
  const withoutCode = runs.map(run => (run.isWhole ? 'x'.repeat(run.text.length) : run.text)).join('')
  return sentencesOf(withoutCode).map(({ start, end }) => ({
    text: words.slice(start, end).replace(/\s+/g, ' ').trim(),
    markdown: render([block('paragraph', {}, { nodes: cut(runs, start, end) })]),
  }))
}

type Run = {
  readonly text: string
  readonly isWhole: boolean
  cut(start: number, end: number): Text | Inline
}

function toRuns(node: Text | Inline): Run[] {
  if (node.object === 'text') {
    return node.leaves.map(leaf => ({
      text: leaf.text,
      isWhole: leaf.marks.some(mark => mark.type === 'code'),
      cut: (start, end) => ({ object: 'text', leaves: [{ ...leaf, text: leaf.text.slice(start, end) }] }),
    }))
  }
  if (node.type === 'inline-image') return []
  const text = wordsOf(node)
  return [{ text: text === '' ? ' ' : text, isWhole: true, cut: () => node }]
}

const wordsOf = (node: Text | Inline): string =>
  node.object === 'text'
    ? node.leaves.map(leaf => leaf.text).join('')
    : (node.nodes ?? []).map(wordsOf).join('')

function cut(runs: readonly Run[], start: number, end: number): (Text | Inline)[] {
  const nodes: (Text | Inline)[] = []
  let at = 0
  for (const run of runs) {
    const from = Math.max(start - at, 0)
    const to = Math.min(end - at, run.text.length)
    if (from < to) nodes.push(run.cut(from, to))
    at += run.text.length
  }
  return nodes
}

/** Steps or an ordered list, as one list whose items are the steps. */
function stepsOf(node: MarkdownBlock): List | undefined {
  if (node.type === 'list' && node.ordered) return node
  const sequence = blockOf(node)
  if (sequence === undefined || !isContainer(sequence) || schemaOf(sequence.name).isSequence === undefined)
    return undefined
  const { position } = node
  const steps = itemsOf(sequence).items.map(({ tag }) => tag)
  return {
    ...{ type: 'list', ordered: true, start: 1, spread: true, position },
    children: steps.map(step => ({
      ...{ type: 'listItem', checked: null, spread: true, position: step.position },
      children: toBlocks(childrenOf(step)).map(withoutHeading),
    })),
  }
}

/** In a list, a heading is a line in bold. */
const withoutHeading = (node: MarkdownBlock): MarkdownBlock => {
  if (!isHeading(node)) return node
  const { position } = node
  const text = { type: 'text', value: plainLine([node]), position } as const
  return { type: 'paragraph', children: [{ type: 'strong', children: [text], position }], position }
}
