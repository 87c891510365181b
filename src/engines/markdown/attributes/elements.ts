// Elements of HTML that carry what a tag carries, in attributes that begin with `data-`.
import type { Element, Node, Tag } from '../syntax/syntax.ts'

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
  const { tag: name = '', 'gb-custom-block': _, ...attributes } = dataAttributes(node)
  const { isInline, position, children } = node
  return {
    type: 'tag',
    name,
    attributes,
    argument: '',
    word: undefined,
    isClosed: true,
    isInline,
    ranges: withoutData(node.ranges),
    position,
    children,
  }
}

/** A node as the tag of this name that it is, in either spelling. */
export function tagNamed(node: Node, name: string): Tag | undefined {
  const tag = node.type === 'element' ? customTag(node) : node
  return tag?.type === 'tag' && tag.name === name ? tag : undefined
}
