// The files of a commit that concern a space, sorted by what they become.

import { isMarkdown, relativeTo } from '../../../base/paths.ts'
import { isHidden, isIgnored, isKeptFile } from '../../../engines/names/kept-files.ts'
import type { TreeEntry } from '../../../platform/tree-source.ts'
import { FILES_MAX, REUSABLES_MAX } from '../../content/bounds.ts'
import type { Problems } from './problems.ts'

const INCLUDES = '.gitbook/includes/'
export const VARIABLES_FILE = '.gitbook/vars.yaml'

export interface Inventory {
  /** Every plain file below the project root, by its path relative to it. */
  readonly byPath: ReadonlyMap<string, TreeEntry>
  /** Markdown outside of dot-folders and node_modules, in the order of the commit. */
  readonly markdown: readonly string[]
  /** Files of the space: assets, images, documents, archives. */
  readonly files: readonly string[]
  /** Reusable contents. */
  readonly includes: readonly string[]
}

/** Sorts the files below `root`. Links, submodules and files with unrepresentable names are skipped and reported. */
export function takeInventory(entries: readonly TreeEntry[], root: string, problems: Problems): Inventory {
  const byPath = new Map<string, TreeEntry>()
  const markdown: string[] = []
  const kept: string[] = []
  const includes: string[] = []
  for (const entry of entries) {
    const path = relativeTo(root, entry.path)
    if (path === undefined || isIgnored(path)) continue
    if (entry.oddity !== undefined) {
      problems.add({
        code: 'name_skipped',
        message: `A file was left out because of its name (${entry.oddity}).`,
        file: visible(path),
      })
      continue
    }
    if (entry.kind === 'symlink' || entry.kind === 'submodule') {
      problems.add({
        code: `${entry.kind}_skipped`,
        message: `A ${entry.kind} is not followed.`,
        file: path,
      })
      continue
    }
    byPath.set(path, entry)
    if (path.startsWith(INCLUDES)) {
      if (isMarkdown(path)) includes.push(path)
    } else if (isKeptFile(path)) kept.push(path)
    else if (isMarkdown(path) && !isHidden(path)) markdown.push(path)
  }
  return {
    byPath,
    markdown,
    files: cut(kept, FILES_MAX, 'files_skipped', 'files', problems),
    includes: cut(includes, REUSABLES_MAX, 'includes_skipped', 'reusable contents', problems),
  }
}

function cut(paths: string[], max: number, code: string, what: string, problems: Problems): string[] {
  if (paths.length > max)
    problems.add({
      code,
      message: `A space holds at most ${max} ${what}; ${paths.length - max} more were left out.`,
      values: { max, count: paths.length - max },
    })
  return paths.slice(0, max)
}

/** Any name as text that JSON and PostgreSQL accept. */
const visible = (path: string): string =>
  path
    .replace(/[\u0000-\u001f\u007f]/g, '\ufffd')
    .toWellFormed()
    .slice(0, 500)
