// What a document says, and whether a text that was written for it says all of it. A write loses no word.
import { type Block, type BlockOf, block, paragraph, text } from '../document/document.ts'

const LETTER = /[\p{L}\p{N}]/gu

/** The members of a node's data that people read. */
const READ: ReadonlySet<string> = new Set([
  ...['title', 'alt', 'caption', 'formula', 'expression', 'label', 'description'],
])

type Members = { readonly [name: string]: unknown }

/**
 * How often a document says each letter and digit: words may be joined and cut where marks begin and end. Those of
 * footnotes are apart, because every reference to one carries its body.
 */
class Letters {
  readonly counts = new Map<string, number>()
  readonly inFootnotes = new Set<string>()

  constructor(nodes: readonly Block[]) {
    const waiting: { readonly value: unknown; readonly isInFootnote: boolean }[] = [
      { value: nodes, isInFootnote: false },
    ]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { value, isInFootnote } = next
      if (typeof value !== 'object' || value === null) continue
      if ('type' in value && value.type === 'table') {
        for (const inside of cellsIn(value as BlockOf<'table'>)) waiting.push({ value: inside, isInFootnote })
        continue
      }
      const isBody = isInFootnote || ('fragment' in value && value.fragment === 'annotation-body')
      if ('leaves' in value && Array.isArray(value.leaves))
        for (const leaf of value.leaves) this.#add(leaf.text, isBody)
      else
        for (const [name, inside] of Object.entries(value as Members)) {
          if (typeof inside === 'string' && READ.has(name)) this.#add(inside, isBody)
          else if (name !== 'meta') waiting.push({ value: inside, isInFootnote: isBody })
        }
    }
  }

  #add(said: string, isInFootnote: boolean): void {
    for (const [letter] of said.matchAll(LETTER))
      if (isInFootnote) this.inFootnotes.add(letter)
      else this.counts.set(letter, (this.counts.get(letter) ?? 0) + 1)
  }
}

/** The columns and cells of a table; words that no row names are not part of it. */
function cellsIn({ data, fragments = [] }: BlockOf<'table'>): unknown[] {
  const records = Object.values(data.records)
  const named = new Set(records.flatMap(({ values }) => Object.values(values)))
  const cells = fragments.filter(({ fragment }) => named.has(fragment))
  return [data.definition, records, cells]
}

/** Whether `said` lacks words of `asked`. */
export function losesWords(asked: readonly Block[], said: readonly Block[]): boolean {
  const all = new Letters(asked)
  const there = new Letters(said)
  for (const [letter, count] of all.counts) if ((there.counts.get(letter) ?? 0) < count) return true
  for (const letter of all.inFootnotes)
    if (!there.inFootnotes.has(letter) && !there.counts.has(letter)) return true
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
  const { nodes, fragments, data, leaves } = value as Members
  if (Array.isArray(leaves)) return [leaves.map(leaf => leaf.text).join('')]
  const said = titlesIn(data)
  const inside = Array.isArray(nodes) ? nodes : []
  const isLine = inside.some(node => node.object !== 'block')
  const words = isLine ? [inside.flatMap(linesIn).join('')] : inside.flatMap(linesIn)
  return [...said, ...words, ...linesIn(fragments)].filter(line => line.trim() !== '')
}

function titlesIn(data: unknown): string[] {
  if (typeof data !== 'object' || data === null) return []
  return Object.entries(data).flatMap(([name, value]) =>
    typeof value === 'string' && READ.has(name) ? [value] : titlesIn(value),
  )
}
