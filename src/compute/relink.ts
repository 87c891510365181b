// Rewrites links when the two sides of a merge gave one repository path to different things, so that one of them moves,
// or gave one thing two paths.
import { folderOf } from '../base/paths.ts'
import type { Relink } from '../engines/content/merge-paths.ts'
import { rewriteReferences } from '../engines/markdown/edit/edit.ts'
import { resolvePath } from '../engines/markdown/page/page.ts'
import { linkBetween } from '../engines/names/new-files.ts'

/**
 * Links to a moved path lead to its new place, with their anchors; every other byte stays. Words of a link that are its
 * destination, as those of a reference to a page, stay its destination.
 */
export const relink: Relink = (markdown, fromFile, moves, toFile = fromFile) => {
  const labels = new Map<string, string>()
  const isElsewhere = folderOf(fromFile) !== folderOf(toFile)
  const rewritten = rewriteReferences(markdown, ({ destination, text }) => {
    const written = destination.trim()
    const end = written.search(/[?#]/)
    const [path, rest] = end === -1 ? [written, ''] : [written.slice(0, end), written.slice(end)]
    if (path === '') return undefined
    const isRelative = isElsewhere && !path.startsWith('/')
    const resolved = resolvePath(fromFile, destination, file => moves.has(file))
    const other = isRelative ? resolvePath(fromFile, destination, () => true) : resolved
    const file =
      resolved.type === 'file' ? moves.get(resolved.file) : other.type === 'file' ? other.file : undefined
    if (file === undefined) return undefined
    const to = linkBetween(toFile, file) + rest
    if (text === destination) labels.set(`[${text}](${to})`, `[${to}](${to})`)
    return to
  })
  return labels.size === 0 ? rewritten : rewritten.replace(LINK, link => labels.get(link) ?? link)
}

const LINK = /\[[^[\]]*\]\([^()]*\)/g
