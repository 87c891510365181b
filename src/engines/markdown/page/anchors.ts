// The ids that headings are linked by, as GitBook makes them.
import { decodePath } from '../../../base/paths.ts'
import { childrenOf, isNamed, type Node, plainLine, type Root, SKIP, walk } from '../syntax/syntax.ts'

const ANCHOR_CHARACTERS_MAX = 200

/**
 * The anchor that a heading with these words gets: lower case, words joined by `-`, of the punctuation only `.`, `+`,
 * `_` and `-` kept. Latin letters lose their accents, other scripts stay as they are. An anchor cannot begin with a
 * digit, so GitBook puts `id-` before it: "1. Returning a name" is `id-1.-returning-a-name`. Empty where nothing is
 * left.
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
export const foldAnchor = (anchor: string): string => decodePath(anchor).toLowerCase()

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

/** The headings of a tree in the order of the page, those in tabs, hints and quotes too. */
function headingsOf(root: Root): Node[] {
  const headings: Node[] = []
  walk(root, node => {
    if (!isHeading(node)) return undefined
    headings.push(node)
    return SKIP
  })
  return headings
}

/** The reader's own ids, and those it makes for tabs and notes: headings get others. */
export const RESERVED_ANCHOR = /^(?:reader|tab|tabs|fn|fnref|section):/

/**
 * The anchor of every heading of a page, all different: an anchor in the source (`<a href="#x" id="x"></a>`) wins, the
 * others are made of the heading's words, and the second of a name is `name-1`. Anchors in `taken` are not used, and
 * those that are used are added to it.
 */
export function headingAnchors(root: Root, taken: Set<string> = new Set()): Map<Node, string> {
  const headings = headingsOf(root)
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

/** The id of a heading in the source: its own, or that of an `<a id>` in it. */
export function ownAnchor(heading: Node): string | undefined {
  if (heading.type === 'element' && isAnchor(heading.attributes.id)) return heading.attributes.id
  for (const child of childrenOf(heading)) {
    if (!isNamed(child, 'a')) continue
    const id = child.attributes.id ?? child.attributes.name
    if (isAnchor(id)) return id
  }
  return undefined
}

const isAnchor = (id: string | undefined): id is string =>
  id !== undefined && id.length <= ANCHOR_CHARACTERS_MAX && OWN_ANCHOR.test(id)
