// What a document says, and whether a text that was written for it says all of it. A write loses no word.
import { compareTexts } from '../../../base/order.ts'
import { gridOf, wordsOf } from '../blocks/markdown.ts'
import { type Block, type BlockOf, block, paragraph, text } from '../document/document.ts'

/** Cut, so that searching for one of them costs no more than its length each time. */
const WORD = /[\p{L}\p{N}\p{M}]{1,64}/gu

/** The members of a node's data that people read. */
const READ: ReadonlySet<string> = new Set([
  ...['title', 'alt', 'caption', 'formula', 'expression', 'label', 'description'],
])

type Members = { readonly [name: string]: unknown }

/**
 * What a node says, word by word in their order. Footnotes are apart, because every reference to one carries its body;
 * one within a footnote is part of it, as Markdown has it.
 */
class Said {
  readonly words: string[] = []
  readonly footnotes = new Map<string, readonly string[]>()

  constructor(node: Block) {
    this.#addAll(node, this.words)
  }

  /** It recurses as deep as the document. */
  #addAll(value: unknown, words: string[]): void {
    if (Array.isArray(value)) for (const one of value) this.#addAll(one, words)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    const { type, data, nodes, leaves, fragments } = value as Members
    if (Array.isArray(leaves)) for (const leaf of leaves) addWords(leaf.text, words)
    else if (type === 'table') this.#addTable(value as BlockOf<'table'>, words)
    else {
      for (const read of readIn(data)) addWords(read, words)
      this.#addAll(nodes, words)
      const isFootnote = type === 'annotation' && words === this.words
      const inside: string[] = isFootnote ? [] : words
      this.#addAll(fragments, inside)
      if (isFootnote) this.footnotes.set(inside.join(''), inside)
    }
  }

  #addTable(table: BlockOf<'table'>, words: string[]): void {
    const { columns, cells } = readTable(table)
    for (const read of readIn(columns)) addWords(read, words)
    for (const cell of cells)
      if (Array.isArray(cell)) this.#addAll(cell, words)
      else for (const read of readIn(cell)) addWords(read, words)
  }
}

/** The columns of a table and the words or values of its cells; words that no row names are not part of it. */
function readTable(table: BlockOf<'table'>) {
  const grid = gridOf(table)
  const cells = new Set<unknown>()
  for (const { values } of grid.rows)
    for (const column of grid.columns) {
      const value = values[column.id]
      // As an object, because equal numbers are said as often as they are there.
      const plain = typeof value === 'number' ? { title: String(value) } : value
      cells.add(wordsOf(value, column, grid) ?? plain)
    }
  return { columns: grid.columns, cells: [...cells] }
}

function addWords(said: string, words: string[]): void {
  for (const word of said.match(WORD) ?? []) words.push(word)
}

/** What people read of data, in the order of its names. */
function readIn(data: unknown): string[] {
  if (typeof data !== 'object' || data === null) return []
  const members = Object.entries(data).sort(([one], [other]) => compareTexts(one, other))
  return members.flatMap(([name, value]) =>
    typeof value === 'string' ? (READ.has(name) ? [value] : []) : readIn(value),
  )
}

/** Where words end that follow each other in these letters, with others between them; undefined if one is missing. */
function followIn(letters: string, words: readonly string[], from = 0): number | undefined {
  let end = from
  for (const word of words) {
    const start = letters.indexOf(word, end)
    if (start === -1) return undefined
    end = start + word.length
  }
  return end
}

/**
 * Whether `said` lacks words of `asked`, or has them in another order. Words may be joined and cut where marks begin and
 * end, and more may be said: a footnote, where none can be, stands behind its word.
 */
export function losesWords(asked: readonly Block[], said: readonly Block[]): boolean {
  // What is new in one block must not take the place of what another lost.
  const isAlike = asked.length === said.length && asked.every(({ type }, index) => type === said[index]?.type)
  const wanted = asked.map(one => new Said(one))
  const there = said.map(one => new Said(one))
  const parts = there.map(one => one.words.join(''))
  if (isAlike && wanted.some(({ words }, index) => followIn(parts[index] ?? '', words) === undefined))
    return true
  const letters = parts.join('')
  const words = wanted.flatMap(one => one.words)
  if (followIn(letters, words) === undefined) return true
  const known = new Set(there.flatMap(one => [...one.footnotes.keys()]))
  let end: number | undefined = 0
  for (const [body, words] of new Map(wanted.flatMap(one => [...one.footnotes]))) {
    if (!known.has(body)) end = followIn(letters, words, end)
    if (end === undefined) return true
  }
  return false
}

/** The words of a block as paragraphs, and those that no paragraph can hold as code. */
export function plainForms(one: Block): readonly (readonly Block[])[] {
  const lines = linesIn(one)
  const code = lines.map(line => block('code-line', {}, { nodes: [text(line)] }))
  return [lines.map(line => paragraph([text(line)])), [block('code', {}, { nodes: code })]]
}

/** What a block says, a line for each line of words in it. It recurses as deep as the document. */
function linesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(linesIn)
  if (typeof value !== 'object' || value === null) return []
  const { type, nodes, fragments, data, leaves } = value as Members
  if (Array.isArray(leaves)) return [leaves.map(leaf => leaf.text).join('')]
  if (type === 'table') return linesOfTable(value as BlockOf<'table'>)
  const inside = Array.isArray(nodes) ? nodes : []
  const isLine = inside.some(node => node.object !== 'block')
  const words = isLine ? [inside.flatMap(linesIn).join('')] : inside.flatMap(linesIn)
  return [...readIn(data), ...words, ...linesIn(fragments)].filter(line => line.trim() !== '')
}

const linesOfTable = (table: BlockOf<'table'>): string[] => {
  const { columns, cells } = readTable(table)
  return [...readIn(columns), ...cells.flatMap(cell => (Array.isArray(cell) ? linesIn(cell) : readIn(cell)))]
}
