// The anchor of a comment in a document: a block, or a cell of a table. Block keys are hashes of the block's text
// (engines/markdown/page/parts.ts), so an anchor has to follow when that text changes. This file reads no database.
import { pairBlocks } from '../engines/content/block-successors.ts'
import {
  type Block,
  type Inline,
  type JSONDocument,
  toDocument,
} from '../engines/markdown/document/document.ts'
import { blocks } from '../engines/markdown/page/page.ts'
import { type Cell, followCell } from './table-cells.ts'
import type { Task } from './task.ts'

/** What a comment points at within a page: nothing but the page, a block, or a cell of a block. */
export type Anchor = {
  readonly node: string | null
  readonly cell: Cell | null
  /** The block, or the whole page, no longer exists. */
  readonly isOutdated: boolean
}

/** Why a document has no such place; undefined if it has. */
export type AnchorProblem = { readonly field: 'node' | 'tableCell' | 'suggestion'; readonly message: string }

/** Whether a document has the block, and the block the cell. */
export function checkAnchor(
  markdown: string,
  node: string,
  cell: Cell | null,
  suggested: string | null = null,
): AnchorProblem | undefined {
  const spans = blocks(markdown)
  const found = findBlock(toDocument(markdown, { spans }).document, node)
  if (found === undefined && !spans.some(({ key }) => key === node)) {
    return {
      field: 'node',
      message: 'the page has no such block now. Read its document again and take the key of a block.',
    }
  }
  if (suggested !== null && findSuggested(markdown, node, suggested) === undefined)
    return {
      field: 'suggestion',
      message:
        'before is not there once in the Markdown of the block. Take words without formatting, and enough of them.',
    }
  if (cell === null) return undefined
  if (found?.type !== 'table')
    return { field: 'tableCell', message: 'the block is not a table. Leave it out.' }
  if (!Object.hasOwn(found.data.records, cell.record)) {
    return { field: 'tableCell', message: `the table has no record ${JSON.stringify(cell.record)}.` }
  }
  if (!Object.hasOwn(found.data.definition, cell.definition)) {
    return { field: 'tableCell', message: `the table has no definition ${JSON.stringify(cell.definition)}.` }
  }
  return undefined
}

/** Where a suggestion begins that is there once in the Markdown of its block. */
function findSuggested(markdown: string, node: string, before: string): number | undefined {
  const { top } = new Side(markdown).split(node)
  const span = blocks(markdown).find(({ key }) => key === top)
  if (span === undefined) return undefined
  const block = markdown.slice(span.start, span.end)
  const at = block.indexOf(before)
  return at === -1 || block.indexOf(before, at + 1) !== -1 ? undefined : span.start + at
}

export type SuggestedChange = {
  readonly markdown: string
  readonly node: string
  readonly before: string
  readonly after: string
}

/** The document with the suggestion; null if its block does not have the text that it was made on, once. */
export const appliedSuggestion: Task<SuggestedChange, string | null> = ({
  markdown,
  node,
  before,
  after,
}) => {
  const at = findSuggested(markdown, node, before)
  return at === undefined ? null : markdown.slice(0, at) + after + markdown.slice(at + before.length)
}

type AnchorCheck = {
  readonly markdown: string
  readonly node: string
  readonly cell: Cell | null
  /** A part of the Markdown of the block. */
  readonly suggested?: string | null
}

export const anchorProblem: Task<AnchorCheck, AnchorProblem | undefined> = ({
  markdown,
  node,
  cell,
  suggested,
}) => checkAnchor(markdown, node, cell, suggested)

/**
 * The anchors in `after`, in order; null means that the page does not exist, '' that it has no document. An anchor
 * whose block was removed keeps its last key and is outdated until a document has the block again. An anchor inside a
 * block that was edited moves to the whole block.
 */
export function followAnchors(
  before: string | null,
  after: string | null,
  anchors: readonly Anchor[],
): Anchor[] {
  if (after === null) return anchors.map(anchor => ({ ...anchor, isOutdated: true }))
  const isAtBlock = anchors.some(({ node }) => node !== null)
  const way = isAtBlock ? new DocumentDiff(before ?? '', after) : undefined
  return anchors.map(anchor => way?.follow(anchor) ?? { ...anchor, isOutdated: false })
}

export type FollowedChange = {
  readonly before: string | null
  readonly after: string | null
  readonly anchors: readonly Anchor[]
}

export const followedAnchors: Task<FollowedChange, Anchor[]> = ({ before, after, anchors }) =>
  followAnchors(before, after, anchors)

/** The differences between a document and its next version. */
class DocumentDiff {
  readonly #before: Side
  readonly #after: Side
  readonly #pairs: ReadonlyMap<string, string>

  constructor(before: string, after: string) {
    this.#before = new Side(before)
    this.#after = new Side(after)
    this.#pairs = pairBlocks(before, after, markdown => blocks(markdown))
  }

  /** Undefined for an anchor without a block. */
  follow(anchor: Anchor): Anchor | undefined {
    if (anchor.node === null) return undefined
    if (anchor.isOutdated) return { ...anchor, isOutdated: !this.#after.has(anchor.node) }
    const { top, inside } = this.#before.split(anchor.node)
    const next = this.#pairs.get(top)
    if (next === undefined) return { ...anchor, isOutdated: true }
    if (isSameText(top, next)) return { ...anchor, node: next + inside }
    const cell = anchor.cell && inside === '' ? this.#followCell(top, next, anchor.cell) : null
    return { node: next, cell, isOutdated: false }
  }

  #followCell(top: string, next: string, cell: Cell): Cell | null {
    const [before, after] = [this.#before.find(top), this.#after.find(next)]
    return before?.type === 'table' && after?.type === 'table' ? followCell(before, after, cell) : null
  }
}

/** One of the two documents; each property is computed at most once. */
class Side {
  readonly #markdown: string
  readonly #keys: ReadonlySet<string>
  #document: JSONDocument | undefined

  constructor(markdown: string) {
    this.#markdown = markdown
    this.#keys = new Set(blocks(markdown).map(({ key }) => key))
  }

  find(node: string): Block | undefined {
    this.#document ??= toDocument(this.#markdown).document
    return findBlock(this.#document, node)
  }

  has(node: string): boolean {
    const { top, inside } = this.split(node)
    return this.#keys.has(top) && (!inside.startsWith('-') || this.find(node) !== undefined)
  }

  /**
   * The top-level block that a node is, or is in. Nodes inside are called `<key>.0.2`. When one piece of the source
   * became several blocks, those after the first are called `<key>-1`, as is a second block with the same text; that
   * block takes precedence if it exists.
   */
  split(node: string): { top: string; inside: string } {
    const [name = ''] = node.split('.', 1)
    const dash = name.lastIndexOf('-')
    const isPart = dash !== -1 && !this.#keys.has(name) && this.#keys.has(name.slice(0, dash))
    const top = isPart ? name.slice(0, dash) : name
    return { top, inside: node.slice(top.length) }
  }
}

/** Keys begin with a hash of the text; an optional number counts blocks with the same text. */
const isSameText = (a: string, b: string): boolean => a.split('-', 1)[0] === b.split('-', 1)[0]

/** Finds the block with this key at any depth. */
function findBlock(document: JSONDocument, key: string): Block | undefined {
  const waiting: (Block | Inline)[] = [...document.nodes]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.object === 'block' && node.key === key) return node
    for (const inside of node.nodes ?? []) if (inside.object !== 'text') waiting.push(inside)
    for (const { nodes } of node.fragments ?? []) for (const inside of nodes) waiting.push(inside)
  }
  return undefined
}
