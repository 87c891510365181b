// A box, which the template draws by its look.
import type { Element } from 'hast'
import { partOf } from '../html/values.ts'
import { writeApart } from './inlines.ts'
import type { Block } from './nodes.ts'
import type { Writing } from './writing.ts'

/** The part that is its title stands above the rest. */
export function writeBox(look: string, node: Element, writing: Writing): Block[] {
  const title = partOf(node, 'title')
  return [
    {
      kind: 'box',
      look,
      ...(title === undefined ? {} : { title: writeApart(title, writing) }),
      inside: writing.blocks(node.children.filter(child => child !== title)),
    },
  ]
}
