// The side of the line that words keep to.
import type { Element } from '../syntax/syntax.ts'

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

const STYLE_CHARACTERS_MAX = 500

/** The side that an element names in `align`, or in its style as `text-align`. */
export function sideOf({ attributes: { align, style = '' } }: Pick<Element, 'attributes'>): Side | undefined {
  const declared = style
    .slice(0, STYLE_CHARACTERS_MAX)
    .split(';')
    .map(declaration => declaration.split(':'))
    .find(([name]) => name?.trim().toLowerCase() === 'text-align')
  return [align, declared?.[1]]
    .map(side => SIDES.get(side?.trim().toLowerCase() ?? ''))
    .find(side => side !== undefined)
}
