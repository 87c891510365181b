// Which files of a repository are files of a space, by their paths.
import { isMarkdown, nameOf } from '../../base/paths.ts'

export const ASSETS_FOLDER = '.gitbook/assets'

// Files kept outside .gitbook/assets. A list, not a guess by content: which files of a repository become files of a
// space has to be predictable from their names.
const ENDINGS = new Set(
  [
    ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'svg', 'bmp', 'ico', 'tif', 'tiff', 'heic', 'apng', 'jxl'],
    ['mp3', 'wav', 'ogg', 'oga', 'opus', 'flac', 'm4a', 'aac', 'weba'],
    ['mp4', 'm4v', 'webm', 'mov', 'avi', 'mkv', 'ogv', 'mpg', 'mpeg'],
    ['pdf', 'doc', 'docx', 'xls', 'xlsx', 'ppt', 'pptx', 'odt', 'ods', 'odp', 'rtf', 'epub'],
    ['key', 'numbers', 'pages', 'csv'],
    ['zip', 'gz', 'tgz', 'tar', 'bz2', 'xz', '7z', 'rar'],
  ].flat(),
)

/** In the folder of assets every file; elsewhere those that documentation shows or offers. */
export const isKeptFile = (path: string): boolean =>
  path.startsWith(`${ASSETS_FOLDER}/`) || (!isHidden(path) && !isMarkdown(path) && hasKnownEnding(path))

/** Installed packages are never documentation, not even as problems. */
export const isIgnored = (path: string): boolean =>
  path.startsWith('node_modules/') || path.includes('/node_modules/')

export const isHidden = (path: string): boolean => path.startsWith('.') || path.includes('/.')

const hasKnownEnding = (path: string): boolean => {
  const name = nameOf(path)
  const dot = name.lastIndexOf('.')
  return dot > 0 && ENDINGS.has(name.slice(dot + 1).toLowerCase())
}
