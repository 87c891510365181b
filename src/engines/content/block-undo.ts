// Undoing some changes of a document, by blocks: inserted blocks are removed, removed ones restored, modified ones get
// their old text, and moved ones return to their old place.
import type { SplitBlocks } from './block-diff.ts'
import { diffDocuments } from './block-diff.ts'
import { type Block, type BlockChange, withoutMargins } from './block-pairs.ts'

export type UndoResult = {
  readonly document: string
  /** Keys that name no change between the two documents. */
  readonly unknown: readonly string[]
}

/** A block of the result: its text, and which document it is taken from. */
type Part = {
  readonly text: string
  readonly side: 'before' | 'after'
  readonly block: Block
  /** Its old position, for a block that keeps its order. */
  readonly place: number | undefined
}

/**
 * `after` without the changes that `keys` name. An inserted, modified or moved block goes by its key in `after`, a
 * removed one by its key in `before`, as does a modified one whose new key is not named.
 */
export function undoBlocks(
  before: string,
  after: string,
  keys: Iterable<string>,
  blocks: SplitBlocks,
): UndoResult {
  const changes = diffDocuments(before, after, blocks)
  const { chosen, unknown } = choose(changes, keys)
  const textOf = (side: Part['side'], block: Block) =>
    (side === 'before' ? before : after).slice(block.start, block.end)
  const part = (side: Part['side'], block: Block, place?: number): Part => ({
    text: textOf(side, block),
    side,
    block,
    place,
  })
  const parts: Part[] = []
  const returning: Part[] = []
  for (const change of changes) {
    const isUndone = chosen.has(change)
    if (change.kind === 'inserted') {
      if (!isUndone) parts.push(part('after', change.after))
    } else if (change.kind === 'removed') {
      if (isUndone) parts.push(part('before', change.before, change.before.start))
    } else if (!isUndone) {
      const keepsOrder = change.kind === 'equal' || (change.kind === 'modified' && !change.isMoved)
      parts.push(part('after', change.after, keepsOrder ? change.before.start : undefined))
    } else if (change.kind === 'moved' || (change.kind === 'modified' && change.isMoved)) {
      returning.push(part('before', change.before, change.before.start))
    } else parts.push(part('before', change.before, change.before.start))
  }
  for (const moved of returning) parts.splice(placeFor(parts, moved), 0, moved)
  return { document: join(parts, before, after), unknown }
}

function choose(
  changes: readonly BlockChange[],
  keys: Iterable<string>,
): { chosen: Set<BlockChange>; unknown: string[] } {
  const byKey = new Map<string, BlockChange>()
  const offer = (key: string, change: BlockChange) => {
    if (!byKey.has(key)) byKey.set(key, change)
  }
  const differing = changes.filter(({ kind }) => kind !== 'equal')
  for (const change of differing) offer('after' in change ? change.after.key : change.before.key, change)
  for (const change of differing) if ('before' in change) offer(change.before.key, change)
  const chosen = new Set<BlockChange>()
  const unknown: string[] = []
  for (const key of keys) {
    const change = byKey.get(key)
    if (change === undefined) unknown.push(key)
    else chosen.add(change)
  }
  return { chosen, unknown }
}

/** The index after the last block that was before it and keeps its order. */
const placeFor = (parts: readonly Part[], { place: moved = 0 }: Part): number =>
  parts.findLastIndex(({ place }) => place !== undefined && place < moved) + 1

/** Adjacent blocks keep the text between them; others are separated by a blank line. */
function join(parts: readonly Part[], before: string, after: string): string {
  const end = after.includes('\r\n') || (after === '' && before.includes('\r\n')) ? '\r\n' : '\n'
  const texts: string[] = []
  for (const [i, part] of parts.entries()) {
    texts.push(part.text)
    const next = parts[i + 1]
    if (next === undefined) {
      const source = part.side === 'before' ? before : after
      if (part.block.end !== source.length) texts.push(...endLike(texts, after === '' ? before : after))
    } else if (part.side !== next.side || part.block.end !== next.block.start) {
      const gap = trailing(part.text) + leading(next.text)
      if (part.text !== '') texts.push(end.repeat(Math.max(0, 2 - countLineEnds(gap))))
    }
  }
  return texts.join('')
}

/** Removes the trailing white space of the last text; returns that text, and the trailing white space of `document`. */
function endLike(texts: string[], document: string): string[] {
  const last = texts.pop() ?? ''
  return [last.slice(0, last.length - trailing(last).length), trailing(document)]
}

const trailing = (text: string): string => text.slice(text.trimEnd().length)
const leading = (text: string): string => text.slice(0, text.length - withoutLeading(text).length)
const withoutLeading = (text: string): string => {
  const bare = withoutMargins(text)
  return bare === '' ? '' : text.slice(text.indexOf(bare))
}

const countLineEnds = (text: string): number => text.split('\n').length - 1
