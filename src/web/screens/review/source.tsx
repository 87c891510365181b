// The Markdown of both versions of a page, line by line.
import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { useLayoutEffect, useRef } from 'react'
import { comparisonLook } from '../../editor/comparison-look.ts'
import { pageNonce } from '../../editor/page-nonce.ts'
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

/** Denser than where one writes. */
const size = EditorView.theme({
  '&': { color: 'var(--text)', fontSize: '13px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px' },
  '.cm-gutters': { border: 'none', background: 'var(--surface)', color: 'var(--text-faint)' },
})

const readOnly = (label: string): Extension => [
  lineNumbers(),
  size,
  comparisonLook,
  EditorView.lineWrapping,
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  pageNonce(),
  EditorState.phrases.of({ '$ unchanged lines': t('review.sourceUnchanged') }),
]
