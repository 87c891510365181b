// Files of this device, chosen for the place of the caret.
import type { EditorView } from '@codemirror/view'
import type { TakeFiles } from './given.ts'

/** To be called while the browser handles a key or a click: otherwise it shows nothing. */
export function chooseFiles(view: EditorView, which: 'pictures' | 'any', takeFiles: TakeFiles): void {
  const field = document.createElement('input')
  field.type = 'file'
  field.multiple = true
  if (which === 'pictures') field.accept = 'image/*'
  field.addEventListener('change', () => {
    const files = [...(field.files ?? [])]
    if (files.length > 0) takeFiles(view, files, view.state.selection.main.head)
    view.focus()
  })
  field.addEventListener('cancel', () => view.focus())
  field.click()
}
