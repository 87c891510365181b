// Files that are dropped or pasted are sent from where they land: a mark there says how far, moves with the text, and
// becomes the picture or the file. The text stays as it is until then, and where sending fails.
import { type Extension, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, ViewPlugin } from '@codemirror/view'
import { sendFile } from '../data/uploads.ts'
import { addressFrom, link, readTargets } from './addresses.ts'
import type { TakeFiles } from './given.ts'
import type { PageWriting } from './page-writing.ts'
import { UploadMark } from './upload-mark.ts'

const begin = StateEffect.define<{ readonly at: number; readonly mark: UploadMark }>({
  map: ({ at, mark }, changes) => ({ at: changes.mapPos(at), mark }),
})
const end = StateEffect.define<UploadMark>()

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, { changes, effects }) {
    let now = before.map(changes)
    for (const effect of effects)
      if (effect.is(begin)) {
        const { at, mark } = effect.value
        now = now.update({ add: [Decoration.widget({ widget: mark, side: mark.order }).range(at)] })
      } else if (effect.is(end))
        now = now.update({ filter: (_from, _to, { spec }) => spec.widget !== effect.value })
    return now
  },
  provide: field => EditorView.decorations.from(field),
})

/** The marks in the text, and what sends files from where they are. */
export function uploads(writing: PageWriting): { readonly marks: Extension; readonly takeFiles: TakeFiles } {
  // One after the other: they share the line, and each is there sooner.
  let turn = Promise.resolve()
  const left = new AbortController()

  function take(view: EditorView, files: readonly File[], at: number): void {
    const taken = files.map((file, index) => new UploadMark(file, index + 1))
    view.dispatch({ effects: taken.map(mark => begin.of({ at, mark })) })
    for (const mark of taken) {
      mark.onRetry = () => queue(view, mark)
      mark.onRemove = () => remove(view, mark)
      queue(view, mark)
    }
  }

  function queue(view: EditorView, mark: UploadMark): void {
    mark.become({ kind: 'waiting' })
    turn = turn.then(() => send(view, mark))
  }

  async function send(view: EditorView, mark: UploadMark): Promise<void> {
    const signal = AbortSignal.any([left.signal, mark.removed.signal])
    if (signal.aborted) return
    try {
      const place = await writing.openDraft()
      const { own } = await readTargets(writing)
      const onProgress = (part: number) => mark.become({ kind: 'sending', part })
      const onBroken = () => mark.become({ kind: 'waiting' })
      const sending = { key: mark.key, signal, onProgress, onBroken }
      const { id, name, contentType, git } = await sendFile(place, mark.file, sending)
      if (signal.aborted) return
      const address = addressFrom(own?.file, { kind: 'files', id, file: git?.path })
      insert(view, mark, contentType.startsWith('image/') ? { picture: name, address } : { address })
      // Until then its address is that of an upload, which the preview does not show.
      void writing.save()
    } catch (error) {
      if (!signal.aborted) mark.become({ kind: 'failed', error })
    }
  }

  /** What is on its way is lost with the page. */
  const leaving = ViewPlugin.define(view => {
    const warn = (event: BeforeUnloadEvent) => {
      if (view.state.field(marks).size > 0) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return {
      destroy() {
        removeEventListener('beforeunload', warn)
        left.abort()
      },
    }
  })

  return { marks: [marks, leaving], takeFiles: take }
}

const remove = (view: EditorView, mark: UploadMark): void => {
  mark.removed.abort()
  view.dispatch({ effects: end.of(mark) })
  view.focus()
}

type Sent = { readonly picture?: string; readonly address: string }

/** A picture stands among words; a file is a block. */
function insert(view: EditorView, mark: UploadMark, { picture, address }: Sent): void {
  let at: number | undefined
  view.state.field(marks).between(0, view.state.doc.length, (from, _to, { spec }) => {
    if (spec.widget === mark) at = from
  })
  if (at === undefined) return
  const { text, from, to } = view.state.doc.lineAt(at)
  const isAlone = text.trim() === ''
  const written = picture === undefined ? `{% file src="${address}" %}` : `!${link(altOf(picture), address)}`
  const apart = picture === undefined && !isAlone
  const changes = view.state.changes({
    from: at,
    insert: `${apart && at > from ? '\n\n' : ''}${written}${apart ? (at < to ? '\n\n' : '\n') : ''}`,
  })
  view.dispatch({
    changes,
    // Behind it, where the writer still is at its place.
    selection: view.state.selection.map(changes, 1),
    effects: end.of(mark),
    userEvent: 'input.upload',
  })
}

/** The name without its ending, until somebody says what the picture shows. */
const altOf = (name: string): string => name.replace(/\.\w{1,5}$/, '')
