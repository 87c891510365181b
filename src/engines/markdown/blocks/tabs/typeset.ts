// Tabs on paper: one below another, each with its title.
import {
  type Block,
  elementsOf,
  type Line,
  partNameOf,
  type WriteBlock,
  writeLine,
} from '../../typeset/typesetting.ts'

export const tabs: WriteBlock<'tabs'> = (_, node, writing) => {
  const written: { title: Line; inside: Block[] }[] = []
  for (const child of elementsOf(node.children))
    if (partNameOf(child) === 'title') written.push({ title: writeLine(child.children, writing), inside: [] })
    else if (partNameOf(child) === 'inside') written.at(-1)?.inside.push(...writing.blocks([child]))
  return [{ kind: 'tabs', tabs: written }]
}
