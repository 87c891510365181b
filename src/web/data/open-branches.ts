// Which branches of the trees of pages are open, remembered on this device.
import { keep } from './device.ts'

const PREFIX = 'octavo.tree.'

/** Ids of pages. */
export function readOpenBranches(tree: string): string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(PREFIX + tree) ?? '[]')
    return Array.isArray(ids) ? ids.map(String) : []
  } catch {
    return []
  }
}

export const keepOpenBranches = (tree: string, ids: ReadonlySet<string>): boolean =>
  keep(PREFIX + tree, JSON.stringify([...ids]))

/** Of all trees. */
export function dropOpenBranches(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key)
}
