// The picture of the library as a list of what is in it, and where the things in it are.
import { Parser } from 'htmlparser2'
import type { Draft, Shape } from './draft.ts'
import { numberOf } from './stand-ins.ts'

export type Attributes = Readonly<Record<string, string>>

export type Part =
  | { readonly kind: 'open' | 'close' | 'shape'; readonly name: string; readonly attributes: Attributes }
  | { readonly kind: 'text'; readonly attributes: Attributes; readonly words: string }

export type Point = readonly [x: number, y: number]

/** Around a middle. */
export type Box = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly shape?: Shape
}

const CONTAINERS: ReadonlySet<string> = new Set(['defs', 'marker', 'g'])
const SHAPES: ReadonlySet<string> = new Set([
  'rect',
  'line',
  'polyline',
  'polygon',
  'circle',
  'ellipse',
  'path',
])

/** Undefined if there is something else in it than the library is known to draw. */
export function partsOf(svg: string): Part[] | undefined {
  const parts: Part[] = []
  let text: { attributes: Attributes; words: string } | undefined
  let isKnown = true
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'text') text = { attributes, words: '' }
        else if (CONTAINERS.has(name)) parts.push({ kind: 'open', name, attributes })
        else if (SHAPES.has(name)) parts.push({ kind: 'shape', name, attributes })
        else if (name !== 'svg' && name !== 'style' && name !== 'tspan') isKnown = false
      },
      ontext(words) {
        if (text !== undefined) text.words += words
      },
      onclosetag(name) {
        if (CONTAINERS.has(name)) parts.push({ kind: 'close', name, attributes: {} })
        if (name !== 'text' || text === undefined) return
        parts.push({ kind: 'text', ...text })
        text = undefined
      },
    },
    { xmlMode: true },
  )
  parser.end(svg)
  return isKnown ? parts : undefined
}

/** Where the words are, by the numbers of what stands for them. */
export function wordsIn(parts: readonly Part[], { scale }: Draft): Map<number, Point> {
  const places = new Map<number, Point>()
  for (const part of parts) {
    const number = part.kind === 'text' ? numberOf(part.words) : undefined
    if (part.kind !== 'text' || number === undefined) continue
    places.set(number, [Number(part.attributes.x) * scale.x, Number(part.attributes.y) * scale.y])
  }
  return places
}

/** Where things and groups are, by the numbers of what stands for their words. */
export function boxesIn(parts: readonly Part[], { boxes, scale }: Draft): Map<number, Box> {
  const places = new Map<number, Box>()
  let frame: Box | undefined
  for (const part of parts)
    if (part.kind === 'shape' && part.name === 'rect' && FRAMES.has(part.attributes.fill ?? '')) {
      const { x, y, width, height } = numbersOf(part.attributes)
      frame = {
        ...{ x: (x + width / 2) * scale.x, y: (y + height / 2) * scale.y },
        ...{ width: width * scale.x, height: height * scale.y },
      }
    } else if (part.kind === 'text') {
      const number = numberOf(part.words)
      if (number === undefined) continue
      const size = boxes?.get(number)
      const { x, y } = numbersOf(part.attributes)
      const place = size === undefined ? frame : { x: x * scale.x, y: y * scale.y, ...size }
      if (place !== undefined) places.set(number, place)
    }
  return places
}

const FRAMES: ReadonlySet<string> = new Set(['var(--_node-fill)', 'var(--_group-fill)'])

const numbersOf = (attributes: Attributes) => ({
  x: Number(attributes.x),
  y: Number(attributes.y),
  width: Number(attributes.width),
  height: Number(attributes.height),
})

/** Of `points`, such as `0,0 8,2.4`. */
export const pointsOf = (written: string): Point[] => {
  const numbers = written.split(/[\s,]+/).map(Number)
  return Array.from({ length: Math.floor(numbers.length / 2) }, (_, at) => [
    numbers[2 * at] ?? Number.NaN,
    numbers[2 * at + 1] ?? Number.NaN,
  ])
}
