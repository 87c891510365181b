// Small words for making HTML trees.
import type { Element, ElementContent, Text } from 'hast'

export type Hast = ElementContent

/** What may stand in a list of children; nothings are left out. */
export type Child = Hast | string | null | undefined | false | readonly Child[]

/** Properties by their DOM names (`className`, `colSpan`); undefined, null and false ones are left out. */
export type Properties = Readonly<
  Record<string, string | number | boolean | readonly string[] | null | undefined>
>

/** `el('p', { className: 'lead' }, 'Hello')` */
export function el(tagName: string, properties: Properties = {}, ...children: readonly Child[]): Element {
  const kept: Record<string, string | number | boolean | string[]> = {}
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue
    if (name === 'className') {
      const classes = typeof value === 'string' ? [value] : [...(value as readonly string[])]
      if (classes.length > 0) kept[name] = classes
    } else kept[name] = typeof value === 'string' ? readable(value) : (value as number | boolean)
  }
  return { type: 'element', tagName, properties: kept, children: flat(children) }
}

export const text = (value: string): Text => ({ type: 'text', value: readable(value) })

/** NUL and carriage returns mean other things to an HTML parser than to Markdown: neither is left to it. */
const readable = (value: string): string =>
  /[\0\r]/.test(value) ? value.replaceAll('\0', '\ufffd').replace(/\r\n?/g, '\n') : value

export function flat(children: readonly Child[]): Hast[] {
  const list: Hast[] = []
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue
    if (typeof child === 'string') list.push(text(child))
    else if (Array.isArray(child)) for (const one of flat(child)) list.push(one)
    else list.push(child as Hast)
  }
  return list
}

/** Words for screen readers alone. */
export const unseen = (words: string): Element => el('span', { className: 'unseen' }, words)

/** A sign of the reader's own, from its stylesheet. Hidden from screen readers. */
export const icon = (name: string): Element =>
  el('span', { className: ['icon', `icon-${name}`], ariaHidden: 'true' })

/** An icon that the content chose, by a name of `iconName`. The page has to bring its drawing; without one it is a page. */
export const chosenIcon = (name: string, ...classes: readonly string[]): Element =>
  el('span', { className: ['icon', `fa-${name}`, ...classes], ariaHidden: 'true' })

/** All text below the nodes, as a reader would hear it. */
export function textOf(nodes: readonly Hast[]): string {
  let words = ''
  const rest = [...nodes].reverse()
  while (rest.length > 0) {
    const node = rest.pop()
    if (node?.type === 'text') words += node.value
    else if (node?.type === 'element')
      for (let at = node.children.length - 1; at >= 0; at--) rest.push(node.children[at]!)
  }
  return words
}
