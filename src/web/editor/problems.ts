// What is wrong in the text, where it is: a mark beside the line, a line below the words, and a list. The server finds it
// with the preview; what was typed since then moves the marks, and an answer for an older text is left out.
import {
  closeLintPanel,
  type Diagnostic,
  forEachDiagnostic,
  lintGutter,
  lintKeymap,
  nextDiagnostic,
  openLintPanel,
  previousDiagnostic,
  setDiagnostics,
} from '@codemirror/lint'
import { EditorState, type Extension, type Text } from '@codemirror/state'
import { type Command, EditorView, gutters, keymap, ViewPlugin } from '@codemirror/view'
import type { TextProblem } from '../data/page-text.ts'
import { isolated, t } from '../messages/messages.ts'
import type { PagePreview } from './page-preview.ts'
import type { PageWriting } from './page-writing.ts'
import { problemLook } from './problem-look.ts'

export const problemMarks = (writing: PageWriting, preview: PagePreview): Extension => [
  lintGutter(),
  // A fixed gutter counts as a margin: a list that opens at the start of a line was taken for hidden behind it.
  gutters({ fixed: false }),
  keymap.of([
    { key: 'F8', run: saying(nextDiagnostic) },
    { key: 'Shift-F8', run: saying(previousDiagnostic) },
    ...lintKeymap,
  ]),
  EditorState.phrases.of({
    Diagnostics: t('editor.problems.list'),
    close: t('editor.problems.close'),
    'No diagnostics': t('editor.problems.none'),
  }),
  problemLook,
  ViewPlugin.define(view => {
    const mark = () => {
      const { last } = preview.shown.get()
      if (last === undefined || last.of !== writing.markdown) return
      view.dispatch(setDiagnostics(view.state, diagnosticsOf(view.state.doc, last.of, last.problems)))
    }
    const list = () => {
      if (preview.isListOpen.get() !== isListOpen(view))
        (preview.isListOpen.get() ? openLintPanel : closeLintPanel)(view)
    }
    const ends = [preview.shown.subscribe(mark), preview.isListOpen.subscribe(list)]
    // A view takes no transaction while it is made.
    queueMicrotask(mark)
    return {
      update({ state, transactions }) {
        preview.marked.set(countOf(state))
        if (transactions.some(({ effects }) => effects.length > 0))
          queueMicrotask(() => preview.isListOpen.set(isListOpen(view)))
      },
      destroy() {
        for (const end of ends) end()
        preview.marked.set(0)
        preview.isListOpen.set(false)
      },
    }
  }),
]

/** It is read out where the caret goes. */
const saying =
  (go: Command): Command =>
  view => {
    if (!go(view)) return false
    const { from } = view.state.selection.main
    let words = ''
    forEachDiagnostic(view.state, ({ message }, start) => {
      if (start === from) words = message
    })
    view.dispatch({ effects: EditorView.announce.of(words) })
    return true
  }

const isListOpen = ({ dom }: EditorView): boolean => dom.querySelector('.cm-panel-lint') !== null

/** A problem over several decorations is one. */
function countOf(state: EditorState): number {
  const problems = new Set<Diagnostic>()
  forEachDiagnostic(state, problem => problems.add(problem))
  return problems.size
}

/** `markdown` has the lines of `doc`, each with the end that it came with (text-sync.ts). The problems are in order. */
function diagnosticsOf(doc: Text, markdown: string, problems: readonly TextProblem[]): Diagnostic[] {
  let number = 1
  let lineStart = 0
  return problems.map(problem => {
    for (
      let end = markdown.indexOf('\n', lineStart);
      end !== -1 && end < problem.start;
      end = markdown.indexOf('\n', lineStart)
    ) {
      number++
      lineStart = end + 1
    }
    const { from, to } = doc.line(Math.min(number, doc.lines))
    const at = (offset: number) => Math.min(to, from + offset - lineStart)
    return {
      from: at(problem.start),
      to: at(problem.end),
      severity: severityOf(problem.code),
      message: messageOf(problem),
    }
  })
}

function messageOf({ code, about, allowed }: TextProblem): string {
  const message = t(`editor.problems.of.${code}`, { about: isolated(about) })
  if (allowed === undefined) return message
  const values = new Intl.ListFormat(document.documentElement.lang, { type: 'disjunction' }).format(allowed)
  return `${message} ${t('editor.problems.allowed', { values })}`
}

function severityOf(code: TextProblem['code']): Diagnostic['severity'] {
  if (code === 'missing_alternative') return 'info'
  return HARMLESS.has(code) ? 'warning' : 'error'
}

/** Readers see all that is written. */
const HARMLESS: ReadonlySet<TextProblem['code']> = new Set([
  ...(['unknown_tag', 'lone_tag', 'unknown_attribute', 'unknown_value', 'unreadable_formula'] as const),
  ...(['missing_place', 'nested_content'] as const),
])
