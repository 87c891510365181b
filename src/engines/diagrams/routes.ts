// The way of a line from a thing to another. The library bends a line as late as it can, so that it may come in at the
// side of a thing, or run along it; here it leaves and comes in along the direction of the diagram, and bends half way.
import type { Shape } from './draft.ts'
import type { Box, Point } from './parts.ts'

type Ends = {
  readonly from: Box | undefined
  readonly to: Box | undefined
  /** Where the words of the line are. */
  readonly label: Point | undefined
  /** All things: a line bends between their rows. */
  readonly boxes: readonly Box[]
}

/** `points` are those of the library; it goes from the top to the bottom, or from side to side. */
export function routeOf(points: readonly Point[], isVertical: boolean, ends: Ends): Point[] {
  if (isVertical) return between(points, ends)
  const { from, to, label, boxes } = ends
  const turned = {
    ...{ from: from && turn(from), to: to === from ? from && turn(from) : to && turn(to) },
    ...{ label: label && swap(label), boxes: boxes.map(turn) },
  }
  return between(points.map(swap), turned).map(swap)
}

const swap = ([x, y]: Point): Point => [y, x]
const turn = (box: Box): Box => ({ ...box, x: box.y, y: box.x, width: box.height, height: box.width })

/** Steps to the side that are shorter than this are none. */
const STRAIGHT = 2

/** From place to place, with each step to the side right before the row of the next place. */
function between(points: readonly Point[], { from, to, label, boxes }: Ends): Point[] {
  const first = points[0] ?? [0, 0]
  const last = points.at(-1) ?? first
  if (from !== undefined && isSame(from, to)) return around(from, label)
  const places = withLabel(placesBetween(points), label, first, last).filter(
    point => point === label || !(isIn(from, point) || isIn(to, point)),
  )
  const next = places[0] ?? (to === undefined ? last : ([to.x, to.y] as const))
  const toward = from === undefined ? first : edgeOf(from, next)
  const end = to === undefined ? last : edgeOf(to, places.at(-1) ?? toward)
  const start = from === undefined ? first : edgeOf(from, places[0] ?? end)
  const [isFromSide, isToSide] = [isAtSide(from, start), isAtSide(to, end)]
  const way = [start, ...places, end]
  return [
    start,
    ...way.slice(1).flatMap((place, at): Point[] => {
      const before = way[at] ?? start
      const [aside, ahead] = [place[0] - before[0], place[1] - before[1]]
      if (Math.abs(aside) <= STRAIGHT || Math.abs(ahead) <= STRAIGHT) return [place]
      if (way.length === 2 && isFromSide && isToSide) {
        const middle = before[0] + aside / 2
        return [[middle, before[1]], [middle, place[1]], place]
      }
      if (at === 0 && isFromSide) return [[place[0], before[1]], place]
      if (at === way.length - 2 && isToSide) return [[before[0], place[1]], place]
      const bend = bendBefore(before[1], place[1], boxes)
      return [[before[0], bend], [place[0], bend], place]
    }),
  ]
}

const isSame = (box: Box, other: Box | undefined): boolean => other?.x === box.x && other.y === box.y

/**
 * The places that the layout gave a line between its ends: the library goes to each of them along the diagram first, and
 * then to the side.
 */
const placesBetween = (points: readonly Point[]): Point[] =>
  points.filter(([x], at) => at > 0 && at < points.length - 1 && Math.abs(x - (points[at - 1]?.[0] ?? x)) > 1)

/** The library may have lost the place of the words, which is one of them. */
function withLabel(
  places: readonly Point[],
  label: Point | undefined,
  [, start]: Point,
  [, end]: Point,
): readonly Point[] {
  if (label === undefined) return places
  const sign = Math.sign(end - start) || 1
  const isBefore = ([, y]: Point) => (label[1] - y) * sign > NEAR
  const isAfter = ([, y]: Point) => (y - label[1]) * sign > NEAR
  return [...places.filter(isBefore), label, ...places.filter(isAfter)]
}

const NEAR = 3

export const isIn = (box: Box | undefined, [x, y]: Point): boolean =>
  box !== undefined && Math.abs(x - box.x) <= box.width / 2 + 1 && Math.abs(y - box.y) <= box.height / 2 + 1

