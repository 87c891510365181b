// Tab in a table goes from cell to cell, and begins a row below the last one.
import { syntaxTree } from '@codemirror/language'
import { type EditorState, type Extension, type Line, Prec } from '@codemirror/state'
import { type Command, keymap } from '@codemirror/view'

type Cell = { readonly from: number; readonly to: number }

const go =
  (by: 1 | -1): Command =>
  view => {
    const { state } = view
    const { head } = state.selection.main
    const rows = rowsAt(state, head)
    const last = rows.at(-1)
    if (last === undefined) return false
    const cells = rows.flatMap(cellsOf)
    const cell = cells[cells.findLastIndex(({ from }) => from <= head) + by]
    if (cell !== undefined) {
      view.dispatch({ selection: { anchor: cell.from, head: cell.to }, scrollIntoView: true })
      return true
    }
    if (by === -1) return false
    const insert = `\n${indentOf(last)}|${'  |'.repeat(cellsOf(rows[0] ?? last).length)}`
    const anchor = last.to + `\n${indentOf(last)}| `.length
    view.dispatch({
      changes: { from: last.to, insert },
      selection: { anchor },
      scrollIntoView: true,
      userEvent: 'input',
    })
    return true
  }

export const tableKeys: Extension = Prec.high(keymap.of([{ key: 'Tab', run: go(1), shift: go(-1) }]))

/** Those of the table at this position, without the line that divides the head from the others; none elsewhere. */
function rowsAt(state: EditorState, position: number): readonly Line[] {
  const table = tableAt(state, position)
  if (table === undefined) return []
  const { number } = state.doc.lineAt(table.from)
  const count = state.doc.lineAt(table.to).number - number + 1
  return Array.from({ length: count }, (_, index) => state.doc.line(number + index)).filter(
    (_, index) => index !== 1,
  )
}

function tableAt(state: EditorState, position: number): Cell | undefined {
  for (const side of [-1, 1] as const) {
    const inside = syntaxTree(state).resolveInner(position, side)
    for (let node: typeof inside | null = inside; node !== null; node = node.parent)
      if (node.name === 'Table') return node
  }
  return undefined
}

/** The text of each, without the blanks around it. */
function cellsOf({ text, from }: Line): Cell[] {
  const bars = [...text.matchAll(/\\.|\|/g)].filter(([found]) => found === '|').map(({ index }) => index)
  const start = text.search(/\S/)
  const lefts = bars[0] === start ? bars : [start - 1, ...bars]
  const ends = text.trimEnd().length - 1
  return lefts
    .filter(left => left !== ends)
    .map(left => {
      const to = bars.find(bar => bar > left) ?? text.length
      const inside = text.slice(left + 1, to)
      const blank = inside.trim() === ''
      const begin = left + 1 + (blank ? Math.min(1, inside.length) : inside.search(/\S/))
      return { from: from + begin, to: from + (blank ? begin : left + 1 + inside.trimEnd().length) }
    })
}

const indentOf = ({ text }: Line): string => text.slice(0, Math.max(0, text.search(/\S/)))
