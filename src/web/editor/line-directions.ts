// Each line runs as its first letter does: what is written from right to left is read so while it is written.
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'

const OWN = Decoration.line({ attributes: { dir: 'auto' } })

export const lineDirections = [
  EditorView.perLineTextDirection.of(true),
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet

      constructor(view: EditorView) {
        this.decorations = linesOf(view)
      }

      update({ docChanged, viewportChanged, view }: ViewUpdate): void {
        if (docChanged || viewportChanged) this.decorations = linesOf(view)
      }
    },
    { decorations: ({ decorations }) => decorations },
  ),
]

/** Those that are drawn. */
const linesOf = ({ viewportLineBlocks }: EditorView): DecorationSet =>
  Decoration.set(viewportLineBlocks.map(({ from }) => OWN.range(from)))
