// Which content codings a client takes.
import { parseQualityValues } from './quality-values.ts'

/**
 * RFC 9110 §12.5.3: a coding that is named has the weight beside it, every other that of `*`, and a weight of 0 refuses.
 * Without the header nothing is coded.
 */
export function acceptsEncoding(header: string | readonly string[] | undefined, coding: string): boolean {
  const weights = parseQualityValues(String(header ?? ''))
  return (weights.get(coding) ?? weights.get('*') ?? 0) > 0
}
