// The line of a heading: `## Set up {#setup}` has the words "Set up" and the id `setup`. MkDocs and kramdown write it as
// `{: #setup }` or `{ #setup }`.
import type { Heading, Inline } from './ast.ts'

/** Only behind words, and not escaped. */
export const HEADING_ID = /(?<!\\)\{:? ?#([^\s{}"'<>#]{1,200}) ?\}$/

/** The words of a heading and the id behind them. */
export function headingLine(children: readonly Inline[], source: string): Pick<Heading, 'children' | 'id'> {
  const last = children.at(-1)
  if (last?.type !== 'text') return { children }
  const read = HEADING_ID.exec(last.value)
  const written = HEADING_ID.exec(source.slice(last.position.start, last.position.end))
  if (read === null || written === null || read[1] !== written[1]) return { children }
  const value = last.value.slice(0, read.index).trimEnd()
  const wordsEnd =
    last.position.start +
    source.slice(last.position.start, last.position.start + written.index).trimEnd().length
  if (value === '' && children.length === 1) return { children }
  const [braces, id = ''] = written
  const end = last.position.end - (braces.endsWith(' }') ? ' }' : '}').length
  const rest = children.slice(0, -1)
  return {
    children:
      value === '' ? rest : [...rest, { ...last, value, position: { ...last.position, end: wordsEnd } }],
    id: { value: id, start: end - id.length, end },
  }
}
