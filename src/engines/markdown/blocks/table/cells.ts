// What a cell says in a column of a type. A cell that does not fit the type of its column is words.
import { childrenOf, isNamed, type Node, plainLine } from '../../syntax/syntax.ts'
import type { Cell, Column, SelectOption } from './reading.ts'

type CellContent =
  | { readonly kind: 'words' }
  /** Of a number or a rating; null if it is empty. */
  | { readonly kind: 'number'; readonly number: number | null }
  | { readonly kind: 'checkbox'; readonly isChecked: boolean }
  | { readonly kind: 'options'; readonly options: readonly ChosenOption[] }
  /** Of files, users, pictures and addresses, with no words beside them. */
  | { readonly kind: 'links'; readonly links: readonly CellLink[] }

/** An option as the cell writes it, and as the head describes it. */
export type ChosenOption = {
  readonly value: string
  readonly words: string
  readonly option: SelectOption | undefined
}

/** A link or a picture. */
export type CellLink = {
  readonly node: Node
  readonly destination: string
  readonly words: string
  readonly isPicture: boolean
}

const WORDS: CellContent = { kind: 'words' }

export function contentOf(cell: Cell, column: Column): CellContent {
  if (column.type === 'text') return WORDS
  const words = plainLine(cell.children)
  const links = linksIn(cell.node)
  if (LINKED.has(column.type)) {
    // A picture is a value only in a column of pictures, and a link around one in none.
    const areValues = links.every(({ node, isPicture }) =>
      isPicture ? column.type === 'image' : pictureIn(node) === undefined,
    )
    return areValues && isSame(words, links) ? { kind: 'links', links } : WORDS
  }
  const chosen = optionsIn(cell.node)
  if (column.type === 'select') {
    if (!isSame(words, chosen) || (chosen.length === 0 && links.length > 0)) return WORDS
    const options = chosen.map(one => ({
      ...one,
      option: column.options.find(({ value }) => value === one.value),
    }))
    return { kind: 'options', options }
  }
  // A picture without words is not an empty cell.
  if (words === '' && links.length > 0) return WORDS
  if (column.type === 'checkbox') {
    const isChecked = CHECKED.get(words)
    return isChecked === undefined ? WORDS : { kind: 'checkbox', isChecked }
  }
  if (words === '' || words === 'null') return { kind: 'number', number: null }
  const number = Number(words)
  return Number.isFinite(number) ? { kind: 'number', number } : WORDS
}

const LINKED: ReadonlySet<string> = new Set(['users', 'files', 'content-ref', 'image'])

const CHECKED: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['', false],
])

/** The content of a cell of words, in which each option is its label on its colour. */
export const labelledContent = ({ children }: Cell, { options }: Column): readonly Node[] =>
  options.length === 0 ? children : labelAll(children, options)

/** The same nodes where there is nothing to label. */
function labelAll(nodes: readonly Node[], options: readonly SelectOption[]): readonly Node[] {
  const labelled = nodes.flatMap(node => label(node, options))
  return labelled.every((node, at) => node === nodes[at]) ? nodes : labelled
}

function label(node: Node, options: readonly SelectOption[]): readonly Node[] {
  const chosen = node.type === 'element' ? node.attributes['data-option'] : undefined
  const option = chosen === undefined ? undefined : options.find(({ value }) => value === chosen)
  if (node.type !== 'element' || option === undefined) {
    const inside = labelAll(childrenOf(node), options)
    return inside === childrenOf(node) ? [node] : [{ ...node, children: inside } as Node]
  }
  const text = (value: string): Node => ({ type: 'text', value, position: node.position })
  const attributes = { ...node.attributes, style: `background-color:${option.color ?? 'default'}` }
  const children = [text(option.label)]
  return [{ ...node, attributes, children } as Node, ...separatorIn(node).map(text)]
}

/** What separates an option from the words after it, where it is written as part of the option: `Done, `. */
function separatorIn(node: Node): string[] {
  const last = childrenOf(node).at(-1)
  return last?.type === 'text' ? [...(/(?<![,\s])[,\s]+$/.exec(last.value) ?? [])] : []
}

/** Whether the words of a cell are those of what is in it, with none beside them. */
const isSame = (words: string, parts: readonly { readonly words: string }[]): boolean =>
  words.replace(/\s/g, '') === parts.map(part => part.words.replace(/\s/g, '')).join('')

/** Links and pictures in order; a picture in a link is part of the link. */
export function linksIn(node: Node): CellLink[] {
  return childrenOf(node).flatMap((child): CellLink[] => {
    const found = pictureOf(child) ?? linkOf(child)
    return found === undefined ? linksIn(child) : [found]
  })
}

function linkOf(node: Node): CellLink | undefined {
  const destination = node.type === 'link' ? node.url : isNamed(node, 'a') ? node.attributes.href : undefined
  if (destination === undefined) return undefined
  return { node, destination, words: plainLine(childrenOf(node)), isPicture: false }
}

function pictureOf(node: Node): CellLink | undefined {
  if (node.type === 'image') return { node, destination: node.url, words: node.alt, isPicture: true }
  const { src, alt = '' } = isNamed(node, 'img') ? node.attributes : {}
  return src === undefined ? undefined : { node, destination: src, words: alt, isPicture: true }
}

/** The first picture in a node, also one in a link. */
export function pictureIn(node: Node): CellLink | undefined {
  for (const child of childrenOf(node)) {
    const found = pictureOf(child) ?? pictureIn(child)
    if (found !== undefined) return found
  }
  return undefined
}

/** `<span data-option="abc">Done</span>`, one or several. */
function optionsIn(node: Node): Pick<ChosenOption, 'value' | 'words'>[] {
  return childrenOf(node).flatMap(child => {
    const value = child.type === 'element' ? child.attributes['data-option'] : undefined
    return value === undefined ? optionsIn(child) : [{ value, words: plainLine([child]) }]
  })
}
