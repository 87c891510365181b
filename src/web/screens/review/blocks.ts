// The blocks of a text as a review shows them: what changed, and runs of what stayed.
import type { BlockChange, Comparison, Versions } from '../../data/review.ts'
import { readMarkup } from '../../parts/markup.tsx'

export type Side = { readonly key: string; readonly html: string }
export type Changed = {
  readonly kind: 'added' | 'removed' | 'moved' | 'changed'
  /** Changed and also moved. */
  readonly isMoved: boolean
  readonly before?: Side
  readonly after?: Side
}
export type Same = { readonly kind: 'same'; readonly sides: readonly Side[] }
export type Block = Changed | Same

export function blocksOf({ blocks }: Comparison): Block[] {
  const found: Block[] = []
  let same: Side[] = []
  for (const { kind, moved, before, after } of blocks) {
    if (kind === 'unchanged') {
      if (after === undefined) continue
      if (same.length === 0) {
        same = []
        found.push({ kind: 'same', sides: same })
      }
      same.push(after)
      continue
    }
    same = []
    found.push({ kind, isMoved: moved === true, ...sidesOf(before, after) })
  }
  return found
}

/**
 * The text without the heading at its beginning that says the title again, and the key of that heading. A text that is
 * nothing else stays, and a heading that became another is a change like others.
 */
export function takeTitle(blocks: readonly Block[], title: string): Titled {
  const [first, ...others] = blocks
  if (first?.kind === 'same') {
    const [side, ...sides] = first.sides
    if (side === undefined || !says(side, title)) return { blocks }
    return { titleKey: side.key, blocks: sides.length === 0 ? others : [{ ...first, sides }, ...others] }
  }
  if (others.length === 0 || (first?.kind !== 'added' && first?.kind !== 'removed')) return { blocks }
  const side = first.after ?? first.before
  return side !== undefined && says(side, title) ? { titleKey: side.key, blocks: others } : { blocks }
}

type Titled = { readonly titleKey?: string; readonly blocks: readonly Block[] }

function says({ html }: Side, title: string): boolean {
  const { firstElementChild: heading, childElementCount } = readMarkup(html)
  if (heading?.localName !== 'h2' || childElementCount !== 1) return false
  heading.querySelector('.anchor')?.remove()
  return heading.textContent === title
}

const sidesOf = (before: Side | undefined, after: Side | undefined) => ({
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
})

const KINDS = { inserted: 'added', removed: 'removed', moved: 'moved', modified: 'changed' } as const

/** Of a text of which only the blocks that differ are known; all of it where there is one version. */
export function blocksOfVersions(
  { before, after }: Versions,
  changes: readonly BlockChange[] | undefined,
): Block[] {
  const [old, now] = [sidesIn(before ?? ''), sidesIn(after ?? '')]
  if (before === null)
    return [...now].map(([key, html]) => ({ kind: 'added', isMoved: false, after: { key, html } }))
  if (after === null)
    return [...old].map(([key, html]) => ({ kind: 'removed', isMoved: false, before: { key, html } }))
  const sideOf = (block: BlockChange['after'], htmls: ReadonlyMap<string, string>) =>
    block === undefined
      ? undefined
      : { key: block.key, html: htmls.get(block.key) ?? sourceOf(block.markdown) }
  return (changes ?? []).map(change => ({
    kind: KINDS[change.kind],
    isMoved: change.moved === true,
    ...sidesOf(sideOf(change.before, old), sideOf(change.after, now)),
  }))
}

function sourceOf(markdown: string): string {
  const pre = document.createElement('pre')
  pre.textContent = markdown
  return pre.outerHTML
}

/** All that is shown of each block, by its key. */
function sidesIn(html: string): Map<string, string> {
  const htmls = new Map<string, string>()
  for (const element of readMarkup(html).children) {
    const key = element.getAttribute('data-block')
    if (key !== null) htmls.set(key, (htmls.get(key) ?? '') + element.innerHTML)
  }
  return htmls
}
