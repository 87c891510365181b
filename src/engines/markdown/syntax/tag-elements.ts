// Elements of HTML that carry what a tag carries, in attributes that begin with `data-`.
import type { Element, Node, Tag } from './ast.ts'

/** The attributes of a tag that an element carries: `data-line-numbers` is `line-numbers`. */
export const dataAttributes = ({ attributes }: Pick<Element, 'attributes'>): Record<string, string> =>
  withoutData(attributes)

const withoutData = <T>(members: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) =>
      name.startsWith('data-') ? [[name.slice('data-'.length), value] as const] : [],
    ),
  )

/** GitBook's other spelling of a tag, inside lists: `<div data-gb-custom-block data-tag="hint" data-style="info">`. */
export function customTag(node: Element): Tag | undefined {
  if (node.attributes['data-gb-custom-block'] === undefined) return undefined
  const tag = tags.get(node) ?? tagOf(node)
  tags.set(node, tag)
  return tag
}

/** The tag that a node is, in either spelling. */
export function tagIn(node: Node): Tag | undefined {
  if (node.type === 'tag') return node
  return node.type === 'element' ? customTag(node) : undefined
}

const tags = new WeakMap<Element, Tag>()

function tagOf(node: Element): Tag {
  const { tag: name = '', 'gb-custom-block': _, ...attributes } = dataAttributes(node)
  const { tag: _name, 'gb-custom-block': _mark, ...ranges } = withoutData(node.ranges)
  const { isInline, position, children } = node
  return {
    type: 'tag',
    name,
    attributes,
    argument: '',
    word: undefined,
    isClosed: true,
    isInline,
    ranges,
    position,
    children,
  }
}
