// Turns the safe HTML tree of a page (see html/schema.ts) into the typesetter's input.
import type { Element, ElementContent, Root } from 'hast'
import { writeBlocks } from './blocks.ts'
import { scriptsIn } from './line-words.ts'
import type { WrittenPage } from './nodes.ts'
import { textOf, Writing } from './writing.ts'

export function writePage(tree: Root | Element): WrittenPage {
  const writing = new Writing(writeBlocks)
  // The tree of a page has no doctype.
  const children = tree.children as ElementContent[]
  const blocks = writing.blocks(children)
  return {
    blocks,
    ids: [...writing.ids],
    targets: [...writing.targets],
    icons: [...writing.icons],
    pictures: [...writing.pictures],
    diagrams: Object.fromEntries(writing.diagrams),
    scripts: scriptsIn(textOf(children)),
  }
}
