// The places of a page that a link may name: headings, expandables, tabs, steps, and everything with an id. The reader
// shows them under these ids, and links are checked against them.
import { type Element, isNamed, type Node, plainLine, type Root, type Tag, walk } from '../syntax/syntax.ts'
import { foldAnchor, headingAnchors, RESERVED_ANCHOR, toAnchor } from './anchors.ts'

/** Ids that content may choose for anything but a heading. */
const CONTENT_ID = /^[\p{L}\p{N}_.-]{1,200}$/u

/**
 * The id of each place, in the order of the page, all different. Ids in `taken` are not used, and those that are used
 * are added to it. Headings choose first.
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
  walk(root, node => {
    if (node.type !== 'tag' && node.type !== 'element') return
    const own = ownId(node)
    const name = blockName(node)
    if (own !== undefined) claim(node, own)
    if (name === 'details') claim(node, ...numbered(toAnchor(summaryOf(node))))
    if (name === 'step') claim(node, ...numbered(tabSlug(titleOf(node) ?? '')))
    if (name === 'tabs')
      for (const [index, tab] of node.children.filter(isShown).entries()) {
        const slug = tabSlug(titleOf(tab) ?? `Tab ${index + 1}`)
        if (slug !== '') claim(tab, slug, `tab-${slug}`, `tab-${slug}-${++tabs}`)
      }
  })
  return ids
}

// Of more places with one name the further ones have no id.
const NUMBERED_MAX = 50

const numbered = (stem: string): string[] =>
  stem === '' ? [] : [stem, ...Array.from({ length: NUMBERED_MAX - 1 }, (_, index) => `${stem}-${index + 1}`)]

/** Of an element; of `<a>` also its name. */
const ownId = (node: Tag | Element): string | undefined =>
  node.type === 'tag'
    ? undefined
    : (node.attributes.id ?? (node.name === 'a' ? node.attributes.name : undefined))

/** The block's name, in either of GitBook's spellings (`{% tabs %}`, `<div data-gb-custom-block data-tag="tabs">`). */
const blockName = (node: Tag | Element): string | undefined =>
  node.type === 'tag' || node.attributes['data-gb-custom-block'] === undefined
    ? node.name
    : node.attributes['data-tag']

const summaryOf = (node: Tag | Element): string =>
  plainLine(node.children.filter(child => isNamed(child, 'summary')).slice(0, 1))

/** The slug or the title of a tab or a step. */
function titleOf(node: Node): string | undefined {
  if (node.type !== 'tag') return undefined
  const { slug, title } = node.attributes
  return [slug, title].filter(value => typeof value === 'string').find(value => value.trim() !== '')
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
 * The place that a link names on a page, as places are compared; null for those that are never missing: the whole page,
 * its top (HTML, "select the indicated part"), words (`#:~:text=`), and what the reader makes itself.
 */
export function foldedPlace(anchor: string): string | null {
  const [named = ''] = anchor.split(':~:', 1)
  const place = foldAnchor(named)
  return place === '' || place === 'top' || RESERVED_ANCHOR.test(place) ? null : place
}
