// Lists, and what to do with items that hold what the model does not allow.
import { ALLOWED_CHILDREN } from './allowed-children.ts'
import { type Block, block, paragraph } from './model.ts'
import { fitBlocks } from './schema-fitting.ts'

const ITEM_HOLDS: readonly string[] = ALLOWED_CHILDREN['list-item']

/** `checked` is null where the item is not a task. */
export type Item = { readonly blocks: readonly Block[]; readonly checked: boolean | null }

/**
 * A list of items, a task list if any of them is a task; `start` is the first number of an ordered list. Where an item
 * holds what an item may not, the list ends; the rest of that item follows unnested, then the list continues its
 * numbering.
 */
export function listOf(items: readonly Item[], start: number | undefined): Block[] {
  const isTasks = items.some(item => item.checked !== null)
  const result: Block[] = []
  let open: Block[] = []
  let first = start
  const close = (next: number): void => {
    if (open.length > 0) result.push(list(open, first, isTasks))
    open = []
    first = start === undefined ? undefined : start + next
  }
  for (const [index, { blocks, checked }] of items.entries()) {
    const fitted = fitBlocks(blocks, ITEM_HOLDS)
    const stranger = fitted.findIndex(one => !ITEM_HOLDS.includes(one.type))
    const held = stranger === -1 ? fitted : fitted.slice(0, stranger)
    const nodes = held.length === 0 && stranger === -1 ? [paragraph([])] : held
    if (nodes.length > 0)
      open.push(block('list-item', isTasks && checked !== null ? { checked } : {}, { nodes }))
    if (stranger === -1) continue
    close(index + 1)
    for (const one of fitted.slice(stranger)) result.push(one)
  }
  close(items.length)
  return result
}

function list(nodes: readonly Block[], start: number | undefined, isTasks: boolean): Block {
  if (isTasks) return block('list-tasks', {}, { nodes })
  if (start === undefined) return block('list-unordered', {}, { nodes })
  return block('list-ordered', start === 1 ? {} : { start }, { nodes })
}
