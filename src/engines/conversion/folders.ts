// Orders pages by their folders, for layouts whose configuration gives no order.
import { folderOf, joinPath, nameOf } from '../../base/paths.ts'
import { type Entry, titleOfName } from './arrangement.ts'

export type FolderPage = {
  readonly path: string
  readonly title: string
  /** Smaller positions first, then pages without one; ties by name. */
  readonly position?: number
}

/** Titles and positions of folders, by their paths. */
export type FolderLabels = ReadonlyMap<string, { readonly title?: string; readonly position?: number }>

const isIndex = (path: string): boolean => /^(?:index|readme)\.[a-z]+$/i.test(nameOf(path))

/** The page of a folder is the one called `index` or `README`, or like the folder itself. */
export function entriesOfFolder(
  folder: string,
  pages: readonly FolderPage[],
  labels: FolderLabels = new Map(),
): Entry[] {
  const inFolder = Map.groupBy(pages, ({ path }) => folderOf(path))
  const subfolders = new Map<string, Set<string>>()
  for (let path of inFolder.keys())
    for (; path !== ''; path = folderOf(path)) {
      const above = folderOf(path)
      subfolders.set(above, (subfolders.get(above) ?? new Set()).add(path))
    }
  type Placed = Entry & { readonly position: number; readonly name: string }
  const build = (at: string): { own: FolderPage | undefined; entries: Entry[] } => {
    const here = inFolder.get(at) ?? []
    const own =
      here.find(({ path }) => isIndex(path)) ??
      here.find(({ path }) => nameOf(path).replace(/\.[a-z]+$/i, '') === nameOf(at))
    const placed: Placed[] = here
      .filter(page => page !== own)
      .map(({ path, title, position }) => ({
        ...{ title, path, children: [], name: nameOf(path) },
        position: position ?? Number.POSITIVE_INFINITY,
      }))
    for (const inner of subfolders.get(at) ?? []) {
      const { own: page, entries } = build(inner)
      if (page === undefined && entries.length === 0) continue
      const { title, position } = labels.get(inner) ?? {}
      placed.push({
        title: title ?? page?.title ?? titleOfName(nameOf(inner)),
        ...(page === undefined ? {} : { path: page.path }),
        ...{ children: entries, name: nameOf(inner) },
        position: position ?? page?.position ?? Number.POSITIVE_INFINITY,
      })
    }
    placed.sort((one, other) => one.position - other.position || byName(one.name, other.name))
    return { own, entries: placed.map(({ position: _, name: __, ...entry }) => entry) }
  }
  const { own, entries } = build(folder)
  return own === undefined ? entries : [{ title: own.title, path: own.path, children: [] }, ...entries]
}

// `Infinity - Infinity` is NaN, so equal positions fall through to here.
const byName = (one: string, other: string): number =>
  one.localeCompare(other, 'en', { numeric: true, sensitivity: 'base' })

/** The same entries with other paths. */
export const movedEntries = (entries: readonly Entry[], to: ReadonlyMap<string, string>): Entry[] =>
  entries.map(({ path, children, ...entry }) => ({
    ...entry,
    ...(path === undefined ? {} : { path: to.get(path) ?? path }),
    children: movedEntries(children, to),
  }))

/** The files below a folder, by their path without it; other files are left out. */
export function pathsBelow(folder: string, paths: Iterable<string>): Map<string, string> {
  const found = new Map<string, string>()
  const start = folder === '' ? '' : joinPath(folder, '')
  for (const path of paths) if (path.startsWith(start)) found.set(path, path.slice(start.length))
  return found
}
