// The blocks of a text as a review shows them: both versions of what changed, in the order of the newer text, and runs of
// what stayed.
import type { BlockChange, Sides } from '../../data/review.ts'
import { readMarkup } from '../../parts/markup.tsx'

export type Side = { readonly key: string; readonly html: string }
export type Changed = {
  readonly kind: 'inserted' | 'removed' | 'moved' | 'modified'
  /** Modified and also moved. */
  readonly isMoved: boolean
  readonly before?: Side
  readonly after?: Side
}
export type Same = { readonly kind: 'same'; readonly sides: readonly Side[] }

export function blocksOf(sides: Sides, changes: readonly BlockChange[] | undefined): (Changed | Same)[] {
  if (sides.before === null)
    return sidesIn(sides.after ?? '', AFTER).map(after => whole('inserted', { after }))
  if (sides.after === null) return sidesIn(sides.before, BEFORE).map(before => whole('removed', { before }))
  const [before, after] = [sidesIn(sides.before, BEFORE), sidesIn(sides.after, AFTER)]
  const [wasAt, isAt] = [placesIn(before), placesIn(after)]
  const blocks: (Changed | Same)[] = []
  const differing = new Set((changes ?? []).map(change => change.after?.key))
  let next = 0
  const stayUntil = (end: number) => {
    const same = after.slice(next, end).filter(({ key }) => !differing.has(key))
    if (same.length > 0) blocks.push({ kind: 'same', sides: same })
    next = Math.max(next, end)
  }
  for (const change of changes ?? []) {
    const at = change.after === undefined ? undefined : isAt.get(change.after.key)
    if (at !== undefined) stayUntil(at)
    else if (change.before !== undefined) stayUntil(behind(wasAt.get(change.before.key), before, isAt))
    blocks.push({
      kind: change.kind,
      isMoved: change.moved === true,
      ...(change.before === undefined ? {} : { before: sideOf(change.before, before, wasAt) }),
      ...(change.after === undefined ? {} : { after: sideOf(change.after, after, isAt) }),
    })
    if (at !== undefined) next = Math.max(next, at + 1)
  }
  stayUntil(after.length)
  return blocks
}

const whole = (kind: 'inserted' | 'removed', side: Partial<Record<'before' | 'after', Side>>): Changed => ({
  kind,
  isMoved: false,
  ...side,
})

const placesIn = (sides: readonly Side[]): ReadonlyMap<string, number> =>
  new Map(sides.map(({ key }, at) => [key, at]))

/** Where a removed block was: behind the nearest block before it that is still there. */
function behind(at: number | undefined, before: readonly Side[], isAt: ReadonlyMap<string, number>): number {
  for (let near = (at ?? 0) - 1; near >= 0; near -= 1) {
    const found = isAt.get(before[near]?.key ?? '')
    if (found !== undefined) return found + 1
  }
  return 0
}

/** What shows nothing, such as frontmatter, is shown as it is written. */
function sideOf(
  { key, markdown }: NonNullable<BlockChange['before']>,
  sides: readonly Side[],
  places: ReadonlyMap<string, number>,
): Side {
  const found = sides[places.get(key) ?? -1]
  if (found !== undefined) return found
  const pre = document.createElement('pre')
  pre.textContent = markdown
  return { key, html: pre.outerHTML }
}

const BEFORE = 'before.'
const AFTER = 'after.'

/** By its key, all that is shown of a block. Ids differ between the versions, as both are in one document. */
function sidesIn(html: string, prefix: string): Side[] {
  const root = readMarkup(html)
  for (const element of root.querySelectorAll('*')) renameIds(element, prefix)
  const htmls = new Map<string, string>()
  for (const element of root.children) {
    const key = element.getAttribute('data-block')
    if (key !== null) htmls.set(key, (htmls.get(key) ?? '') + element.outerHTML)
  }
  return [...htmls].map(([key, one]) => ({ key, html: one }))
}

const REFERRING = ['for', 'aria-controls', 'aria-labelledby', 'aria-describedby']

function renameIds(element: Element, prefix: string): void {
  if (element.id !== '') element.id = prefix + element.id
  for (const name of REFERRING) {
    const ids = element.getAttribute(name)
    if (ids !== null)
      element.setAttribute(
        name,
        ids.replace(/\S+/g, id => prefix + id),
      )
  }
  const href = element.getAttribute('href')
  if (href?.startsWith('#') === true) element.setAttribute('href', `#${prefix}${href.slice(1)}`)
}
