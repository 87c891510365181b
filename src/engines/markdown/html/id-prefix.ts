// Several pages in one document: the ids of each are made its own, and what refers to them within the page follows.
import type { Element, Root } from 'hast'

/** Links to other parts of the document that the page becomes a part of begin with it: `##<id>`. */
const OF_DOCUMENT = '##'

/** Changes the tree. It was sanitised before: nothing here adds more than the prefix. */
export function prefixIds(tree: Root | Element, prefix: string): void {
  for (const child of tree.children) {
    if (child.type !== 'element') continue
    prefixElement(child, prefix)
    prefixIds(child, prefix)
  }
}

/** Properties that hold ids, and the name that the buttons of one group share. */
const NAMING: readonly string[] = ['id', 'htmlFor', 'name', 'ariaLabelledBy']

function prefixElement({ properties }: Element, prefix: string): void {
  for (const name of NAMING) {
    const value = properties[name]
    if (typeof value === 'string') properties[name] = prefix + value
  }
  const { href } = properties
  if (typeof href !== 'string' || !href.startsWith('#')) return
  properties.href = href.startsWith(OF_DOCUMENT) ? href.slice(1) : `#${prefix}${href.slice(1)}`
}
