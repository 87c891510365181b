// The picture of the library, drawn again: only the elements and attributes that are known here, the words in place of
// what stands for them, colours as literals, and nothing that a browser would load.
import { Canvas, escaped, listed, type Redrawn, rounded } from './canvas.ts'
import { type Draft, LINE_HEIGHT, type Look, SIZES } from './draft.ts'
import { isBetween, LinesBetween } from './lines-between.ts'
import type { Palette } from './palettes.ts'
import { type Attributes, type Box, boxesIn, type Part, type Point, partsOf } from './parts.ts'
import { numberOf } from './stand-ins.ts'
import { cut, widest, widthOf } from './words.ts'

const OF_NOTES = { rx: '0', ry: '0', fill: 'var(--_group-fill)', stroke: 'var(--_inner-stroke)' }

const OF_MARKERS = ['id', 'markerWidth', 'markerHeight', 'refX', 'refY', 'orient']
const OF_TEXT = ['text-anchor', 'font-size', 'font-weight', 'font-style', 'text-decoration', 'fill']

/** Undefined if it is not what the draft asked for, or too large. */
export function redraw(drawn: string, draft: Draft, palette: Palette): Redrawn | undefined {
  const parts = partsOf(drawn)
  return parts === undefined ? undefined : new Drawing(draft, palette, parts).draw(parts)
}

class Drawing {
  readonly #draft: Draft
  readonly #canvas: Canvas
  readonly #lines: LinesBetween
  readonly #boxes: ReadonlyMap<number, Box>
  /** What is below the words that come next. */
  #ground: Attributes | undefined
  /** A frame whose title, which is drawn next, may be wider. */
  #frame: Attributes | undefined
  /** The width of the last box: a title in it is no longer. */
  #width = 0

  constructor(draft: Draft, palette: Palette, parts: readonly Part[]) {
    this.#draft = draft
    this.#canvas = new Canvas(draft.scale, palette)
    this.#lines = new LinesBetween(this.#canvas, draft, parts)
    this.#boxes = boxesIn(parts, draft)
  }

  draw(parts: readonly Part[]): Redrawn | undefined {
    for (const part of parts) {
      if (part.kind === 'text') this.#text(part.attributes, part.words)
      else if (part.kind === 'shape') this.#shape(part.name, part.attributes)
      else if (part.kind === 'open') this.#open(part.name, part.attributes)
      else this.#close(part.name)
    }
    return this.#draft.linesBetween === this.#lines.count ? this.#canvas.end() : undefined
  }

