// What the parts of a rendering share: how references are written, and the footnotes at the end of the page.
import { type Block, type BlockOf, type Fragment, plainText, type Reference } from '../document/document.ts'
import type { ListStyle, StyleOf, TableStyle } from './styles.ts'

/** How a content reference is written in the document: a relative path or an address; undefined if it leads nowhere. */
export type WriteReference = (ref: Reference) => string | undefined

/** Blocks as lines of Markdown, without a line end. */
export type Lines = string[]
export type ItemContext = {
  /** The marker of the list item whose first blocks these are. */
  readonly marker?: string | undefined
  /** The column of that item's words, in a list that somebody wrote; 0 for blocks of the page itself. */
  readonly column?: number | undefined
  /** Whether the blocks follow each other without a blank line. */
  readonly isTight?: boolean
}
/** How each type of block is written; `marker` is that of the list item that it begins. */
export type BlockRenderers = {
  readonly [T in Block['type']]?: (block: BlockOf<T>, rendering: Rendering, marker?: string) => Lines
}
export type RenderBlocks = (nodes: readonly Block[], rendering: Rendering, item?: ItemContext) => Lines

/** A footnote of the page: the label in `[^label]`, and its definition. */
export type Footnote = {
  readonly label: string
  readonly identifier: string
  readonly lines: readonly string[]
}
type FootnoteName = Pick<Footnote, 'label' | 'identifier'>

type RenderingOptions = {
  readonly write?: WriteReference | undefined
  readonly blocks: RenderBlocks
  /** Whether the page defines links, so that words in brackets may be one. */
  readonly hasLabels?: boolean
  /** The bullet of the page's lists. */
  readonly bullet?: string | undefined
  /** The layout of the lists and tables that blocks replace. */
  readonly styleOf?: StyleOf
  /** Footnotes that the page already has. */
  readonly footnotes?: readonly (FootnoteName & { readonly body: readonly Block[] })[]
  /** Names for new footnotes, used before numbers; and names that no new footnote may have. */
  readonly spareNames?: readonly FootnoteName[]
  readonly takenNames?: readonly FootnoteName[]
}

export class Rendering {
  readonly hasLabels: boolean
  readonly bullet: string
  /** The footnotes that were written so far and that the page does not have yet. */
  readonly added: Footnote[] = []
  /** The footnotes that were referred to since a caller last replaced the set. */
  used = new Set<Footnote>()
  readonly #options: RenderingOptions
  readonly #footnotes = new Map<string, Footnote>()
  readonly #taken: Set<string>
  readonly #spare: FootnoteName[]
  #isInFootnote = false
  #next = 1

  constructor(options: RenderingOptions) {
    this.#options = options
    this.hasLabels = options.hasLabels ?? false
    this.bullet = options.bullet ?? '*'
    this.#taken = new Set((options.takenNames ?? []).map(name => name.identifier))
    this.#spare = (options.spareNames ?? []).toReversed()
    for (const { label, identifier, body } of options.footnotes ?? []) {
      this.#taken.add(identifier)
      const lines = this.bodyOf(body)
      const words = lines.join('\n')
      if (!this.#footnotes.has(words)) this.#footnotes.set(words, { label, identifier, lines })
    }
  }

  listStyle(list: Block): ListStyle | undefined {
    const style = this.#options.styleOf?.(list)
    return style?.type === 'list' ? style : undefined
  }

  tableStyle(table: Block): TableStyle | undefined {
    const style = this.#options.styleOf?.(table)
    return style?.type === 'table' ? style : undefined
  }

  /** Where a reference leads, as it is written; undefined if it leads nowhere. */
  write(ref: Reference): string | undefined {
    return (this.#options.write ?? writeById)(ref)
  }

  blocks(nodes: readonly Block[] = [], item?: ItemContext): Lines {
    return this.#options.blocks(nodes, this, item)
  }

  /**
   * The footnote for an annotation: equal footnotes are one. Undefined within a footnote, which cannot hold another in
   * Markdown.
   */
  footnote(fragments: readonly Fragment[]): Footnote | undefined {
    if (this.#isInFootnote) return undefined
    const lines = this.bodyOf(fragments.flatMap(one => one.nodes))
    const words = lines.join('\n')
    let footnote = this.#footnotes.get(words)
    if (footnote === undefined) {
      footnote = { ...this.#newName(), lines }
      this.#footnotes.set(words, footnote)
      this.added.push(footnote)
    }
    this.used.add(footnote)
    return footnote
  }

  /** The lines of a footnote. */
  bodyOf(nodes: readonly Block[]): Lines {
    this.#isInFootnote = true
    const lines = this.blocks(nodes)
    this.#isInFootnote = false
    return lines
  }

  #newName(): FootnoteName {
    const spare = this.#spare.pop()
    if (spare !== undefined) return spare
    while (this.#taken.has(String(this.#next))) this.#next++
    const label = String(this.#next++)
    return { label, identifier: label }
  }
}

/** The definitions of footnotes, separated by blank lines. */
export const definitionsOf = (footnotes: Iterable<Footnote>): Lines =>
  [...footnotes].flatMap((footnote, index) => [...(index === 0 ? [] : ['']), ...definitionOf(footnote)])

const FOOTNOTE_INDENT = '    '

export function definitionOf({ label, lines }: Footnote): Lines {
  const [first = '', ...rest] = lines
  return [
    `[^${label}]:${first === '' ? '' : ` ${first}`}`,
    ...rest.map(line => (line === '' ? '' : FOOTNOTE_INDENT + line)),
  ]
}

/** The words of an annotation's body, for places that have no footnotes. */
export const wordsOfFootnote = (fragments: readonly Fragment[]): string =>
  plainText(fragments.flatMap(one => one.nodes))

/** References by their ids, as addresses within a space that the server resolves. */
export function writeById(ref: Reference): string {
  switch (ref.kind) {
    case 'url':
      return ref.url
    case 'page':
      return `${inSpace(ref.space)}/pages/${ref.page}`
    case 'anchor': {
      const page = ref.page === undefined ? inSpace(ref.space) : `${inSpace(ref.space)}/pages/${ref.page}`
      return `${page}#${ref.anchor}`
    }
    case 'file':
      return `${inSpace(ref.space)}/files/${ref.file}`
    case 'space':
      return `/spaces/${ref.space}`
    case 'user':
      return `/users/${ref.user}`
    case 'collection':
      return `/collections/${ref.collection}`
    case 'reusable-content':
      return `${inSpace(ref.space)}/reusable-contents/${ref.reusableContent}`
    case 'tag':
      return `${inSpace(ref.space)}/tags/${ref.tag}`
    case 'openapi':
      return ref.spec
  }
}

const inSpace = (space: string | undefined): string => (space === undefined ? '' : `/spaces/${space}`)
