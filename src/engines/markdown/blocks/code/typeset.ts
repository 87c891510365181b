// Code on paper: its lines, with the colours from the highlighter.
import type { ElementContent } from 'hast'
import {
  breakable,
  type CodeLine,
  type CodeRun,
  drawnOf,
  partOf,
  type TokenKind,
  tokenKindOf,
  type WriteBlock,
  writeWords,
} from '../../typeset/typesetting.ts'

const TAB_COLUMNS = 4
/** How many characters of code fit on a line of a sheet; longer lines are broken. */
const LINE_CHARACTERS = 80
const WORD_MAX = 20

export const code: WriteBlock<'code'> = ({ title, isNumbered }, node, writing) => [
  {
    kind: 'code',
    isNumbered,
    ...(title === undefined ? {} : { title: writeWords(title, writing) }),
    lines: writeLines(partOf(node, 'inside')?.children ?? []),
  },
]

type Run = { readonly text: string; readonly kind: TokenKind | undefined }

function writeLines(code: readonly ElementContent[]): CodeLine[] {
  const lines: { isMarked: boolean; runs: Run[] }[] = [{ isMarked: false, runs: [] }]
  const visit = (nodes: readonly ElementContent[], kind: TokenKind | undefined, isMarked: boolean) => {
    for (const node of nodes) {
      if (node.type === 'element') {
        visit(node.children, tokenKindOf(node) ?? kind, isMarked || drawnOf(node)?.name === 'marked-line')
      } else if (node.type === 'text')
        for (const [index, text] of node.value.split(/\r\n|\n|\r/).entries()) {
          if (index > 0) lines.push({ isMarked: false, runs: [] })
          const line = lines.at(-1)
          if (line === undefined || text === '') continue
          line.isMarked ||= isMarked
          line.runs.push({ text, kind })
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
  return runs.flatMap(({ text, kind }): CodeRun[] => {
    let shown = ''
    for (const character of text) {
      const width = character === '\t' ? TAB_COLUMNS - (column % TAB_COLUMNS) : 1
      shown += character === '\t' ? ' '.repeat(width) : character
      column += width
    }
    const inside = length > LINE_CHARACTERS ? breakable(shown, WORD_MAX) : [shown]
    return kind === undefined ? inside : [{ kind: 'ink', colour: `token-${kind}`, inside }]
  })
}
