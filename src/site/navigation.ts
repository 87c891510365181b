// The navigation of a space. All its pages show the same one, except for the page itself and the branches above it: so
// it is made and drawn once for each content, in slices, and shared by all readers.
import type { Content } from '../engines/content/content.ts'
import { createImmutableCache, type ImmutableCache } from '../platform/cache/cache.ts'
import { drawTree } from './layout/tree.ts'
import type { TreeItem } from './layout/view.ts'
import { toTree } from './views.ts'

// The space itself, and change requests that were opened but not edited yet.
const BASES_MAX = 8

const cached = new WeakMap<Content, ImmutableCache<readonly TreeItem[]>>()

/** `base` is the address that the paths of its pages follow. */
export function navigationOf(base: string, content: Content): Promise<readonly TreeItem[]> {
  const ofContent = cached.get(content) ?? createImmutableCache({ max: BASES_MAX })
  cached.set(content, ofContent)
  return ofContent.get(base, async () => {
    const tree = await toTree(base, content)
    await drawTree(tree)
    return tree
  })
}
