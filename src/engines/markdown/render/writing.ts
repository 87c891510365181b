// Writes the new blocks of a document: those that replace a piece are written over its text, so that what did not
// change in them stays as it was written.
import { type Block, type DocumentOptions, type Node, toDocument } from '../document/document.ts'
import { parseMarkdown, type Node as Source } from '../syntax/syntax.ts'
import { renderBlocks } from './blocks.ts'
import { carryOver } from './carry.ts'
import { losesWords, plainForms } from './losses.ts'
import { contentOf } from './matching.ts'
import type { Unwritten, WrittenPage } from './page-order.ts'
import type { PartWriter } from './part-writer.ts'
import { writeInside } from './parts.ts'
import { footnotesDefinedIn, type KnownFootnote, type Piece, type Previous } from './previous.ts'
import { definitionOf, definitionsOf, type Footnote, Rendering, type WriteReference } from './rendering.ts'
import type { Step, Steps } from './steps.ts'
import { inheritStyles, type Style, stylesByKey } from './styles.ts'
import { wordsIn } from './tokens.ts'

export type Options = { readonly write?: WriteReference } & DocumentOptions

/** How a page is read; a part of it has no title. */
export const readingOf = ({ resolve, title }: Options): DocumentOptions => ({
  ...(resolve === undefined ? {} : { resolve }),
  ...(title === undefined ? {} : { title }),
})

/** Writes what is new. A footnote that changed keeps its name if nothing needs its previous text. */
export function writeSteps({ steps }: Steps, before: Previous, options: Options): WrittenPage {
  const written = new Writer(before, options, before.footnotes, []).write(steps)
  const isUsed = (footnote: KnownFootnote) => written.used.has(footnote.identifier)
  const spare = before.footnotes.filter(footnote => !isUsed(footnote))
  if (spare.length === 0 || written.added.size === 0) return written
  return new Writer(before, options, before.footnotes.filter(isUsed), spare).write(steps)
}

type NewStep = Extract<Step, { type: 'new' }>
/** A text, what it says, and the blocks that it is read as. */
export type Written = {
  readonly text: string
  readonly says: readonly string[]
  readonly nodes: readonly Block[]
}

/** Blocks of the page itself, whose lists may be indented. */
const PAGE = { column: 0 }

/** For so many levels, each as long as the page, parts are written by themselves. */
const LEVELS_MAX = 12
/** A short page has room for long definitions. */
const CHARACTERS_MIN = 10_000

class Writer implements PartWriter {
  readonly #unwritten: Unwritten[] = []
  readonly #parts: { left: number }
  /** The footnotes that text which stays refers to. */
  readonly #kept = new Set<string>()
  readonly before: Previous
  readonly options: Options
  /** The rendering of the page as it is now, and as it was. */
  readonly #rendering: Rendering
  readonly #earlier: Rendering
  readonly #styles: WeakMap<Node, Style>
  readonly #known: ReadonlyMap<string | undefined, Style>
  /** The footnotes of the page by their identifiers, each with the piece that defines it. */
  readonly #footnotes: ReadonlyMap<
    string,
    { readonly body: readonly Block[]; readonly piece: Piece | undefined }
  >

