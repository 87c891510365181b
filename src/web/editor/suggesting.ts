// Offers suggestions while one types. What makes them is loaded when the first is needed.
import { type Completion, type CompletionSource, pickedCompletion, snippet } from '@codemirror/autocomplete'
import type { EditorView } from '@codemirror/view'
import { chooseFiles } from './choose-files.ts'
import type { TakeFiles } from './given.ts'
import { isInCode } from './in-code.ts'
import type { Suggest, Suggestion } from './suggestion.ts'

/** What something is offered for, with what is typed after it. */
const BEGINNING = /[/@[][^/@[\n]{0,100}$/

export const suggesting =
  (suggest: Suggest, takeFiles: TakeFiles): CompletionSource =>
  async context => {
    const { state, pos: caret } = context
    if (context.matchBefore(BEGINNING) === null || isInCode(state, caret)) return null
    // Without a network there are none until there is one.
    const suggested = await suggest({ doc: state.doc, caret }).catch(() => null)
    if (suggested === null || suggested.suggestions.length === 0) return null
    const { from, to, suggestions } = suggested
    return { from, to, filter: false, options: suggestions.map(one => toCompletion(one, takeFiles)) }
  }

const toCompletion = ({ insert, ...words }: Suggestion, takeFiles: TakeFiles): Completion => ({
  ...words,
  apply(view: EditorView, completion, from, to) {
    if ('files' in insert) {
      view.dispatch({ changes: { from, to }, userEvent: 'input.complete' })
      return chooseFiles(view, insert.files, takeFiles)
    }
    if ('snippet' in insert) return snippet(insert.snippet)(view, completion, from, to)
    view.dispatch({
      changes: { from, to, insert: insert.text },
      selection: { anchor: from + insert.text.length },
      userEvent: 'input.complete',
      annotations: pickedCompletion.of(completion),
    })
  },
})
