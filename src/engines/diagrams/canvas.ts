// What is drawn: markup in the measures of the picture and the colours of its palette, and how far it reaches.
import { html } from '../../base/html.ts'
import { LEAN_WIDTHS } from './leans.ts'
import type { Palette } from './palettes.ts'
import { type Attributes, type Point, pointsOf } from './parts.ts'

export type Redrawn = { readonly svg: string; readonly width: number; readonly height: number }

const FONTS =
  'ui-sans-serif, system-ui, -apple-system, Segoe UI, Roboto, Noto Sans, Arial, PingFang SC, Microsoft YaHei, Noto Sans CJK SC, sans-serif'

/** Places and lengths, by the axis that they are along. */
const AXES: Readonly<Record<string, 'x' | 'y'>> = {
  ...{ x: 'x', x1: 'x', x2: 'x', cx: 'x', width: 'x', rx: 'x' },
  ...{ y: 'y', y1: 'y', y2: 'y', cy: 'y', height: 'y', ry: 'y', r: 'y' },
}
const COLOURED = ['fill', 'stroke']
export const OF_LINES = ['marker-start', 'marker-end', 'stroke-dasharray']
const KEPT = [...OF_LINES, 'd']
/** Longer sides are for nobody to see. */
const SIDE_MAX = 12_000
const SVG_CHARACTERS_MAX = 200_000
const MARGIN = 6

export class Canvas {
  readonly #scale: { readonly x: number; readonly y: number }
  readonly #palette: Palette
  readonly #written: string[] = []
  readonly #edges = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  /** How deep in an arrowhead, or in a drawing with measures of its own, which are not to be changed. */
  apart = 0
  #isRefused = false

  constructor(scale: { readonly x: number; readonly y: number }, palette: Palette) {
    this.#scale = scale
    this.#palette = palette
  }

  /** Undefined if something in it was not known, or if it is too large. */
  end(): Redrawn | undefined {
    const { left, top, right, bottom } = this.#edges
    const width = Math.ceil(right - left + 2 * MARGIN)
    const height = Math.ceil(bottom - top + 2 * MARGIN)
    if (this.#isRefused || !(width > 0 && width <= SIDE_MAX && height > 0 && height <= SIDE_MAX))
      return undefined
    const box = [left - MARGIN, top - MARGIN, width, height].map(rounded).join(' ')
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" width="${width}" height="${height}" font-family="${FONTS}">${this.#written.join('')}</svg>`
    return svg.length > SVG_CHARACTERS_MAX ? undefined : { svg, width, height }
  }

  write(markup: string): void {
    this.#written.push(markup)
  }

  /** A box of ours, in the colours of these names. */
  box(
    left: number,
    top: number,
    right: number,
    bottom: number,
    look: { fill: string; stroke?: string; rx?: number },
  ): void {
    this.include(left, top)
    this.include(right, bottom)
    const { fill, stroke = 'none', rx = 0 } = look
    this.write(
      `<rect x="${rounded(left)}" y="${rounded(top)}" width="${rounded(right - left)}" height="${rounded(bottom - top)}" rx="${rx}" fill="${this.colour(fill)}" stroke="${this.colour(stroke)}"/>`,
    )
  }

  /** A sign of ours on a line. */
  mark(data: string): void {
    this.write(`<path d="${data}" fill="none" stroke="${this.colour('var(--_line)')}" stroke-width="1.25"/>`)
  }

  circle([x, y]: Point): void {
    const [fill, stroke] = [this.colour('var(--bg)'), this.colour('var(--_line)')]
    this.write(`<circle cx="${rounded(x)}" cy="${rounded(y)}" r="4" fill="${fill}" stroke="${stroke}"/>`)
  }

  /** What an element says. */
  said(attributes: Attributes): string {
    const lean = LEAN_WIDTHS.get(attributes['stroke-width'] ?? '')
    let said = ''
    for (const [key, value] of Object.entries(attributes)) {
      const axis = AXES[key]
      if (key === 'r' && isDot(attributes)) said += ` r="${rounded(Number(value))}"`
      else if (key === 'points')
        said += ` points="${this.#points(lean?.(pointsOf(value)) ?? pointsOf(value))}"`
      else if (axis !== undefined) said += ` ${key}="${rounded(this.along(axis, Number(value)))}"`
      else if (COLOURED.includes(key)) said += ` ${key}="${this.colour(value)}"`
      else if (key === 'stroke-width') said += ` stroke-width="${this.strokeWidth(value)}"`
      else if (KEPT.includes(key)) said += ` ${key}="${escaped(value)}"`
    }
    return said
  }

  lineOf(name: string, attributes: Attributes): Point[] {
    const points: Point[] =
      name === 'polyline'
        ? pointsOf(attributes.points ?? '')
        : [
            [Number(attributes.x1), Number(attributes.y1)],
            [Number(attributes.x2), Number(attributes.y2)],
          ]
    return points.map(([x, y]) => [this.along('x', x), this.along('y', y)])
  }

  along(axis: 'x' | 'y', place: number): number {
    if (!Number.isFinite(place)) this.#isRefused = true
    return this.apart > 0 ? place : place * this.#scale[axis]
  }

  #points(points: readonly Point[]): string {
    return points.map(([x, y]) => `${rounded(this.along('x', x))},${rounded(this.along('y', y))}`).join(' ')
  }

