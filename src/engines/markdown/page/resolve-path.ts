// Resolves a destination written in one file of a repository, as GitBook and editors do.
import { resolvePath as resolveWithin } from '../../../base/paths.ts'
import { percentDecode } from '../../../base/percent-decode.ts'

export type Resolved =
  /** A file of the repository, and the place in it. */
  | { readonly type: 'file'; readonly file: string; readonly anchor: string | null }
  /** Somewhere else: `https:`, `mailto:`, `//host`. */
  | { readonly type: 'url'; readonly url: string }
  /** Nothing that exists. `path` is the path that was tried, null outside the repository. */
  | { readonly type: 'broken'; readonly path: string | null; readonly anchor: string | null }

/** GitBook's mark for a link whose target was deleted. */
export const isBrokenReference = (destination: string): boolean =>
  /^(?:(?:mailto:)?broken-reference(?:[/#?]|$)|\/?broken\/)/.test(destination)

/**
 * The person whom a link names by id, as `@` writes it in the editors: it names nothing of a repository. Undefined for
 * every other address.
 */
export const personNamedBy = (destination: string): string | undefined =>
  /^\/users\/(\w{1,128})$/.exec(destination)?.[1]

/**
 * Resolves `destination` as written in `fromFile` (a path relative to the root, `/` between its parts). `has` says
 * which files exist. A path that names a folder means the README.md in it, and a path without extension the page of
 * that name.
 */
export const resolvePath = (
  fromFile: string,
  destination: string,
  has: (file: string) => boolean,
): Resolved => resolveFrom([baseOf(fromFile)], fromFile, destination, has)

/**
 * The same for a page that a program has written: it has the file `a.md` and its subpages theirs in `a/`, but the
 * program may have read it as `a/README.md`, which its own links and those of other pages then say. Tried for what
 * leads nowhere otherwise.
 */
export function resolveFromPage(
  fromFile: string,
  destination: string,
  has: (file: string) => boolean,
): Resolved {
  const stem = /(?:^|\/)README\.md$/i.test(fromFile) ? undefined : /^(.*)\.md$/is.exec(fromFile)?.[1]
  const base = baseOf(fromFile)
  const bases = stem === undefined || isFromRoot(destination) ? [base] : [base, `${stem}/`]
  return resolveFrom(bases, fromFile, destination, has, pageOfFolder)
}

const baseOf = (file: string): string => file.slice(0, file.lastIndexOf('/') + 1)
const isFromRoot = (destination: string): boolean => destination.trimStart().startsWith('/')

/** `further`: one more file that a path may mean. */
function resolveFrom(
  bases: readonly string[],
  fromFile: string,
  destination: string,
  has: (file: string) => boolean,
  further: (path: string) => string | undefined = () => undefined,
): Resolved {
  const written = destination.trim()
  if (isBrokenReference(written)) return { type: 'broken', path: null, anchor: null }
  if (/^(?:[a-z][a-z0-9+.-]+:|\/\/)/i.test(written)) return { type: 'url', url: written }
  const { path: address, anchor: named } = splitDestination(written)
  const anchor = named || null
  if (address === '')
    return has(fromFile)
      ? { type: 'file', file: fromFile, anchor }
      : { type: 'broken', path: fromFile, anchor }
  let looked: string | null = null
  for (const base of bases) {
    // A name may contain a literal percent sign, so the address is also tried as written.
    for (const spelling of new Set([percentDecode(address), address])) {
      const path = resolveWithin('', (isFromRoot(address) ? '' : base) + spelling)
      if (path === undefined) continue
      looked ??= path
      for (const file of candidates(path, spelling.endsWith('/')))
        if (has(file)) return { type: 'file', file, anchor }
      const other = further(path)
      if (other !== undefined && has(other)) return { type: 'file', file: other, anchor }
    }
  }
  return { type: 'broken', path: looked, anchor }
}

/** `a.md` for `a/README.md`. */
function pageOfFolder(path: string): string | undefined {
  const folder = /^(.*)\/README\.md$/is.exec(path)?.[1]
  return folder === undefined ? undefined : `${folder}.md`
}

/** Splits off the query: the path as written, and the anchor decoded, null without a `#`. */
export function splitDestination(destination: string): { path: string; anchor: string | null } {
  const hash = destination.indexOf('#')
  const [path = ''] = (hash === -1 ? destination : destination.slice(0, hash)).split('?', 1)
  return { path, anchor: hash === -1 ? null : percentDecode(destination.slice(hash + 1)) }
}

function candidates(path: string, isFolder: boolean): string[] {
  if (path === '') return ['README.md']
  const inside = `${path}/README.md`
  return isFolder ? [inside, `${path}.md`, path] : [path, inside, `${path}.md`]
}
