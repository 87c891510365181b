// A page as the typesetter's template reads it: only values, nothing that could be taken for code. Every word of a page
// is a string in one of these.

/** Colours of words, backgrounds and tokens of code. The template knows what each looks like. */
export type Colour = string

export type Inline =
  | string
  | {
      readonly kind: 'strong' | 'em' | 'strike' | 'under' | 'sup' | 'sub' | 'small' | 'mono' | 'key' | 'quote'
      readonly inside: Line
    }
  | { readonly kind: 'ink' | 'paper' | 'chip'; readonly colour: Colour; readonly inside: Line }
  | { readonly kind: 'link'; readonly url: string; readonly inside: Line }
  /** To the element with this id, elsewhere in the document. */
  | { readonly kind: 'jump'; readonly to: string; readonly inside: Line }
  | { readonly kind: 'anchor'; readonly id: string }
  | { readonly kind: 'break' }
  /** An icon that the content chose. */
  | { readonly kind: 'icon'; readonly name: string }
  /** An invisible place where a line may end, in a word that is longer than a line. */
  | { readonly kind: 'chance' }
  | { readonly kind: 'picture-in-line'; readonly picture: Picture }
  | { readonly kind: 'formula'; readonly inside: readonly Formula[] }

export type Line = readonly Inline[]

/** `width` and `height` are in points, `share` is a part of the line; absent values follow from the picture. */
export type Picture = {
  readonly name: string
  readonly alt: string
  readonly width?: number
  readonly height?: number
  readonly share?: number
}

export type Direction = 'ltr' | 'rtl'

export type Block =
  | { readonly kind: 'paragraph'; readonly inside: Line; readonly dir: Direction; readonly align?: string }
  | {
      readonly kind: 'heading'
      /** 2 to 6, below the page's title. */
      readonly level: number
      readonly id?: string
      readonly inside: Line
      readonly dir: Direction
      readonly align?: string
    }
  | {
      readonly kind: 'list'
      readonly start: number | null
      readonly dir: Direction
      readonly items: readonly Item[]
    }
  | { readonly kind: 'steps'; readonly dir: Direction; readonly items: readonly Item[] }
  | { readonly kind: 'quotation'; readonly dir: Direction; readonly inside: readonly Block[] }
  | { readonly kind: 'box'; readonly look: string; readonly title?: Line; readonly inside: readonly Block[] }
  | {
      readonly kind: 'note'
      readonly style: string
      readonly dir: Direction
      readonly inside: readonly Block[]
    }
  | {
      readonly kind: 'code'
      readonly title?: Line
      readonly isNumbered: boolean
      readonly lines: readonly CodeLine[]
    }
  | { readonly kind: 'picture'; readonly picture: Picture; readonly align?: string }
  | { readonly kind: 'figure'; readonly inside: readonly Block[]; readonly caption: readonly Block[] }
  | {
      readonly kind: 'row'
      readonly shares: readonly number[]
      readonly cells: readonly (readonly Block[])[]
    }
  | { readonly kind: 'cards'; readonly cards: readonly (readonly Block[])[] }
  | { readonly kind: 'table'; readonly table: Table }
  | { readonly kind: 'card'; readonly link?: Inline; readonly title: Line; readonly text: Line }
  | {
      readonly kind: 'tabs'
      readonly tabs: readonly { readonly title: Line; readonly inside: readonly Block[] }[]
    }
  | { readonly kind: 'formula-block'; readonly inside: readonly Formula[] }
  | { readonly kind: 'rule' }
  | { readonly kind: 'anchor-block'; readonly id: string }

export type Item = {
  /** Whether a task is done. */
  readonly checked?: boolean
  readonly id?: string
  readonly inside: readonly Block[]
}

/** A run in a colour, or plain. */
export type CodeRun =
  | string
  | { readonly kind: 'ink'; readonly colour: Colour; readonly inside: Line }
  | { readonly kind: 'chance' }

export type CodeLine = { readonly isMarked: boolean; readonly runs: readonly CodeRun[] }

export type Table = {
  readonly dir: Direction
  /** The width of each column, as a part of the whole. */
  readonly shares: readonly number[]
  /** The number of rows that are repeated on each sheet. */
  readonly headRows: number
  readonly cells: readonly Cell[]
}

/** Cells never overlap, nor do they reach beyond the table or from its head into its body. */
export type Cell = {
  readonly x: number
  readonly y: number
  readonly colspan: number
  readonly rowspan: number
  readonly align: string | null
  readonly isHead: boolean
  readonly inside: readonly Block[]
}

export type Formula =
  /** One character in mathematical style. */
  | { readonly kind: 'sign'; readonly text: string; readonly style: string }
  | { readonly kind: 'words' | 'operator'; readonly text: string }
  | { readonly kind: 'group'; readonly inside: readonly Formula[] }
  | { readonly kind: 'coloured'; readonly colour: string; readonly inside: readonly Formula[] }
  | { readonly kind: 'space'; readonly em: number }
  | {
      readonly kind: 'fraction'
      readonly isLined: boolean
      readonly over: readonly Formula[]
      readonly below: readonly Formula[]
    }
  | { readonly kind: 'root'; readonly inside: readonly Formula[]; readonly index: readonly Formula[] | null }
  | {
      readonly kind: 'scripts'
      readonly base: readonly Formula[]
      readonly sub: readonly Formula[] | null
      readonly sup: readonly Formula[] | null
      /** Above and below the base instead of beside it. */
      readonly isStacked: boolean
    }
  | { readonly kind: 'accent'; readonly accent: string; readonly base: readonly Formula[] }
  | { readonly kind: 'fenced'; readonly inside: readonly Formula[] }
  | {
      readonly kind: 'matrix'
      readonly align: string
      readonly rows: readonly (readonly (readonly Formula[])[])[]
    }
  | { readonly kind: 'framed' | 'struck' | 'hidden'; readonly inside: readonly Formula[] }

/** The input for typesetting a page, and what it needs from the document around it. */
export type WrittenPage = {
  readonly blocks: readonly Block[]
  /** The ids in it that can be linked to. */
  readonly ids: readonly string[]
  /** The ids in the document that it links to. */
  readonly targets: readonly string[]
  /** Names of its icons. */
  readonly icons: readonly string[]
  /** Addresses of its pictures. */
  readonly pictures: readonly string[]
  /** Its diagrams as SVG, by the names that its pictures have. */
  readonly diagrams: Readonly<Record<string, string>>
  /** Scripts of its words, besides Latin, by their Unicode names: `Han`, `Arabic`. */
  readonly scripts: readonly string[]
}
