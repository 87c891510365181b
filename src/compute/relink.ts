// Rewrites links when the two sides of a merge gave one repository path to different things, so that one of them
// moves.
import type { Relink } from '../engines/content/merge-paths.ts'
import { rewriteReferences } from '../engines/markdown/edit/edit.ts'
import { resolvePath } from '../engines/markdown/page/page.ts'
import { linkBetween } from '../engines/names/new-files.ts'

/** Links to a moved path lead to its new place, with their anchors; every other byte stays. */
export const relink: Relink = (markdown, fromFile, moves) =>
  rewriteReferences(markdown, ({ destination }) => {
    const resolved = resolvePath(fromFile, destination, file => moves.has(file))
    const to = resolved.type === 'file' ? moves.get(resolved.file) : undefined
    if (to === undefined) return undefined
    const written = destination.trim()
    const rest = written.search(/[?#]/)
    return linkBetween(fromFile, to) + (rest === -1 ? '' : written.slice(rest))
  })
