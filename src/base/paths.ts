// Paths inside a repository: always relative, with forward slashes, without `.` and `..`; '' is the top.

/**
 * `path` as written in a link or in settings, seen from the directory `from`; undefined if it leaves the top. A
 * leading slash means the top. Empty and `.` parts are dropped, so `./docs/` equals `docs`.
 */
export function resolvePath(from: string, path: string): string | undefined {
  const parts = path.startsWith('/') || from === '' ? [] : from.split('/')
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts.join('/')
}

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
export const joinPath = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

/** `path` relative to `folder`, or undefined if it is not below it. */
export function relativeTo(folder: string, path: string): string | undefined {
  if (folder === '') return path
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined
}

const MARKDOWN = /\.(?:md|markdown)$/i
export const isMarkdown = (path: string): boolean => MARKDOWN.test(path)
export const withoutMarkdownEnding = (name: string): string => name.replace(MARKDOWN, '')

/** Whether a file is the page of its folder: README.md or index.md. */
export const isFolderPage = (path: string): boolean =>
  /^(?:readme|index)\.(?:md|markdown)$/i.test(nameOf(path))
