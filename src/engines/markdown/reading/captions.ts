// What a block that leads elsewhere says beside where it leads.
import { ownMember } from '../../../base/objects.ts'
import { percentDecode } from '../../../base/percent-decode.ts'
import { schemaOf } from '../blocks/schemas.ts'
import { type Link, type Node, plainLine, toBlocks } from '../syntax/syntax.ts'
import type { TagBlock } from './tag-blocks.ts'

/** Whether an attribute names the object that a block shows. */
export const namesObject = ({ name, data }: TagBlock): boolean =>
  Object.entries(schemaOf(name).attributes).some(
    ([key, { kind }]) => kind === 'reference' && Object.hasOwn(data, key),
  )

/** Where a block leads, if one of its attributes says so. */
export function addressIn({ name, data }: TagBlock): string | undefined {
  const [key = ''] =
    Object.entries(schemaOf(name).attributes).find(([, { kind }]) => kind === 'address') ?? []
  const address = ownMember(data, key)
  return typeof address === 'string' ? address : undefined
}

/**
 * The content of a block that leads to `address`, without the link that it may begin with to say where that is, for
 * people who read the plain Markdown.
 */
export const captionOf = (block: TagBlock, address: string | undefined): readonly Node[] =>
  toBlocks(block.tag.children).slice(repeatedLink(block, address) === undefined ? 0 : 1)

/** That link. In a block that names an object, it leads to wherever the object is described. */
export function repeatedLink(block: TagBlock, address: string | undefined): Link | undefined {
  const [first] = toBlocks(block.tag.children)
  const [link, ...beside] = first?.type === 'paragraph' ? first.children : []
  if (link?.type !== 'link' || beside.length > 0) return undefined
  const isRepeated = namesObject(block) || (address !== undefined && repeats(link, block, address))
  return isRepeated ? link : undefined
}

/** The words of a link count where readers see nothing but the address in their place. */
function repeats({ url, children }: Link, { name }: TagBlock, address: string): boolean {
  const place = plainAddress(address)
  if (plainAddress(url) !== place) return false
  const words = plainAddress(plainLine(children))
  return schemaOf(name).repeatsAddress === true || place.endsWith(words)
}

const plainAddress = (address: string): string =>
  percentDecode(address.trim().replace(/^\.\//, '')).replace(/\/$/, '')
