// The line that is at the top of the screen, told when the text is scrolled.
import { type EditorView, ViewPlugin } from '@codemirror/view'
import type { Store } from '../data/store.ts'

/** The bar above the text covers as much, in pixels. */
const COVERED = 64

export const tellTopLine = (topLine: Store<number>) =>
  ViewPlugin.define(view => {
    let frame: number | undefined
    const tell = () => {
      frame ??= requestAnimationFrame(() => {
        frame = undefined
        topLine.set(topLineOf(view))
      })
    }
    addEventListener('scroll', tell, { passive: true })
    return {
      destroy() {
        removeEventListener('scroll', tell)
        if (frame !== undefined) cancelAnimationFrame(frame)
      },
    }
  })

function topLineOf(view: EditorView): number {
  const y = COVERED - view.documentTop
  if (y <= 0) return 0
  const { from, top, height } = view.lineBlockAtHeight(y)
  return view.state.doc.lineAt(from).number + Math.min(1, Math.max(0, (y - top) / height))
}
