// Lists of what a client accepts, each with a weight: `Accept`, `Accept-Encoding`.

/**
 * RFC 9110 §12.4.2: names in lower case with their weights, 1 by default and 0 if malformed. The first of two equal
 * names counts.
 */
export function parseQualityValues(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const one of header.split(',')) {
    const [name = '', ...parameters] = one.split(';').map(part => part.trim().toLowerCase())
    const weight = parameters.find(parameter => parameter.startsWith('q='))
    if (!weights.has(name)) weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  return weights
}
