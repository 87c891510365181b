// Values of content that become class names: each only from a list, so content never chooses a class of its own.
import { COLORS, sideOf, VERTICAL_ALIGNMENTS } from '../attributes/attributes.ts'
import type { Element } from '../syntax/syntax.ts'

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

export const alignClass = (align: string | boolean | undefined): string | undefined =>
  typeof align === 'string' && ALIGNMENTS.has(align.toLowerCase())
    ? `align-${align.toLowerCase()}`
    : undefined

const VERTICAL: ReadonlySet<string> = new Set(VERTICAL_ALIGNMENTS)

export const verticalClass = (align: string | boolean | undefined): string | undefined =>
  typeof align === 'string' && VERTICAL.has(align) ? align : undefined

const ICON_NAME = /^[a-z0-9-]{1,50}$/

export const isIconName = (name: string): boolean => ICON_NAME.test(name)

/** An icon's name without its library's prefixes: `fa-solid fa-rocket` and `rocket` are `rocket`. */
export function iconName(value: string | boolean | undefined): string | undefined {
  if (typeof value !== 'string') return undefined
  const words = value
    .toLowerCase()
    .slice(0, 200)
    .split(/\s+/)
    .map(word => word.replace(/^fa-/, ''))
  return words.find(word => isIconName(word) && !ICON_STYLES.has(word))
}

const ICON_STYLES: ReadonlySet<string> = new Set(
  'fa fas far fab solid regular brands light duotone thin sharp'.split(' '),
)

/** A positive size in pixels, for `width` and `height` attributes: `375`, `375px`; undefined for anything else. */
export function pixels(value: string | undefined): number | undefined {
  const match = /^\s*(\d{1,5})(?:\.\d+)?(?:px)?\s*$/.exec(value ?? '')
  const size = Number(match?.[1])
  return match !== null && size > 0 ? Math.min(size, PIXELS_MAX) : undefined
}

const PIXELS_MAX = 10_000

/** `66.67%` → 66.67; undefined for anything but a percentage between 0 and 100. */
export function percent(value: string | undefined): number | undefined {
  const match = /^\s*(\d{1,3}(?:\.\d{1,20})?)%\s*$/.exec(value ?? '')
  const size = Number(match?.[1])
  return match !== null && size > 0 && size <= 100 ? size : undefined
}

/** A width attribute that HTML knows on cells and pictures: pixels or a whole percentage. */
export function widthAttribute(value: string | undefined): string | undefined {
  const share = percent(value)
  if (share !== undefined) return `${Math.round(share)}%`
  const size = pixels(value)
  return size === undefined ? undefined : String(size)
}
