// A diagram as it goes to the library that lays it out.
import type { StandIns } from './stand-ins.ts'

/** What a line ends in, where the library draws something else; `absent`: it is not drawn at all. */
export type LineEnds = {
  readonly end: 'none' | 'cross' | 'circle' | 'absent'
  /** Whether it begins with the same. */
  readonly isBoth?: boolean
  readonly isDashed?: boolean
}

export type Shape =
  | 'rectangle'
  | 'rounded'
  | 'stadium'
  | 'subroutine'
  | 'cylinder'
  | 'circle'
  | 'doublecircle'
  | 'diamond'
  | 'hexagon'
  | 'asymmetric'
  | 'trapezoid'
  | 'trapezoid-alt'
  | 'lean-right'
  | 'lean-left'

/** Words about a thing; where ways part by what is the case; where they part or meet in any case. */
export type Look = 'note' | 'choice' | 'bar'

/** A line between two things, all by the numbers of what stands for their words. */
export type Link = {
  /** Absent where a line begins or ends at what has no words. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Words on the line. */
  readonly label?: number | undefined
  /** Words at its ends. */
  readonly counts?: readonly [from: number | undefined, to: number | undefined]
  /** How many of each there are, as signs at its ends: `||`, `o|`, `|{` or `o{`. */
  readonly feet?: readonly [from: string, to: string]
}

export type Draft = {
  /** What it is called: `Flowchart`. */
  readonly kind: string
  /** In the part of Mermaid's language that the library reads. */
  readonly text: string
  readonly standIns: StandIns
  /** What the places that the library gives are multiplied by; letters keep their size. */
  readonly scale: { readonly x: number; readonly y: number }
  /** Ends of lines between things, by their number. */
  readonly ends?: ReadonlyMap<number, LineEnds>
  /** How many lines between things it has: a picture with fewer would be a wrong one. */
  readonly linesBetween: number
  /** Lines that are drawn another way than the library has it, and whether they go from the top to the bottom. */
  readonly links?: readonly Link[]
  readonly isVertical?: boolean
  /** Where the library has the words of lines: on them, above them, or half way along a line that is no longer there. */
  readonly labels?: 'on' | 'above' | 'halfway'
  /** Things in the middle of which their words are; of others, the frame is known. */
  readonly boxes?: ReadonlyMap<
    number,
    { readonly width: number; readonly height: number; readonly shape: Shape }
  >
  /** Things that do not look as the library draws them. */
  readonly looks?: ReadonlyMap<number, Look>
  /** What is in it, for those who do not see it. */
  readonly names: readonly string[]
  readonly spacing?: { readonly nodeSpacing: number; readonly layerSpacing: number; readonly padding: number }
}

/** Sizes of letters in the picture, by those of the library. */
export const SIZES: ReadonlyMap<string, number> = new Map([
  ['13', 14],
  ['12', 12.5],
  ['11', 12.5],
  ['10', 11.5],
  ['9', 10],
])
export const NODE_SIZE = 14
export const EDGE_SIZE = 12.5
export const LINE_HEIGHT = 1.25

/** Of a letter, as the library guesses it: `src/styles.ts` of beautiful-mermaid 0.1.3. */
export const LETTER = { node: 13 * 0.55, edge: 11 * 0.52, member: 11 * 0.6, title: 11 * 0.58 } as const
