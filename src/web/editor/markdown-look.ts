// How Markdown looks while it is written: the source, with what it means hinted at.
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const words = HighlightStyle.define([
  { tag: tags.heading1, fontSize: '1.4em', lineHeight: '1.4', fontWeight: '600', color: 'var(--text)' },
  { tag: tags.heading2, fontSize: '1.2em', lineHeight: '1.4', fontWeight: '600', color: 'var(--text)' },
  { tag: tags.heading, fontWeight: '600', color: 'var(--text)' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--accent)' },
  { tag: tags.monospace, fontFamily: 'var(--mono)', fontSize: '0.93em' },
  { tag: tags.quote, color: 'var(--text-soft)' },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.labelName], color: 'var(--text-faint)' },
])

/** The styles of the editor are in no layer, and win over those of the workspace. */
const frame = EditorView.theme({
  '&': { color: 'var(--text)', fontSize: '14px', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '26px', overflow: 'visible' },
  '.cm-content': { padding: '0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)', borderLeftWidth: '2px' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--selected) !important',
  },
  '.cm-gutters': { border: 'none', background: 'transparent', color: 'var(--text-faint)' },
  '.cm-gutter-lint': { width: '18px' },
  '.cm-placeholder': { color: 'var(--text-faint)' },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    background: 'var(--raised)',
    color: 'var(--text)',
    boxShadow: 'var(--shadow)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    maxHeight: '320px',
    minWidth: 'min(360px, 88vw)',
    maxWidth: 'min(520px, 92vw)',
    fontFamily: 'var(--sans, inherit)',
    fontSize: '13px',
    lineHeight: '20px',
    padding: '4px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    alignItems: 'baseline',
    gap: '12px',
    padding: '5px 8px',
    borderRadius: '4px',
  },
  '.cm-completionLabel': { flex: 'none', maxWidth: '260px', overflow: 'hidden', textOverflow: 'ellipsis' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--selected)', color: 'var(--text)' },
  '.cm-completionDetail': {
    flex: '1',
    margin: '0',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    textAlign: 'end',
    fontStyle: 'normal',
    color: 'var(--text-soft)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-upload': {
    display: 'inline-flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '4px 8px',
    maxWidth: '100%',
    padding: '0 8px',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    background: 'var(--surface)',
    color: 'var(--text-soft)',
    fontFamily: 'var(--sans, inherit)',
    fontSize: '13px',
  },
  '.cm-upload.failed': { borderColor: 'var(--danger)', color: 'var(--danger)' },
  '.cm-upload progress': { width: '96px', accentColor: 'var(--accent)' },
  '.cm-upload button': {
    minHeight: '24px',
    padding: '0 4px',
    border: 'none',
    background: 'none',
    font: 'inherit',
    color: 'var(--text)',
    textDecoration: 'underline',
    cursor: 'pointer',
  },
  '.cm-panels': { background: 'var(--surface)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-diagnostic': {
    padding: '6px 10px',
    fontFamily: 'var(--sans, inherit)',
    fontSize: '13px',
    borderLeft: '0',
  },
})

export const markdownLook: Extension = [frame, syntaxHighlighting(words)]
