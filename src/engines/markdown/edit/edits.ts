// Edits of a text at their places.
import type { Position } from '../syntax/syntax.ts'

export type Edit = Position & { readonly text: string }

/** Applies edits; an edit inside another that removes everything is skipped. */
export function applyEdits(source: string, edits: readonly Edit[]): string {
  const pieces: string[] = []
  let from = 0
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < from) continue
    pieces.push(source.slice(from, start), text)
    from = end
  }
  pieces.push(source.slice(from))
  return pieces.join('')
}
