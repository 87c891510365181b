// Code: its lines, with the colours from the highlighter.
import type { ElementContent } from 'hast'
import { classAfter, hasClass } from './classes.ts'
import { breakable } from './line-words.ts'
import type { CodeLine, CodeRun } from './nodes.ts'

const TAB_COLUMNS = 4
/** How many characters of code fit on a line of a sheet; longer lines are broken. */
const LINE_CHARACTERS = 80
const WORD_MAX = 20

type Run = { readonly text: string; readonly colour: string | undefined }

export function writeCodeLines(code: readonly ElementContent[]): CodeLine[] {
  const lines: { isMarked: boolean; runs: Run[] }[] = [{ isMarked: false, runs: [] }]
  const visit = (nodes: readonly ElementContent[], colour: string | undefined, isMarked: boolean) => {
    for (const node of nodes) {
      if (node.type === 'element') {
        visit(node.children, classAfter(node, 'tok-') ?? colour, isMarked || hasClass(node, 'is-marked'))
      } else if (node.type === 'text')
        for (const [index, text] of node.value.split(/\r\n|\n|\r/).entries()) {
          if (index > 0) lines.push({ isMarked: false, runs: [] })
          const line = lines.at(-1)
          if (line === undefined || text === '') continue
          line.isMarked ||= isMarked
          line.runs.push({ text, colour })
        }
    }
  }
  visit(code, undefined, false)
  if (lines.length > 1 && lines.at(-1)?.runs.length === 0) lines.pop()
  return lines.map(({ isMarked, runs }) => ({ isMarked, runs: writeRuns(runs) }))
}

function writeRuns(runs: readonly Run[]): CodeRun[] {
  let column = 0
  const length = runs.reduce((sum, { text }) => sum + text.length, 0)
  return runs.flatMap(({ text, colour }): CodeRun[] => {
    let shown = ''
    for (const character of text) {
      const width = character === '\t' ? TAB_COLUMNS - (column % TAB_COLUMNS) : 1
      shown += character === '\t' ? ' '.repeat(width) : character
      column += width
    }
    const inside = length > LINE_CHARACTERS ? breakable(shown, WORD_MAX) : [shown]
    return colour === undefined ? inside : [{ kind: 'ink', colour: `token-${colour}`, inside }]
  })
}
