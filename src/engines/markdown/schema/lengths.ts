// Widths and heights: pixels as a number, percentages with their unit.

/** Pixels, or a number with its unit. */
export type Length = number | { readonly unit: string; readonly value: number }

/** `563`, `563px` are pixels; `50%` keeps its unit. */
export function parseLength(value: string | undefined): { unit: string; value: number } | number | undefined {
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
