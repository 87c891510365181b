// A page as HTML for the reader: safe whatever the page says, readable without a script or a style of its own.
//
// The steps: the tree of syntax/ast.ts → an HTML tree (one file per kind of thing) → elements moved to where HTML
// allows them (nesting.ts) → an allowlist over everything (schema.ts) → text. Content never reaches the
// output as markup; every piece of it is a text node or a checked attribute until the last step writes it.
import type { Element, Root as HastRoot } from 'hast'
import { sanitize } from 'hast-util-sanitize'
import { toHtml as serialize } from 'hast-util-to-html'
import { HTML } from '../blocks/html.ts'
import { foldAnchor, foldedPlace, ownAnchor } from '../page/page.ts'
import type { Root } from '../syntax/syntax.ts'
import type { ShownPart } from './api-parts.ts'
import { renderBlock } from './blocks.ts'
import { el, type Hast } from './build.ts'
import { forget } from './drawn.ts'
import { isDiagram } from './highlight.ts'
import { prefixIds } from './id-prefix.ts'
import { renderInline } from './inlines.ts'
import { fixNesting } from './nesting.ts'
import type { HtmlOptions, RenderedHtml } from './options.ts'
import { fillHoles } from './parts.ts'
import { SCHEMA } from './schema.ts'
import { type Scope, scopeOf } from './scope.ts'
import { ShownBlock } from './shown-block.ts'

/**
 * Renders a page. Never rejects because of a page's content; what could not be shown as intended is in `problems`.
 * Waits only for `options.showParts` and `options.highlight`, each called once for the whole page.
 */
export async function toHtml(root: Root, options: HtmlOptions): Promise<RenderedHtml> {
  const { page, tree, shown, isComplete } = await toSafeTree(root, options, forget)
  if (page.parts.length > 0) fillHoles(tree, shown)
  const { idPrefix } = options
  return {
    html: serialize(tree, { characterReferences: { useNamedReferences: true }, allowDangerousHtml: true }),
    outline:
      idPrefix === undefined
        ? page.outline
        : page.outline.map(entry => ({ ...entry, id: `${idPrefix}${entry.id}` })),
    problems: page.problems,
    moreProblems: page.moreProblems,
    isComplete,
  }
}

/** Each block by its `blockKey`; those that show nothing are left out. Footnotes are of no block. */
export async function toHtmlBlocks(root: Root, options: HtmlOptions): Promise<Map<string, ShownBlock>> {
  const { page, tree, shown } = await toSafeTree(root, options, forget)
  if (page.parts.length > 0) fillHoles(tree, shown)
  const elements = (tree.type === 'root' ? tree.children : [tree]).filter(node => node.type === 'element')
  const byKey = Map.groupBy(elements, ({ properties }) => properties.dataBlock)
  return new Map(
    [...byKey].flatMap(([key, shown]) =>
      typeof key === 'string' ? [[key, new ShownBlock(shown)] as const] : [],
    ),
  )
}

/** The same page as a tree, for formats other than HTML: only the elements and attributes of schema.ts. */
export async function toHtmlTree(root: Root, options: HtmlOptions): Promise<HastRoot | Element> {
  return (await toSafeTree(root, options, () => undefined)).tree
}

/** `prepare` gets the tree before the allowlist copies it. */
async function toSafeTree(root: Root, options: HtmlOptions, prepare: (tree: HastRoot) => void) {
  const scope = scopeOf(root, options, { block: renderBlock, inline: renderInline, tags: HTML })
  const { page } = scope
  const body = options.blockKey === undefined ? scope.blocks(root.children) : keyedBlocks(root, scope)
  const tree: HastRoot = {
    type: 'root',
    children: [...body, ...page.footnotes.render(nodes => scope.blocks(nodes))],
  }
  // The parts may contain code to colour.
  const shown = await showParts(page.parts, options)
  scope.reportMissingPlaces()
  tree.children.unshift(...titlePlace(scope))
  if (scope.isCut())
    tree.children.push(el('p.too-long', {}, 'The rest of this page is too long to be shown here.'))
  const isComplete = await colour(page.codes, options)
  fixNesting(tree)
  prepare(tree)
  // The library's type is any node; a root becomes a root or its only element.
  const safe = sanitize(tree, SCHEMA) as HastRoot | Element
  if (options.idPrefix !== undefined) prefixIds(safe, options.idPrefix)
  return { page, tree: safe, shown, isComplete }
}

/** What stands for the title, which the reader shows itself: links to it lead to the top of the page. */
function titlePlace({ page: { title, ids, otherIds, placeLinks } }: Scope): Hast[] {
  if (title === undefined) return []
  const [id, otherId] = [ids.get(title), otherIds.get(title)]
  const places = [id, otherId].filter(one => one !== undefined).map(foldAnchor)
  const isNamed = placeLinks.some(({ anchor }) => places.includes(foldedPlace(anchor) ?? ''))
  // Of most titles nobody knows the id.
  if (ownAnchor(title) === undefined && !isNamed) return []
  return [el('div.page-top', { id }, otherId !== undefined && el('span', { id: otherId }))]
}

/** Each element says which block it shows; a block may show several, or none. */
function keyedBlocks(root: Root, scope: Scope): Hast[] {
  return root.children.flatMap(block => {
    const shown = scope.blocks([block])
    const dataBlock = scope.options.blockKey?.(block)
    for (const node of shown) if (node.type === 'element') node.properties.dataBlock = dataBlock
    return shown
  })
}

/** All pictures of a page together; what is beyond stays code. They take twice that where they are escaped. */
const DIAGRAM_CHARACTERS_MAX = 1_500_000

/** Returns whether every block got all the colour it will ever get. */
async function colour(codes: Scope['page']['codes'], options: HtmlOptions): Promise<boolean> {
  if (codes.length === 0 || options.highlight === undefined) return true
  const results = await options.highlight(codes.map(({ block }) => block))
  let left = DIAGRAM_CHARACTERS_MAX
  for (const [index, code] of codes.entries()) {
    const result = results.codes[index]
    if (result === undefined) continue
    if (isDiagram(result)) left -= result.light.length + result.dark.length
    if (!isDiagram(result) || left >= 0) code.fill(result)
  }
  return results.isComplete
}

/** What is shown of each part; nothing if the reader knows no API descriptions. */
async function showParts(parts: Scope['page']['parts'], options: HtmlOptions): Promise<readonly ShownPart[]> {
  if (parts.length === 0 || options.showParts === undefined) return []
  const shown = await options.showParts(parts.map(({ part }) => part))
  for (const [index, { hole }] of parts.entries()) hole.fill(shown[index] ?? { missing: 'nothing' })
  return shown
}
