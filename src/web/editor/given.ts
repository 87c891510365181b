// What is dropped on the text or pasted into it and is no plain text. What takes it is loaded a moment after the editor.
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { ApiError } from '../data/client.ts'
import { sayFailure } from '../parts/toasts.tsx'
import { isInCode } from './in-code.ts'

/** It takes files at a place of the text. */
export type TakeFiles = (view: EditorView, files: readonly File[], at: number) => void

export function given(taking: Promise<{ readonly takeFiles: TakeFiles }>): Extension {
  const take = (view: EditorView, files: readonly File[], at: number) =>
    void taking.then(
      ({ takeFiles }) => takeFiles(view, files, at),
      () => sayFailure(new ApiError(0, { message: '' }, null)),
    )
  return EditorView.domEventHandlers({
    drop({ dataTransfer, clientX, clientY }, view) {
      const files = [...(dataTransfer?.files ?? [])]
      if (files.length === 0) return false
      take(view, files, view.posAtCoords({ x: clientX, y: clientY }) ?? view.state.doc.length)
      return true
    },
    paste({ clipboardData }, view) {
      if (clipboardData === null) return false
      const html = clipboardData.getData('text/html')
      // Programs add a picture of the text that they copy.
      const files = html === '' ? [...clipboardData.files] : []
      if (files.length > 0) take(view, files, view.state.selection.main.head)
      else if (html !== '' && !isInCode(view.state, view.state.selection.main.head))
        void pasteHtml(view, html, clipboardData.getData('text/plain'))
      else return false
      return true
    },
  })
}

/** As Markdown; its words where that says no more, or where nothing can convert it. */
async function pasteHtml(view: EditorView, html: string, words: string): Promise<void> {
  const markdown = await import('./html-to-markdown.ts')
    .then(({ default: htmlToMarkdown }) => htmlToMarkdown(html))
    .catch(() => undefined)
  view.dispatch(view.state.replaceSelection(markdown ?? words), {
    userEvent: 'input.paste',
    scrollIntoView: true,
  })
}