/**
 * Where a line leaves a box above or below it: as straight as can be, but not at a corner. What is beside it is reached
 * from its side.
 */
function edgeOf(box: Box, [x, y]: Point): Point {
  const [half, high] = [box.width / 2, box.height / 2]
  if (Math.abs(y - box.y) <= high && Math.abs(x - box.x) > half)
    return [
      box.x + Math.sign(x - box.x) * half,
      Math.max(box.y - high * 0.7, Math.min(box.y + high * 0.7, y)),
    ]
  const span = half * (SPANS[box.shape ?? 'rectangle'] ?? 0.7)
  const aside = Math.max(-span, Math.min(span, x - box.x))
  return [box.x + aside, box.y + Math.sign(y - box.y || 1) * high * heightAt(box, aside / half)]
}

const SPANS: Readonly<Partial<Record<Shape, number>>> = {
  diamond: 0.5,
  circle: 0.5,
  doublecircle: 0.5,
  hexagon: 0.5,
}

const isAtSide = (box: Box | undefined, [x, y]: Point): boolean =>
  box !== undefined &&
  Math.abs(Math.abs(x - box.x) - box.width / 2) < 0.1 &&
  Math.abs(y - box.y) < box.height / 2 - 0.1

/** How high a thing is beside its middle, of its height. */
function heightAt({ shape }: Box, aside: number): number {
  if (shape === 'diamond') return 1 - Math.abs(aside)
  return shape === 'circle' || shape === 'doublecircle' ? Math.sqrt(1 - aside * aside) : 1
}

const LOOP = 30

/** A line from a thing to itself, at the side where the layout made room for it. */
function around({ x, y, width, height }: Box, label: Point | undefined): Point[] {
  const side = x + width / 2
  const outer = Math.max(side + LOOP, label?.[0] ?? 0)
  const step = Math.min(9, height / 4)
  return [
    [side, y - step],
    [outer, y - step],
    [outer, y + step],
    [side, y + step],
  ]
}

/** Half way along a line. */
export function middleOf(points: readonly Point[]): Point {
  const lengths = points.slice(1).map((point, at) => distance(points[at] ?? point, point))
  let left = lengths.reduce((sum, length) => sum + length, 0) / 2
  for (const [at, length] of lengths.entries()) {
    const [from, to] = [points[at], points[at + 1]]
    if (from !== undefined && to !== undefined && left <= length) return along(from, to, left)
    left -= length
  }
  return points[0] ?? [0, 0]
}

/** How far before a row a line bends. */
const BEND = 20

function bendBefore(from: number, to: number, boxes: readonly Box[]): number {
  const sign = Math.sign(to - from)
  const row = boxes
    .filter(({ y, height }) => Math.abs(y - to) < height / 2 - 1)
    .map(({ y, height }) => y - (sign * height) / 2)
  const start = row.reduce((nearest, edge) => ((edge - nearest) * sign < 0 ? edge : nearest), to)
  const room = (start - from) * sign
  return room > 0 ? start - sign * Math.min(BEND, room / 2) : (from + to) / 2
}

const RADIUS = 6

/** A line with round corners, as the data of a path. */
export function pathOf(points: readonly Point[], write: (number: number) => string): string {
  let data = ''
  for (const [at, point] of points.entries()) {
    const before = points[at - 1]
    const after = points[at + 1]
    if (before === undefined) data += `M${write(point[0])},${write(point[1])}`
    else if (after === undefined) data += `L${write(point[0])},${write(point[1])}`
    else {
      const radius = Math.min(RADIUS, distance(before, point) / 2, distance(point, after) / 2)
      const [enter, leave] = [along(point, before, radius), along(point, after, radius)]
      data += `L${write(enter[0])},${write(enter[1])}Q${write(point[0])},${write(point[1])} ${write(leave[0])},${write(leave[1])}`
    }
  }
  return data
}

const distance = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1])

/** The place so far on the way from one to another. */
export function along(from: Point, to: Point, length: number): Point {
  const whole = distance(from, to) || 1
  return [from[0] + ((to[0] - from[0]) * length) / whole, from[1] + ((to[1] - from[1]) * length) / whole]
}
