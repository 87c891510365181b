// The Markdown of a page in an editor. What others write comes in beside what is typed, and moves no caret.
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { markdownKeymap, markdownLanguage } from '@codemirror/lang-markdown'
import { LanguageSupport } from '@codemirror/language'
import { Annotation, StateEffect, Transaction } from '@codemirror/state'
import { drawSelection, dropCursor, EditorView, keymap, placeholder } from '@codemirror/view'
import Paperclip from 'lucide-react/icons/paperclip'
import { useLayoutEffect, useRef } from 'react'
import { t } from '../messages/messages.ts'
import { Button } from '../parts/button.tsx'
import { given } from './given.ts'
import { lineDirections } from './line-directions.ts'
import { markdownLook } from './markdown-look.ts'
import { pageNonce } from './page-nonce.ts'
import type { PagePreview } from './page-preview.ts'
import type { PageWriting } from './page-writing.ts'

/** Pixels between the caret and the sides of the window: above is the bar, and below are the next lines. */
const ROOM = { x: 5, y: 96 }

/** Of changes that others made. */
const isOfOthers = Annotation.define<true>()

type Props = {
  readonly writing: PageWriting
  /** Of the space: its people are mentioned. */
  readonly organizationId: string
  readonly preview: PagePreview
}

export default function MarkdownEditor({ writing, organizationId, preview }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const insertFile = useRef<() => void>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: one editor for one page
  useLayoutEffect(() => {
    const { current: parent } = box
    if (parent === null) return
    const more = import('./later.ts').then(({ default: later }) =>
      later({ writing, organizationId, preview }),
    )
    const view = new EditorView({
      doc: writing.text,
      parent,
      extensions: [
        new LanguageSupport(markdownLanguage),
        history(),
        drawSelection(),
        dropCursor(),
        keymap.of([...markdownKeymap, ...historyKeymap, indentWithTab, ...defaultKeymap]),
        EditorView.lineWrapping,
        lineDirections,
        EditorView.cursorScrollMargin.of(ROOM),
        EditorView.contentAttributes.of({
          'aria-label': t('editor.text'),
          spellcheck: 'true',
          autocorrect: 'on',
          autocapitalize: 'sentences',
        }),
        given(more),
        placeholder(t('editor.placeholder')),
        markdownLook,
        pageNonce(),
        EditorView.updateListener.of(({ docChanged, changes, transactions }) => {
          if (docChanged && !transactions.some(one => one.annotation(isOfOthers))) writing.edit(changes)
        }),
      ],
    })
    const end = writing.follow(changes =>
      view.dispatch({
        changes,
        annotations: [isOfOthers.of(true), Transaction.addToHistory.of(false)],
      }),
    )
    insertFile.current = () =>
      void more.then(
        ({ insertFiles }) => insertFiles(view),
        () => undefined,
      )
    let isThere = true
    more.then(
      ({ extension }) => isThere && view.dispatch({ effects: StateEffect.appendConfig.of(extension) }),
      // Without a network one can write all the same.
      () => undefined,
    )
    return () => {
      isThere = false
      end()
      view.destroy()
    }
  }, [writing])
  return (
    <>
      <div ref={box} className="markdown-editor" />
      <div className="editor-below">
        <Button look="quiet" onPress={() => insertFile.current?.()}>
          <Paperclip size={15} aria-hidden />
          {t('editor.insertFile')}
        </Button>
      </div>
    </>
  )
}