  /** The drawing of a person, 24 wide in its own measure, keeps its size around its middle. */
  placed(transform: string): string {
    const [, x = '', y = '', size = ''] =
      /^translate\(([\d.-]+),([\d.-]+)\) scale\(([\d.]+)\)$/.exec(transform) ?? []
    const half = 12 * Number(size)
    const middle = (Number(x) + half) * this.#scale.x
    const top = Number(y) * this.#scale.y
    if (!Number.isFinite(middle + top)) this.#isRefused = true
    this.include(middle - half, top)
    return `translate(${rounded(middle - half)},${rounded(top)}) scale(${rounded(Number(size))})`
  }

  colour(value: string): string {
    if (value === 'none') return value
    const name = /^var\(--([a-z_-]+)\)$/.exec(value)?.[1] ?? ''
    const colour = Object.hasOwn(this.#palette, name) ? this.#palette[name] : undefined
    if (colour === undefined) this.#isRefused = true
    return colour ?? 'none'
  }

  strokeWidth(value: string): string {
    if (LEAN_WIDTHS.has(value)) return '1'
    const width = Number(value)
    return this.apart > 0 ? rounded(width) : rounded(Math.min(2, Math.max(1, width * 1.5)))
  }

  cover(name: string, attributes: Attributes): void {
    const { x: sx, y: sy } = this.#scale
    for (const [x, y] of cornersOf(name, attributes)) this.include(x * sx, y * sy)
  }

  include(x: number, y: number): void {
    const edges = this.#edges
    edges.left = Math.min(edges.left, x)
    edges.top = Math.min(edges.top, y)
    edges.right = Math.max(edges.right, x)
    edges.bottom = Math.max(edges.bottom, y)
  }
}

/** Where states begin and end. */
const isDot = ({ fill, stroke }: Attributes): boolean => fill === 'var(--_text)' || stroke === 'var(--_text)'

function cornersOf(name: string, attributes: Attributes): readonly Point[] {
  const at = (key: string) => Number(attributes[key] ?? 0)
  if (name === 'rect')
    return [
      [at('x'), at('y')],
      [at('x') + at('width'), at('y') + at('height')],
    ]
  if (name === 'line')
    return [
      [at('x1'), at('y1')],
      [at('x2'), at('y2')],
    ]
  if (name !== 'circle' && name !== 'ellipse') return pointsOf(attributes.points ?? '')
  const [rx, ry] = name === 'circle' ? [at('r'), at('r')] : [at('rx'), at('ry')]
  return [
    [at('cx') - rx, at('cy') - ry],
    [at('cx') + rx, at('cy') + ry],
  ]
}

export const listed = (attributes: Attributes, names: readonly string[]): string =>
  names
    .filter(name => attributes[name] !== undefined)
    .map(name => ` ${name}="${escaped(attributes[name] ?? '')}"`)
    .join('')

/** The same for XML as for HTML. */
export const escaped = (words: string): string => html`${words}`.markup

export const rounded = (number: number): string => String(Math.round(number * 10) / 10)
