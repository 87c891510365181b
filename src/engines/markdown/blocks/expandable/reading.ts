// `<details><summary>Title</summary>…</details>`
import { isOn } from '../../schema/schema.ts'
import { type Element, isNamed, type Node } from '../../syntax/syntax.ts'

export type Expandable = {
  readonly node: Element
  /** Empty if there is no summary. */
  readonly title: readonly Node[]
  readonly body: readonly Node[]
  readonly isOpen: boolean
}

/** The first summary is the title. */
export function readExpandable(node: Element): Expandable {
  const summary = node.children.find(child => isNamed(child, 'summary'))
  return {
    node,
    title: summary?.children ?? [],
    body: node.children.filter(child => child !== summary),
    isOpen: isOn(node.attributes.open),
  }
}
