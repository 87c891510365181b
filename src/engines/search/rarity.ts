// How rare something is among everything that is searched.
import { float32At } from '../../base/typed-arrays.ts'
import type { Collection } from './searched-part.ts'

/** The inverse document frequency of BM25, never negative. `pages`: how many pages have it. */
export const rarity = (pages: number, { pages: all }: Pick<Collection, 'pages'>): number =>
  Math.log(1 + (all - pages + 0.5) / (pages + 0.5))

/** How many numbers, by part and page, are not 0. */
export function countPages(byPart: readonly (Float32Array | undefined)[]): number {
  let pages = 0
  for (const part of byPart) {
    if (part === undefined) continue
    for (let slot = 0; slot < part.length; slot++) if (float32At(part, slot) > 0) pages++
  }
  return pages
}
