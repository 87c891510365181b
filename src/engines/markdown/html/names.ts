// Values of content that become class names: each only from a list, so content never chooses a class of its own.
import { sideOf } from '../reading/reading.ts'
import { COLORS, VERTICAL_ALIGNMENTS } from '../schema/schema.ts'
import type { Element } from '../syntax/syntax.ts'

export { iconName, isIconName } from '../reading/reading.ts'

const COLOURS: ReadonlySet<string> = new Set(COLORS)

/** `red` → `ink-red`, `$primary` → `ink-primary`; undefined for anything that is not one of GitBook's colours. */
export const inkClass = (colour: string | undefined): string | undefined => colourClass('ink', colour)

/** The same for the background of words. */
export const paperClass = (colour: string | undefined): string | undefined => colourClass('paper', colour)

function colourClass(prefix: string, colour: string | undefined): string | undefined {
  const name = colour?.trim().toLowerCase() ?? ''
  return COLOURS.has(name) ? `${prefix}-${name.replace('$', '')}` : undefined
}

/** The class for the side that an element names. */
export function sideClass(node: Pick<Element, 'attributes'>): string | undefined {
  const side = sideOf(node)
  return side && `align-${side}`
}

const ALIGNMENTS: ReadonlySet<string> = new Set(['left', 'center', 'right', 'start', 'end'])

export function alignOf(align: string | boolean | undefined): string | undefined {
  const side = typeof align === 'string' ? align.toLowerCase() : ''
  return ALIGNMENTS.has(side) ? side : undefined
}

const VERTICAL: ReadonlySet<string> = new Set(VERTICAL_ALIGNMENTS)

export const verticalClass = (align: string | boolean | undefined): string | undefined =>
  typeof align === 'string' && VERTICAL.has(align) ? align : undefined
