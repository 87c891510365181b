// Several pages in one document: the ids of each get a prefix, and so do references to them within the page.
import type { Element, Root } from 'hast'

/** Begins links to other parts of the document that holds the page: `##<id>`. */
const OF_DOCUMENT = '##'

/** Changes the tree, which was sanitised before: nothing here adds more than the prefix. */
export function prefixIds(tree: Root | Element, prefix: string): void {
  for (const child of tree.children) {
    if (child.type !== 'element') continue
    prefixElement(child, prefix)
    prefixIds(child, prefix)
  }
}

/** Properties that hold ids, and the name that radio buttons of one group share. */
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