  #open(name: string, attributes: Attributes): void {
    if (name !== 'defs') this.#canvas.apart += 1
    if (name === 'marker')
      this.#canvas.write(
        `<marker${listed(MARKERS.has(attributes.id ?? '') ? { ...attributes, refX: '12' } : attributes, OF_MARKERS)}>`,
      )
    else if (name === 'g')
      this.#canvas.write(`<g transform="${this.#canvas.placed(attributes.transform ?? '')}">`)
    else this.#canvas.write('<defs>')
  }

  #close(name: string): void {
    if (name !== 'defs') this.#canvas.apart -= 1
    this.#canvas.write(`</${name}>`)
  }

  #shape(name: string, attributes: Attributes): void {
    if (this.#canvas.apart > 0) this.#canvas.write(`<${name}${this.#canvas.said(attributes)}/>`)
    else if (isBetween(name, attributes)) this.#lines.draw(name, attributes)
    else if (isFoot(name, attributes) && this.#draft.links?.[0]?.feet !== undefined) return
    else if (attributes.stroke === 'var(--_inner-stroke)') this.#ground = attributes
    else if (name === 'rect' && attributes.fill === 'none') this.#frame = attributes
    else if (name === 'rect' && this.#frame !== undefined) {
      // The title of a frame.
      const width = String(Math.max(Number(this.#frame.width), Number(attributes.width) + FRAME_BESIDE))
      this.#draw(name, { ...this.#frame, width })
      this.#frame = undefined
      this.#draw(name, attributes)
    } else this.#draw(name, attributes)
  }

  #draw(name: string, attributes: Attributes): void {
    const [look, box] = this.#lookOf(name, attributes) ?? []
    if (look === 'choice' && box !== undefined) this.#choice(box)
    else if (look === 'bar' && box !== undefined) this.#bar(box)
    else {
      if (name === 'rect') this.#width = this.#canvas.along('x', Number(attributes.width))
      this.#canvas.cover(name, attributes)
      this.#canvas.write(
        `<${name}${this.#canvas.said(look === 'note' ? { ...attributes, ...OF_NOTES } : attributes)}/>`,
      )
    }
  }

  /** How a thing looks that is not drawn as the library does it, and where it is. */
  #lookOf(name: string, attributes: Attributes): readonly [Look, Box] | undefined {
    if (name !== 'rect') return undefined
    const { x: sx, y: sy } = this.#draft.scale
    const [x, y, width, height] = ['x', 'y', 'width', 'height'].map(key => Number(attributes[key]))
    const middle: Point = [((x ?? 0) + (width ?? 0) / 2) * sx, ((y ?? 0) + (height ?? 0) / 2) * sy]
    for (const [number, look] of this.#draft.looks ?? []) {
      const box = this.#boxes.get(number)
      if (box !== undefined && Math.hypot(box.x - middle[0], box.y - middle[1]) < 1) return [look, box]
    }
    return undefined
  }

  #choice({ x, y, width, height }: Box): void {
    const corners: Point[] = [
      [x, y - height / 2],
      [x + width / 2, y],
      [x, y + height / 2],
      [x - width / 2, y],
    ]
    for (const [across, down] of corners) this.#canvas.include(across, down)
    const [fill, stroke] = [
      this.#canvas.colour('var(--_node-fill)'),
      this.#canvas.colour('var(--_node-stroke)'),
    ]
    const points = corners.map(corner => corner.map(rounded).join(',')).join(' ')
    this.#canvas.write(`<polygon points="${points}" fill="${fill}" stroke="${stroke}"/>`)
  }

  #bar({ x, y, width, height }: Box): void {
    const look = { fill: 'var(--_text)', rx: 2 }
    this.#canvas.box(x - width / 2, y - height / 2, x + width / 2, y + height / 2, look)
  }

  /** A text, line by line: around its place, or above it where the library writes it above a line. */
  #text(attributes: Attributes, words: string): void {
    const size = SIZES.get(attributes['font-size'] ?? '') ?? 14
    const number = numberOf(words)
    const moved = number === undefined ? undefined : this.#lines.moved.get(number)
    const isAround = attributes.dy !== undefined || moved !== undefined
    const x = moved?.[0] ?? this.#canvas.along('x', Number(attributes.x))
    const y = moved?.[1] ?? this.#canvas.along('y', Number(attributes.y))
    const isTitle = attributes['font-weight'] === '600' && attributes['text-anchor'] === undefined
    const whole = this.#draft.standIns.linesFor(words)
    const lines = isTitle ? whole.map(line => cut(line, (this.#width - 20) / size)) : whole
    this.#drawGround(lines, size, [x, y])
    const leading = size * LINE_HEIGHT
    const above = isAround ? (lines.length - 1) / 2 : lines.length - 1
    const fill = this.#canvas.colour(attributes.fill ?? 'var(--_text)')
    const look = listed({ ...attributes, 'font-size': String(size), fill }, OF_TEXT)
    for (const [index, line] of lines.entries()) {
      if (line === '') continue
      const baseline = y + (isAround ? size * 0.35 : 0) + (index - above) * leading
      const width = widthOf(line) * size
      const left = x - width * (SHARES[attributes['text-anchor'] ?? ''] ?? 0)
      const [top, bottom] = [baseline - size * 0.95, baseline + size * 0.28]
      // What is written across a line is readable.
      if (attributes.dy === undefined)
        this.#canvas.box(left - 3, top, left + width + 3, bottom, { fill: 'var(--bg)' })
      this.#canvas.write(`<text x="${rounded(x)}" y="${rounded(baseline)}"${look}>${escaped(line)}</text>`)
      this.#canvas.include(left, top)
      this.#canvas.include(left + width, bottom)
    }
  }

  /** A label without words has no ground. */
  #drawGround(lines: readonly string[], size: number, [x, y]: Point): void {
    const ground = this.#ground
    this.#ground = undefined
    if (ground === undefined || lines.every(line => line === '')) return
    if (ground.width === undefined) {
      this.#draw('polygon', ground)
      return
    }
    const [width, height] = [widest(lines) * size + 12, lines.length * size * LINE_HEIGHT + 6]
    const look = { fill: 'var(--bg)', stroke: 'var(--_inner-stroke)', rx: 4 }
    this.#canvas.box(x - width / 2, y - height / 2, x + width / 2, y + height / 2, look)
  }
}

/** Signs that the library hides below the boxes that they belong to: they are 12 long. */
const MARKERS: ReadonlySet<string> = new Set(['cls-composition', 'cls-aggregation'])

/** Beside the title of a frame. */
const FRAME_BESIDE = 12
const SHARES: Readonly<Record<string, number>> = { middle: 0.5, end: 1 }

/** Signs at the ends of lines between entities. */
const isFoot = (name: string, attributes: Attributes): boolean =>
  attributes.stroke === 'var(--_line)' && (name === 'line' || name === 'circle')
