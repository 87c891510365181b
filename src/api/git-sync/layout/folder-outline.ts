// The order of pages in a repository without SUMMARY.md: its folders, the README of each first, then by name.

import { folderOf, isFolderPage, joinPath, nameOf, withoutMarkdownEnding } from '../../../base/paths.ts'
import type { OutlineEntry } from '../../../compute/outline.ts'
import { titleOfName } from '../../../engines/names/titles.ts'
import { DEPTH_MAX } from './bounds.ts'

// 2 comes before 10; names that differ only in case or accents are ordered by code units, the same on every machine.
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
const byName = (a: string, b: string): number => collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)

interface Folder {
  readonly path: string
  readonly name: string
  readonly folders: Map<string, Folder>
  /** Markdown in it, without the page of the folder itself. */
  readonly files: string[]
  page: string | undefined
}

/**
 * A folder becomes its README page with its other files as children. Without one it becomes the page with its name
 * (`guides.md` beside `guides/`), or else a page without document, titled like the folder. Files in folders nested too
 * deep for a tree are read as if they were in the deepest folder that fits.
 *
 * @param markdown paths from the project root
 * @param readme the page of the whole project; it comes first
 */
export function outlineFromFolders(markdown: readonly string[], readme: string | undefined): OutlineEntry[] {
  const top = newFolder('', '')
  for (const file of markdown) {
    if (file === readme) continue
    const folder = findFolder(top, folderOf(file))
    if (folder.path !== '' && folderOf(file) === folder.path && isFolderPage(file) && isFirst(folder, file)) {
      if (folder.page !== undefined) folder.files.push(folder.page)
      folder.page = file
    } else folder.files.push(file)
  }
  const entries = toEntries(top)
  return readme === undefined ? entries : [toPage(readme, undefined, []), ...entries]
}

const newFolder = (path: string, name: string): Folder => ({
  path,
  name,
  folders: new Map(),
  files: [],
  page: undefined,
})

/** README before index, if a folder has both. */
const isFirst = (folder: Folder, file: string): boolean =>
  folder.page === undefined || byName(nameOf(file), nameOf(folder.page)) > 0

function findFolder(top: Folder, path: string): Folder {
  let folder = top
  // The file itself is a level of its own.
  for (const name of path === '' ? [] : path.split('/').slice(0, DEPTH_MAX - 1)) {
    let inner = folder.folders.get(name)
    if (inner === undefined) {
      inner = newFolder(joinPath(folder.path, name), name)
      folder.folders.set(name, inner)
    }
    folder = inner
  }
  return folder
}

function toEntries(folder: Folder): OutlineEntry[] {
  const sorted: { name: string; entry: OutlineEntry }[] = []
  const left = new Map(folder.folders)
  for (const file of folder.files) {
    const name = withoutMarkdownEnding(nameOf(file))
    const beside = left.get(name)
    // Only if the folder has no page of its own: otherwise both stay separate pages.
    if (beside !== undefined && beside.page === undefined) {
      left.delete(name)
      sorted.push({ name, entry: toPage(file, undefined, toEntries(beside)) })
    } else sorted.push({ name, entry: toPage(file, undefined, []) })
  }
  for (const inner of left.values()) {
    const title = inner.page === undefined ? titleOfName(inner.name) : undefined
    sorted.push({ name: inner.name, entry: toPage(inner.page, title, toEntries(inner)) })
  }
  return sorted.sort((a, b) => byName(a.name, b.name)).map(({ entry }) => entry)
}

const toPage = (
  file: string | undefined,
  title: string | undefined,
  children: readonly OutlineEntry[],
): OutlineEntry => ({ kind: 'page', title, file, children })
