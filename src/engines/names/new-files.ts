// New files of a repository get paths that every git, file system and import accepts.
import { nameOf } from '../../base/paths.ts'

// Half of what file systems allow for a name (255 bytes), so that numbers and endings fit after it.
const NAME_BYTES_MAX = 128
export const PATH_BYTES_MAX = 1024
/** The page of a folder, or the list of pages; some file systems ignore case. */
const RESERVED = /^(?:readme|index|summary)$/i

/**
 * The file of a new page with this path (slugs, separated by '/'): `guides/setup.md` for `guides/setup`. If the path is
 * too long for a repository, the file is named after the id.
 */
export function fileOfPage(path: string, id: string): string {
  const parts = path.split('/').map(part => {
    const name = cut(part)
    return name === 'node_modules' ? `${name}_` : name
  })
  const last = parts.at(-1) ?? ''
  if (RESERVED.test(last)) parts[parts.length - 1] = `${last}-page`
  const file = `${parts.join('/')}.md`
  return Buffer.byteLength(file) > PATH_BYTES_MAX ? `pages/${id}.md` : file
}

/** The path of a new file of a space; `name` has an ending and no slash. */
export function fileOfAsset(name: string): string {
  const dot = name.lastIndexOf('.')
  return `.gitbook/assets/${cut(name.slice(0, dot))}${name.slice(dot)}`
}

/** Of a folder that a file is moved to. */
export const FOLDER_CHARACTERS_MAX = 512

/**
 * A folder of a repository as it is written in paths, '' for its top; undefined for one that not every git and file
 * system takes.
 */
export function readFolder(text: string): string | undefined {
  const parts = text
    .normalize('NFC')
    .split('/')
    .map(part => part.trim())
    .filter(part => part !== '')
  const isRight = parts.every(
    part =>
      part !== '.' &&
      part !== '..' &&
      part.isWellFormed() &&
      !/[\u0000-\u001f\u007f\\:*?"<>|]/.test(part) &&
      !part.endsWith('.') &&
      Buffer.byteLength(part) <= NAME_BYTES_MAX,
  )
  return isRight ? parts.join('/') : undefined
}

/** The file of a new reusable content. */
export const fileOfInclude = (slug: string): string => `.gitbook/includes/${cut(slug)}.md`

/** As many whole characters of a name as fit. */
function cut(name: string): string {
  if (Buffer.byteLength(name) <= NAME_BYTES_MAX) return name
  let bytes = 0
  let end = 0
  for (const character of name) {
    bytes += Buffer.byteLength(character)
    if (bytes > NAME_BYTES_MAX) break
    end += character.length
  }
  return name.slice(0, end)
}

/** The relative link to `file` from a text in `from`. */
export function linkBetween(from: string, file: string): string {
  const here = from.split('/').slice(0, -1)
  const there = file.split('/').slice(0, -1)
  let same = 0
  while (same < here.length && same < there.length && here[same] === there[same]) same += 1
  const path = [...here.slice(same).map(() => '..'), ...there.slice(same), nameOf(file)].join('/')
  // Escapes what would be read as an anchor, a query, an escape, or an address of its own.
  const escaped = path.replace(/[%#?]/g, character => encodeURIComponent(character))
  return /^(?:[a-z][a-z0-9+.-]+:|\/)/i.test(escaped) ? `./${escaped}` : escaped
}
