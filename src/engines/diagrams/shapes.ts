// The shapes of things in a flowchart, as they are written.
import type { Shape } from './draft.ts'
import type { GraphNode } from './graph.ts'
import type { Scanner } from './scanner.ts'
import { readLabel } from './words.ts'

type Shown = Pick<GraphNode, 'label' | 'shape'>

/** What is around the words of a shape; the longer ones come first. */
const SHAPES: readonly (readonly [start: string, ends: Readonly<Record<string, Shape>>])[] = [
  ['(((', { ')))': 'doublecircle' }],
  ['((', { '))': 'circle' }],
  ['([', { '])': 'stadium' }],
  ['(', { ')': 'rounded' }],
  ['[[', { ']]': 'subroutine' }],
  ['[(', { ')]': 'cylinder' }],
  ['[/', { '\\]': 'trapezoid', '/]': 'lean-right' }],
  ['[\\', { '/]': 'trapezoid-alt', '\\]': 'lean-left' }],
  ['[', { ']': 'rectangle' }],
  ['{{', { '}}': 'hexagon' }],
  ['{', { '}': 'diamond' }],
  ['>', { ']': 'asymmetric' }],
]

/** `[words]`: undefined if no shape is next. */
export function readShape(scanner: Scanner): Shown | undefined {
  const [, ends] = SHAPES.find(([start]) => scanner.take(start)) ?? []
  if (ends === undefined) return undefined
  const isQuoted = scanner.take('"')
  const closers = Object.keys(ends)
  const found = scanner.until(isQuoted ? closers.map(closer => `"${closer}`) : closers)
  const shape = found && ends[isQuoted ? found.end.slice(1) : found.end]
  return found === undefined || shape === undefined
    ? undefined
    : { label: readLabel(found.inside.trim()), shape }
}

const PROPERTY = / ?(shape|label): ?(?:"([^"]*)"|([a-z-]+)) ?,?/y

/** https://mermaid.js.org/syntax/flowchart.html#complete-list-of-new-shapes, as far as the library has them. */
const NAMED_SHAPES: ReadonlyMap<string, Shape> = new Map(
  Object.entries({
    rectangle: 'rect proc process rectangle',
    rounded: 'rounded event',
    stadium: 'stadium terminal pill',
    subroutine: 'fr-rect subprocess subproc framed-rectangle subroutine',
    cylinder: 'cyl db database cylinder',
    circle: 'circle circ',
    doublecircle: 'dbl-circ double-circle',
    diamond: 'diam diamond decision question',
    hexagon: 'hex hexagon prepare',
    'lean-right': 'lean-r lean-right in-out',
    'lean-left': 'lean-l lean-left out-in',
    trapezoid: 'trap-b priority trapezoid trapezoid-bottom',
    'trapezoid-alt': 'trap-t inv-trapezoid manual trapezoid-top',
    asymmetric: 'odd',
  }).flatMap(([shape, names]) => names.split(' ').map(name => [name, shape as Shape] as const)),
)

/** `shape: circle, label: "Words"`, up to a brace; undefined if it was not understood. */
export function readProperties(scanner: Scanner): Partial<Shown> | undefined {
  const shown: Partial<Shown> = {}
  while (!scanner.take('}')) {
    const [, name, quoted, bare] = scanner.match(PROPERTY) ?? []
    const shape = name === 'shape' ? NAMED_SHAPES.get(bare ?? quoted ?? '') : undefined
    if (name === 'label' && quoted !== undefined) shown.label = readLabel(quoted)
    else if (shape !== undefined) shown.shape = shape
    else return undefined
  }
  return shown
}
