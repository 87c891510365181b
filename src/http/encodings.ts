// Which content codings a client accepts.
import { parseQualityValues } from './quality-values.ts'

/**
 * RFC 9110 §12.5.3: a named coding has its own weight, any other the weight of `*`, and a weight of 0 refuses it.
 * Without the header nothing is encoded.
 */
export function acceptsEncoding(header: string | readonly string[] | undefined, coding: string): boolean {
  const weights = parseQualityValues(String(header ?? ''))
  return (weights.get(coding) ?? weights.get('*') ?? 0) > 0
}
