// The Markdown of both versions of a page, line by line.
import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { useLayoutEffect, useRef } from 'react'
import { t } from '../../messages/messages.ts'
import type { Layout } from './layout.tsx'

type Props = { readonly before: string; readonly after: string; readonly layout: Layout }

const COLLAPSED = { margin: 3, minSize: 6 }

export default function Source({ before, after, layout }: Props) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current: parent } = box
    if (parent === null) return
    const view =
      layout === 'two'
        ? new MergeView({
            a: { doc: before, extensions: readOnly(t('review.sourceBefore')) },
            b: { doc: after, extensions: readOnly(t('review.sourceAfter')) },
            collapseUnchanged: COLLAPSED,
            gutter: true,
            parent,
          })
        : new EditorView({
            doc: after,
            extensions: [
              readOnly(t('review.sourceLabel')),
              unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: COLLAPSED }),
            ],
            parent,
          })
    return () => view.destroy()
  }, [before, after, layout])
  return <div ref={box} className="review-source" />
}

const ADDED = { background: 'var(--success-fill)' }
const REMOVED = { background: 'var(--danger-fill)' }
const ADDED_WORDS = { ...ADDED, color: 'var(--success)', textDecoration: 'underline' }
const REMOVED_WORDS = { ...REMOVED, color: 'var(--danger)', textDecoration: 'line-through' }

/** The styles of the editor are in no layer, and win over those of the workspace. */
const look = EditorView.theme({
  '&': { color: 'var(--text)', fontSize: '13px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px' },
  '.cm-gutters': { border: 'none', background: 'var(--surface)', color: 'var(--text-faint)' },
  '.cm-collapsedLines': { background: 'var(--info-fill)', color: 'var(--info)' },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': REMOVED,
  '&.cm-merge-b .cm-changedLine, .cm-insertedLine, .cm-changedLine': ADDED,
  '&.cm-merge-b .cm-changedText, .cm-changedText': ADDED_WORDS,
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': REMOVED_WORDS,
  '.cm-deletedLine, .cm-deletedLine del, .cm-insertedLine ins': { textDecoration: 'none' },
})

const readOnly = (label: string): Extension => [
  lineNumbers(),
  look,
  EditorView.lineWrapping,
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  EditorView.cspNonce.of(nonceOf()),
  EditorState.phrases.of({ '$ unchanged lines': t('review.sourceUnchanged') }),
]

/** Of the styles that it writes into the page. */
const nonceOf = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
