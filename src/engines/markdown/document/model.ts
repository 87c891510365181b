// A rich document as a value: its shapes on the wire, and the functions that build them.
import type { Static, TSchema } from 'typebox'
import type { Color } from '../schema/schema.ts'
import type { BLOCKS, INLINES } from './rules.ts'
import type { TABLE_COLUMNS } from './values.ts'

export type BlockType = keyof typeof BLOCKS
export type InlineType = keyof typeof INLINES

type DataOf<T> = T extends { data: infer D extends TSchema } ? Static<D> : never
export type BlockData<T extends BlockType> = DataOf<(typeof BLOCKS)[T]>
export type InlineData<T extends InlineType> = DataOf<(typeof INLINES)[T]>

type ColumnType = keyof typeof TABLE_COLUMNS
/** A column of a table, and the value of a cell in it. */
export type Definition = { [T in ColumnType]: Static<(typeof TABLE_COLUMNS)[T]> }[ColumnType]
export type Value = BlockData<'table'>['records'][string]['values'][string]

export type Mark =
  | { object: 'mark'; type: PlainMark }
  | { object: 'mark'; type: 'color'; data: { text: Color; background: Color } }
export type PlainMark =
  | 'bold'
  | 'italic'
  | 'code'
  | 'keyboard'
  | 'strikethrough'
  | 'superscript'
  | 'subscript'

export type Leaf = { object: 'leaf'; text: string; marks: Mark[] }
export type Text = { object: 'text'; key?: string; leaves: Leaf[] }

export type Fragment = {
  object: 'fragment'
  key?: string
  /** The slot it fills: `caption`, `expandable-title`, or the value of a table's cell. */
  fragment: string
  type?: string
  nodes: Block[]
}

interface NodeShape<T extends string, D> {
  type: T
  key?: string
  isVoid: boolean
  data: D
  fragments?: Fragment[]
  /** Derived by the server; never read back. */
  meta?: { [name: string]: string }
}
interface BlockShape<T extends BlockType> extends NodeShape<T, BlockData<T>> {
  object: 'block'
  nodes?: ChildOf<T>[]
}
/** Blocks whose children are words, and those whose children are all of one type; the others hold blocks. */
type Line = 'paragraph' | 'heading-1' | 'heading-2' | 'heading-3' | 'code-line'
type Items = {
  'list-ordered': 'list-item'
  'list-unordered': 'list-item'
  'list-tasks': 'list-item'
  code: 'code-line'
  images: 'image'
  tabs: 'tabs-item'
  stepper: 'stepper-step'
  columns: 'column'
  updates: 'update'
}
/** Blocks that only their container holds. */
export type ItemType = Items[keyof Items]
type ChildOf<T extends BlockType> = T extends Line
  ? Text | Inline
  : T extends keyof Items
    ? BlockOf<Items[T]>
    : Block
interface InlineShape<T extends InlineType> extends NodeShape<T, InlineData<T>> {
  object: 'inline'
  nodes?: (Text | Inline)[]
}

export type Block = { [T in BlockType]: BlockShape<T> }[BlockType]
export type Inline = { [T in InlineType]: InlineShape<T> }[InlineType]
export type Node = Block | Inline | Text
export type BlockOf<T extends BlockType> = Extract<Block, { type: T }>

export type JSONDocument = {
  object: 'document'
  data: { schemaVersion?: number }
  nodes: Block[]
}

/** The model of `rules.ts`; a document without a version means the latest. */
export const SCHEMA_VERSION = 1

/** What a line holds: texts and the inlines between them. */
export type Words = readonly (Text | Inline)[]

type Inside = { nodes?: readonly Node[]; fragments?: readonly Fragment[]; meta?: { [name: string]: string } }

// TypeScript does not see that a shape of a generic type belongs to the union of the shapes of all types.

/** A block; void if it has no nodes. */
export const block = <T extends BlockType>(type: T, data: BlockData<T>, inside: Inside = {}): BlockOf<T> =>
  ({ object: 'block', type, isVoid: inside.nodes === undefined, data, ...inside }) as unknown as BlockOf<T>

export const inline = <T extends InlineType>(type: T, data: InlineData<T>, inside: Inside = {}): Inline =>
  ({ object: 'inline', type, isVoid: inside.nodes === undefined, data, ...inside }) as unknown as Inline

export const fragment = (slot: string, nodes: readonly Block[], type?: string): Fragment => ({
  object: 'fragment',
  fragment: slot,
  ...(type === undefined ? {} : { type }),
  nodes: [...nodes],
})

export const text = (value: string, marks: readonly Mark[] = []): Text => ({
  object: 'text',
  leaves: [{ object: 'leaf', text: value, marks: [...marks] }],
})

/** A paragraph always has a text: editors need a place for the cursor. */
export const paragraph = (nodes: Words, data: BlockData<'paragraph'> = {}): BlockOf<'paragraph'> =>
  block('paragraph', data, { nodes: nodes.length === 0 ? [text('')] : nodes })
