// How two texts look beside each other: added is underlined, removed is struck.
import { EditorView } from '@codemirror/view'

const ADDED = { background: 'var(--success-fill)' }
const REMOVED = { background: 'var(--danger-fill)' }
const ADDED_WORDS = { ...ADDED, color: 'var(--success)', textDecoration: 'underline' }
const REMOVED_WORDS = { ...REMOVED, color: 'var(--danger)', textDecoration: 'line-through' }

/** The styles of the editor are in no layer, and win over those of the workspace. */
export const comparisonLook = EditorView.theme({
  '.cm-collapsedLines': { background: 'var(--info-fill)', color: 'var(--info)' },
  // Its signs are in few fonts.
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"" !important' },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': REMOVED,
  '&.cm-merge-b .cm-changedLine, .cm-insertedLine, .cm-changedLine': ADDED,
  '&.cm-merge-b .cm-changedText, .cm-changedText': ADDED_WORDS,
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': REMOVED_WORDS,
  '.cm-deletedLine, .cm-deletedLine del, .cm-insertedLine ins': { textDecoration: 'none' },
})
