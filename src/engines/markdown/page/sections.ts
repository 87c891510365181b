// A page cut at its headings, as plain text: what search finds and links to, and the outline beside a page.
import { childrenOf, type Node, parseMarkdown, plainLine, plainText, type Root } from '../syntax/syntax.ts'
import { headingAnchors, headingLevel } from './anchors.ts'

/**
 * One heading with what stands below it, up to the next heading. `level` is 1 for `#`; what stands before the first
 * heading has level 0 and neither heading nor anchor. `text` is without the heading. Offsets are those of the source.
 */
export type Section = {
  readonly anchor: string
  readonly heading: string
  readonly level: number
  readonly text: string
  readonly start: number
  readonly end: number
}

/** The sections of a page in their order. Text before the first heading is one only if there is any. */
export function sections(source: string, root: Root = parseMarkdown(source)): Section[] {
  const anchors = headingAnchors(root)
  const open: { heading: Node | undefined; nodes: Node[]; start: number }[] = [
    { heading: undefined, nodes: [], start: 0 },
  ]
  // A node goes into a section whole unless there are headings in it.
  const visit = (node: Node) => {
    if (anchors.has(node)) open.push({ heading: node, nodes: [], start: node.position.start })
    else if (holdsHeading.has(node)) {
      open.at(-1)!.nodes.push(...wordsOfItsOwn(node))
      for (const child of childrenOf(node)) visit(child)
    } else open.at(-1)!.nodes.push(node)
  }
  const holdsHeading = parentsOf(root, anchors)
  for (const child of root.children) visit(child)
  return open.flatMap(({ heading, nodes, start }, index) => {
    const text = plainText(nodes)
    if (!heading && text === '') return []
    return {
      anchor: heading ? anchors.get(heading)! : '',
      heading: heading ? plainLine([heading]) : '',
      level: heading ? headingLevel(heading) : 0,
      text,
      start,
      end: open[index + 1]?.start ?? source.length,
    }
  })
}

/** A tag's own words, such as the title of a tab, without what it holds. */
const wordsOfItsOwn = (node: Node): Node[] => (node.type === 'tag' ? [{ ...node, children: [] }] : [])

function parentsOf(root: Root, anchors: ReadonlyMap<Node, string>): Set<Node> {
  const parents = new Set<Node>()
  const visit = (node: Node): boolean => {
    if (anchors.has(node)) return true
    let holds = false
    for (const child of childrenOf(node)) holds = visit(child) || holds
    if (holds) parents.add(node)
    return holds
  }
  visit(root)
  return parents
}
