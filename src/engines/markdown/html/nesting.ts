// Markup that every parser reads as intended. A browser moves or closes elements where HTML does not allow them (a
// `<div>` in a paragraph, a link in a link); markup that changes when it is parsed again is also how sanitisers are
// fooled. Every such element is replaced by an allowed one.
import type { Element, Root } from 'hast'

/** Elements whose start tag ends an open paragraph. */
const ENDS_PARAGRAPH: ReadonlySet<string> = new Set(
  `article aside blockquote details div dl dt dd figcaption figure h2 h3 h4 h5 h6 hr li ol p
    pre section summary table ul`.split(/\s+/),
)

const HEADINGS: ReadonlySet<string> = new Set(['h2', 'h3', 'h4', 'h5', 'h6'])

/** Which parents an element needs. */
const PARENTS: Readonly<Record<string, readonly string[]>> = {
  li: ['ul', 'ol'],
  dt: ['dl'],
  dd: ['dl'],
  summary: ['details'],
  figcaption: ['figure'],
  rt: ['ruby'],
  rp: ['ruby'],
  tr: ['thead', 'tbody', 'tfoot'],
  td: ['tr'],
  th: ['tr'],
  thead: ['table'],
  tbody: ['table'],
  tfoot: ['table'],
}

/** Parents that hold nothing but these. */
const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  table: ['thead', 'tbody', 'tfoot'],
  thead: ['tr'],
  tbody: ['tr'],
  tfoot: ['tr'],
  tr: ['td', 'th'],
  ul: ['li'],
  ol: ['li'],
  dl: ['dt', 'dd'],
}

interface Above {
  readonly isInLink: boolean
  readonly isInHeading: boolean
  readonly isInSummary: boolean
}

export function fixNesting(root: Root): void {
  const above: Above = { isInLink: false, isInHeading: false, isInSummary: false }
  for (const child of root.children) if (child.type === 'element') fix(child, 'root', above)
}

/** Returns whether the element, or anything in it, ends an open paragraph. */
function fix(element: Element, parent: string, above: Above): boolean {
  fixElement(element, parent, above)
  const { tagName } = element
  const below: Above = {
    isInLink: above.isInLink || tagName === 'a',
    isInHeading: above.isInHeading || HEADINGS.has(tagName),
    isInSummary: above.isInSummary || tagName === 'summary',
  }
  const allowed = CHILDREN[tagName]
  let hasBlock = false
  for (const child of element.children) {
    if (child.type !== 'element') continue
    if (fix(child, tagName, below)) hasBlock = true
  }
  if (allowed !== undefined)
    element.children = element.children.filter(
      child => child.type === 'element' && allowed.includes(child.tagName),
    )
  if (tagName === 'p' && hasBlock) {
    element.tagName = 'div'
    element.properties = { ...element.properties, className: [...classesOf(element), 'paragraph'] }
  }
  return ENDS_PARAGRAPH.has(element.tagName) || hasBlock
}

function fixElement(element: Element, parent: string, above: Above): void {
  const { tagName } = element
  const parents = PARENTS[tagName]
  if (parents !== undefined && !parents.includes(parent)) rename(element, 'div')
  if (
    above.isInLink &&
    (tagName === 'a' || tagName === 'details' || tagName === 'input' || tagName === 'label')
  )
    rename(element, 'span')
  if (above.isInSummary && tagName === 'details') rename(element, 'span')
  if (above.isInHeading && HEADINGS.has(tagName)) rename(element, 'span')
}

function rename(element: Element, tagName: string): void {
  element.tagName = tagName
  const { id, className, dataBlock } = element.properties
  element.properties = {
    ...(id == null ? {} : { id }),
    ...(className == null ? {} : { className }),
    ...(dataBlock == null ? {} : { dataBlock }),
  }
}

const classesOf = (element: Element): string[] => {
  const { className } = element.properties
  return Array.isArray(className) ? className.map(String) : typeof className === 'string' ? [className] : []
}
