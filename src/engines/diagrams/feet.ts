// How many of a thing there are, as a sign at the end of a line.
import type { Point } from './parts.ts'

/** At `end`, for a line that comes from `next`: the data of a path, and where a circle is, if it can be none. */
export function footAt(
  end: Point,
  next: Point,
  sign: string,
): { readonly data: string; readonly circle?: Point } {
  const length = Math.hypot(next[0] - end[0], next[1] - end[1]) || 1
  const [ux, uy] = [(next[0] - end[0]) / length, (next[1] - end[1]) / length]
  /** So far along the line, and so far beside it. */
  const at = (along: number, beside: number): Point => [
    end[0] + ux * along - uy * beside,
    end[1] + uy * along + ux * beside,
  ]
  const stroke = (from: Point, to: Point): string => `M${written(from)}L${written(to)}`
  const bar = (along: number): string => stroke(at(along, -6), at(along, 6))
  const isMany = sign.includes('{')
  const fan = isMany ? stroke(at(0, -7), at(12, 0)) + stroke(at(0, 7), at(12, 0)) : ''
  if (sign.includes('o')) return { data: isMany ? fan : bar(7), circle: at(isMany ? 16 : 15, 0) }
  return { data: isMany ? fan + bar(16) : bar(6) + bar(11) }
}

const written = (point: Point): string => point.map(number => Math.round(number * 10) / 10).join(',')
