// The navigation of a space. Every page of it shows the same one, but for the page itself and the branches above it: so
// it is made and drawn once for a content, in slices, and shared by all who read it.
import { LRUCache } from 'lru-cache'
import type { Content } from '../engines/content/content.ts'
import { drawTree } from './layout/tree.ts'
import type { TreeItem } from './layout/view.ts'
import { toTree } from './views.ts'

// The space itself, and change requests that were opened and not yet written to.
const BASES_MAX = 8

const kept = new WeakMap<Content, LRUCache<string, Promise<readonly TreeItem[]>>>()

/** `base` is the address that the paths of its pages follow. */
export function navigationOf(base: string, content: Content): Promise<readonly TreeItem[]> {
  const ofContent = kept.get(content) ?? new LRUCache({ max: BASES_MAX })
  kept.set(content, ofContent)
  const found = ofContent.get(base)
  if (found !== undefined) return found
  const made = make(base, content)
  ofContent.set(base, made)
  made.catch(() => ofContent.delete(base))
  return made
}

async function make(base: string, content: Content): Promise<readonly TreeItem[]> {
  const tree = await toTree(base, content)
  await drawTree(tree)
  return tree
}
