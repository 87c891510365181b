// What the renderers draw, as values on the elements that draw it. Other formats than HTML read these: classes are for
// the stylesheet alone. They are plain data, since the sanitiser copies them.
import type { Element, ElementContent, ElementData, Root } from 'hast'
import type { BlockData } from '../reading/reading.ts'

/** Blocks; each has a writer in the PDF. */
export type DrawnBlock =
  | { readonly name: 'hint'; readonly style: BlockData<'hint'>['style'] }
  | { readonly name: 'code'; readonly title: string | undefined; readonly isNumbered: boolean }
  /** A picture that code describes, as SVG; in pixels. */
  | {
      readonly name: 'diagram'
      readonly title: string | undefined
      readonly alt: string
      readonly width: number
      readonly height: number
      readonly svg: string
    }
  /** The parts of the whole that its columns take. */
  | { readonly name: 'columns'; readonly shares: readonly number[] }
  /** A link as a box; the element has its address. */
  | { readonly name: 'card'; readonly title: string; readonly text: string | undefined }
  | {
      readonly name:
        | 'tabs'
        | 'stepper'
        | 'if'
        | 'prompt'
        | 'update'
        | 'operation'
        | 'cards'
        | 'figures'
        | 'formula'
        | 'footnotes'
    }

/** The block of a name. */
export type BlockNamed<Name extends DrawnBlock['name']> = DrawnBlock & { readonly name: Name }

/** Parts of a line. */
export type DrawnInline =
  /** An icon that the content chose. */
  | { readonly name: 'icon'; readonly icon: string }
  /** Words in a box, on one of the grounds in names.ts. */
  | { readonly name: 'chip'; readonly ground: string | undefined }
  | { readonly name: 'coloured'; readonly ink: string | undefined; readonly paper: string | undefined }
  | { readonly name: 'checkmark' | 'missing-picture' }

export type InlineNamed<Name extends DrawnInline['name']> = DrawnInline & { readonly name: Name }

export type Drawn =
  | DrawnBlock
  | DrawnInline
  /** Text, a figure or a cell that does not keep to the side where lines begin. */
  | { readonly name: 'aligned'; readonly side: string }
  /** An item that begins with a checkbox. */
  | { readonly name: 'task'; readonly isDone: boolean }
  /** A line of code that the author points out. */
  | { readonly name: 'marked-line' }
  /** A picture as high as its line. */
  | { readonly name: 'line-high' }
  /** Only for screens and their readers. */
  | { readonly name: 'screen' }

/** Parts of a block that its writer asks for. */
export type PartName = 'title' | 'inside' | 'cover' | 'target'

declare module 'hast' {
  interface ElementData {
    drawn?: Drawn
    part?: PartName
  }
}

/** Says of an element what it draws, and which part of a block it is. */
export function describe(element: Element, drawn: Drawn | undefined, part?: PartName): void {
  // Another library declares a field that only its own elements have.
  element.data = { ...(drawn && { drawn }), ...(part && { part }) } as ElementData
}

/** Takes away what the elements draw, where nothing reads it: to copy it is dear. */
export function forget(tree: Root | Element): void {
  for (const child of tree.children)
    if (child.type === 'element') {
      delete child.data
      forget(child)
    }
}

/** What an element draws that keeps to a side. */
export const alignedTo = (side: string | undefined): Drawn | undefined =>
  side === undefined ? undefined : { name: 'aligned', side }

/** What an element draws; undefined if it is only what HTML says of it. */
export const drawnOf = ({ data }: Element): Drawn | undefined => data?.drawn

/** The side that an element keeps to. */
export function drawnSide(element: Element): string | undefined {
  const drawn = drawnOf(element)
  return drawn?.name === 'aligned' ? drawn.side : undefined
}

export const isForScreens = (node: ElementContent): boolean =>
  node.type === 'element' && drawnOf(node)?.name === 'screen'

/** The name of the part that an element is. */
export const partNameOf = ({ data }: Element): PartName | undefined => data?.part

/** The part of a block that has this name, if it has one. */
export const partOf = ({ children }: Element, name: PartName): Element | undefined =>
  children.find((child): child is Element => child.type === 'element' && partNameOf(child) === name)
