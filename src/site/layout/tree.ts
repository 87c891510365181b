// The page tree at the side: groups as headings, branches that open, the current page marked.

import { type Html, html } from '../../base/html.ts'
import { inSlices } from '../../base/slices.ts'
import { safeHref } from '../../engines/markdown/html/values.ts'
import { TREE_ID } from './document.ts'
import { icon } from './icons.ts'
import { titleIcon } from './title-icon.ts'
import type { TreeItem } from './view.ts'

/**
 * A larger tree is sent without the pages of closed branches: they show when the branch's own page is opened. A tree of
 * 1,000 pages would otherwise add about 150 KB to every page of the space.
 */
const ITEMS_WHOLE_MAX = 400

/** Deeper branches are shown flat; the content store allows 32 levels. */
const DEPTH_MAX = 40

/** Shown on a phone above the navigation, which covers the page there: links to the home page and back. */
export const DRAWER_HEAD = html`<div class="drawer-head"><a href="/">${icon('arrow-left')}All spaces</a><button class="masthead-button" type="button" popovertarget="${TREE_ID}" popovertargetaction="hide" aria-label="Close the navigation" data-drawer-close>${icon('xmark')}</button></div>`

export function renderTree(tree: readonly TreeItem[], currentId: string | null): Html {
  const trail = new Set(currentId === null ? [] : findTrail(tree, currentId))
  const isCut = isLarge(tree)
  return html`<nav class="sidebar" id="${TREE_ID}" popover aria-label="Pages" data-tree>
${DRAWER_HEAD}
<ul class="tree" role="list">${renderList(tree, { trail, currentId, isCut }, 0)}</ul>
</nav>`
}

/** Draws, in slices, what all pages of the tree share. Otherwise a tree is drawn when it is shown. */
export async function drawTree(tree: readonly TreeItem[]): Promise<void> {
  const state: TreeState = { trail: new Set(), currentId: null, isCut: isLarge(tree) }
  for await (const { item, depth } of inSlices(fromBelow(tree))) renderItem(item, state, depth)
  renderList(tree, state, 0)
}

/** Every item after those below it. */
function* fromBelow(items: readonly TreeItem[], depth = 0): Generator<{ item: TreeItem; depth: number }> {
  if (depth > DEPTH_MAX) return
  for (const item of items) {
    yield* fromBelow(item.children, depth + 1)
    yield { item, depth }
  }
}

/** Items of a long list that are cached as one text. */
const RUN_LENGTH = 250

/** Runs of items that are all off the path to the current page, by their list. */
const drawnRuns = new WeakMap<readonly TreeItem[], (Html | undefined)[]>()

function renderList(items: readonly TreeItem[], state: TreeState, depth: number): Html[] {
  const kept = drawnRuns.get(items) ?? []
  drawnRuns.set(items, kept)
  return Array.from({ length: Math.ceil(items.length / RUN_LENGTH) }, (_, at) => {
    const run = items.slice(at * RUN_LENGTH, (at + 1) * RUN_LENGTH)
    const draw = () => html`${run.map(item => renderItem(item, state, depth))}`
    if (run.some(({ id }) => state.trail.has(id))) return draw()
    kept[at] ??= draw()
    return kept[at]
  })
}

/** Items off the path to the current page: they look the same on every page. An item belongs to one tree. */
const drawn = new WeakMap<TreeItem, Html>()

interface TreeState {
  /** Ids from the root down to the current page. */
  readonly trail: ReadonlySet<string>
  readonly currentId: string | null
  readonly isCut: boolean
}

function renderItem(item: TreeItem, state: TreeState, depth: number): Html | null {
  if (depth > DEPTH_MAX) return null
  if (state.trail.has(item.id)) return drawItem(item, state, depth)
  const markup = drawn.get(item) ?? drawItem(item, state, depth)
  drawn.set(item, markup)
  return markup
}

function drawItem(item: TreeItem, state: TreeState, depth: number): Html {
  if (item.kind === 'group')
    return html`<li class="tree-group"><p class="tree-heading">${titleIcon(item)}<bdi>${item.title}</bdi></p>
<ul role="list">${renderList(item.children, state, depth + 1)}</ul></li>\n`
  const hasBranch = item.children.length > 0
  return html`<li${hasBranch && html` class="has-branch"`}>${link(item, state)}${hasBranch && branch(item, state, depth)}</li>\n`
}

function link(item: TreeItem, state: TreeState): Html {
  const href = item.href === null ? undefined : safeHref(item.href)
  const words = html`${titleIcon(item)}<bdi>${item.title}</bdi>${item.kind === 'link' && icon('arrow-up-right')}`
  if (href === undefined)
    return html`<span class="tree-link broken" title="The target of this link is missing">${words}</span>`
  const isCurrent = item.id === state.currentId
  const isExternal = item.kind === 'link' && /^https?:/i.test(href)
  return html`<a class="tree-link" href="${href}"${isCurrent && html` aria-current="page"`}${
    isExternal && html` rel="noopener noreferrer"`
  }>${words}</a>`
}

function branch(item: TreeItem, state: TreeState, depth: number): Html {
  const isOpen = state.trail.has(item.id)
  if (state.isCut && !isOpen) return html`<span class="branch-mark" aria-hidden="true"></span>`
  return html`<details class="branch"${isOpen && html` open`}><summary aria-label="Pages below ${item.title}"></summary>
<ul role="list">${renderList(item.children, state, depth + 1)}</ul></details>`
}

/** Ids from the root to the page, the page included; empty if the tree does not contain it (a hidden page). */
function findTrail(items: readonly TreeItem[], id: string, depth = 0): string[] {
  if (depth > DEPTH_MAX) return []
  for (const item of items) {
    if (item.id === id) return [item.id]
    const below = findTrail(item.children, id, depth + 1)
    if (below.length > 0) return [item.id, ...below]
  }
  return []
}

const isLarge = (tree: readonly TreeItem[]): boolean => countItems(tree, ITEMS_WHOLE_MAX) > ITEMS_WHOLE_MAX

/** Counts until `enough` is passed. */
function countItems(items: readonly TreeItem[], enough: number): number {
  let count = 0
  const rest = [...items]
  while (rest.length > 0 && count <= enough) {
    count++
    rest.push(...(rest.pop()?.children ?? []))
  }
  return count
}
