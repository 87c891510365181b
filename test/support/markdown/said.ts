// What a document says, drawn for a comparison in tests: blocks with their data, and of each line every character with
// its marks. Two documents that differ only in keys, in how text is cut into leaves, and in marks of white space, say
// the same.
import type {
  Block,
  Fragment,
  Inline,
  JSONDocument,
  Mark,
  Text,
} from '../../../src/engines/markdown/document/document.ts'

export const saidBy = (document: JSONDocument): unknown => document.nodes.map(blockSaid)

type Node = Block | Inline | Text

function blockSaid(block: Block): unknown {
  const inside = (block.nodes ?? []) as Node[]
  const isLine = inside.some(node => node.object !== 'block')
  const nodes = isLine ? lineSaid(inside as (Text | Inline)[]) : inside.map(node => blockSaid(node as Block))
  return [block.type, block.data ?? {}, nodes, fragmentsSaid(block.fragments)]
}

const fragmentsSaid = (fragments: readonly Fragment[] = []): unknown =>
  fragments.map(one => [one.fragment, one.nodes.map(blockSaid)])

/** Characters and inlines in their order; white space has no marks, is one space, and the ends have none. */
function lineSaid(nodes: readonly (Text | Inline)[]): unknown[] {
  const said: unknown[] = []
  for (const node of nodes) {
    if (node.object === 'text')
      for (const leaf of node.leaves) for (const char of leaf.text) said.push(charSaid(char, leaf.marks))
    else
      said.push([
        node.type,
        node.data ?? {},
        lineSaid((node.nodes ?? []) as Text[]),
        fragmentsSaid(node.fragments),
      ])
  }
  while (isSpace(said[0])) said.shift()
  while (isSpace(said.at(-1))) said.pop()
  return said.filter((one, index) => one !== ' ' || said[index - 1] !== ' ')
}

const isSpace = (one: unknown): boolean => typeof one === 'string' && one.trim() === ''

function charSaid(char: string, marks: readonly Mark[]): string {
  if (/\s/.test(char)) return char
  const names = marks.map(mark =>
    mark.type === 'color' ? `${mark.data.text}/${mark.data.background}` : mark.type,
  )
  return [char, ...names].join(' ')
}