  constructor(
    before: Previous,
    options: Options,
    footnotes: readonly KnownFootnote[],
    spareNames: readonly KnownFootnote[],
    parent?: Writer,
  ) {
    const { bullet, definitions, footnotes: takenNames } = before
    const shared = {
      write: options.write,
      blocks: renderBlocks,
      bullet,
      hasLabels: definitions.size > 0,
      takenNames,
      styleOf: (block: Block) => this.#styles.get(block),
    }
    this.before = before
    this.#parts =
      parent === undefined
        ? { left: Math.max(CHARACTERS_MIN, before.source.length) * LEVELS_MAX }
        : parent.#parts
    this.#styles = parent === undefined ? new WeakMap() : parent.#styles
    for (const [block, style] of before.styles) this.#styles.set(block, style)
    this.#known = stylesByKey(before.styles)
    this.options = options
    const defining = new Map(before.pieces.map(piece => [piece.defines, piece]))
    this.#footnotes = new Map(
      takenNames.map(({ identifier, body }) => [identifier, { body, piece: defining.get(identifier) }]),
    )
    this.#rendering =
      parent === undefined ? new Rendering({ ...shared, footnotes, spareNames }) : parent.#rendering
    this.#earlier =
      parent === undefined ? new Rendering({ ...shared, footnotes: takenNames }) : parent.#earlier
  }

  write(steps: readonly Step[]): WrittenPage {
    const used = new Set<string>()
    for (const step of steps)
      if (step.type === 'kept') for (const footnote of step.piece.refersTo) used.add(footnote)
    const texts = steps.map(step => {
      const { type, piece } = step
      if (type === 'kept') return { piece, text: piece.text, says: piece.says, isKept: true }
      this.#rendering.used = new Set()
      const written = this.#writeAll(step)
      for (const footnote of this.#rendering.used) used.add(footnote.identifier)
      return { piece, ...written, isKept: false }
    })
    for (const footnote of this.#kept) used.add(footnote)
    const added = new Map(
      this.#rendering.added.map(footnote => [footnote.identifier, this.#definition(footnote)]),
    )
    // A definition in a block that no longer has it.
    const inBlocks = this.before.footnotes.filter(
      one => used.has(one.identifier) && this.#footnotes.get(one.identifier)?.piece === undefined,
    )
    const defined = new Set(
      inBlocks.length === 0 ? [] : texts.flatMap(({ text }) => [...footnotesDefinedIn(text)]),
    )
    for (const { label, identifier, body } of inBlocks)
      if (!(added.has(identifier) || defined.has(identifier)))
        added.set(
          identifier,
          definitionOf({ label, identifier, lines: this.#earlier.bodyOf(body) }).join(this.before.lineEnd),
        )
    return { texts, added, used, unwritten: this.#unwritten }
  }

  /** The same without a loss: what cannot be written stays as it was, or is written as its plain words. */
  #writeAll(step: NewStep): Written {
    const written = this.writeStep(step)
    if (isSame(written.says, step.blocks.map(contentOf)) || !losesWords(step.blocks, written.nodes))
      return written
    const { piece } = step
    const keys = new Set(step.over === undefined ? [] : step.over.nodes.map(node => node.key))
    const parts: Written[] = []
    for (const one of step.blocks) {
      if (piece !== undefined && keys.has(one.key)) {
        this.#unwritten.push({ block: one.key, isKept: true })
        if (parts.every(part => part.text !== piece.text))
          parts.push({ text: piece.text, says: piece.says, nodes: piece.nodes })
        for (const footnote of piece.refersTo) this.#kept.add(footnote)
      } else parts.push(this.#writeOne(one))
    }
    return {
      text: parts.map(part => part.text).join(this.before.lineEnd.repeat(2)),
      says: parts.flatMap(part => part.says),
      nodes: parts.flatMap(part => part.nodes),
    }
  }

  /** A block by itself, in the first form that keeps its words. */
  #writeOne(one: Block): Written {
    const asIs = this.writeStep({ type: 'new', blocks: [one], piece: undefined, over: undefined })
    if (!losesWords([one], asIs.nodes)) return asIs
    this.#unwritten.push({ block: one.key, isKept: false })
    let last = asIs
    for (const blocks of plainForms(one)) {
      last = this.writeStep({ type: 'new', blocks: [...blocks], piece: undefined, over: undefined })
      if (!losesWords([one], last.nodes)) break
    }
    return last
  }

  /** The text of new blocks, and what it says. */
  writeStep(step: NewStep): Written {
    const around = this.#rendering.used
    this.#rendering.used = new Set()
    const written = this.#writeBlocks(step)
    for (const footnote of this.#rendering.used) around.add(footnote)
    this.#rendering.used = around
    return written
  }

  #writeBlocks({ blocks, over: piece }: NewStep): Written {
    const rendering = this.#rendering
    const were = piece?.nodes ?? []
    inheritStyles(were, blocks, this.#styles, this.#known)
    const text = renderBlocks(blocks, rendering, PAGE).join(this.before.lineEnd)
    const read = (one: string, links?: Iterable<string>) =>
      this.#said(one, this.#read(one, rendering.used, links))
    if (piece === undefined) return read(text)
    // What is defined twice, or not referred to, would be read as a block of its own.
    const used = new Set([...rendering.used].map(one => one.identifier))
    const others = this.footnotesOf(piece.refersTo).filter(one => !used.has(one.identifier))
    const footnotesIn = (one: string) => [
      ...rendering.used,
      ...others.filter(footnote => refersTo(one, footnote)),
    ]
    const asked = blocks.map(contentOf)
    const tried: Written[] = []
    for (const write of [() => this.#writeParts(piece, blocks), () => this.#carry(piece, text)]) {
      const over = write()
      if (over === undefined) continue
      // An unclosed fence also holds the blank lines below it.
      const said = this.#said(over, this.#read(over + piece.gap, footnotesIn(over), piece.links))
      tried.push(said)
      if (isSame(said.says, asked)) break
    }
    const last = tried.at(-1)
    const anew = last === undefined || !isSame(last.says, asked) ? read(text) : last
    const said = tried.find(one => isSame(one.says, anew.says)) ?? anew
    if (said !== anew || last === anew)
      for (const footnote of footnotesIn(said.text))
        if (refersTo(said.text, footnote)) this.#kept.add(footnote.identifier)
    return said
  }

  /** The text of a piece with what changes in it between the two renderings of its blocks. */
  #carry(piece: Piece, text: string): string {
    this.#earlier.used = new Set()
    const was = renderBlocks(piece.nodes, this.#earlier, PAGE).join(this.before.lineEnd)
    return carryOver(piece, this.#worded(was, this.#earlier.used), text)
  }

  footnotesOf(identifiers: Iterable<string>): Footnote[] {
    const wanted = new Set(identifiers)
    return this.before.footnotes
      .filter(one => wanted.has(one.identifier))
      .map(({ label, identifier, body }) => ({ label, identifier, lines: this.#earlier.bodyOf(body) }))
  }

  writeInside(node: Source, own: Block, is: Block): string | undefined {
    return writeInside(this, node, own, is)
  }

  inside(before: Previous): Writer {
    return new Writer(before, this.options, [], [], this)
  }

  mayParse(characters: number): boolean {
    this.#parts.left -= characters
    return this.#parts.left >= 0
  }

  layOut(block: Block, style: Style | undefined): void {
    if (style !== undefined) this.#styles.set(block, style)
  }

  /** The text of a piece of one block with the changed parts of that block; other blocks go above and below it. */
  #writeParts(piece: Piece, blocks: readonly Block[]): string | undefined {
    const [own, ...others] = piece.nodes
    const [node, ...more] = piece.parsed.filter(one => one.position.end > piece.start)
    if (own === undefined || node === undefined || others.length > 0 || more.length > 0) return undefined
    const at = blocks.length === 1 ? 0 : blocks.findIndex(one => one.key !== undefined && one.key === own.key)
    const is = blocks[at]
    const inner = is && this.writeInside(node, own, is)
    if (inner === undefined) return undefined
    const { position } = node
    const start = position.start - piece.start
    const text = piece.text.slice(0, start) + inner + piece.text.slice(position.end - piece.start)
    const rendered = (some: readonly Block[]) =>
      some.length === 0 ? [] : [renderBlocks(some, this.#rendering, PAGE).join(this.before.lineEnd)]
    return [...rendered(blocks.slice(0, at)), text, ...rendered(blocks.slice(at + 1))].join(
      this.before.lineEnd.repeat(2),
    )
  }

  #said(text: string, nodes: readonly Block[]): Written {
    return { text, says: nodes.map(contentOf), nodes }
  }

  /** The definition of a new footnote, over that of the one whose name it has. */
  #definition(footnote: Footnote): string {
    const { lineEnd } = this.before
    const text = definitionOf(footnote).join(lineEnd)
    const { piece, body = [] } = this.#footnotes.get(footnote.identifier) ?? {}
    if (piece === undefined) return text
    const lines = this.#earlier.bodyOf(body)
    const carried = carryOver(
      piece,
      this.#worded(definitionOf({ ...footnote, lines }).join(lineEnd), []),
      text,
    )
    const reference = `x[^${footnote.label}]`
    const says = this.#read([reference, '', text].join(lineEnd), [])
    const said = this.#read([reference, '', carried].join(lineEnd), [], piece.links)
    return isSame(said.map(contentOf), says.map(contentOf)) ? carried : text
  }

  #worded(text: string, footnotes: Iterable<Footnote>) {
    const [page, start] = this.#pageOf(text, footnotes, [])
    const { children } = parseMarkdown(page)
    const inside = children.filter(
      ({ position }) => position.start >= start && position.start < start + text.length,
    )
    return { text, words: wordsIn(inside, page, start) }
  }

  /** What a part says by itself. */
  #read(text: string, footnotes: Iterable<Footnote>, links: Iterable<string> = []): readonly Block[] {
    const [page] = this.#pageOf(text, footnotes, links)
    const { resolve } = this.options
    const { document } = toDocument(page, resolve === undefined ? {} : { resolve })
    return document.nodes.slice(1)
  }

  /** A page of a single part, below another block, because frontmatter is read only at the beginning of a page. */
  #pageOf(
    text: string,
    footnotes: Iterable<Footnote>,
    links: Iterable<string>,
  ): [page: string, start: number] {
    const { lineEnd, definitions } = this.before
    const above = `x${lineEnd}${lineEnd}`
    const inside = footnotesDefinedIn(text)
    const defined = [
      ...definitionsOf([...footnotes].filter(one => !inside.has(one.identifier))),
      ...[...links].flatMap(link => ['', definitions.get(link) ?? '']),
    ]
    // Nothing follows unless it has to: a part may be open at its end.
    const below = defined.length === 0 ? [] : ['', ...defined]
    return [[above + text, ...below].join(lineEnd), above.length]
  }
}

const refersTo = (text: string, { label, identifier }: Footnote): boolean =>
  text.includes(`[^${label}]`) || text.includes(`#${identifier}`)

export const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text, index) => text === other[index])
