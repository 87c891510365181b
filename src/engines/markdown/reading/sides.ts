// The side of the line that words keep to.
import type { Element } from '../syntax/syntax.ts'
import { declarationsOf } from './styles.ts'

/** Sides of the line: the first is left, except where words run from right to left. */
type Side = 'start' | 'center' | 'end'

const SIDES: ReadonlyMap<string, Side> = new Map([
  ['left', 'start'],
  ['start', 'start'],
  ['center', 'center'],
  ['middle', 'center'],
  ['right', 'end'],
  ['end', 'end'],
])

/** The side that an element names in `align`, or in its style as `text-align`. */
export const sideOf = (node: Pick<Element, 'attributes'>): Side | undefined =>
  [node.attributes.align?.trim().toLowerCase(), declarationsOf(node).get('text-align')]
    .map(side => SIDES.get(side ?? ''))
    .find(side => side !== undefined)
