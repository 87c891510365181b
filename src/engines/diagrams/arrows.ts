// The arrows of a flowchart, as they are written.
import type { Edge } from './graph.ts'
import type { Scanner } from './scanner.ts'
import { labelOf } from './words.ts'

/** With a name, which is for what moves, and a sign at its beginning. */
const ARROW_START = /(?:[\p{L}\p{N}_]+@)?(<|[xo](?=--|==|-\.))?/uy
const WHOLE_ARROW = /(?:-{2,}|-\.+-|={2,})[xo](?= )|-{2,}>|-{3,}|-\.+->?|={2,}>|={3,}|~{3,}/y
/** The first half of an arrow around words, and what ends it. */
const HALF_ARROW = /(--|-\.|==)(?![-.=>])/y
const HALF_ENDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '--': { '-->': '-->', '--x ': '--x', '--o ': '--o', '---': '---' },
  '-.': { '.->': '-.->', '.-': '-.-' },
  '==': { '==>': '==>', '===': '===' },
}
/** Nothing is drawn: it is there for the layout of others. */
export const UNSEEN = '~'

/** What is between two things. */
type Arrow = Pick<Edge, 'arrow' | 'label' | 'end'>

/** Undefined if no arrow is next. */
export function readArrow(scanner: Scanner): Arrow | undefined {
  const start = scanner.match(ARROW_START)?.[1] ?? ''
  const whole = scanner.match(WHOLE_ARROW)?.[0]
  if (whole !== undefined) {
    const labelled = scanner.take('|') ? scanner.until(['|']) : undefined
    return { ...arrowOf(start, whole), label: labelled === undefined ? [] : labelOf(labelled.inside) }
  }
  const half = scanner.match(HALF_ARROW)?.[0]
  const ends = half === undefined ? undefined : HALF_ENDS[half]
  const found = ends && scanner.until(Object.keys(ends))
  if (ends === undefined || found === undefined) return undefined
  // A longer arrow: the line goes on.
  scanner.match(/[-=.]*>?/y)
  return { ...arrowOf(start, ends[found.end] ?? ''), label: labelOf(found.inside) }
}

/** The arrow of the library, and what it ends in. Longer arrows are drawn as others. */
function arrowOf(start: string, whole: string): Pick<Arrow, 'arrow' | 'end'> {
  if (whole.startsWith('~')) return { arrow: UNSEEN }
  const last = whole.at(-1)
  const line = whole.includes('.') ? '-.-' : whole.startsWith('=') ? '==' : '--'
  const plain = whole.includes('.') ? '-.-' : line + line.charAt(0)
  if (last === 'x' || last === 'o')
    return { arrow: plain, end: { end: last === 'x' ? 'cross' : 'circle', isBoth: start === last } }
  if (last !== '>') return { arrow: plain }
  return { arrow: `${start === '<' ? '<' : ''}${line}>` }
}
