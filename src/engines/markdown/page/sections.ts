// A page cut at its headings, as plain text: what search finds and links to, and the outline beside a page.
import {
  childrenOf,
  type Node,
  parseMarkdown,
  plainLine,
  plainText,
  type Root,
  SKIP,
  walk,
} from '../syntax/syntax.ts'
import { headingAnchors, headingLevel } from './anchors.ts'

/**
 * One heading with the content below it, up to the next heading. `level` is 1 for `#`; the content before the first
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
  const parents = parentsOf(root, anchors)
  let nodes: Node[] = []
  const cuts = [{ anchor: '', heading: '', level: 0, start: 0, nodes }]
  for (const child of root.children)
    walk(child, node => {
      const anchor = anchors.get(node)
      if (anchor !== undefined) {
        nodes = []
        const level = headingLevel(node)
        cuts.push({ anchor, heading: plainLine([node]), level, start: node.position.start, nodes })
      } else if (!parents.has(node)) nodes.push(node)
      else {
        // A tag's own words, such as the title of a tab, are before the heading in it.
        if (node.type === 'tag') nodes.push({ ...node, children: [] })
        return undefined
      }
      return SKIP
    })
  return cuts.flatMap(({ nodes, start, ...cut }, index) => {
    const text = plainText(nodes)
    if (cut.level === 0 && text === '') return []
    return { ...cut, text, start, end: cuts[index + 1]?.start ?? source.length }
  })
}

/** The nodes that have headings in them; all others belong to one section whole. */
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
