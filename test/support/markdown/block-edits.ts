// What a client does that reads a page as a document, inserts, deletes or moves a block and writes it back; and what of
// the page changed that the edit is not about.
import { checkDocument } from '../../../src/engines/markdown/document/check.ts'
import {
  type Block,
  type BlockOf,
  block,
  type JSONDocument,
  type Node,
  paragraph,
  text,
  toDocument,
} from '../../../src/engines/markdown/document/document.ts'
import { writeOver } from '../../../src/engines/markdown/render/render.ts'
import { resolve, write } from './paths.ts'

/** A word that no page holds. */
const NEW_WORD = 'qzxqj'

export type BlockEdit = {
  /** What was done, and the types of the blocks around its place, from the outermost on. */
  readonly name: string
  readonly before: string
  readonly after: string
  /** What the edit broke; undefined if nothing. */
  readonly broken: 'words' | 'document' | 'named' | 'bytes' | undefined
  /** The lines that went away, and those that came, apart from the edit. */
  readonly lost: readonly string[]
  readonly gained: readonly string[]
}

/** A list of blocks in a document, and what holds it. */
type Place = { readonly nodes: Block[]; readonly path: string; readonly holder: string }
type Edit = { readonly kind: string; readonly path: string; readonly apply: () => void }

/** Does one edit of each kind at each place of a page that `isChosen`, and says what came of it. */
export function* editBlocks(source: string, isChosen: (name: string) => boolean): Generator<BlockEdit> {
  const options = { resolve, write, title: /^# (.*)$/m.exec(source)?.[1] ?? '' }
  const { document } = toDocument(source, options)
  const all = editsOf(structuredClone(document))
  for (const [number, { kind, path }] of all.entries()) {
    const name = `${kind} in ${path || 'a page'}`
    if (!isChosen(name)) continue
    const edited: JSONDocument = structuredClone(document)
    const { apply } = editsOf(edited)[number]!
    apply()
    if (checkDocument(edited).length > 0) continue
    const { text: after, unwritten } = writeOver(source, edited, options)
    const read = toDocument(after, options).document
    const { lost, gained } = changesOf(kind, source, after)
    const broken = !isEqual(wordsOf(read.nodes), wordsOf(edited.nodes))
      ? 'words'
      : unwritten.length > 0
        ? 'named'
        : JSON.stringify(saidBy(read)) !== JSON.stringify(saidBy(edited))
          ? 'document'
          : lost.length + gained.length > 0
            ? 'bytes'
            : undefined
    yield { name, before: source, after, broken, lost, gained }
  }
}

function editsOf(document: JSONDocument): Edit[] {
  const edits: Edit[] = []
  for (const { nodes, path, holder } of placesIn(document)) {
    const add = (kind: string, apply: () => void) => edits.push({ kind, path, apply })
    const insert = (index: number) => {
      for (const [name, one] of Object.entries(newBlocks(holder, nodes[index] ?? nodes[index - 1])))
        add(`insert ${name}`, () => nodes.splice(index, 0, one))
    }
    for (const [index, node] of nodes.entries()) {
      insert(index)
      if (nodes.length > 1) add(`delete ${node.type}`, () => nodes.splice(index, 1))
      const next = nodes[index + 1]
      if (next !== undefined) add(`move ${node.type}`, () => nodes.splice(index, 2, next, node))
      if (node.type === 'list-item' && index > 0) add('nest item', () => nest(nodes, index, holder))
      if (node.type === 'list-ordered')
        add('number list', () => {
          node.data.start = (node.data.start ?? 1) + 4
        })
      if (node.type === 'table') for (const [kind, edit] of Object.entries(ROWS)) add(kind, () => edit(node))
    }
    insert(nodes.length)
  }
  return edits
}

const words = () => paragraph([text(`${NEW_WORD} new`)])

/** New blocks for a place, beside another. */
function newBlocks(holder: string, beside: Block | undefined): { [name: string]: Block } {
  if (holder.startsWith('list-') && holder !== 'list-item') {
    const isTask = holder === 'list-tasks'
    return { item: block('list-item', isTask ? { checked: false } : {}, { nodes: [words()] }) }
  }
  switch (holder) {
    case 'tabs':
      return { tab: block('tabs-item', { title: NEW_WORD }, { nodes: [words()] }) }
    case 'stepper':
      return { step: block('stepper-step', {}, { nodes: [words()] }) }
    case 'columns':
      return { column: block('column', {}, { nodes: [words()] }) }
    case 'updates':
    case 'images':
    case 'prompt':
      return {}
    case 'code':
      return { line: block('code-line', {}, { nodes: [text(NEW_WORD)] }) }
  }
  const list = block('list-unordered', {}, { nodes: [block('list-item', {}, { nodes: [words()] })] })
  return {
    paragraph: words(),
    heading: block('heading-2', {}, { nodes: [text(NEW_WORD)] }),
    ...(beside?.type.startsWith('list-') ? {} : { list }),
    code: block('code', {}, { nodes: [block('code-line', {}, { nodes: [text(NEW_WORD)] })] }),
  }
}

/** An item goes into a list in the item above. */
function nest(items: Block[], index: number, holder: string): void {
  const [item] = items.splice(index, 1) as BlockOf<'list-item'>[]
  const above = items[index - 1] as BlockOf<'list-item'>
  const last = above.nodes?.at(-1)
  if (last?.type === holder) (last.nodes as Block[]).push(item!)
  else above.nodes = [...(above.nodes ?? []), block(holder as 'list-ordered', {}, { nodes: [item!] })]
}

type Table = BlockOf<'table'>
const ROWS: { readonly [kind: string]: (table: Table) => void } = {
  'insert row': ({ data, fragments }) => {
    const values: { [column: string]: string } = {}
    for (const { id, type } of Object.values(data.definition)) {
      if (type !== 'text') continue
      values[id] = `new-${id}`
      fragments?.push({ object: 'fragment', fragment: `new-${id}`, nodes: [words()] })
    }
    const first = Object.values(data.records)[0]
    data.records.new = { orderIndex: `${first?.orderIndex ?? 0}5`, values }
  },
  'delete row': ({ data }) => {
    Reflect.deleteProperty(data.records, Object.keys(data.records).at(-1) ?? '')
  },
}

function placesIn(document: JSONDocument): Place[] {
  const places: Place[] = []
  const visit = (node: Node, path: string): void => {
    if (node.object === 'text') return
    const inside = `${path} ${node.type}`.trim()
    const nodes = (node.nodes ?? []) as Node[]
    if (nodes.some(one => one.object === 'block'))
      places.push({ nodes: nodes as Block[], path: inside, holder: node.type })
    for (const one of nodes) visit(one, inside)
    for (const { nodes: held, type } of node.fragments ?? []) {
      if (node.type === 'table' || type === 'expandable-body' || type === 'annotation-body')
        places.push({ nodes: held, path: inside, holder: type ?? 'cell' })
      for (const one of held) visit(one, inside)
    }
  }
  places.push({ nodes: document.nodes, path: '', holder: 'document' })
  for (const node of document.nodes) visit(node, '')
  return places
}

const isEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((word, index) => word === other[index])

/** The words of nodes, sorted; what belongs to a table that no row names is left out. */
function wordsOf(value: unknown): string[] {
  const found: string[] = []
  const collect = (one: unknown, name = ''): void => {
    if (typeof one === 'string' && /^(?:text|title|alt|caption|formula|label)$/.test(name)) found.push(one)
    else if (Array.isArray(one)) for (const inside of one) collect(inside)
    else if (typeof one === 'object' && one !== null) {
      const { type, data, fragments } = one as Partial<Table>
      const named =
        type === 'table'
          ? new Set(Object.values(data!.records).flatMap(row => Object.values(row.values)))
          : undefined
      for (const [member, inside] of Object.entries(one))
        if (member !== 'meta' && member !== 'fragments') collect(inside, member)
      for (const inside of fragments ?? [])
        if (named === undefined || named.has(inside.fragment)) collect(inside.nodes)
    }
  }
  collect(value)
  return (found.join(' ').match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).sort()
}

/** What a document says, without the names of rows and cells. */
const saidBy = ({ nodes }: JSONDocument): unknown => said(nodes)

function said(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(one => !isEmpty(one)).map(said)
  if (typeof value !== 'object' || value === null) return value
  const node = value as { readonly [name: string]: unknown }
  if (node.type === 'table') return tableSaid(value as Table)
  const members: [string, unknown][] = []
  for (const [name, member] of Object.entries(node).sort(([one], [other]) => (one < other ? -1 : 1))) {
    const what = said(member)
    const isNothing =
      what === undefined || (typeof what === 'object' && what !== null && Object.keys(what).length === 0)
    if (!(isNothing || ['key', 'meta', 'isVoid'].includes(name))) members.push([name, what])
  }
  return members
}

/** An empty paragraph is not written. */
const isEmpty = (value: unknown): boolean => {
  const { type, nodes = [] } = (value ?? {}) as Partial<Block>
  return (
    type === 'paragraph' &&
    nodes.every(one => one.object === 'text' && one.leaves.every(leaf => leaf.text.trim() === ''))
  )
}

function tableSaid({ data, fragments = [] }: Table): unknown {
  const { records, ...others } = data
  const rows = Object.values(records).sort((one, other) => (one.orderIndex < other.orderIndex ? -1 : 1))
  const slots = new Map(fragments.map(one => [one.fragment, one.nodes]))
  const cell = (value: unknown) => (typeof value === 'string' ? said(slots.get(value) ?? value) : said(value))
  const cells = rows.map(row => Object.entries(row.values).map(([column, value]) => [column, cell(value)]))
  return ['table', said(others), cells]
}

/** What went away or came that an edit of this kind is not about. */
function changesOf(kind: string, before: string, after: string): Pick<BlockEdit, 'lost' | 'gained'> {
  // What pipes cannot hold makes HTML of their table.
  if (countOf(after, '<table') > countOf(before, '<table')) return { lost: [], gained: [] }
  if (kind.startsWith('insert')) return { lost: changed(plain(before), plain(after)), gained: [] }
  if (kind.startsWith('delete')) return { lost: [], gained: changed(plain(after), plain(before)) }
  return {
    lost: missing(linesOf(before, kind), linesOf(after, kind)),
    gained: missing(linesOf(after, kind), linesOf(before, kind)),
  }
}

const countOf = (text: string, part: string): number => text.split(part).length - 1

/** Without blank lines, the signs of items, and the paragraphs that a second block in a cell needs. */
const plain = (text: string): string =>
  text
    .replace(/<\/?p>/g, '')
    .replace(
      /^((?:[ \t]*>)*)((?:[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$))+)/gm,
      (_, quotes, signs) => quotes + signs.replace(/\S/g, ' '),
    )
    .replace(/[ \t]+$/gm, '')
    .replace(/^>+$/gm, '')
    .replace(/\n{2,}/g, '\n')

/** What of a text is not in a longer one that has something more at one place. */
function changed(text: string, longer: string): string[] {
  let start = 0
  while (start < text.length && text[start] === longer[start]) start++
  let end = 0
  while (end < text.length - start && text.at(-1 - end) === longer.at(-1 - end)) end++
  const rest = text.slice(start, text.length - end)
  return rest.trim() === '' ? [] : [rest]
}

/** The lines of the one that the other does not have, as often as that is. */
function missing(lines: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1)
  return lines.filter(line => {
    const count = counts.get(line) ?? 0
    counts.set(line, count - 1)
    return count <= 0
  })
}

const linesOf = (text: string, kind: string): string[] =>
  plain(text)
    .split(/\r?\n|(?<=>)|(?=<)/)
    .map(line => (/^(?:nest|number)/.test(kind) ? line.replace(/^[>\s]+/, '').trim() : line.trimEnd()))
    .filter(line => line.trim() !== '')
