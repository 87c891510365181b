// Where a destination written in one file of a repository leads, as GitBook and people's editors understand it.
import { decodePath, resolvePath as resolveWithin } from '../../../base/paths.ts'

export type Resolved =
  /** A file of the repository, with the part of it that is meant. */
  | { readonly type: 'file'; readonly file: string; readonly anchor: string | null }
  /** Somewhere else: `https:`, `mailto:`, `//host`. */
  | { readonly type: 'url'; readonly url: string }
  /** Nothing that exists. `path` is where it was looked for, null where it leads out of the repository. */
  | { readonly type: 'broken'; readonly path: string | null; readonly anchor: string | null }

/** What GitBook writes where the target of a link was deleted. */
export const isBrokenReference = (destination: string): boolean =>
  /^(?:(?:mailto:)?broken-reference(?:[/#?]|$)|\/?broken\/)/.test(destination)

/**
 * Resolves `destination` as written in `fromFile` (a path relative to the root, `/` between its parts). `has` tells which
 * files exist. A path that names a folder means the README.md in it, and a path without extension the page of that name.
 */
export function resolvePath(fromFile: string, destination: string, has: (file: string) => boolean): Resolved {
  const written = destination.trim()
  if (isBrokenReference(written)) return { type: 'broken', path: null, anchor: null }
  if (/^(?:[a-z][a-z0-9+.-]+:|\/\/)/i.test(written)) return { type: 'url', url: written }
  const hash = written.indexOf('#')
  const anchor = hash === -1 || hash === written.length - 1 ? null : decodePath(written.slice(hash + 1))
  const beforeHash = hash === -1 ? written : written.slice(0, hash)
  const query = beforeHash.indexOf('?')
  const address = query === -1 ? beforeHash : beforeHash.slice(0, query)
  if (address === '') {
    return has(fromFile)
      ? { type: 'file', file: fromFile, anchor }
      : { type: 'broken', path: fromFile, anchor }
  }
  const folder = fromFile.slice(0, fromFile.lastIndexOf('/') + 1)
  const base = address.startsWith('/') ? '' : folder
  let looked: string | null = null
  // A name may hold a per cent sign of its own, so the address is also tried as it is written.
  for (const spelling of new Set([decodePath(address), address])) {
    const path = resolveWithin('', base + spelling)
    if (path === undefined) continue
    looked ??= path
    for (const file of candidates(path, spelling.endsWith('/')))
      if (has(file)) return { type: 'file', file, anchor }
  }
  return { type: 'broken', path: looked, anchor }
}

function candidates(path: string, isFolder: boolean): string[] {
  if (path === '') return ['README.md']
  const inside = `${path}/README.md`
  return isFolder ? [inside, `${path}.md`, path] : [path, inside, `${path}.md`]
}
