// Lines between things, on ways of our own, with the words and the signs that are on them.
import { type Canvas, listed, OF_LINES, rounded } from './canvas.ts'
import type { Draft, LineEnds, Link } from './draft.ts'
import { footAt } from './feet.ts'
import { type Attributes, type Box, boxesIn, type Part, type Point, wordsIn } from './parts.ts'
import { along, isIn, middleOf, pathOf, routeOf } from './routes.ts'
import { widest } from './words.ts'

export class LinesBetween {
  readonly #canvas: Canvas
  readonly #draft: Draft
  readonly #boxes: ReadonlyMap<number, Box>
  /** Without groups. */
  readonly #things: readonly Box[]
  /** Where the library has the words. */
  readonly #places: ReadonlyMap<number, Point>
  /** Words that are elsewhere than the library has them. */
  readonly moved = new Map<number, Point>()
  /** How many were drawn. */
  count = 0

  constructor(canvas: Canvas, draft: Draft, parts: readonly Part[]) {
    this.#canvas = canvas
    this.#draft = draft
    this.#boxes = boxesIn(parts, draft)
    this.#things = [...this.#boxes.values()].filter(
      box => box.shape !== undefined || draft.boxes === undefined,
    )
    this.#places = wordsIn(parts, draft)
  }

  draw(name: string, attributes: Attributes): void {
    const number = this.count
    this.count += 1
    const ends = this.#draft.ends?.get(number)
    if (ends?.end === 'absent') return
    const points = this.#canvas.lineOf(name, attributes)
    const link = this.#draft.links?.[number]
    const route = link === undefined ? points : this.#routed(points, link)
    for (const [x, y] of route) this.#canvas.include(x, y)
    const stroke = this.#canvas.colour('var(--_line)')
    const width = this.#canvas.strokeWidth(attributes['stroke-width'] ?? '1')
    const own = ends?.isDashed ? { 'stroke-dasharray': '4 4' } : attributes
    const said = listed(own, ends === undefined ? OF_LINES : ['stroke-dasharray'])
    this.#canvas.write(
      `<path d="${pathOf(route, rounded)}" fill="none" stroke="${stroke}" stroke-width="${width}"${said}/>`,
    )
    for (const end of ends?.isBoth ? [route, route.toReversed()] : [route]) this.#end(end, ends)
    if (link?.feet !== undefined) this.#feet(route, link.feet)
  }

  /** Lines from and to dots, which keep their size, are so much longer. */
  #toDots(points: readonly Point[], from: number | undefined, to: number | undefined): readonly Point[] {
    const gap = DOT_HALF * (this.#draft.scale.y - 1)
    const [first, second] = points
    const [last, before] = points.toReversed()
    if (first === undefined || second === undefined || last === undefined || before === undefined)
      return points
    return [
      from === undefined ? along(first, second, -gap) : first,
      ...points.slice(1, -1),
      to === undefined ? along(last, before, -gap) : last,
    ]
  }

  #end(route: readonly Point[], ends: LineEnds | undefined): void {
    const [end, before] = route.toReversed()
    if (end === undefined || before === undefined || (ends?.end !== 'cross' && ends?.end !== 'circle')) return
    const [x, y] = end
    if (ends.end === 'cross') this.#canvas.mark(`M${rounded(x - 5)},${rounded(y - 5)}l10,10m0,-10l-10,10`)
    else this.#canvas.circle(along(end, before, 4))
  }

  #routed(points: readonly Point[], { from, to, label, counts }: Link): Point[] {
    const boxOf = (number: number | undefined) => (number === undefined ? undefined : this.#boxes.get(number))
    const { isVertical = true, labels } = this.#draft
    const [x, y] = (label === undefined ? undefined : this.#places.get(label)) ?? []
    const place: Point | undefined =
      x === undefined || y === undefined ? undefined : [x, labels === 'above' ? y + ABOVE_LINE : y]
    const ends = { from: boxOf(from), to: boxOf(to), label: place, boxes: this.#things }
    // The library lays out a line to a group as one to something in it, with its words in the group.
    if (labels === 'halfway' || (place !== undefined && (isIn(ends.from, place) || isIn(ends.to, place))))
      ends.label = undefined
    const route = routeOf(this.#toDots(points, from, to), isVertical, ends)
    if (label !== undefined) this.moved.set(label, ends.label ?? middleOf(route))
    for (const [at, number] of (counts ?? []).entries()) {
      const [end, next] = at === 0 ? route : route.toReversed()
      if (number === undefined || end === undefined || next === undefined) continue
      const aside = (widest(this.#draft.standIns.linesOf(number)) * COUNT_SIZE) / 2 + 6
      this.moved.set(number, [end[0] + aside, end[1] + Math.sign(next[1] - end[1] || 1) * 12])
    }
    return route
  }

  #feet(route: readonly Point[], [from, to]: readonly [string, string]): void {
    const ends = [
      [route, from],
      [route.toReversed(), to],
    ] as const
    for (const [[end, next], sign] of ends)
      if (end !== undefined && next !== undefined) {
        const { data, circle } = footAt(end, next, sign)
        this.#canvas.mark(data)
        if (circle !== undefined) this.#canvas.circle(circle)
      }
  }
}

/** The library writes the words of a relation this much above their line. */
const ABOVE_LINE = 8
const COUNT_SIZE = 12.5
/** From the middle of a dot to where lines end at it. */
const DOT_HALF = 14

/** Lines between things, as the library draws them in each kind of diagram. */
export const isBetween = (name: string, attributes: Attributes): boolean =>
  attributes.stroke === 'var(--_line)' &&
  (name === 'polyline' ? attributes.fill === 'none' : attributes['marker-end'] !== undefined)
