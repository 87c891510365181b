// The places of a page that a link may name: headings, expandables, tabs, steps, and everything with an id. The reader
// shows them under these ids, and links are checked against them.

import { percentDecode } from '../../../base/percent-decode.ts'
import { blockOf, itemsOf, type TagBlock } from '../reading/reading.ts'
import {
  childrenOf,
  type Element,
  isNamed,
  type Node,
  plainLine,
  type Root,
  SKIP,
  type Tag,
  walk,
} from '../syntax/syntax.ts'

/** Ids that content may choose for anything but a heading. */
const CONTENT_ID = /^[\p{L}\p{M}\p{N}_.-]{1,200}$/u

/**
 * The id of each place, in the order of the page, all different. Ids in `taken` are not used, and used ids are added to
 * it. Headings choose first.
 */
export function placeIds(root: Root, taken: Set<string> = new Set()): Map<Node, string> {
  const { headings, others } = findPlaces(root)
  const ids = anchorsOf(headings, taken)
  const claim = (node: Node, ...wanted: readonly string[]): void => {
    const id = wanted.find(one => CONTENT_ID.test(one) && !taken.has(one))
    if (id === undefined || ids.has(node)) return
    taken.add(id)
    ids.set(node, id)
  }
  let tabs = 0
  for (const node of others) {
    const own = ownId(node)
    if (own !== undefined) claim(node, own)
    if (isNamed(node, 'details')) claim(node, ...numbered(toAnchor(summaryOf(node))))
    const block = blockOf(node)
    if (block?.name === 'step') claim(node, ...numbered(tabSlug(nameOf(block) ?? '')))
    if (block?.name === 'tabs')
      for (const [index, tab] of itemsOf(block).items.entries()) {
        const slug = tabSlug(nameOf(tab) ?? `Tab ${index + 1}`)
        if (slug !== '') claim(tab.node, slug, `tab-${slug}`, `tab-${slug}-${++tabs}`)
      }
  }
  return ids
}

/** What may have an id, in the order of the page. A heading within a heading is words. */
function findPlaces(root: Root): { headings: Node[]; others: (Tag | Element)[] } {
  const headings: Node[] = []
  const others: (Tag | Element)[] = []
  const visit = (node: Node, isInHeading: boolean): void => {
    const isOuter = !isInHeading && isHeading(node)
    if (isOuter) headings.push(node)
    if (node.type === 'tag' || node.type === 'element') others.push(node)
    for (const child of childrenOf(node)) visit(child, isInHeading || isOuter)
  }
  visit(root, false)
  return { headings, others }
}

// If more places have the same name, the rest have no id.
const NUMBERED_MAX = 50

const numbered = (stem: string): string[] =>
  stem === '' ? [] : [stem, ...Array.from({ length: NUMBERED_MAX - 1 }, (_, index) => `${stem}-${index + 1}`)]

/** The id of a tag or an element; also the name of an `<a>`. */
const ownId = (node: Tag | Element): string | undefined =>
  node.type === 'tag'
    ? undefined
    : (node.attributes.id ?? (node.name === 'a' ? node.attributes.name : undefined))

const summaryOf = (node: Element): string =>
  plainLine(node.children.filter(child => isNamed(child, 'summary')).slice(0, 1))

const nameOf = ({ data: { slug, title } }: TagBlock<'tab' | 'step'>): string | undefined => slug ?? title

const TAB_CHARACTERS_MAX = 80

const tabSlug = (title: string): string =>
  title
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
    .slice(0, TAB_CHARACTERS_MAX)

/** The places of a page in the form that links are compared with, each once. */
export function foldedPlaces(root: Root): string[] {
  const taken = new Set<string>()
  const ids = placeIds(root, taken)
  return [...new Set([...ids.values(), ...otherHeadingIds(ids.keys(), taken).values()].map(foldAnchor))]
}

/**
 * The ids that headings have besides those of `placeIds`, so that links in the form of GitHub, which Docusaurus, MkDocs
 * and editors share, lead to them, too: `whats-new-in-v20` for "What's new in v2.0?". Only free ones, which are added to
 * `taken`. `places` are those of `placeIds`, in their order.
 */
export function otherHeadingIds(places: Iterable<Node>, taken: Set<string>): Map<Node, string> {
  const ids = new Map<Node, string>()
  const uses = new Map<string, number>()
  for (const heading of places) {
    if (!isHeading(heading)) continue
    const name = toGithubAnchor(plainLine([heading]))
    if (name === '') continue
    const use = uses.get(name) ?? 0
    uses.set(name, use + 1)
    const id = use === 0 ? name : `${name}-${use}`
    if (!CONTENT_ID.test(id) || taken.has(id)) continue
    taken.add(id)
    ids.set(heading, id)
  }
  return ids
}

/**
 * As github-slugger makes it: lower case without punctuation, and a hyphen for each space, also for one beside an emoji
 * that is left out (`-quick-start`).
 */
const toGithubAnchor = (words: string): string =>
  words
    .trim()
    .slice(0, ANCHOR_CHARACTERS_MAX)
    .toLowerCase()
    .replace(/[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\s-]/gu, '')
    .replace(/\s/g, '-')

