// What a merge does to links when two sides gave one path of the repository to different things, and one of them has to
// move.
import type { Relink } from '../engines/content/merge-paths.ts'
import { rewriteReferences } from '../engines/markdown/edit/edit.ts'
import { resolvePath } from '../engines/markdown/page/page.ts'
import { linkBetween } from '../engines/names/new-files.ts'

/** Links that lead to a path that moved lead to where it is, with their anchors; every other byte stays. */
export const relink: Relink = (markdown, fromFile, moves) =>
  rewriteReferences(markdown, ({ destination }) => {
    const resolved = resolvePath(fromFile, destination, file => moves.has(file))
    const to = resolved.type === 'file' ? moves.get(resolved.file) : undefined
    if (to === undefined) return undefined
    const written = destination.trim()
    const rest = written.search(/[?#]/)
    return linkBetween(fromFile, to) + (rest === -1 ? '' : written.slice(rest))
  })
