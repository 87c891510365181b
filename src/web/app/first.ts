// What the first screen needs is asked for at once, and not one after the other; it is drawn with all of it, or without
// after a moment.
import { cache } from '../data/cache.ts'
import { me, organizations } from '../data/people.ts'
import { readPageTree } from '../parts/later-tree.tsx'
import { readScreen } from './routes.tsx'

/** Nothing is shown for as long; then a skeleton. */
const PATIENCE_MS = 150

export async function readFirst(path: string): Promise<void> {
  const isInSpace = path.startsWith('/w/s/')
  const all = Promise.allSettled([
    cache.ensureQueryData(me),
    cache.ensureQueryData(organizations),
    readScreen(path),
    isInSpace ? readPageTree() : undefined,
  ])
  await Promise.race([all, new Promise(resolve => setTimeout(resolve, PATIENCE_MS))])
}
