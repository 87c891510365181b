// The door of edit/: edits of a source text in place.
export { applyEdits, type Edit } from './edits.ts'
export { setFrontmatter, setKeys } from './frontmatter-edits.ts'
export {
  isLineStart,
  neutralWords,
  referenceEdits,
  rewriteReferences,
  wholeLines,
} from './reference-edits.ts'
export { retitle } from './retitle.ts'
export { editSummary, writeSummary } from './summary-edits.ts'
export type { ListedEntry, WrittenEntry } from './summary-lines.ts'
