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
