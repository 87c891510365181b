// What the editor gets a moment after it is shown: nobody needs it for the first word.
import { autocompletion, closeBrackets, closeBracketsKeymap, startCompletion } from '@codemirror/autocomplete'
import { search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension, Prec } from '@codemirror/state'
import { type EditorView, keymap, ViewPlugin } from '@codemirror/view'
import { blockTexts } from '../messages/blocks.ts'
import { t } from '../messages/messages.ts'
import { chooseFiles } from './choose-files.ts'
import type { TakeFiles } from './given.ts'
import { suggestBlocks } from './insert-blocks.ts'
import { suggestLinks } from './link-pages.ts'
import { suggestPeople } from './mention-people.ts'
import type { PagePreview } from './page-preview.ts'
import type { PageWriting } from './page-writing.ts'
import { problemMarks } from './problems.ts'
import { suggesting } from './suggesting.ts'
import type { Suggest } from './suggestion.ts'
import { tableKeys } from './table-keys.ts'
import { tellTopLine } from './top-line.ts'
import { uploads } from './uploads.ts'

type Surroundings = {
  readonly writing: PageWriting
  readonly organizationId: string
  readonly preview: PagePreview
}

type More = {
  readonly extension: Extension
  readonly takeFiles: TakeFiles
  readonly insertFiles: (view: EditorView) => void
}

export default async function later({ writing, organizationId, preview }: Surroundings): Promise<More> {
  await blockTexts
  const { marks, takeFiles } = uploads(writing)
  const suggest: Suggest = async typing =>
    suggestBlocks(typing) ??
    (await suggestLinks(typing, writing)) ??
    (await suggestPeople(typing, organizationId))
  return {
    extension: [
      // Before the keys that the editor has had so far.
      Prec.high([
        closeBrackets(),
        autocompletion({ icons: false, override: [suggesting(suggest, takeFiles)] }),
        keymap.of(closeBracketsKeymap),
        offeredAtOnce,
      ]),
      EditorState.phrases.of({ Completions: t('editor.suggestions') }),
      search({ top: true }),
      keymap.of(searchKeymap),
      tableKeys,
      marks,
      problemMarks(writing, preview),
      tellTopLine(preview.topLine),
    ],
    takeFiles,
    insertFiles: view => chooseFiles(view, 'any', takeFiles),
  }
}

/** Somebody may have typed what something is offered for before this was there. */
const offeredAtOnce = ViewPlugin.define(view => {
  queueMicrotask(() => view.hasFocus && startCompletion(view))
  return {}
})
