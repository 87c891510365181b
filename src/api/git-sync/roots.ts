// Where the documentation of a repository may be, by the names of its files.
import { isMarkdown } from '../../base/paths.ts'
import { detectFormat } from '../../engines/conversion/formats.ts'

export type Root = {
  /** '' is the top. */
  readonly path: string
  /** The number of Markdown files below it. */
  readonly markdownFiles: number
}

const ROOTS_MAX = 20
/** Files that say that their directory is one of documentation. */
const MARKS = /^(?:\.gitbook\.yaml|SUMMARY\.md|book\.toml|mkdocs\.ya?ml|docusaurus\.config\.[cm]?[jt]s)$/i
/** Usual names of directories of documentation, at the top. */
const USUAL = new Set(['docs', 'doc', 'documentation', 'guide', 'content', 'website', 'wiki'])

/**
 * The likeliest first: directories with a configuration or a table of contents before directories with a usual name,
 * those nearer to the top before those in them; and always the top. `paths` are those of files from the top.
 */
export function suggestRoots(paths: readonly string[]): Root[] {
  const marked = new Set<string>()
  const usual = new Set<string>()
  for (const path of paths) {
    const parts = path.split('/')
    const name = parts.pop() ?? ''
    if (parts.some(part => part.startsWith('.') || part === 'node_modules')) continue
    if (MARKS.test(name)) marked.add(parts.join('/'))
    const [top = ''] = parts
    if (USUAL.has(top.toLowerCase()) && isMarkdown(path)) usual.add(top)
  }
  const byDepth = (one: string, other: string) => depthOf(one) - depthOf(other) || (one < other ? -1 : 1)
  const candidates = new Set(
    [...[...marked].sort(byDepth), ...[...usual].sort(byDepth)].slice(0, ROOTS_MAX - 1),
  )
  const markdown = paths.filter(isMarkdown)
  const toRoot = (path: string): Root => ({
    path,
    markdownFiles: path === '' ? markdown.length : markdown.filter(one => one.startsWith(`${path}/`)).length,
  })
  const roots = [...candidates.add('')].map(toRoot)
  // A directory without Markdown can still be one of an export to HTML.
  const isOfAnotherTool = ({ path }: Root) => detectFormat(pathsBelow(paths, path)) !== undefined
  return roots.filter(root => root.path === '' || root.markdownFiles > 0 || isOfAnotherTool(root))
}

const depthOf = (path: string): number => (path === '' ? 0 : path.split('/').length)

const pathsBelow = (paths: readonly string[], directory: string): string[] =>
  directory === ''
    ? [...paths]
    : paths.filter(path => path.startsWith(`${directory}/`)).map(path => path.slice(directory.length + 1))
