// A tag as the block that it is, with what its attributes say. Each is read once: all outputs of a page share it.
import { type BlockName, blockOfTag, type SCHEMAS, schemaOf } from '../blocks/schemas.ts'
import { type Attribute, type AttributesOf, readAttributes } from '../schema/schema.ts'
import { includedPath, type Node, type Tag, tagIn } from '../syntax/syntax.ts'

type ArgumentOf<S> = S extends {
  argument: { name: infer N extends string; attribute: infer A extends Attribute }
}
  ? AttributesOf<{ readonly [K in N]: A }>
  : unknown

/** What the attributes of a block say, and what follows its name. */
export type BlockData<N extends BlockName> = AttributesOf<(typeof SCHEMAS)[N]['attributes']> &
  ArgumentOf<(typeof SCHEMAS)[N]>

/** A block that is written as a tag. `node` is the tag, or the element that stands for it. */
export type TagBlock<N extends BlockName = BlockName> = {
  [K in N]: {
    readonly name: K
    readonly data: BlockData<K>
    readonly tag: Tag
    readonly node: Node
  }
}[N]

const blocks = new WeakMap<Node, TagBlock | 'none'>()

/** The block that a tag is, in either spelling; undefined for any other node, and for a tag that GitBook does not have. */
export function blockOf(node: Node): TagBlock | undefined {
  const tag = tagIn(node)
  if (tag === undefined) return undefined
  let block = blocks.get(node)
  if (block === undefined) {
    block = readBlock(tag, node) ?? 'none'
    blocks.set(node, block)
  }
  return block === 'none' ? undefined : block
}

function readBlock(tag: Tag, node: Node): TagBlock | undefined {
  const name = blockOfTag(tag)
  if (name === undefined) return undefined
  const { isPair, attributes, argument } = schemaOf(name)
  if (isPair && !tag.isClosed) return undefined
  const table = argument === undefined ? attributes : { ...attributes, [argument.name]: argument.attribute }
  const written =
    argument === undefined
      ? tag.attributes
      : { [argument.name]: argument.attribute.kind === 'address' ? includedPath(tag) : tag.argument }
  // The data is read by the table of the name, which its type comes from.
  return { name, data: readAttributes(written, table), tag, node } as TagBlock
}

type ItemName<N extends BlockName> = (typeof SCHEMAS)[N] extends { item: infer I extends BlockName }
  ? I
  : never
export type ContainerName = { [N in BlockName]: ItemName<N> extends never ? never : N }[BlockName]
type ItemOf<N extends BlockName> = TagBlock<ItemName<N>>

export const isContainer = (block: TagBlock): block is TagBlock<ContainerName> =>
  schemaOf(block.name).item !== undefined

/** The items of a container, and whatever else is in it. */
export function itemsOf<N extends ContainerName>({
  name,
  tag,
}: TagBlock<N>): { items: ItemOf<N>[]; rest: Node[] } {
  const { item } = schemaOf(name)
  const items: ItemOf<N>[] = []
  const rest: Node[] = []
  for (const child of tag.children) {
    const block = blockOf(child)
    // TypeScript does not narrow by a name that it does not know.
    if (block !== undefined && block.name === item) items.push(block as ItemOf<N>)
    else rest.push(child)
  }
  return { items, rest }
}
