// The difference between two documents, in blocks.
import { type Block, type BlockChange as Difference, diffDocuments } from '../engines/content/block-diff.ts'
import { withoutMargins } from '../engines/content/block-pairs.ts'
import { blocks } from '../engines/markdown/page/page.ts'
import type { Task } from './task.ts'

export type BlockSide = { readonly key: string; readonly type: string; readonly markdown: string }

export type BlockChange = {
  readonly kind: Exclude<Difference['kind'], 'equal'>
  readonly moved?: true
  readonly before?: BlockSide
  readonly after?: BlockSide
}

export type BlockChangesInput = {
  readonly before: string
  readonly after: string
  /** Limits on the number of blocks, and on the characters of Markdown in them. */
  readonly blocksMax: number
  readonly charactersMax: number
}

/** In the order of the new document, with each removed block where it was. Beyond a limit, changes are only counted. */
export type BlockChanges = { readonly changes: readonly BlockChange[]; readonly more: number }

export const blockChanges: Task<BlockChangesInput, BlockChanges> = ({
  before,
  after,
  blocksMax,
  charactersMax,
}) => {
  const all = diffDocuments(before, after, blocks).flatMap(change => toChange(change, before, after))
  let left = charactersMax
  const changes: BlockChange[] = []
  for (const change of all) {
    const characters = charactersOf(change)
    if (changes.length === blocksMax || characters > left) break
    left -= characters
    changes.push(change)
  }
  return { changes, more: all.length - changes.length }
}

export const charactersOf = ({ before, after }: BlockChange): number =>
  (before?.markdown.length ?? 0) + (after?.markdown.length ?? 0)

/** A difference in blank lines alone does not count. */
function toChange(change: Difference, before: string, after: string): BlockChange[] {
  if (change.kind === 'equal') return []
  const sides = {
    ...('before' in change ? { before: sideOf(before, change.before) } : {}),
    ...('after' in change ? { after: sideOf(after, change.after) } : {}),
  }
  if ((sides.before?.markdown ?? '') === '' && (sides.after?.markdown ?? '') === '') return []
  return [{ kind: change.kind, ...('isMoved' in change && change.isMoved ? { moved: true } : {}), ...sides }]
}

const sideOf = (text: string, { key, type, start, end }: Block): BlockSide => ({
  key,
  type,
  markdown: withoutMargins(text.slice(start, end)),
})
