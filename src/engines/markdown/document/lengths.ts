// Widths and heights: pixels as a number, percentages with their unit.
import type { BlockData } from './model.ts'

type Length = NonNullable<BlockData<'column'>['width']>

/** `563`, `563px` are pixels; `50%` keeps its unit. */
export function parseLength(value: string | undefined): Length | undefined {
  const match = /^\s*(\d{1,7}(?:\.\d{1,20})?)\s*(?:(px|%)\s*)?$/.exec(value ?? '')
  if (match === null) return undefined
  return match[2] === '%' ? { unit: '%', value: Number(match[1]) } : Number(match[1])
}

/** Undefined if HTML has no notation for it. */
export function renderLength(length: Length | undefined): string | undefined {
  const { value, unit } = typeof length === 'number' ? { value: length, unit: 'px' } : (length ?? {})
  const digits = String(value)
  if (!/^\d{1,7}(?:\.\d{1,20})?$/.test(digits)) return undefined
  return unit === '%' ? `${digits}%` : unit === 'px' ? digits : undefined
}
