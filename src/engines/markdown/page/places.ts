// The places of a page that a link may name: headings, expandables, tabs and steps, and whatever the writer gave an id.
// The reader shows them under these ids, and a link is checked against them.
import { childrenOf, type Element, type Node, plainLine, type Root, type Tag } from '../syntax/syntax.ts'
import { foldAnchor, headingAnchors, RESERVED_ANCHOR, toAnchor } from './anchors.ts'

/** Ids that content may choose for anything but a heading. */
const CONTENT_ID = /^[\p{L}\p{N}_.-]{1,200}$/u

/**
 * The id of each place, in the order of the page. No id is given twice, and none that is `taken` before; those that are
 * given are taken afterwards. Headings choose first.
 */
export function placeIds(root: Root, taken: Set<string> = new Set()): Map<Node, string> {
  const ids = headingAnchors(root, taken)
  const claim = (node: Node, ...wanted: readonly string[]): void => {
    const id = wanted.find(one => CONTENT_ID.test(one) && !taken.has(one))
    if (id === undefined || ids.has(node)) return
    taken.add(id)
    ids.set(node, id)
  }
  let tabs = 0
  const visit = (node: Node): void => {
    if (node.type === 'tag' || node.type === 'element') {
      const own = ownId(node)
      const name = blockName(node)
      if (own !== undefined) claim(node, own)
      if (name === 'details') claim(node, ...numbered(toAnchor(summaryOf(node))))
      if (name === 'step') claim(node, ...numbered(tabSlug(titleOf(node) ?? '')))
      if (name === 'tabs')
        for (const [index, tab] of childrenOf(node).filter(isShown).entries()) {
          const slug = tabSlug(titleOf(tab) ?? `Tab ${index + 1}`)
          if (slug !== '') claim(tab, slug, `tab-${slug}`, `tab-${slug}-${++tabs}`)
        }
    }
    for (const child of childrenOf(node)) visit(child)
  }
  visit(root)
  return ids
}

// As many alike are told apart; links to more of them lead to the first.
const NUMBERED_MAX = 50

const numbered = (stem: string): string[] =>
  stem === ''
    ? []
    : Array.from({ length: NUMBERED_MAX }, (_, index) => (index === 0 ? stem : `${stem}-${index}`))

/** Of an element; of `<a>` also what it calls its name. */
function ownId(node: Tag | Element): string | undefined {
  if (node.type === 'tag') return undefined
  return node.attributes.id ?? (node.name === 'a' ? node.attributes.name : undefined)
}

/** What block it is, in either of GitBook's spellings (`{% tabs %}`, `<div data-gb-custom-block data-tag="tabs">`). */
function blockName(node: Tag | Element): string | undefined {
  if (node.type === 'tag' || node.attributes['data-gb-custom-block'] === undefined) return node.name
  return node.attributes['data-tag']
}

const summaryOf = (node: Tag | Element): string => {
  const summary = node.children.find(child => child.type === 'element' && child.name === 'summary')
  return summary === undefined ? '' : plainLine([summary])
}

/** What a tab or a step is called, or is to be found by. */
function titleOf(node: Node): string | undefined {
  if (node.type !== 'tag') return undefined
  for (const value of [node.attributes.slug, node.attributes.title])
    if (typeof value === 'string' && value.trim() !== '') return value
  return undefined
}

const isShown = (node: Node): boolean =>
  !(node.type === 'text' && node.value.trim() === '') && !(node.type === 'html' && node.kind === 'comment')

const TAB_CHARACTERS_MAX = 80

const tabSlug = (title: string): string =>
  title
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
    .slice(0, TAB_CHARACTERS_MAX)

/** The places of a page as links are compared with them, each once. */
export const foldedPlaces = (root: Root): string[] => [
  ...new Set([...placeIds(root).values()].map(foldAnchor)),
]

/**
 * What a link names on a page, as it is compared; null where it names nothing that could be missing: the page as a whole,
 * its top (HTML, "select the indicated part"), words (`#:~:text=`), or something that the reader makes itself.
 */
export function foldedPlace(anchor: string): string | null {
  const place = foldAnchor(anchor.split(':~:', 1)[0] as string)
  return place === '' || place === 'top' || RESERVED_ANCHOR.test(place) ? null : place
}