/**
 * The place on a page that a link names, in the form in which places are compared; null for places that always exist:
 * the whole page, its top (HTML, "select the indicated part"), words (`#:~:text=`), and places that the reader makes.
 */
export function foldedPlace(anchor: string): string | null {
  const [named = ''] = anchor.split(':~:', 1)
  const place = foldAnchor(named)
  return place === '' || place === 'top' || RESERVED_ANCHOR.test(place) ? null : place
}

const ANCHOR_CHARACTERS_MAX = 200

// Headings have the anchors that GitBook gives them.

/**
 * The anchor of a heading with these words: lower case, words joined by `-`, and the only punctuation `.`, `+`, `_` and
 * `-`. Latin letters lose their accents, other scripts stay as they are. An anchor cannot begin with a digit, so
 * GitBook puts `id-` before it: "1. Returning a name" is `id-1.-returning-a-name`. Empty if nothing is left.
 */
export function toAnchor(words: string): string {
  const anchor = withoutAccents(words.slice(0, 4 * ANCHOR_CHARACTERS_MAX).toLowerCase())
    .replaceAll('>', ' greater than ')
    .replaceAll('<', ' less than ')
    .replaceAll('|', ' or ')
    .replace(/[^\p{L}\p{M}\p{N}\s.+_-]/gu, '')
    .trim()
    .replace(/\s+/g, '-')
    .replace(/-{2,}/g, '-')
    .slice(0, ANCHOR_CHARACTERS_MAX)
    .replace(/^-+/, '')
    .replace(/[\p{Cs}]/gu, '')
  const trimmed = anchor.endsWith('-') ? anchor.slice(0, -1) : anchor
  return /^\d/.test(trimmed) ? `id-${trimmed}` : trimmed
}

/**
 * The form in which anchors are compared. GitBook ignores the case of links, which may also be written as a browser's
 * address bar shows them (`%20`).
 */
export const foldAnchor = (anchor: string): string => percentDecode(anchor).toLowerCase()

const withoutAccents = (text: string): string =>
  text
    .replace(/[\u00c0-\u024f\u1e00-\u1eff]/g, letter => letter.normalize('NFD'))
    .replace(/([a-z])\p{M}+/gu, '$1')

const HEADING = /^h[1-6]$/

/** Whether a node is a heading, in Markdown or in HTML. */
export const isHeading = (node: Node): boolean =>
  node.type === 'heading' || (node.type === 'element' && HEADING.test(node.name))

/** 1 for `#`, 6 for `######`. */
export const headingLevel = (node: Node): number =>
  node.type === 'heading' ? node.depth : node.type === 'element' ? Number(node.name.slice(1)) : 0

/** The headings of a tree in the order of the page, including those in tabs, hints and quotes. */
export function headingsOf(root: Root): Node[] {
  const headings: Node[] = []
  walk(root, node => {
    if (!isHeading(node)) return undefined
    headings.push(node)
    return SKIP
  })
  return headings
}

/** The reader's own ids, and those it makes for tabs and notes: headings do not get them. */
export const RESERVED_ANCHOR = /^(?:reader|tab|tabs|fn|fnref|section):/

/**
 * The anchor of every heading of a page, all different: an anchor in the source (`<a href="#x" id="x"></a>`) wins, the
 * others are made from the heading's words, and the second of a name is `name-1`.
 */
export const headingAnchors = (root: Root): Map<Node, string> => anchorsOf(headingsOf(root), new Set())

/** Anchors in `taken` are not used, and those that are used are added to it. */
function anchorsOf(headings: readonly Node[], taken: Set<string>): Map<Node, string> {
  const own = new Map<Node, string>()
  for (const heading of headings) {
    const anchor = ownAnchor(heading)
    if (anchor === undefined || taken.has(anchor) || RESERVED_ANCHOR.test(anchor)) continue
    taken.add(anchor)
    own.set(heading, anchor)
  }
  const counts = new Map<string, number>()
  const derivedAnchor = (heading: Node): string => {
    const base = toAnchor(plainLine([heading])) || 'section'
    let count = counts.get(base) ?? 0
    let anchor = base
    while (taken.has(anchor)) anchor = `${base}-${++count}`
    counts.set(base, count)
    taken.add(anchor)
    return anchor
  }
  return new Map(headings.map(heading => [heading, own.get(heading) ?? derivedAnchor(heading)]))
}

const OWN_ANCHOR = /^[^\s"'<>#]+$/

/** The id of a heading in the source: its own, in HTML or as `{#id}`, or that of an `<a id>` in it. */
export function ownAnchor(heading: Node): string | undefined {
  if (heading.type === 'element' && isAnchor(heading.attributes.id)) return heading.attributes.id
  if (heading.type === 'heading' && isAnchor(heading.id?.value)) return heading.id?.value
  for (const child of childrenOf(heading)) {
    if (!isNamed(child, 'a')) continue
    const id = child.attributes.id ?? child.attributes.name
    if (isAnchor(id)) return id
  }
  return undefined
}

const isAnchor = (id: string | undefined): id is string =>
  id !== undefined && id.length <= ANCHOR_CHARACTERS_MAX && OWN_ANCHOR.test(id)
